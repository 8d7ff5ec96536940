#include "trajectory/disk_minimizer.h"

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

constexpr int most_secular_iterations = 200;

// Eigenvectors (cosine, sine) and (-sine, cosine) of a symmetric matrix, by one Jacobi rotation [Golub2013].
struct PlaneEigen {
  explicit PlaneEigen(const Eigen::Matrix2d& B) {
    if (B(1, 0) != 0) {
      const double theta = (B(1, 1) - B(0, 0)) / (2 * B(1, 0));
      const double tangent = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::hypot(1.0, theta));
      cosine = 1 / std::hypot(1.0, tangent);
      sine = -tangent * cosine;
      values = {B(0, 0) - tangent * B(1, 0), B(1, 1) + tangent * B(1, 0)};
    } else {
      values = B.diagonal();
    }
  }
  Eigen::Vector2d components(const Eigen::Vector2d& v) const {
    return {cosine * v[0] + sine * v[1], -sine * v[0] + cosine * v[1]};
  }
  Eigen::Vector2d vector(const Eigen::Vector2d& c) const { return {cosine * c[0] - sine * c[1], sine * c[0] + cosine * c[1]}; }

  double cosine = 1, sine = 0;
  Eigen::Vector2d values;
};

// The root tau > 0 of |g_i / (values_i + tau)| = radius for values >= 0. 1/|a(tau)| is concave and almost straight: Newton's
// method on it, within a bracket.
double secular_root(const Eigen::Vector2d& values, const Eigen::Vector2d& g, double radius) {
  double low = 0, high = g.norm() / radius;
  double tau = std::max(low, (g.cwiseAbs() / radius - values).maxCoeff());
  for (int iteration = 0; iteration < most_secular_iterations && low < high; ++iteration) {
    const Eigen::Array2d shifted = values.array() + tau;
    const Eigen::Array2d step = g.array().abs() / shifted;
    const double length = std::sqrt(step.square().sum());
    (length > radius ? low : high) = tau;
    const double slope = (step.square() / shifted).sum();
    double next = tau + length * length / slope * (length / radius - 1);
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == tau || std::abs(length - radius) <= 1e-15 * radius) break;
    tau = next;
  }
  return tau;
}

}  // namespace

Eigen::Vector2d minimize_in_disk(const Eigen::Matrix2d& B, const Eigen::Vector2d& g, double radius) {
  const PlaneEigen eigen(B);
  const Eigen::Vector2d components = eigen.components(g);
  int lowest;
  const double smallest = eigen.values.minCoeff(&lowest);
  Eigen::Vector2d a = Eigen::Vector2d::Zero();
  const Eigen::Vector2d shifted = eigen.values.array() + std::max(0.0, -smallest);  // the lowest is 0, or positive
  if (components[lowest] == 0) {  // the other component is then bounded at the least shift
    const int other = 1 - lowest;
    a[lowest] = 0;
    a[other] = components[other] == 0 ? 0 : -components[other] / shifted[other];
    if (std::abs(a[other]) <= radius) {
      if (smallest < 0) a[lowest] = std::sqrt(std::max(0.0, (radius - a[other]) * (radius + a[other])));
      return eigen.vector(a);
    }
  }
  const double tau = secular_root(shifted, components, radius);
  for (int i = 0; i < 2; ++i) a[i] = components[i] == 0 ? 0 : -components[i] / (shifted[i] + tau);
  return eigen.vector(a);
}

}  // namespace holo
