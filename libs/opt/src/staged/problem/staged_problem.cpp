#include "holo/opt/staged_problem.h"

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

double StagedProblem::evaluate_state_rates(const Eigen::MatrixXd&) const { return 0; }
void StagedProblem::differentiate_state_rates(const Eigen::MatrixXd&, Eigen::MatrixXd& slopes,
                                              Eigen::MatrixXd& curvatures) const {
  slopes.setZero();
  curvatures.setZero();
}

void StagedProblem::parameter_rows(const Eigen::VectorXd&, Eigen::Ref<Eigen::VectorXd>, Eigen::Ref<Eigen::MatrixXd>) const {}

bool StagedProblem::is_on_branch(const StagedPoint&) const { return true; }

double StagedProblem::feasible_step(const StagedPoint&, const StagedPoint&) const { return 1; }

void StagedProblem::linearize(const StagedPoint&) {}

bool StagedProblem::recenter(const StagedPoint&) { return false; }

double StagedProblem::dropped_residual(const StagedPoint&) const { return 0; }

std::string StagedProblem::row_name(int row, int stage) const {
  return fmt::format("row {} of the constraints at instant {}", row, stage);
}

}  // namespace holo
