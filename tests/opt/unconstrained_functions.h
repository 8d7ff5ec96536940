#pragma once
// Functions without constraints for tests of minimizers.

#include <Eigen/Dense>
#include <functional>

#include "holo/opt/trajectory/smooth_function.h"

namespace holo::test {

struct FunctionOfParts : SmoothFunction {
  explicit FunctionOfParts(int unknowns) : n(unknowns) {}
  int n, values = 0, gradients = 0;
  std::function<double(const Eigen::VectorXd&)> function;
  std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)> derivative;

  int unknown_count() const override { return n; }
  double value(const Eigen::VectorXd& x) override {
    ++values;
    return function(x);
  }
  void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& g) override {
    ++gradients;
    derivative(x, g);
  }
};

// The chained function of Rosenbrock, sum of 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2, with the minimum 0 at ones.
inline FunctionOfParts rosenbrock(int unknowns) {
  FunctionOfParts result(unknowns);
  result.function = [](const Eigen::VectorXd& x) {
    double sum = 0;
    for (Eigen::Index i = 0; i + 1 < x.size(); ++i) {
      const double valley = x[i + 1] - x[i] * x[i], slope = 1 - x[i];
      sum += 100 * valley * valley + slope * slope;
    }
    return sum;
  };
  result.derivative = [](const Eigen::VectorXd& x, Eigen::VectorXd& g) {
    g.setZero();
    for (Eigen::Index i = 0; i + 1 < x.size(); ++i) {
      const double valley = x[i + 1] - x[i] * x[i];
      g[i] -= 400 * valley * x[i] + 2 * (1 - x[i]);
      g[i + 1] += 200 * valley;
    }
  };
  return result;
}

}  // namespace holo::test
