#include "articulated/trajectory/step_gradients.h"

#include "holo/sim/articulated/dynamics/step_jacobians.h"

namespace holo::articulated {

void sum_columns(const TrajectoryBasis& basis, const StepGradients& by_step, Eigen::MatrixXd& by_column) {
  by_column.setZero();
  for (int state = 0; state <= basis.steps(); ++state)
    for (int back = 0; back < 3; ++back) {
      const int step = state + back;
      if (step < 1 || step > basis.steps()) continue;
      for (const BasisWeight& entry : basis.weights(state))
        by_column.col(entry.column) += entry.weight * by_step.col(3 * (step - 1) + back);
    }
}

StepGradientScratch::StepGradientScratch(const TrajectoryModel& model, const StepConstants& constants)
    : model_(model), constants_(constants) {
  const int n = model.character().dof_count();
  for (RowMajorMatrix& D : by_state_) D.setZero(n, n);
  for (std::size_t i = 0; i < model.losses().size(); ++i)
    observables_.push_back(Eigen::MatrixXd::Zero(model.losses().binding(i).size, 3 * n));
  weights_.setZero(n);
  inertial_.resize(std::size_t(n));
  applied_.resize(std::size_t(n));
  for (auto& moments : moments_) moments.resize(std::size_t(n));
}

void StepGradientScratch::differentiate(const TrajectoryStates& states, int step) {
  const StepWorkspace<double> workspace{inertial_.data(), applied_.data(), moments_[0].data(), moments_[1].data(),
                                        moments_[2].data()};
  step_jacobians(model_.character().data(), constants_, states.step_states(step), workspace, by_state_[0].data(),
                 by_state_[1].data(), by_state_[2].data());
}

void StepGradientScratch::add_residual(int step, const Eigen::VectorXd& weights, StepGradients& result) const {
  for (int back = 0; back < 3; ++back) result.col(3 * (step - 1) + back).noalias() += by_state_[back].transpose() * weights;
}

void StepGradientScratch::add_losses(const TrajectoryStates& states, int first, int last, double loss_scale,
                                     StepGradients& result) {
  for (std::size_t loss = 0; loss < model_.losses().size(); ++loss) add_loss(loss, states, first, last, loss_scale, result);
}

// (dz/dx)^T dL/dz of each step.
void StepGradientScratch::add_loss(std::size_t loss, const TrajectoryStates& states, int first, int last, double loss_scale,
                                   StepGradients& result) {
  const LossSum<ArticulatedObservables>& losses = model_.losses();
  const ArticulatedObservables::Binding& binding = losses.binding(loss);
  const int n = model_.character().dof_count();
  for_blocks(first, last + 1, [&](int begin, int count) {
    const auto has_term = [&](int lane) { return losses.has_term(loss, states, model_.data(), begin + lane); };
    bool is_any = false;
    for (int lane = 0; lane < count; ++lane) is_any = is_any || has_term(lane);
    if (!is_any) return;
    const double* slopes = losses.run(loss, HOLO_LOSS_GRADIENT, states, model_.data(), begin, count);
    for (int lane = 0; lane < count; ++lane) {
      if (!has_term(lane)) continue;
      Eigen::MatrixXd& by_states = observables_[loss];
      losses.observables().jacobian(binding, states, begin + lane, by_states);
      for (Eigen::Index row = 0; row < by_states.rows(); ++row) {
        const double slope = loss_scale * slopes[row * Eigen::Index(HOLO_LANE_WIDTH) + lane];
        for (int back = 0; back < 3; ++back)
          result.col(3 * (begin + lane - 1) + back) += slope * by_states.row(row).segment(back * n, n).transpose();
      }
    }
  });
}

}  // namespace holo::articulated
