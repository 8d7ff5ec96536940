#pragma once
// The optimization problem of a trajectory [Pan2019, Eqs 7 and 8]: the states of a character are sums of columns of a basis,
// the controls are the residuals of the actuated degrees of freedom, and those of the others have to vanish, tested with the
// basis:
//
//   minimize scale (sum of losses) + effort of u_i = U r_i   subject to   (S^T (x) U_j) r = 0
//
// docs/trajectory-optimization.md#trajectories has the formulas.

#include <memory>
#include <string>
#include <vector>

#include "holo/core/numerics/workspace_pool.h"
#include "holo/opt/trajectory/banded_saddle_point.h"
#include "holo/opt/trajectory/equality_constrained_problem.h"
#include "holo/sim/articulated/trajectory/trajectory_basis.h"
#include "holo/sim/articulated/trajectory/trajectory_model.h"
#include "holo/sim/articulated/trajectory/transition_term.h"

namespace holo::articulated {

// Parts of E and of the violation of the equations of motion at a trajectory.
struct TrajectoryValues {
  double losses = 0;  // scaled
  double effort = 0;
  double transitions = 0;              // of a transition term; no part of E
  double reduced_violation = 0;        // C_red: largest |C_i| of the constraints [N or N m]
  double full_violation = 0;           // C_full: largest |residual| of an unactuated degree of freedom at a step [N or N m]
  int worst_step = 1, worst_dof = -1;  // where that is
  double objective() const { return losses + effort; }
  double total() const { return objective() + transitions; }  // what is minimized
};

class PointColumns;
class SegmentScratch;
class StepGradientScratch;
class TransitionBlocks;
struct SegmentDerivatives;

class TrajectoryProblem final : public EqualityConstrainedProblem {
 public:
  // Coefficients are those of a character that moves from the model's start to its end with x = s^2 (3 - 2 s), s = i/N. The
  // model must outlive the problem. Throws Error(input) where the end is given and no other point is left, Error(internal) for
  // a basis of another number of steps.
  TrajectoryProblem(const TrajectoryModel& model, TrajectoryBasis basis, const BlockTridiagonalOptions& linear_algebra = {});
  ~TrajectoryProblem() override;

  const TrajectoryModel& model() const { return model_; }
  const TrajectoryBasis& basis() const { return basis_; }

  // All coefficients [dof][column], given ones too, and the reference rotations of the states. Unknowns are those of the
  // columns that are not given, point after point. Throw Error(internal) for other sizes.
  void set_coefficients(const Eigen::MatrixXd& coefficients);
  void set_references(const TrajectoryStates& states);  // of states -1 ... N
  Eigen::VectorXd point() const;                        // the unknowns among the coefficients
  Eigen::MatrixXd coefficients(const Eigen::VectorXd& point) const;

  // Multiplies the losses; 1 at first. `scale_losses` makes their sum at the point 1, and throws Error(input) where it is not
  // finite. A sum below 1e-12 counts as that.
  double loss_scale() const { return loss_scale_; }
  void set_loss_scale(double scale) { loss_scale_ = scale; }
  void scale_losses(const Eigen::VectorXd& point);

  // Adds the term to what is minimized, or none for a null pointer. It must outlive the problem, or the next call. Throws
  // Error(internal) for a basis that is no spline.
  void set_transition_term(TransitionTerm* term);
  // The points 1 ... Z of a spline [2 dof][point], as a term takes them.
  Eigen::MatrixXd transition_points(const Eigen::VectorXd& point) const;

  // Evaluate at the point. References are valid until another point is evaluated.
  const TrajectoryStates& states(const Eigen::VectorXd& point);
  const Eigen::MatrixXd& residuals(const Eigen::VectorXd& point);  // FD [dof][step - 1] [N or N m]
  TrajectoryValues values(const Eigen::VectorXd& point);
  double losses(const Eigen::VectorXd& point);  // scaled

  // Where a state 0 ... N has a rotation vector longer than `limit` [rad], moves the reference rotations of all these states to
  // where the charts point and sets the coefficients of all rotation vectors to 0; all frames stay, and E. The equations of
  // motion of rotation vectors are then torques about other axes, so that C changes where it is not 0. Returns whether it did.
  bool recenter(Eigen::VectorXd& point, double limit);

  int unknown_count() const override { return system_->unknown_count(); }
  int constraint_count() const override { return system_->constraint_count(); }
  double evaluate(const Eigen::VectorXd& point, Eigen::VectorXd& constraints) override;
  void linearize(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) override;
  // Without matrices of the columns.
  bool differentiate(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) override;
  SaddlePointSystem& system() override { return *system_; }
  std::string constraint_name(int constraint) const override;

 private:
  struct ResidualScratch;

  void set_first_coefficients();
  void update(const Eigen::VectorXd& point);
  void set_states();
  void evaluate_residuals();
  double loss_sum();
  double transitions();
  void weigh_residuals(int step, const Eigen::VectorXd& multipliers, Eigen::VectorXd& weights) const;
  void add_constraints(std::size_t segment);

  const TrajectoryModel& model_;
  TrajectoryBasis basis_;
  Eigen::MatrixXd coefficients_;  // [dof][column]
  Eigen::VectorXd point_;         // of the states and residuals; empty: none
  TrajectoryStates states_;
  Eigen::MatrixXd residuals_;   // [dof][step - 1]
  std::vector<double> losses_;  // [step - 1]
  double loss_scale_ = 1;
  std::unique_ptr<BandedSaddlePoint> system_;
  std::unique_ptr<PointColumns> columns_;
  std::unique_ptr<TransitionBlocks> transitions_;  // null: none
  WorkspacePool<ResidualScratch> residual_scratch_;
  std::vector<SegmentDerivatives> segments_;
  WorkspacePool<SegmentScratch> segment_scratch_;
  Eigen::MatrixXd step_gradients_;    // [dof][3 (step - 1) + back], of the last `differentiate`
  Eigen::MatrixXd column_gradients_;  // [dof][column], the same
  WorkspacePool<StepGradientScratch> gradient_scratch_;
};

}  // namespace holo::articulated
