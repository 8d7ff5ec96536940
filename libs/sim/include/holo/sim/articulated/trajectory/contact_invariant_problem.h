#pragma once
// A trajectory by contact-invariant optimization [Mordatch2012], to compare with: the forces of contact points are unknowns,
// and an energy lets them act only where a point rests on an obstacle. The smooth contact model is off:
//
//   minimize  losses + effort of u_i = U r_i + sum of interactions   subject to   U_j r_i = 0,
//   r_i = FD(x_i, x_i-1, x_i-2) without contact - sum of J^T f_i
//
//   ContactInvariantProblem problem(model, TrajectoryBasis::spline(40, 10));
//   PenalizedProblem soft(problem, weight);   // the soft equations of motion of the paper
//
// docs/trajectory-optimization.md#contact-invariant-optimization has the formulas.

#include <memory>
#include <string>
#include <vector>

#include "holo/sim/articulated/trajectory/trajectory_problem.h"

namespace holo::articulated {

class ContactInvariantScratch;
struct ContactInvariantDerivatives;

class ContactInvariantProblem final : public EqualityConstrainedProblem {
 public:
  // Each contact point of the character has a force for each obstacle. The model must outlive the problem. Throws Error(input)
  // without contact points, without obstacles and without gravity, and as TrajectoryProblem does.
  ContactInvariantProblem(const TrajectoryModel& model, TrajectoryBasis basis,
                          const BlockTridiagonalOptions& linear_algebra = {});
  ~ContactInvariantProblem() override;
  // The first of these, for a caller that has not yet anything to solve.
  static void require_contact(const TrajectoryModel& model);

  // The motion without its forces: its coefficients, the scale of the losses, its states; its residuals are those of the smooth
  // contact model.
  TrajectoryProblem& motion() { return motion_; }
  // The unknowns of the motion, among all.
  Eigen::VectorXd motion_point(const Eigen::VectorXd& point) const;
  // The motion with the forces that the smooth contact model has there.
  Eigen::VectorXd point_of(const Eigen::VectorXd& motion_point);

  // Evaluate at the point. Forces over the character's weight are [3 (contact point * obstacles + obstacle) + component][step
  // - 1]. Violations of `values` are those of the equations of motion with these forces, in the norms of TrajectoryProblem.
  Eigen::MatrixXd forces(const Eigen::VectorXd& point) const;
  const Eigen::MatrixXd& residuals(const Eigen::VectorXd& point);  // r [dof][step - 1] [N or N m]
  TrajectoryValues values(const Eigen::VectorXd& point);           // without interactions
  double interactions(const Eigen::VectorXd& point);

  int unknown_count() const override { return system_->unknown_count(); }
  int constraint_count() const override { return system_->constraint_count(); }
  double evaluate(const Eigen::VectorXd& point, Eigen::VectorXd& constraints) override;
  void linearize(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) override;
  bool differentiate(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) override;
  SaddlePointSystem& system() override { return *system_; }
  std::string constraint_name(int constraint) const override;

 private:
  void update(const Eigen::VectorXd& point);
  void differentiate_steps(int begin, int end, const Eigen::VectorXd& multipliers);
  void gather_coefficients(std::size_t segment, Eigen::VectorXd& gradient);
  void gather_forces(std::size_t segment, Eigen::VectorXd& gradient);
  int coefficient_count(int point) const;  // of a point of the system

  const TrajectoryModel& model_;
  TrajectoryBasis basis_;
  TrajectoryProblem motion_;
  StepConstants without_contact_;
  Eigen::VectorXd point_, motion_point_;      // of the residuals; empty: none
  const TrajectoryStates* states_ = nullptr;  // of the motion at the point
  Eigen::MatrixXd forces_, residuals_;        // [force][step - 1], [dof][step - 1]
  std::vector<double> interactions_;          // [step - 1]
  std::unique_ptr<BandedSaddlePoint> system_;
  std::unique_ptr<PointColumns> columns_;
  std::vector<ContactInvariantDerivatives> segments_;
  WorkspacePool<ContactInvariantScratch> scratch_;
  // Of the last `differentiate`: [dof][3 (step - 1) + back], [dof][column], [force][step - 1].
  Eigen::MatrixXd step_gradients_, column_gradients_, force_gradients_;
};

}  // namespace holo::articulated
