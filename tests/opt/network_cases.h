#pragma once
// Neural networks in complex numbers, entry by entry, for derivatives by complex steps.

#include <Eigen/Dense>
#include <complex>
#include <random>
#include <vector>

#include "holo/opt/network/network_losses.h"

namespace holo::test {

using ComplexNumber = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

inline ComplexNumber complex_softplus(const ComplexNumber& x) {
  return x.real() > 0 ? x + std::log(1.0 + std::exp(-x)) : std::log(1.0 + std::exp(x));
}

inline ComplexVector complex_network(const NetworkShape& shape, const ComplexVector& weights, const ComplexVector& input) {
  ComplexVector values = input;
  Eigen::Index next = 0;
  for (int layer = 1; layer <= shape.layers(); ++layer) {
    const int rows = shape.widths[std::size_t(layer)], columns = shape.widths[std::size_t(layer - 1)];
    ComplexVector result = ComplexVector::Zero(rows);
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < rows; ++row) result[row] += weights[next++] * values[column];
    for (int row = 0; row < rows; ++row) {
      result[row] += weights[next++];
      if (layer < shape.layers()) result[row] = complex_softplus(result[row]);
    }
    values = result;
  }
  return values;
}

inline Eigen::MatrixXd random_numbers(Eigen::Index rows, Eigen::Index columns, double size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  return size * Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

// The derivative of a function of complex numbers along a direction.
template <class Function>
double complex_slope(const Function& function, const Eigen::VectorXd& at, const Eigen::VectorXd& direction) {
  constexpr double step = 1e-30;
  const ComplexVector point = at.cast<ComplexNumber>() + ComplexNumber(0, step) * direction.cast<ComplexNumber>();
  return function(point).imag() / step;
}

// A state (x, y, h) in the plane: the network sees the heading h, and gives an increment in its frame.
struct HeadingRecurrence final : NetworkRecurrence {
  template <class T>
  static Eigen::Matrix<T, 3, 1> advance(const Eigen::Matrix<T, 3, 1>& s, const Eigen::Matrix<T, 3, 1>& o) {
    using std::cos, std::sin;
    return {s[0] + cos(s[2]) * o[0] - sin(s[2]) * o[1], s[1] + sin(s[2]) * o[0] + cos(s[2]) * o[1], s[2] + o[2]};
  }
  void features(const ConstVector& s, Vector f) const override { f << std::cos(s[2]), std::sin(s[2]); }
  void next(const ConstVector& s, const ConstVector& o, Vector result) const override {
    result = advance<double>(Eigen::Vector3d(s), Eigen::Vector3d(o));
  }
  void pull_features(const ConstVector& s, const ConstVector& adjoint, Vector state) const override {
    state[2] += -std::sin(s[2]) * adjoint[0] + std::cos(s[2]) * adjoint[1];
  }
  void pull_next(const ConstVector& s, const ConstVector& o, const ConstVector& a, Vector state, Vector output) const override {
    const double c = std::cos(s[2]), d = std::sin(s[2]);
    state += a;
    state[2] += a[0] * (-d * o[0] - c * o[1]) + a[1] * (c * o[0] - d * o[1]);
    output << c * a[0] + d * a[1], -d * a[0] + c * a[1], a[2];
  }
};

}  // namespace holo::test
