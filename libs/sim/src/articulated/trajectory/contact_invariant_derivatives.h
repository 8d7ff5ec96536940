#pragma once
// Time steps of contact-invariant optimization: residuals with forces of contact points as unknowns, the energy of contacts,
// and their derivatives in the columns of a segment and in the forces.

#include "articulated/trajectory/contact_interaction.h"
#include "articulated/trajectory/segment_derivatives.h"
#include "articulated/trajectory/step_gradients.h"

namespace holo::articulated {

// The pairs of contact points and obstacles, each with a force over the character's weight. Forces of a step are
// [3 pair + component].
struct ContactPairs {
  int obstacles = 0, count = 0;

  explicit ContactPairs(const TrajectoryModel& model)
      : obstacles(model.step().obstacle_count), count(model.character().data().contact_point_count * obstacles) {}
  int forces() const { return 3 * count; }
  const ContactPoint& sphere(const TrajectoryModel& model, int pair) const {
    return model.character().data().contact_points[pair / obstacles];
  }
  const Obstacle& obstacle(const TrajectoryModel& model, int pair) const { return model.step().obstacles[pair % obstacles]; }
};

// Columns are those of all points of the segment, n numbers each, given ones too. Gauss-Newton: of E without the constraints.
struct ContactInvariantDerivatives {
  SegmentDerivatives losses;       // their part, without constraints
  Eigen::VectorXd gradient;        // [column]
  Eigen::MatrixXd force_gradient;  // [force][step of the segment]
  Eigen::MatrixXd hessian;         // [column][column]
  Eigen::MatrixXd mixed;           // [column][force of each step]
  Eigen::MatrixXd force_hessian;   // [force][force of each step]: forces of different steps are independent
  RowMajorMatrix jacobian;         // of the constraints: [unactuated of each step][column]
  RowMajorMatrix force_jacobian;   // [unactuated of each step][force of that step]
};

// Memory of one thread.
class ContactInvariantScratch {
 public:
  ContactInvariantScratch(const TrajectoryModel& model, const TrajectoryBasis& basis, const StepConstants& without_contact);

  void resize(const TrajectorySegment& segment, ContactInvariantDerivatives& result) const;
  // Residuals [dof] of a step with the forces; returns the energy of its contacts.
  double evaluate(const TrajectoryStates& states, int step, const double* forces, double* residual);
  // Residuals [dof][step - 1], forces [force][step - 1].
  void differentiate(const TrajectoryStates& states, const Eigen::MatrixXd& residuals, const Eigen::MatrixXd& forces,
                     const TrajectorySegment& segment, double loss_scale, ContactInvariantDerivatives& result);
  // Adds the gradient of the energy of a step's contacts and of weights [dof] . residual by its states and its forces [force].
  void add_gradient(const TrajectoryStates& states, int step, const double* forces, StepGradients& by_step, double* by_force);
  Eigen::VectorXd& weights() { return step_.weights(); }
  void add_losses(const TrajectoryStates& states, int first, int last, double loss_scale, StepGradients& result) {
    step_.add_losses(states, first, last, loss_scale, result);
  }

 private:
  void differentiate_step(const TrajectoryStates& states, int step, const double* forces);
  void differentiate_pair(const TrajectoryStates& states, int step, int pair, const Vector3<double>& force);
  void add_step(const Eigen::MatrixXd& residuals, const TrajectorySegment& segment, int step,
                ContactInvariantDerivatives& result);
  template <class Rows>
  void to_columns(const TrajectorySegment& segment, int state, const Rows& by_state, Eigen::Ref<RowMajorMatrix> result) const;

  const TrajectoryModel& model_;
  const TrajectoryBasis& basis_;
  StepConstants constants_;  // without obstacles
  ContactPairs pairs_;
  double weight_;             // [N]
  StepGradientScratch step_;  // dFD/dx, with the forces after differentiate_step
  SegmentScratch losses_;
  // Of one step: of the energy's residuals and of FD.
  Eigen::VectorXd interactions_;              // [5 pair + row]
  RowMajorMatrix by_newest_, by_current_;     // [5 pair + row][dof]
  RowMajorMatrix by_force_, residual_force_;  // [5 pair + row][force], [dof][force]
  // Rows whose squares are E without losses: controls, then interactions; and FD by columns.
  RowMajorMatrix by_column_, left_, right_;
  Eigen::VectorXd values_;
  std::vector<WrenchMatrix<double>> inertial_, applied_;
};

}  // namespace holo::articulated
