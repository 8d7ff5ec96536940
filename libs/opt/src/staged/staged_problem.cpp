#include "holo/opt/staged_problem.h"

#include <fmt/format.h>

namespace holo {

void StagedProblem::parameter_rows(const Eigen::VectorXd&, Eigen::Ref<Eigen::VectorXd>, Eigen::Ref<Eigen::MatrixXd>) const {}

bool StagedProblem::is_on_branch(const StagedPoint&) const { return true; }

double StagedProblem::feasible_step(const StagedPoint&, const StagedPoint&) const { return 1; }

void StagedProblem::linearize(const StagedPoint&) {}

bool StagedProblem::recenter(const StagedPoint&) { return false; }

double StagedProblem::dropped_residual(const StagedPoint&) const { return 0; }

std::string StagedProblem::row_name(int row, int instant) const {
  return fmt::format("row {} of the constraints at instant {}", row, instant);
}

}  // namespace holo
