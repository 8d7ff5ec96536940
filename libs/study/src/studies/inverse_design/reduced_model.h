#pragma once
// The model behind the sliders of a design's report: frequency, shape and mode of the designed body, computed at the nodes of a
// grid of its parameters. docs/inverse-design.md#sliders

#include <optional>

#include "holo/sim/design/linear_vibration.h"
#include "holo/study/parameter_model.h"
#include "studies/inverse_design/design_plan.h"

namespace holo {

// The plan has a model. `values`: parameters at which the sliders begin; `target` [Hz]. None where a node has no body, which
// `body.problem()` then tells.
std::optional<ParameterModel> make_reduced_model(LinearVibration& body, const DesignPlan& plan, const Eigen::VectorXd& values,
                                                 double target);

}  // namespace holo
