#pragma once
// The quadratic model of a discrete-time optimal control problem at a point, whose minimizer is the step of a Newton method:
// gradients of the objective, Hessians of the Lagrangian, linearized constraints.

#include "holo/opt/optimal_control_problem.h"

namespace holo {

// Values of all constraints at a point: C [state_count][stage_count], rates [control_count][stage_count - 1],
// rows of p (quaternions' first), the controls' quaternions [quaternion][stage_count].
struct StagedConstraints {
  Eigen::MatrixXd states, rates, control_quaternions;
  Eigen::VectorXd parameter_rows;

  explicit StagedConstraints(const StagedLayout& layout);
  StagedConstraints() = default;
  // Sum and largest of absolute values.
  double sum() const;
  double largest() const;
};

// All constraints but C.
void evaluate_linear_constraints(const OptimalControlProblem& problem, const StagedPoint& point, StagedConstraints& to,
                                 Eigen::MatrixXd& parameter_rows_jacobian);

struct StagedQuadratic {
  const StagedLayout* layout = nullptr;
  StagedPoint point;
  // Lanes past the last stage have that one's Jacobians, and zeros else.
  std::vector<StageDerivatives> blocks;
  StagedConstraints constraints;
  Eigen::MatrixXd parameter_rows_jacobian;  // [parameters' quaternions + parameter_row_count][parameter_count]
  double objective = 0;
  // Added to the Hessian's diagonal at each stage, for p, u and v.
  Eigen::VectorXd parameter_shift, control_shift, rate_shift;
  // Of the rated states' rates: [rated state][stage_count - 1].
  Eigen::MatrixXd state_rates, state_rate_slopes, state_rate_curvatures;

  StagedQuadratic() = default;
  explicit StagedQuadratic(const StagedLayout& layout);

  // The first stage with a number that is not finite, else -1.
  int linearize(const OptimalControlProblem& problem, const StagedPoint& at, const Eigen::MatrixXd& state_multipliers,
                bool gauss_newton);

 private:
  int linearize_state_rates(const OptimalControlProblem& problem);
};

// What a step solver finds: the step, and the multipliers as they are after it, not their change.
struct StagedDirection {
  StagedPoint step;
  StagedMultipliers multipliers;
  double curvature = 0;             // step . H step, without the shift
  double largest_hessian_step = 0;  // |(H + shift) step|: by how much the multipliers miss stationarity at the point

  explicit StagedDirection(const StagedLayout& layout);
  StagedDirection() = default;
};

// Zeros of the layout's sizes.
StagedPoint zero_point(const StagedLayout& layout);
StagedMultipliers zero_multipliers(const StagedLayout& layout);
// H applied to the step and the gradient, of the rated states' rates alone: what they add to the state `rated` (a number among
// those) at the stage. `step`: their rates' step, empty for 0.
double state_rate_product(const StagedQuadratic& quadratic, const Eigen::MatrixXd& step, int rated, int stage);
double state_rate_gradient(const StagedQuadratic& quadratic, int rated, int stage);
// Gradient of the objective along the step.
double slope(const StagedQuadratic& quadratic, const StagedPoint& step);

}  // namespace holo
