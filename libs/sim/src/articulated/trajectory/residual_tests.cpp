#include "articulated/trajectory/residual_tests.h"

#include <cmath>

namespace holo::articulated {

double effort_of(const TrajectoryModel& model, const Eigen::MatrixXd& residuals) {
  double sum = 0;
  for (Eigen::Index i = 0; i < residuals.cols(); ++i)
    for (const int dof : model.character().actuated()) sum += residuals(dof, i) * residuals(dof, i);
  return model.effort_factor() * sum;
}

void test_residuals(const TrajectoryModel& model, const TrajectoryBasis& basis, const Eigen::MatrixXd& residuals,
                    Eigen::VectorXd& constraints) {
  const std::vector<int>& unactuated = model.unactuated();
  constraints.setZero();
  for (int step = 1; step <= model.steps(); ++step)
    for (const BasisWeight& test : basis.weights(step)) {
      if (test.column < basis.components()) continue;  // point 0 is no test function
      double* rows = constraints.data() + std::size_t(test.column - basis.components()) * unactuated.size();
      for (std::size_t k = 0; k < unactuated.size(); ++k) rows[k] += test.weight * residuals(unactuated[k], step - 1);
    }
}

void measure_violation(const TrajectoryModel& model, const TrajectoryBasis& basis, const Eigen::MatrixXd& residuals,
                       TrajectoryValues& values) {
  Eigen::VectorXd constraints(Eigen::Index(basis.columns() - basis.components()) * Eigen::Index(model.unactuated().size()));
  test_residuals(model, basis, residuals, constraints);
  const auto is_larger = [](double size, double than) { return size > than || (std::isnan(size) && !std::isnan(than)); };
  for (const double constraint : constraints)
    if (is_larger(std::abs(constraint), values.reduced_violation)) values.reduced_violation = std::abs(constraint);
  for (int step = 1; step <= model.steps(); ++step)
    for (const int dof : model.unactuated())
      if (const double size = std::abs(residuals(dof, step - 1)); is_larger(size, values.full_violation)) {
        values.full_violation = size;
        values.worst_step = step;
        values.worst_dof = dof;
      }
}

}  // namespace holo::articulated
