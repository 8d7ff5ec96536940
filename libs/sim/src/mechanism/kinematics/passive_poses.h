#pragma once
// The poses of a mechanism that come nearest to what losses ask of its bodies, one knot after the other.

#include <Eigen/SparseCholesky>
#include <memory>
#include <utility>
#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"
#include "holo/sim/mechanism/kinematics/inverse_kinematics.h"

namespace holo {

// Gauss-Newton steps of one knot: min f(s) + keep/2 |s - before|^2 with C(s) = 0, from
//   [ B    J^T ] [ ds ]     [ g + J^T l ]
//   [ J   -d I ] [ dl ] = - [ C         ],   B = Gauss-Newton Hessian of f + keep I,
// which has an LDL^T factorization for any number of redundant equations. d acts only on the change of the multipliers,
// so that C converges to 0 up to rounding. Equations of passive actuators have a large d, which removes their effect.
class PassivePoses {
 public:
  PassivePoses(std::shared_ptr<const MechanismLayout> layout, std::vector<NamedLoss> losses, const LossData& data,
               const Eigen::VectorXd& parameters, const InverseKinematicsOptions& options);

  // Removes an equation of an actuator, by its number among the independent ones, or fixes its control at a value in the
  // layout's units.
  void release(int equation);
  void fix(int equation, int control, double value);

  // Starts another task, without multipliers of the knot before.
  void begin();

  // Moves `state` from the pose of the knot before to the best pose of this knot. Returns the number of iterations. Throws
  // Error(input) if they do not converge.
  int solve(int knot, const Eigen::VectorXd& prescribed, Eigen::VectorXd& state);

 private:
  double loss(int knot, const Eigen::VectorXd& state);

  double evaluate(int knot, const Eigen::VectorXd& state);

  double residual_of(const Eigen::VectorXd& state);

  // Losses take complete trajectories; all columns but that of the present knot are unused.
  Eigen::MatrixXd& trajectory(int knot);
  MechanismKnots observed() const { return {states_, controls_, controls_, parameters_}; }

  void differentiate(int knot, const Eigen::VectorXd& state);

  bool step(double damping);

  // A step along the tangent leaves the curved equations, and a merit function that sees that would allow short steps only.
  void return_to_equations(Eigen::VectorXd& state);

  [[noreturn]] void refuse(int knot, const Eigen::VectorXd& state);

  using Sparse = Eigen::SparseMatrix<double>;
  static constexpr int lanes = int(HOLO_LANE_WIDTH);

  std::shared_ptr<const MechanismLayout> layout_;
  ConstraintEquations equations_;
  MechanismLosses losses_;
  const LossData& data_;
  const InverseKinematicsOptions& options_;
  Eigen::VectorXd parameters_;
  Eigen::MatrixXd controls_;  // one column; of equations of passive actuators without effect
  Eigen::VectorXd prescribed_, before_, gradient_, change_, multipliers_;
  std::vector<std::pair<int, int>> entries_;
  Eigen::MatrixXd states_, residual_, values_, control_values_, parameter_values_;
  std::vector<double> gradient_lanes_, hessian_lanes_;
  std::vector<bool> is_passive_;  // of independent equations
  std::vector<Eigen::Triplet<double>> triplets_;
  Sparse matrix_;
  Eigen::SimplicialLDLT<Sparse> factors_;
  bool is_analyzed_ = false;
  double penalty_ = 1;
};

}  // namespace holo
