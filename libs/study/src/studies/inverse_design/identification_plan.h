#pragma once
// An experiment of the study `inverse_design` with `response: equilibrium` as read: parameters of a body's material for which
// its equilibrium is a recorded one.
//
//   response: equilibrium
//   scene: {time_step: 0.25, duration: 1, gravity: [0, 0, -9.81], bodies: [...]}      # as of quasi_statics
//   parameters: [{name: youngs_modulus, minimum: 5e3, maximum: 5e4}]                  # of the first body's material
//   recorded: {youngs_modulus: 2.3e4, poissons_ratio: 0.37}                           # the same scene with these

#include "holo/sim/control/equilibrium_design.h"
#include "studies/inverse_design/design_plan.h"

namespace holo {

struct IdentificationPlan {
  ElasticSceneDefinition scene;
  std::vector<std::pair<std::string, double>> values;  // of the material's parameters
  std::vector<DesignedParameter> parameters;
  std::vector<double> recorded;  // values of the designed parameters [parameter]
  Location recorded_location;
  DenseOptions options;
};

IdentificationPlan read_identification_plan(Configuration& experiment, const StudyContext& context);

}  // namespace holo
