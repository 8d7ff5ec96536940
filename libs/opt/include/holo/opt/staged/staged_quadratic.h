#pragma once
// The quadratic model of a discrete-time optimal control problem at a point, whose minimizer is the step of a Newton method:
// gradients of the objective, Hessians of the Lagrangian, linearized constraints.

#include "holo/opt/optimal_control_problem.h"

namespace holo {

// Values of all constraints at a point: C [state_count][stage_count], rates [control_count][stage_count - 1],
// rows of p (quaternions' first), the controls' quaternions [quaternion][stage_count].
struct StagedConstraints {
  Eigen::MatrixXd states, rates, control_quaternions;
  Eigen::VectorXd parameter_constraints;

  explicit StagedConstraints(const StagedLayout& layout);
  StagedConstraints() = default;
  // Sum of the absolute values, and the largest one.
  double sum() const;
  double largest() const;
};

// Evaluates all constraints except C, and the Jacobian of the parameters' constraints.
void evaluate_linear_constraints(const OptimalControlProblem& problem, const StagedPoint& point, StagedConstraints& to,
                                 Eigen::MatrixXd& parameter_rows_jacobian);

struct StagedQuadratic {
  const StagedLayout* layout = nullptr;
  StagedPoint point;
  // Lanes past the last stage have the last stage's Jacobians, and zeros in all other entries.
  std::vector<StageDerivatives> blocks;
  StagedConstraints constraints;
  Eigen::MatrixXd parameter_rows_jacobian;  // [parameters' quaternions + parameter_constraint_count][parameter_count]
  double objective = 0;
  // Added to the Hessian's diagonal at each stage, for p, u and v.
  Eigen::VectorXd parameter_shift, control_shift, rate_shift;
  // The rated states' rates, and r' and r'' there: [rated state][stage_count - 1].
  Eigen::MatrixXd state_rates, state_rate_slopes, state_rate_curvatures;

  StagedQuadratic() = default;
  explicit StagedQuadratic(const StagedLayout& layout);

  // Computes the model at a point. Returns the first stage with a number that is not finite, else -1.
  int linearize(const OptimalControlProblem& problem, const StagedPoint& at, const Eigen::MatrixXd& state_multipliers,
                bool gauss_newton);

 private:
  int linearize_state_rates(const OptimalControlProblem& problem);
};

// Result of a step solver: the step, and the multipliers after it (not their change).
struct StagedDirection {
  StagedPoint step;
  StagedMultipliers multipliers;
  double curvature = 0;             // step . H step, without the shift
  double largest_hessian_step = 0;  // |(H + shift) step|: the violation of stationarity at the point with the new multipliers

  explicit StagedDirection(const StagedLayout& layout);
  StagedDirection() = default;
};

// Zeros of the layout's sizes.
StagedPoint zero_point(const StagedLayout& layout);
StagedMultipliers zero_multipliers(const StagedLayout& layout);
// Contributions of the functions r alone to H times the step, and to the gradient, at the rated state number `rated` of the
// stage. `step`: the step of the rated states' rates [rated state][stage_count - 1]; empty for 0.
double state_rate_product(const StagedQuadratic& quadratic, const Eigen::MatrixXd& step, int rated, int stage);
double state_rate_gradient(const StagedQuadratic& quadratic, int rated, int stage);
// The derivative of the objective along the step.
double slope(const StagedQuadratic& quadratic, const StagedPoint& step);

}  // namespace holo
