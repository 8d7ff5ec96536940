#include "holo/opt/dense/dense_minimizer.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <limits>

#include "holo/core/error.h"

namespace holo {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<DenseMethod> dense_methods() {
  return {DenseMethod::newton, DenseMethod::gauss_newton, DenseMethod::l_bfgs, DenseMethod::gradient_descent};
}

// sum 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2 as |r|^2 / 2; its minimum is 0 at (1, ..., 1).
class Rosenbrock : public LeastSquaresProblem {
 public:
  explicit Rosenbrock(int n) : n_(n) {}
  int dimension() const override { return n_; }
  int residual_count() const override { return 2 * (n_ - 1); }
  void residuals(const VectorXd& x, VectorXd& r) override {
    for (int i = 0; i + 1 < n_; ++i) {
      r[2 * i] = std::sqrt(200.0) * (x[i + 1] - x[i] * x[i]);
      r[2 * i + 1] = std::sqrt(2.0) * (1 - x[i]);
    }
  }
  void jacobian(const VectorXd& x, MatrixXd& j) override {
    j.setZero();
    for (int i = 0; i + 1 < n_; ++i) {
      j(2 * i, i + 1) = std::sqrt(200.0);
      j(2 * i, i) = -2 * std::sqrt(200.0) * x[i];
      j(2 * i + 1, i) = -std::sqrt(2.0);
    }
  }
  bool hessian(const VectorXd& x, MatrixXd& h) override {
    h.setZero();
    for (int i = 0; i + 1 < n_; ++i) {
      h(i, i) += 1200 * x[i] * x[i] - 400 * x[i + 1] + 2;
      h(i + 1, i) -= 400 * x[i];
      h(i + 1, i + 1) += 200;
    }
    return true;
  }

 private:
  int n_;
};

// (x - c)^T A (x - c) / 2 with A positive definite.
class Quadratic : public DenseProblem {
 public:
  Quadratic(MatrixXd a, VectorXd center) : a_(std::move(a)), center_(std::move(center)) {}
  int dimension() const override { return int(center_.size()); }
  double value(const VectorXd& x) override { return (x - center_).dot(a_ * (x - center_)) / 2; }
  void gradient(const VectorXd& x, VectorXd& g) override { g = a_ * (x - center_); }
  bool hessian(const VectorXd&, MatrixXd& h) override {
    h = a_;
    return true;
  }
  bool gauss_newton_hessian(const VectorXd& x, MatrixXd& h) override { return hessian(x, h); }

 private:
  MatrixXd a_;
  VectorXd center_;
};

// A function of one unknown, by closures.
class OneUnknown : public DenseProblem {
 public:
  using Function = std::function<double(double)>;
  OneUnknown(Function value, Function slope, Function curvature)
      : value_(std::move(value)), slope_(std::move(slope)), curvature_(std::move(curvature)) {}
  int dimension() const override { return 1; }
  double value(const VectorXd& x) override { return value_(x[0]); }
  void gradient(const VectorXd& x, VectorXd& g) override { g[0] = slope_(x[0]); }
  bool hessian(const VectorXd& x, MatrixXd& h) override {
    if (curvature_) h(0, 0) = curvature_(x[0]);
    return bool(curvature_);
  }

 private:
  Function value_, slope_, curvature_;
};

MatrixXd positive_definite(int n) {
  const MatrixXd root =
      MatrixXd::NullaryExpr(n, n, [](Eigen::Index i, Eigen::Index j) { return std::sin(double(3 * i + 7 * j)); });
  return root * root.transpose() + MatrixXd::Identity(n, n);
}

TEST(DenseMinimizer, EachMethodFindsTheMinimumOfAQuadratic) {
  const int n = 12;
  const VectorXd center = VectorXd::LinSpaced(n, -1, 2);
  Quadratic problem(positive_definite(n), center);
  for (DenseMethod method : dense_methods()) {
    VectorXd x = VectorXd::Zero(n);
    DenseWorkspace workspace;
    const DenseResult result =
        minimize(problem, {}, x, {.method = method, .tolerance = 1e-9, .max_iterations = 2000}, workspace);
    EXPECT_TRUE(result.converged()) << to_string(method) << ": " << result.diagnosis;
    EXPECT_LT((x - center).norm(), 1e-7) << to_string(method);  // the smallest eigenvalue is 1
    if (method == DenseMethod::newton || method == DenseMethod::gauss_newton) {
      EXPECT_EQ(result.iterations.size(), 2u);
    }
  }
}

TEST(DenseMinimizer, RosenbrocksValleyIsFollowedToItsEnd) {
  for (int n : {2, 20})
    for (DenseMethod method : dense_methods()) {
      if (method == DenseMethod::gradient_descent && n > 2) continue;  // crawls
      Rosenbrock problem(n);
      VectorXd x = VectorXd::Constant(n, 0.5);
      if (n == 2) x[0] = -1.2;  // longer chains have another minimum near (-1, 1, ..., 1)
      DenseWorkspace workspace;
      const DenseResult result =
          minimize(problem, {}, x, {.method = method, .tolerance = 1e-9, .max_iterations = 20000}, workspace);
      EXPECT_TRUE(result.converged()) << to_string(method) << ": " << result.diagnosis;
      EXPECT_LT((x - VectorXd::Ones(n)).norm(), 1e-6) << to_string(method) << " " << n;
      if (method != DenseMethod::gradient_descent) {
        EXPECT_LT(result.iterations.size(), 300u) << to_string(method);
      }
    }
}

// The minimum within bounds has a gradient that points out of them where they hold, else none [Nocedal2006, section 16.7].
TEST(DenseMinimizer, BoundsHoldAndTheMinimumWithinThemIsFound) {
  const int n = 15;
  const VectorXd center = VectorXd::NullaryExpr(n, [](Eigen::Index i) { return 2 * std::sin(2.0 * double(i)); });
  const MatrixXd a = positive_definite(n);
  Quadratic problem(a, center);
  const DenseBounds bounds{VectorXd::Constant(n, -0.5), VectorXd::Constant(n, 1.0)};
  VectorXd reference;
  for (DenseMethod method : dense_methods()) {
    VectorXd x = VectorXd::Constant(n, 5);  // outside
    DenseWorkspace workspace;
    const DenseResult result =
        minimize(problem, bounds, x, {.method = method, .tolerance = 1e-8, .max_iterations = 5000}, workspace);
    EXPECT_TRUE(result.converged()) << to_string(method) << ": " << result.diagnosis;
    const VectorXd gradient = a * (x - center);
    int held = 0;
    for (int i = 0; i < n; ++i) {
      ASSERT_GE(x[i], -0.5);
      ASSERT_LE(x[i], 1.0);
      const bool low = x[i] == -0.5, high = x[i] == 1.0;
      held += low || high;
      EXPECT_GE(gradient[i], high ? -infinity : -1e-6) << to_string(method) << " " << i;
      EXPECT_LE(gradient[i], low ? infinity : 1e-6) << to_string(method) << " " << i;
    }
    EXPECT_GT(held, 3);
    EXPECT_LT(held, n);
    EXPECT_EQ(result.iterations.back().at_bounds, held);
    if (reference.size() == 0) reference = x;
    EXPECT_LT((x - reference).norm(), 1e-6);  // all methods agree
  }
}

// The bound bends the full step uphill: a shorter one is to be taken, and the point is not to be called a minimum.
TEST(DenseMinimizer, AStepThatABoundBendsUphillIsShortened) {
  MatrixXd curved(2, 2);
  curved << 1, 0.9, 0.9, 1;
  for (DenseMethod method : {DenseMethod::newton, DenseMethod::gauss_newton, DenseMethod::l_bfgs}) {
    Quadratic problem(curved, Eigen::Vector2d(-2.885, 2.105));
    VectorXd x = Eigen::Vector2d(0.01, 0);
    DenseWorkspace workspace;
    const DenseBounds bounds{Eigen::Vector2d(0, -infinity), Eigen::Vector2d(infinity, infinity)};
    const DenseResult result = minimize(problem, bounds, x, {.method = method, .tolerance = 1e-10}, workspace);
    EXPECT_TRUE(result.converged()) << result.diagnosis;
    EXPECT_NEAR(x[0], 0, 1e-9) << to_string(method);
    EXPECT_NEAR(x[1], 2.105 - 0.9 * 2.885, 1e-8) << to_string(method);
  }
}

TEST(DenseMinimizer, AStartThatRestsAtItsBoundIsAMinimum) {
  OneUnknown problem([](double x) { return x; }, [](double) { return 1.0; }, [](double) { return 0.0; });
  VectorXd x = VectorXd::Constant(1, 5e-4);
  DenseWorkspace workspace;
  const DenseBounds bounds{VectorXd::Constant(1, 0.0), VectorXd::Constant(1, infinity)};
  const DenseResult result = minimize(problem, bounds, x, {}, workspace);
  EXPECT_TRUE(result.converged()) << result.diagnosis;
  EXPECT_NEAR(x[0], 0, 1e-9);
}

TEST(DenseMinimizer, NewtonLeavesASaddleAndShiftsAnIndefiniteHessian) {
  OneUnknown wells([](double x) { return std::pow(x * x - 1, 2); }, [](double x) { return 4 * x * (x * x - 1); },
                   [](double x) { return 12 * x * x - 4; });
  VectorXd x = VectorXd::Constant(1, 0.1);
  DenseWorkspace workspace;
  const DenseResult result = minimize(wells, {}, x, {}, workspace);
  EXPECT_EQ(result.status, DenseStatus::converged);
  EXPECT_NEAR(std::abs(x[0]), 1, 1e-9);
  EXPECT_GT(result.iterations.front().shift, 4);
  EXPECT_EQ(result.iterations.back().shift, 0);
}

TEST(DenseMinimizer, NewtonConvergesQuadratically) {
  Rosenbrock problem(6);
  VectorXd x = VectorXd::Constant(6, 0.9);
  DenseWorkspace workspace;
  const DenseResult result = minimize(problem, {}, x, {.tolerance = 1e-12}, workspace);
  ASSERT_TRUE(result.converged());
  const auto& log = result.iterations;
  ASSERT_GE(log.size(), 3u);
  const double last = log[log.size() - 1].projected_gradient, before = log[log.size() - 2].projected_gradient;
  EXPECT_LT(last, 1e3 * before * before + 1e-12);
}

// Far from its minimum, with a value of 1e8 there, a function cannot tell where it is flat to better than rounding.
TEST(DenseMinimizer, TheStatusSaysThatTheValueResolvesNoMore) {
  OneUnknown lifted([](double x) { return 1e8 + x * x; }, [](double x) { return 2 * x; }, nullptr);
  VectorXd x = VectorXd::Constant(1, 1.7);
  DenseWorkspace workspace;
  const DenseResult result = minimize(lifted, {}, x, {.method = DenseMethod::gradient_descent, .tolerance = 1e-300}, workspace);
  EXPECT_TRUE(result.status == DenseStatus::value_resolved || x[0] == 0) << to_string(result.status);
  EXPECT_LT(std::abs(x[0]), 1e-3);
  EXPECT_EQ(result.diagnosis, "");
}

// x^4 + x^2/2 as a difference of two large terms, whose rounding is 2^-13; its gradient has an error of 1e-6 that no step
// removes.
class Cancelling : public DenseProblem {
 public:
  explicit Cancelling(double rounding) : rounding_(rounding) {}
  int dimension() const override { return 1; }
  double value(const VectorXd& x) override {
    const volatile double large = 0x1p40 + std::pow(x[0], 4) + x[0] * x[0] / 2;
    return large - 0x1p40;
  }
  void gradient(const VectorXd& x, VectorXd& g) override { g = VectorXd::Constant(1, 4 * std::pow(x[0], 3) + x[0] + 1e-6); }
  bool hessian(const VectorXd& x, MatrixXd& h) override {
    h = MatrixXd::Constant(1, 1, 12 * x[0] * x[0] + 1);
    return true;
  }
  double value_rounding(const VectorXd&) override { return rounding_; }

 private:
  double rounding_;
};

TEST(DenseMinimizer, AProblemMayKnowThatItsValueHasLargerRoundingErrors) {
  for (const double rounding : {0.0, 0x1p-30, 0x1p-13}) {
    Cancelling problem(rounding);
    VectorXd x = VectorXd::Constant(1, 0.5);
    DenseWorkspace workspace;
    DenseOptions options;
    options.tolerance = 1e-12;
    const DenseResult result = minimize(problem, {}, x, options, workspace);
    EXPECT_NEAR(x[0], 0, 0.02);  // sqrt(2 * 2^-13)
    EXPECT_EQ(to_string(result.status), rounding == 0x1p-13 ? "value_resolved" : "line_search_failed") << rounding;
    EXPECT_EQ(result.diagnosis.empty(), rounding == 0x1p-13);
  }
}

TEST(DenseMinimizer, TheDomainIsNotLeft) {
  OneUnknown barrier([](double x) { return x > 0 ? x - std::log(x) : infinity; }, [](double x) { return 1 - 1 / x; },
                     [](double x) { return 1 / (x * x); });
  for (DenseMethod method : {DenseMethod::newton, DenseMethod::l_bfgs, DenseMethod::gradient_descent}) {
    VectorXd x = VectorXd::Constant(1, 30);
    DenseWorkspace workspace;
    const DenseResult result = minimize(barrier, {}, x, {.method = method}, workspace);
    EXPECT_TRUE(result.converged()) << to_string(method) << ": " << result.diagnosis;
    EXPECT_NEAR(x[0], 1, 1e-7);
  }
}

TEST(DenseMinimizer, AWorkspaceServesProblemsOfOtherSizesAndResultsRepeat) {
  DenseWorkspace workspace;
  VectorXd first = VectorXd::Zero(4), again = VectorXd::Zero(4), other = VectorXd::Zero(9);
  Rosenbrock small(4), large(9);
  const DenseOptions options{.method = DenseMethod::l_bfgs};
  minimize(small, {}, first, options, workspace);
  minimize(large, {}, other, options, workspace);
  minimize(small, {}, again, options, workspace);
  EXPECT_TRUE(first == again);
}

TEST(DenseMinimizer, BadInputOfFunctionsGivesAStatusWithItsReason) {
  DenseWorkspace workspace;
  const auto one = [](double) { return 1.0; };
  VectorXd x = VectorXd::Constant(1, -1);
  OneUnknown outside([](double v) { return v > 0 ? v : infinity; }, one, one);
  EXPECT_EQ(minimize(outside, {}, x, {}, workspace).status, DenseStatus::infeasible_start);
  OneUnknown bad_slope([](double v) { return v; }, [](double) { return std::nan(""); }, one);
  EXPECT_EQ(minimize(bad_slope, {}, x, {}, workspace).status, DenseStatus::not_finite);
  OneUnknown bad_curvature([](double v) { return v; }, one, [](double) { return infinity; });
  EXPECT_EQ(minimize(bad_curvature, {}, x, {}, workspace).status, DenseStatus::not_finite);
  OneUnknown wrong_sign([](double v) { return v * v; }, [](double v) { return -2 * v; }, nullptr);
  const DenseResult wrong = minimize(wrong_sign, {}, x, {.method = DenseMethod::l_bfgs}, workspace);
  EXPECT_EQ(wrong.status, DenseStatus::line_search_failed);
  EXPECT_NE(wrong.diagnosis.find("check the derivatives"), std::string::npos);
  Rosenbrock valley(3);
  VectorXd start = VectorXd::Zero(3);
  const DenseResult limited =
      minimize(valley, {}, start, {.method = DenseMethod::gradient_descent, .max_iterations = 3}, workspace);
  EXPECT_EQ(limited.status, DenseStatus::iteration_limit);
  EXPECT_NE(limited.diagnosis.find("after 3 iterations"), std::string::npos);
  EXPECT_EQ(limited.iterations.size(), 4u);
}

TEST(DenseMinimizer, BadInputOfSizesAndBoundsIsRefused) {
  DenseWorkspace workspace;
  Rosenbrock problem(3);
  VectorXd x = VectorXd::Zero(2), right = VectorXd::Zero(3);
  EXPECT_THROW(minimize(problem, {}, x, {}, workspace), Error);
  EXPECT_THROW(minimize(problem, {VectorXd::Zero(2), {}}, right, {}, workspace), Error);
  EXPECT_THROW(minimize(problem, {VectorXd::Ones(3), VectorXd::Zero(3)}, right, {}, workspace), Error);
  EXPECT_THROW(minimize(problem, {}, right, {.method = DenseMethod::l_bfgs, .history = 0}, workspace), Error);
  OneUnknown no_hessian([](double v) { return v * v; }, [](double v) { return 2 * v; }, nullptr);
  VectorXd one = VectorXd::Ones(1);
  EXPECT_THROW(minimize(no_hessian, {}, one, {.method = DenseMethod::newton}, workspace), Error);
  EXPECT_THROW(minimize(no_hessian, {}, one, {.method = DenseMethod::gauss_newton}, workspace), Error);
}

// Newton's iterations on Rosenbrock's function decrease it by different parts; the first one below the least is the last.
TEST(DenseMinimizer, AnIterationThatDecreasesTooLittleIsTheLast) {
  Rosenbrock problem(4);
  DenseWorkspace workspace;
  VectorXd x = VectorXd::Constant(4, -1.2);
  constexpr double least = 0.2;
  const DenseResult result = minimize(problem, {}, x, {.least_decrease = least}, workspace);
  EXPECT_EQ(result.status, DenseStatus::slow_decrease);
  EXPECT_TRUE(result.converged());
  ASSERT_GT(result.iterations.size(), 1u);
  for (std::size_t i = 0; i < result.iterations.size(); ++i) {
    const bool is_last = i + 1 == result.iterations.size();
    const double after = is_last ? result.value : result.iterations[i + 1].value;
    EXPECT_EQ(result.iterations[i].value - after < least * result.iterations[i].value, is_last) << i;
  }
}

}  // namespace
}  // namespace holo
