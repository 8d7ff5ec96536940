// How far the minimizer of dense problems goes at a time.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/opt/dense/dense_minimizer.h"

namespace holo {
namespace {

// x^2/2, and where it was looked at.
class RecordedParabola : public DenseProblem {
 public:
  std::vector<double> trials;
  int dimension() const override { return 1; }
  double value(const Eigen::VectorXd& x) override {
    trials.push_back(x[0]);
    return x[0] * x[0] / 2;
  }
  void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& g) override { g = x; }
  bool hessian(const Eigen::VectorXd&, Eigen::MatrixXd& h) override {
    h.setOnes();
    return true;
  }
};

TEST(DenseSteps, NoneIsLongerThanAllowed) {
  for (const DenseMethod method : {DenseMethod::newton, DenseMethod::l_bfgs, DenseMethod::gradient_descent}) {
    RecordedParabola problem;
    Eigen::VectorXd x = Eigen::VectorXd::Constant(1, 10);
    DenseWorkspace workspace;
    const DenseResult result = minimize(problem, {}, x, {.method = method, .longest_step = 3}, workspace);
    EXPECT_TRUE(result.converged()) << to_string(method) << result.diagnosis;
    EXPECT_NEAR(x[0], 0, 1e-7) << to_string(method);
    for (std::size_t k = 1; k < problem.trials.size(); ++k)
      EXPECT_LE(std::abs(problem.trials[k] - problem.trials[k - 1]), 3 + 1e-15) << to_string(method);
  }
}

TEST(DenseSteps, ThoseOfNewtonAreAsLongAsAllowed) {
  RecordedParabola problem;
  Eigen::VectorXd x = Eigen::VectorXd::Constant(1, 10);
  DenseWorkspace workspace;
  minimize(problem, {}, x, {.method = DenseMethod::newton, .longest_step = 3}, workspace);
  EXPECT_EQ(problem.trials, (std::vector<double>{10, 7, 4, 1, 0}));
}

}  // namespace
}  // namespace holo
