#pragma once
// An experiment of the study `inverse_design` with `response: rest_shape` as read: parameters of a body's rest shape for which
// it sags under gravity into a given shape.
//
//   response: rest_shape
//   body: {shape: curved_bar, elements: 2000, length: 1, height: 0.1, density: 1000,
//          material: {type: neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}}      # held where x = 0
//   gravity: [0, 0, -9.81]                                                                  # m/s^2
//   parameters: [{name: rise, minimum: -0.2, maximum: 0.4}]                                 # m
//   target: {sagged: {rise: 0.1}}      # where a body of this rest shape hangs; or {shape: {...}}: this shape itself

#include "holo/sim/control/rest_shape_design.h"
#include "studies/inverse_design/design_plan.h"

namespace holo {

struct RestShapePlan {
  SaggingBody body;
  Location body_location;
  std::vector<DesignedParameter> parameters;
  std::vector<double> target;  // values of the designed parameters [parameter]
  bool is_sagged = true;       // the target is where a body of this rest shape hangs, else this shape itself
  Location target_location;
  DenseOptions options;
};

RestShapePlan read_rest_shape_plan(Configuration& experiment, const StudyContext& context);

}  // namespace holo
