#pragma once
// Gradients of a time step by the coordinates of its three states, without matrices of a trajectory's columns: what methods
// without second derivatives need.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/articulated/trajectory/trajectory_basis.h"
#include "holo/sim/articulated/trajectory/trajectory_model.h"

namespace holo::articulated {

// By x_i, x_i-1 and x_i-2 of the steps 1 ... N: [dof][3 (step - 1) + back].
using StepGradients = Eigen::MatrixXd;

// The same by the columns of the basis, [dof][column].
void sum_columns(const TrajectoryBasis& basis, const StepGradients& by_step, Eigen::MatrixXd& by_column);

// Memory of one thread.
class StepGradientScratch {
 public:
  using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  // The obstacles of `constants` may be others than the model's, or none.
  StepGradientScratch(const TrajectoryModel& model, const StepConstants& constants);

  // dFD/dx of a step by the state `step - back`, row after row.
  void differentiate(const TrajectoryStates& states, int step);
  RowMajorMatrix& by_state(int back) { return by_state_[back]; }
  // Adds the change of weights [dof] . FD with the matrices of the last call of `differentiate`.
  void add_residual(int step, const Eigen::VectorXd& weights, StepGradients& result) const;
  // Adds that of the losses of the steps first ... last, both included.
  void add_losses(const TrajectoryStates& states, int first, int last, double loss_scale, StepGradients& result);
  Eigen::VectorXd& weights() { return weights_; }  // [dof], for the caller

 private:
  void add_loss(std::size_t loss, const TrajectoryStates& states, int first, int last, double loss_scale,
                StepGradients& result);

  const TrajectoryModel& model_;
  StepConstants constants_;
  RowMajorMatrix by_state_[3];
  std::vector<Eigen::MatrixXd> observables_;  // of each loss: dz/dx of a step [observable][3 n]
  Eigen::VectorXd weights_;
  std::vector<WrenchMatrix<double>> inertial_, applied_;
  std::vector<Matrix<double, 4, 4>> moments_[3];
};

}  // namespace holo::articulated
