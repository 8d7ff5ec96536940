#pragma once
// Steps of a quadratic model within a trust region and bounds, by the eigenvalues of its Hessian.

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <vector>

#include "dense/dense_box.h"

namespace holo {

// The minimizer of g . s + s . |H| s / 2 in the ball |s| <= radius, exact to rounding: s = -(|H| + sigma I)^-1 g with the least
// sigma >= 0 [Nocedal2006, Section 4.3]. |H| has the eigenvectors of H and the moduli of its eigenvalues: the model may be
// indefinite, and where it curves downwards along an eigenvector it is taken to curve upwards as much [Dauphin2014]. One shift
// of all eigenvalues by the smallest one would shorten the step along all the others.
class TrustRegionStep {
 public:
  void resize(int dimension);

  // The step s [unknown] from x of a model with this gradient [unknown] and symmetric Hessian [unknown][unknown]. Unknowns that
  // are not `free` move to the bound that their gradient presses against, by `radius` at most. Those that would leave the box
  // stop at their bound, and the step of the others is the minimizer for that; the ball is one of theirs. `radius` may be
  // infinite. False where the eigenvalues are not found.
  bool find(const Eigen::MatrixXd& hessian, const Eigen::VectorXd& gradient, const DenseBox& box, const Eigen::VectorXd& x,
            const std::vector<int>& free, double radius, Eigen::VectorXd& step);

  // By how much the last step's modulus and sigma raised the smallest eigenvalue of the free unknowns.
  double shift() const { return shift_; }

 private:
  bool decompose(const Eigen::MatrixXd& hessian, const Eigen::VectorXd& gradient, const Eigen::VectorXd& step);
  double minimize_in_ball(double radius);
  bool stop_at_bounds(const DenseBox& box, const Eigen::VectorXd& x, Eigen::VectorXd& step);

  std::vector<int> moving_;
  Eigen::MatrixXd block_;
  Eigen::VectorXd reduced_, curvature_, components_, offset_;  // of the moving unknowns; curvature and step along eigenvectors
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen_;
  double shift_ = 0;
};

}  // namespace holo
