#include "holo/opt/optimal_control_problem.h"

#include <fmt/format.h>

namespace holo {

void find_state_rates(const StagedLayout& layout, const Eigen::MatrixXd& states, Eigen::MatrixXd& rates) {
  const Eigen::Index steps = states.cols() - 1;
  rates.resize(Eigen::Index(layout.rated_states.size()), steps);
  for (std::size_t j = 0; j < layout.rated_states.size(); ++j) {
    const auto of = states.row(layout.rated_states[j]);
    rates.row(Eigen::Index(j)) = (of.tail(steps) - of.head(steps)) / layout.time_step;
  }
}

double OptimalControlProblem::evaluate_state_rates(const Eigen::MatrixXd&) const { return 0; }
void OptimalControlProblem::differentiate_state_rates(const Eigen::MatrixXd&, Eigen::MatrixXd& slopes,
                                                      Eigen::MatrixXd& curvatures) const {
  slopes.setZero();
  curvatures.setZero();
}

void OptimalControlProblem::parameter_constraints(const Eigen::VectorXd&, Eigen::Ref<Eigen::VectorXd>,
                                                  Eigen::Ref<Eigen::MatrixXd>) const {}

bool OptimalControlProblem::is_on_branch(const StagedPoint&) const { return true; }

double OptimalControlProblem::feasible_step(const StagedPoint&, const StagedPoint&) const { return 1; }

void OptimalControlProblem::linearize(const StagedPoint&) {}

bool OptimalControlProblem::recenter(const StagedPoint&) { return false; }

double OptimalControlProblem::largest_redundant_residual(const StagedPoint&) const { return 0; }

std::string OptimalControlProblem::constraint_name(int row, int stage) const {
  return fmt::format("constraint {} at knot {}", row, stage);
}

}  // namespace holo
