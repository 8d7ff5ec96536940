#include "holo/opt/trajectory/penalized_problem.h"

#include <fmt/format.h>

#include "holo/core/error.h"
#include "trajectory/constraint_values.h"
#include "trajectory/trust_region_sqp_diagnosis.h"

namespace holo {

PenalizedProblem::PenalizedProblem(EqualityConstrainedProblem& problem, double weight)
    : problem_(problem), weight_(weight), values_(std::make_unique<ConstraintValues>(problem.constraint_count())) {
  if (!(weight > 0 && std::isfinite(weight)))
    throw Error(Failure::internal, fmt::format("penalized constraints have the weight {}; it must be positive.", weight));
  require_equal_sizes(problem);
  multipliers_.setZero(problem.constraint_count());
  product_.setZero(problem.unknown_count());
}

PenalizedProblem::~PenalizedProblem() = default;

double PenalizedProblem::value(const Eigen::VectorXd& point) {
  if (!values_->evaluate(problem_, point)) return std::numeric_limits<double>::infinity();
  return values_->objective + weight_ * values_->unscaled.squaredNorm();
}

void PenalizedProblem::gradient(const Eigen::VectorXd& point, Eigen::VectorXd& gradient) {
  multipliers_ = 2 * weight_ * values_->unscaled;
  if (!problem_.differentiate(point, multipliers_, gradient)) linearize(point, gradient);
}

void PenalizedProblem::linearize(const Eigen::VectorXd& point, Eigen::VectorXd& gradient) {
  multipliers_ = 2 * weight_ * values_->unscaled;
  problem_.linearize(point, multipliers_, gradient);
  problem_.system().multiply_jacobian_transposed(multipliers_, product_);
  gradient += product_;
}

void PenalizedProblem::describe(SqpIteration& log) const {
  log.objective = values_->objective;
  log.constraint_sum = values_->unscaled.lpNorm<1>();
  log.constraint_largest = values_->largest;
  log.penalty = weight_;
}

std::string PenalizedProblem::description() const {
  if (values_->largest_constraint < 0) return "there are no constraints";
  return fmt::format("the largest constraint is {:.3g} ({}) with the weight {:.3g}", values_->largest,
                     problem_.constraint_name(values_->largest_constraint), weight_);
}

}  // namespace holo
