#pragma once
// Derivatives of the time steps of one segment of a trajectory in the columns of its points.

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <vector>

#include "holo/sim/articulated/trajectory/trajectory_basis.h"
#include "holo/sim/articulated/trajectory/trajectory_model.h"

namespace holo::articulated {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Columns are those of all points of the segment, n numbers each, given ones too.
struct SegmentDerivatives {
  Eigen::VectorXd gradient;  // of E
  Eigen::MatrixXd hessian;   // Gauss-Newton, complete
  RowMajorMatrix jacobian;   // of the constraints: [test column][unactuated][column of the segment]

  void resize(const TrajectoryBasis& basis, const TrajectorySegment& segment, int dofs, int unactuated);
};

// Memory of one thread.
class SegmentScratch {
 public:
  SegmentScratch(const TrajectoryModel& model, const TrajectoryBasis& basis);

  // Residuals [dof][step - 1] are those of the states.
  void differentiate(const TrajectoryStates& states, const Eigen::MatrixXd& residuals, const TrajectorySegment& segment,
                     double loss_scale, SegmentDerivatives& result);
  // Of the losses alone; the result's Jacobian stays as it is.
  void differentiate_losses(const TrajectoryStates& states, const TrajectorySegment& segment, double loss_scale,
                            SegmentDerivatives& result);

 private:
  void add_step(const TrajectoryStates& states, const Eigen::MatrixXd& residuals, const TrajectorySegment& segment, int step,
                SegmentDerivatives& result);
  void add_loss(std::size_t loss, const TrajectoryStates& states, const TrajectorySegment& segment, double loss_scale,
                SegmentDerivatives& result);
  void add_loss_term(std::size_t loss, const TrajectoryStates& states, const TrajectorySegment& segment, int step,
                     const double* slopes, const double* curvatures, double loss_scale, SegmentDerivatives& result);
  template <class Rows>
  void to_columns(const TrajectorySegment& segment, int step, int back, const Rows& by_state,
                  Eigen::Ref<RowMajorMatrix> result);
  Eigen::Index push_rows(Eigen::Index count, SegmentDerivatives& result);
  void flush(SegmentDerivatives& result);

  const TrajectoryModel& model_;
  const TrajectoryBasis& basis_;
  RowMajorMatrix by_state_[3];  // dFD/dx of the newest, the current and the previous state
  RowMajorMatrix by_column_;    // dFD by the columns of the segment
  // H is the sum of left^T right over stacked rows.
  RowMajorMatrix left_, right_;
  Eigen::Index rows_ = 0;
  // Of each loss: dz/dx of a step, dz by the columns of the segment, d2L/dz2.
  struct LossScratch {
    Eigen::MatrixXd by_state, curvature;
    RowMajorMatrix by_column;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;  // of the curvature, for losses that may be concave
  };
  std::vector<LossScratch> losses_;
  std::vector<WrenchMatrix<double>> inertial_, applied_;
  std::vector<Matrix<double, 4, 4>> moments_[3];
};

}  // namespace holo::articulated
