#pragma once
// One iteration of Newton's method for a dense minimization: steps within a trust region, with one Hessian.

#include <vector>

#include "dense/dense_box.h"
#include "dense/trust_region_step.h"
#include "holo/opt/dense/dense_minimizer.h"

namespace holo {

// Each trial of an iteration minimizes the model in the trust region [Conn2000]. Its gradient, whether the trial is accepted or
// not, changes the model by the symmetric rank-one formula, so that the next trial knows what the last one found
// [Nocedal2006, Section 6.2]: where a gradient changes at once (contacts, friction, bounds), the exact Hessian of one point
// says nothing of the other side. The next iteration begins with a new Hessian after a few accepted steps. The matrix of
// Gauss-Newton is not changed, and serves one step.
class SecantNewton {
 public:
  // The point of an iteration, which improves it: x [unknown], f there, and its gradient [unknown].
  struct Point {
    Eigen::VectorXd& x;
    Eigen::VectorXd& gradient;
    double& value;
  };
  enum class Outcome { moved, stuck, not_finite };

  void start(int dimension, const DenseOptions& options);
  Eigen::MatrixXd& hessian() { return model_; }  // at the point of the next iteration, lower triangle
  // `unseen_steps` counts iterations in a row whose first step gains less than the rounding of f.
  Outcome iterate(DenseProblem& problem, const DenseBox& box, const DenseOptions& options, Point point, int& unseen_steps,
                  DenseIteration& log);

 private:
  enum class Trial { accepted, refused, last };
  Trial try_step(DenseProblem& problem, const DenseBox& box, const DenseOptions& options, Point point, int& unseen_steps,
                 DenseIteration& log);
  bool find_step(const DenseBox& box, const DenseOptions& options, Point point, DenseIteration& log);
  void update_model(const Eigen::VectorXd& gradient);

  TrustRegionStep trust_region_;
  std::vector<int> free_;
  Eigen::MatrixXd model_;
  Eigen::VectorXd step_, product_, trial_, trial_gradient_, defect_;
  double radius_ = 0;        // of the next trial; kept from one iteration to the next
  double first_length_ = 0;  // of the iteration's first step
};

}  // namespace holo
