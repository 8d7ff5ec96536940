#pragma once
// An experiment of the study `inverse_design` as read.
//
//   body: {shape: bridge, elements: 21000, length: 10, width: 2, height: 2, arch_height: 1.2,
//          youngs_modulus: 2.0e7, poissons_ratio: 0.3, density: 900}                        # m, Pa, kg/m^3
//   acceleration: [0, 2, -1]                                                                # m/s^2
//   parameters: [{name: length, minimum: 6, maximum: 14}]
//   reduced_model: {points: 5, samples: 20}                                                 # optional: sliders in the report
//   target: {frequency: 1.5}                                                                # Hz; or {body: {shape: beam, ...}}

#include <optional>
#include <string>
#include <vector>

#include "holo/opt/dense/dense_minimizer.h"
#include "holo/sim/design/linear_vibration.h"
#include "holo/study/study.h"

namespace holo {

// A parameter that is designed.
struct DesignedParameter {
  std::string name, unit;
  int number = 0;  // among all of the body
  double start = 0, minimum = 0, maximum = 0;
  Location where;
};

struct DesignPlan {
  VibratingBody body;
  Location body_location;
  std::vector<DesignedParameter> parameters;
  double frequency = 0;  // of the target [Hz], without a body
  std::optional<VibratingBody> target;
  Location target_location;
  DenseOptions options;
  double periods = 20;  // of the motion after the design; 0: none
  int steps_per_period = 40;
  int model_points = 0;    // of each parameter, of the model behind the report's sliders; 0: none
  int model_samples = 20;  // between its nodes, at which its errors are measured
};

// A number of a body that may be designed, with its value at the start.
struct BodyParameter {
  std::string name, unit;
  double value = 0;
};

// Parts of experiments of this study; problems are reported through the configuration file.
// `shape`, its parameters and `elements`; null while a schema is recorded.
std::shared_ptr<const ShapeFamily> read_shape(Configuration& section, std::vector<double>& parameters, int& elements);
// An entry of `parameters`; `before`: those that were read before it. An empty body: nothing is known of it after a problem.
DesignedParameter read_designed_parameter(Configuration& entry, const std::vector<BodyParameter>& body,
                                          const std::vector<DesignedParameter>& before);
// The section `key`: a number for each of the parameters, and no others. Fewer after a problem, none while a schema is
// recorded.
std::vector<double> read_parameter_values(Configuration& section, const char* key, const char* documentation,
                                          const std::vector<DesignedParameter>& parameters, bool required);
DenseOptions read_newton_options(Configuration& experiment, double tolerance);

// Problems are reported through the configuration file.
DesignPlan read_design_plan(Configuration& experiment);

// Names and units of all parameters of a body, in their order.
std::vector<std::pair<std::string, std::string>> parameter_names(const ShapeFamily& family);

}  // namespace holo
