#pragma once
// A linearized problem in the solver's scales: rows of A divided by their norms at the start, a diagonal metric W of steps, and
// the shifts that keep K1 and K2 (saddle_point_system.h) regular.

#include <Eigen/Core>

#include "holo/opt/trajectory/saddle_point_system.h"

namespace holo {

enum class TrustRegionMetric;

// Scales of the constraints and of steps, which stay as they are for a whole optimization.
struct TrajectoryScales {
  Eigen::VectorXd constraints;  // [constraint], 1 / |row of A|
  Eigen::VectorXd metric;       // W [unknown]
};
// From H and A of the system: 1/|row|, where a row that vanishes gets the scale of the largest one, and the metric, which is 1
// or max(H_jj, 1e-8)^(1/2), at least 1e-4 of the largest.
TrajectoryScales find_scales(const SaddlePointSystem& system, TrustRegionMetric metric);

// Constraints, multipliers and A are scaled here: C = R C_unscaled, A = R A_unscaled and lambda = lambda_unscaled / R.
class ScaledLinearization {
 public:
  // `unknown_shift`, `constraint_shift`: the least dw, over mean H_jj / mean W_jj, and the least of the equal entries of Dc.
  ScaledLinearization(SaddlePointSystem& system, double unknown_shift, double constraint_shift);

  void set_scales(const TrajectoryScales& scales) { scales_ = scales; }
  const TrajectoryScales& scales() const { return scales_; }
  double shift() const { return shift_; }  // dw, relative
  void set_shift(double shift) { shift_ = shift; }
  void relax_shift();  // divides dw by 3, down to its least value

  void multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const { system_.multiply_hessian(p, product); }
  void multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const;
  void multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const;
  double norm(const Eigen::VectorXd& step) const;  // (p . W p)^(1/2)

  // K2, and K1 if asked for, of the linearization. Where these are singular the shifts grow by factors of 10.
  SaddlePointOutcome factor(SaddlePointSelection selection);
  // K1 with ten times dw; false after eight of these for a linearization, or if no K1 is regular.
  bool raise_shift();
  int factorizations() const { return factorizations_; }  // since the beginning

  // x = W^-1 (a - A^T y), the W-orthogonal projection of W^-1 a onto the null space of A, and its multipliers y. Corrected to
  // |A x| <= 1e-12 |x| where A has full rank. False where the solution is inaccurate.
  bool project(const Eigen::VectorXd& a, Eigen::VectorXd& x, Eigen::VectorXd& y);
  // The vector of null(A) which is W-closest to x.
  bool project_step(Eigen::VectorXd& x);
  // The step of least |x|_W with A x = -c, in the sense of least squares where A has dependent rows.
  bool least_norm_step(const Eigen::VectorXd& c, Eigen::VectorXd& x);
  // x = K1^-1 (a, 0) without the multipliers.
  bool solve_model(const Eigen::VectorXd& a, Eigen::VectorXd& x);

 private:
  bool solve(SaddlePointMatrix matrix);
  bool correct(Eigen::VectorXd& x, Eigen::VectorXd* y);
  double scaled_shift();

  SaddlePointSystem& system_;
  double least_shift_, least_constraint_shift_, shift_;
  int raises_ = 0, factorizations_ = 0;
  TrajectoryScales scales_;
  Eigen::VectorXd constraint_shift_, diagonal_, product_;
  mutable Eigen::VectorXd multipliers_;
  Eigen::MatrixXd right_side_, solution_;  // [unknown, then constraint][1]
};

}  // namespace holo
