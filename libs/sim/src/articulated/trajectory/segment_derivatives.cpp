#include "articulated/trajectory/segment_derivatives.h"

#include <algorithm>

#include "holo/sim/articulated/dynamics/step_jacobians.h"

namespace holo::articulated {

namespace {

constexpr Eigen::Index stacked_rows = 128;  // that are multiplied at once

Eigen::Index segment_columns(const TrajectoryBasis& basis, const TrajectorySegment& segment) {
  return Eigen::Index(segment.last_point - segment.first_point + 1) * basis.components();
}

// The nearest positive semidefinite matrix: plain values of losses may be concave.
void project_to_positive_semidefinite(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& eigen, Eigen::MatrixXd& matrix) {
  eigen.compute(matrix);
  matrix.setZero();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    if (const double value = eigen.eigenvalues()[i]; value > 0)
      matrix.noalias() += value * eigen.eigenvectors().col(i) * eigen.eigenvectors().col(i).transpose();
}

}  // namespace

void SegmentDerivatives::resize(const TrajectoryBasis& basis, const TrajectorySegment& segment, int dofs, int unactuated) {
  const Eigen::Index columns = segment_columns(basis, segment) * dofs;
  const int tests = (segment.last_point - segment.first_test_point + 1) * basis.components();
  gradient.setZero(columns);
  hessian.setZero(columns, columns);
  jacobian.setZero(Eigen::Index(tests) * unactuated, columns);
}

SegmentScratch::SegmentScratch(const TrajectoryModel& model, const TrajectoryBasis& basis) : model_(model), basis_(basis) {
  const int n = model.character().dof_count();
  Eigen::Index columns = 0;
  for (const TrajectorySegment& segment : basis.segments()) columns = std::max(columns, segment_columns(basis, segment) * n);
  for (RowMajorMatrix& D : by_state_) D.setZero(n, n);
  by_column_.setZero(n, columns);
  Eigen::Index rows = stacked_rows;
  losses_.resize(model.losses().size());
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const Eigen::Index size = model.losses().binding(i).size;
    losses_[i].by_state.setZero(size, 3 * n);
    losses_[i].by_column.setZero(size, columns);
    losses_[i].curvature.setZero(size, size);
    rows = std::max(rows, size);
  }
  rows = std::max(rows, Eigen::Index(model.character().actuated().size()));
  left_.setZero(rows, columns);
  right_.setZero(rows, columns);
  inertial_.resize(std::size_t(n));
  applied_.resize(std::size_t(n));
  for (auto& moments : moments_) moments.resize(std::size_t(n));
}

// Adds the derivative by the state `step - back`, [row][dof], to that by the columns of the segment.
template <class Rows>
void SegmentScratch::to_columns(const TrajectorySegment& segment, int step, int back, const Rows& by_state,
                                Eigen::Ref<RowMajorMatrix> result) {
  if (step - back < 0) return;  // x_-1 is given
  const int n = model_.character().dof_count(), first = segment.first_point * basis_.components();
  for (const BasisWeight& entry : basis_.weights(step - back))
    result.middleCols(Eigen::Index(entry.column - first) * n, n) += entry.weight * by_state;
}

// Makes room for rows of left_ and right_; returns the first one.
Eigen::Index SegmentScratch::push_rows(Eigen::Index count, SegmentDerivatives& result) {
  if (rows_ + count > left_.rows()) flush(result);
  rows_ += count;
  return rows_ - count;
}

void SegmentScratch::flush(SegmentDerivatives& result) {
  const Eigen::Index columns = result.gradient.size();
  result.hessian.noalias() += left_.topLeftCorner(rows_, columns).transpose() * right_.topLeftCorner(rows_, columns);
  rows_ = 0;
}

void SegmentScratch::differentiate(const TrajectoryStates& states, const Eigen::MatrixXd& residuals,
                                   const TrajectorySegment& segment, double loss_scale, SegmentDerivatives& result) {
  result.gradient.setZero();
  result.hessian.setZero();
  result.jacobian.setZero();
  rows_ = 0;
  for (int step = segment.first_step; step <= segment.last_step; ++step) add_step(states, residuals, segment, step, result);
  for (std::size_t loss = 0; loss < model_.losses().size(); ++loss) add_loss(loss, states, segment, loss_scale, result);
  flush(result);
}

void SegmentScratch::differentiate_losses(const TrajectoryStates& states, const TrajectorySegment& segment, double loss_scale,
                                          SegmentDerivatives& result) {
  result.gradient.setZero();
  result.hessian.setZero();
  rows_ = 0;
  for (std::size_t loss = 0; loss < model_.losses().size(); ++loss) add_loss(loss, states, segment, loss_scale, result);
  flush(result);
}

// dFD/dc of one step: rows of the actuated degrees of freedom are those of the controls, the others enter the constraints.
void SegmentScratch::add_step(const TrajectoryStates& states, const Eigen::MatrixXd& residuals,
                              const TrajectorySegment& segment, int step, SegmentDerivatives& result) {
  const CharacterModel& character = model_.character();
  const StepWorkspace<double> workspace{inertial_.data(), applied_.data(), moments_[0].data(), moments_[1].data(),
                                        moments_[2].data()};
  step_jacobians(character.data(), model_.step(), states.step_states(step), workspace, by_state_[0].data(), by_state_[1].data(),
                 by_state_[2].data());
  const Eigen::Index columns = result.gradient.size();
  Eigen::Ref<RowMajorMatrix> by_column = by_column_.leftCols(columns);
  by_column.setZero();
  for (int back = 0; back < 3; ++back) to_columns(segment, step, back, by_state_[back], by_column);

  if (const double factor = 2 * model_.effort_factor(); factor > 0) {
    const auto count = Eigen::Index(character.actuated().size());
    for (Eigen::Index k = 0, row = push_rows(count, result); k < count; ++k, ++row) {
      const int dof = character.actuated()[std::size_t(k)];
      left_.row(row).head(columns) = by_column.row(dof);
      right_.row(row).head(columns) = factor * by_column.row(dof);
      result.gradient += factor * residuals(dof, step - 1) * by_column.row(dof).transpose();
    }
  }
  const int first = segment.first_test_point * basis_.components();
  const auto unactuated = Eigen::Index(model_.unactuated().size());
  for (const BasisWeight& test : basis_.weights(step)) {
    if (test.column < first) continue;  // point 0 is no test function
    for (Eigen::Index k = 0; k < unactuated; ++k)
      result.jacobian.row((test.column - first) * unactuated + k) +=
          test.weight * by_column.row(model_.unactuated()[std::size_t(k)]);
  }
}

void SegmentScratch::add_loss(std::size_t loss, const TrajectoryStates& states, const TrajectorySegment& segment,
                              double loss_scale, SegmentDerivatives& result) {
  const LossSum<ArticulatedObservables>& losses = model_.losses();
  const LossData& data = model_.data();
  for_blocks(segment.first_step, segment.last_step + 1, [&](int begin, int count) {
    const auto has_term = [&](int lane) { return losses.has_term(loss, states, data, begin + lane); };
    bool is_any = false;
    for (int lane = 0; lane < count; ++lane) is_any = is_any || has_term(lane);
    if (!is_any) return;
    const double* slopes = losses.run(loss, HOLO_LOSS_GRADIENT, states, data, begin, count);
    const double* curvatures = losses.run(loss, HOLO_LOSS_GAUSS_NEWTON, states, data, begin, count);
    for (int lane = 0; lane < count; ++lane)
      if (has_term(lane))
        add_loss_term(loss, states, segment, begin + lane, slopes + lane, curvatures + lane, loss_scale, result);
  });
}

// With J = dz/dc: gradient J^T dL/dz, Gauss-Newton Hessian J^T (d2L/dz2) J.
void SegmentScratch::add_loss_term(std::size_t loss, const TrajectoryStates& states, const TrajectorySegment& segment, int step,
                                   const double* slopes, const double* curvatures, double loss_scale,
                                   SegmentDerivatives& result) {
  const LossSum<ArticulatedObservables>& losses = model_.losses();
  const ArticulatedObservables::Binding& binding = losses.binding(loss);
  const Eigen::Index size = binding.size, columns = result.gradient.size();
  const int n = model_.character().dof_count();
  LossScratch& scratch = losses_[loss];
  losses.observables().jacobian(binding, states, step, scratch.by_state);
  Eigen::Ref<RowMajorMatrix> by_column = scratch.by_column.leftCols(columns);
  by_column.setZero();
  for (int back = 0; back < 3; ++back)
    to_columns(segment, step, back, scratch.by_state.middleCols(Eigen::Index(back) * n, n), by_column);
  for (Eigen::Index r = 0, entry = 0; r < size; ++r) {
    result.gradient += loss_scale * slopes[r * Eigen::Index(HOLO_LANE_WIDTH)] * by_column.row(r).transpose();
    for (Eigen::Index c = r; c < size; ++c, ++entry)
      scratch.curvature(r, c) = scratch.curvature(c, r) = loss_scale * curvatures[entry * Eigen::Index(HOLO_LANE_WIDTH)];
  }
  if (losses.loss(loss).instance->description().plain_value_count > 0)
    project_to_positive_semidefinite(scratch.eigen, scratch.curvature);
  const Eigen::Index first = push_rows(size, result);
  left_.block(first, 0, size, columns) = by_column;
  right_.block(first, 0, size, columns).noalias() = scratch.curvature * by_column;
}

}  // namespace holo::articulated
