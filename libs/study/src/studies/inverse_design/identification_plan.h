#pragma once
// An experiment of the study `inverse_design` with `response: equilibrium` as read: parameters of a body's material for which
// its equilibrium is a recorded one, or has the least losses.
//
//   response: equilibrium
//   scene: {time_step: 0.25, duration: 1, gravity: [0, 0, -9.81], bodies: [...]}      # as of quasi_statics
//   parameters: [{name: youngs_modulus, minimum: 5e3, maximum: 5e4}]                  # of the first body's material
//   recorded: {youngs_modulus: 2.3e4, poissons_ratio: 0.37}                           # the same scene with these; or
//   recorded_file: deformed.vtu                                                       # a mesh of the deformed bodies; or
//   losses: [{type: track_position, body: bar, target: [1, 0, 0.1]}]                  # as of elastic_dynamics

#include "holo/sim/control/equilibrium_design.h"
#include "studies/elastic_losses.h"
#include "studies/inverse_design/design_plan.h"

namespace holo {

struct IdentificationPlan {
  ElasticSceneDefinition scene;
  std::vector<std::pair<std::string, double>> values;  // of the material's parameters
  std::vector<DesignedParameter> parameters;
  std::vector<double> recorded;                  // values of the designed parameters [parameter]; empty: not known
  std::filesystem::path recorded_file;           // "": the same scene with `recorded`, or losses
  ElasticLossPlan losses = {SignalPlan(2), {}};  // none: a recorded deformation
  Location recorded_location;
  DenseOptions options;
};

// `plugins`: those of losses are added.
IdentificationPlan read_identification_plan(Configuration& experiment, const StudyContext& context,
                                            std::vector<UsedPlugin>& plugins);

}  // namespace holo
