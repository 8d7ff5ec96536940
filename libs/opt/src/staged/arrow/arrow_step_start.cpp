// The arrow form's last system: p and the first stage's controls.
#include <Eigen/QR>
#include <algorithm>

#include "holo/opt/dense/bounded_minimizer.h"
#include "staged/arrow/arrow_step.h"
#include "staged/arrow/dense_cholesky.h"

namespace holo {

namespace {

using Status = StagedStepOutcome::Status;

// lower triangle of sum -= a a^T; rows are a multiple of 8.
void subtract_square(const double* a, int rows, int inner, double* sum) {
  using Eight = Lanes<double, 8>;
  for (int column = 0; column < rows; column += 4)
    for (int row = column / 8 * 8; row < rows; row += 8) {
      Eight total[4] = {0, 0, 0, 0};
      for (int k = 0; k < inner; ++k) {
        const double* at = a + std::ptrdiff_t(k) * rows;
        const Eight left = Eight::load(at + row);
        for (int c = 0; c < 4; ++c) total[c] += left * Eight(at[column + c]);
      }
      for (int c = 0; c < 4; ++c) {
        double* to = sum + row + std::ptrdiff_t(rows) * (column + c);
        (Eight::load(to) - total[c]).store(to);
      }
    }
}

}  // namespace

void ArrowStep::sum_parameters(const StagedQuadratic& quadratic) {
  const CondensedStages& stages = condensation_.stages();
  const int np = layout_.parameter_count, last = layout_.stage_count - 1;
  for_each_block(layout_.block_count(), [&](int block) {
    const int first = block * stage_lanes, count = std::min(stage_lanes, last - first);
    auto sum = block_sums_.middleCols(parameters_size_ * block, parameters_size_);
    sum = stages.parameters.middleCols(parameters_size_ * block, parameters_size_);
    if (count > 0)
      subtract_square(gain_parameters_.data() + std::ptrdiff_t(parameters_size_) * width_ * first, parameters_size_,
                      width_ * count, sum.data());
  });
  for_each_block(np + 1, [&](int column) {
    parameters_.col(column).setZero();
    for (int block = 0; block < layout_.block_count(); ++block)
      parameters_.col(column) += block_sums_.col(parameters_size_ * block + column);
  });
  parameters_.row(np).head(np) += parameters_linear_.head(np).transpose();
  for (int block = 0; block < layout_.block_count(); ++block)
    parameters_.row(np).head(np) += change_.parameters.col(block).transpose();
  parameters_.diagonal().head(np) += layout_.stage_count * quadratic.parameter_shift;
  if (!rated_.empty()) parameters_.topLeftCorner(np, np) += rated_parameters_.topLeftCorner(np, np);
}

// dp and the first du. [Maloisel2023] Eq 11, corrected: minus the inverse of the quadratic part times the linear one.
StagedStepOutcome ArrowStep::find_start(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                        StagedPoint& step) {
  const int np = layout_.parameter_count, nu = layout_.control_count;
  start_.topLeftCorner(np, np) = parameters_.topLeftCorner(np, np);
  for (int j = 0; j < np; ++j)
    for (int i = j + 1; i < np; ++i) start_(j, i) = start_(i, j);
  start_.topRightCorner(np, nu) = g_.topRows(np);
  start_.bottomLeftCorner(nu, np) = g_.topRows(np).transpose();
  start_.bottomRightCorner(nu, nu) = w_;
  start_linear_.head(np) = parameters_.row(np).head(np).transpose();
  start_linear_.tail(nu) = g_.row(np).transpose();
  start_point_.head(np) = quadratic.point.parameters;
  start_point_.tail(nu) = quadratic.point.controls.col(0);
  start_residual_.head(Eigen::Index(layout_.parameter_quaternions.size())) =
      constraints.parameter_constraints.head(Eigen::Index(layout_.parameter_quaternions.size()));
  start_residual_.tail(Eigen::Index(layout_.control_quaternions.size())) = constraints.control_quaternions.col(0);
  start_quaternions_.radial_step(start_point_, start_residual_, start_step_);
  for (int j = 0; j < np + nu; ++j) start_linear_ += start_.col(j) * start_step_[j];
  start_quaternions_.reduce_columns(start_point_, start_, start_half_);
  start_quaternions_.reduce_rows(start_point_, start_half_, start_reduced_);
  start_quaternions_.reduce_rows(start_point_, start_linear_, start_reduced_linear_);
  Eigen::VectorXd& reduced = start_reduced_linear_;
  if (layout_.parameter_constraint_count > 0) {
    const StagedStepOutcome outcome = reduce_by_rows(quadratic, constraints, reduced);
    if (!outcome.solved()) return outcome;
  } else {
    if (!factor_cholesky(start_reduced_)) return {Status::not_convex, 0};
    reduced = -reduced;
    solve_lower(start_reduced_, reduced);
    solve_lower_transposed(start_reduced_, reduced);
    if (!bounded_.empty() && !keep_bounds(quadratic, start_reduced_, Eigen::MatrixXd::Identity(reduced.size(), reduced.size()),
                                          Eigen::VectorXd::Zero(reduced.size()), reduced))
      return {Status::infeasible, 0};
  }
  start_quaternions_.expand(start_point_, reduced, start_linear_);
  start_step_ += start_linear_;
  step.parameters = start_step_.head(np);
  step.controls.col(0) = start_step_.tail(nu);
  return {};
}

// The rows P besides: reduced = Q1 t + Q2 w, with [Q1 Q2] of their transposed Jacobian's QR. `not_convex` where the rest is
// not, or rows depend on each other. Few problems have such rows; this takes memory.
StagedStepOutcome ArrowStep::reduce_by_rows(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                            Eigen::VectorXd& reduced) {
  const int rows = layout_.parameter_constraint_count, np = layout_.parameter_count;
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(rows, np + layout_.control_count);
  jacobian.leftCols(np) = quadratic.parameter_rows_jacobian.bottomRows(rows);
  Eigen::MatrixXd reduced_jacobian(rows, start_quaternions_.reduced_count());
  const Eigen::VectorXd residual = constraints.parameter_constraints.tail(rows) + jacobian * start_step_;
  start_quaternions_.reduce_columns(start_point_, jacobian, reduced_jacobian);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(reduced_jacobian.transpose());
  if (qr.rank() < rows) return {Status::not_convex, 0};
  const Eigen::MatrixXd q = qr.householderQ();
  const Eigen::VectorXd right = qr.colsPermutation().transpose() * -residual;
  const Eigen::VectorXd along =
      q.leftCols(rows) * qr.matrixR().topLeftCorner(rows, rows).triangularView<Eigen::Upper>().transpose().solve(right);
  const auto free = q.rightCols(q.cols() - rows);
  Eigen::MatrixXd matrix = free.transpose() * start_reduced_ * free;
  if (!factor_cholesky(matrix)) return {Status::not_convex, 0};
  Eigen::VectorXd solution = -free.transpose() * (reduced + start_reduced_ * along);
  solve_lower(matrix, solution);
  solve_lower_transposed(matrix, solution);
  if (!bounded_.empty() && !keep_bounds(quadratic, matrix, free, along, solution)) return {Status::infeasible, 0};
  reduced = along + free * solution;
  return {};
}

// The bounds of p besides. The reduced step is along + free solution, of which `solution` minimizes a function with the Hessian
// L L^T; bounded numbers are no quaternions and are therefore among the reduced ones. What the rows determine alone has no
// normal but rounding errors.
bool ArrowStep::keep_bounds(const StagedQuadratic& quadratic, const Eigen::MatrixXd& cholesky, const Eigen::MatrixXd& free,
                            const Eigen::VectorXd& along, Eigen::VectorXd& solution) {
  constexpr double rounding = 1e-12;
  const std::vector<int>& quaternions = start_quaternions_.places();
  const Eigen::Index count = Eigen::Index(bounded_.size());
  LinearBounds bounds{Eigen::MatrixXd::Zero(count, free.cols()), Eigen::VectorXd(count), Eigen::VectorXd(count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const int p = bounded_[std::size_t(i)];
    const Eigen::Index place = p - (std::lower_bound(quaternions.begin(), quaternions.end(), p) - quaternions.begin());
    if (free.row(place).norm() > rounding) bounds.normals.row(i) = free.row(place);
    bounds.lower[i] = layout_.parameter_lower[p] - quadratic.point.parameters[p] - along[place];
    bounds.upper[i] = layout_.parameter_upper[p] - quadratic.point.parameters[p] - along[place];
  }
  Eigen::VectorXd multipliers;
  if (!minimize_within(cholesky, bounds, solution, multipliers)) return false;
  bound_multipliers_(bounded_) = multipliers;
  return true;
}

}  // namespace holo
