#pragma once
// The bounds of a dense minimization.

#include <Eigen/Core>
#include <vector>

namespace holo {

struct DenseBox {
  Eigen::VectorXd lower, upper;  // [unknown], infinite where there is none

  template <class Point>
  auto project(const Point& x) const {
    return x.cwiseMax(lower).cwiseMin(upper);
  }
  // The largest entry of x - P(x - g).
  double projected_gradient(const Eigen::VectorXd& x, const Eigen::VectorXd& gradient) const;
  // The unknowns that are free to move, in rising order. Those near a bound against which the gradient presses are not free
  // either: otherwise steps before the bound become shorter and shorter [Bertsekas1982].
  void find_free(const Eigen::VectorXd& x, const Eigen::VectorXd& gradient, std::vector<int>& free) const;
};

}  // namespace holo
