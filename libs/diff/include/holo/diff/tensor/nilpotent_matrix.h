#pragma once
// Nilpotent scalars in Eigen matrices, and the tensor functions for such matrices and for holo::Matrix:
//
//   using S = Nilpotent<2>;
//   Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> A, b;
//   auto x = solve(A, b);                        // one real factorization
//   Eigen::Matrix<S, ...> X = inverse(A);
//   S d = determinant(A), l = log_determinant(A);
//
// The scalar is Nilpotent<n>, Nilpotent<1, double, Lanes<double, W>> or Nilpotent<2, double, Lanes<double, W>>. Each call
// copies the matrices to series; code that uses one matrix several times should store its series (to_series, linear_solve.h).

#include <Eigen/Core>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/matrix.h"
#include "holo/diff/scalars/eigen_scalars.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/solid/tetrahedron_chain.h"
#include "holo/diff/tensor/linear_solve.h"

namespace holo {

// The numbering of a nilpotent scalar's coefficients in a series.
template <class N>
struct SeriesScalar;

template <int Order>
struct SeriesScalar<Nilpotent<Order>> {
  static DerivativeSet set() { return DerivativeSet::subsets(Order); }
  static double get(const Nilpotent<Order>& x, int index) { return x.coefficient(index); }
  static void set_coefficient(Nilpotent<Order>& x, int index, double value) {
    detail::unroll<(1 << Order)>([&](auto mask) {
      if (mask == index) x.template set_coefficient<mask>(value);
    });
  }
};

// Lanes, or a group of them.
template <class Last>
requires requires { Last::width; }
struct SeriesScalar<Nilpotent<1, double, Last>> {
  using Scalar = Nilpotent<1, double, Last>;
  static DerivativeSet set() { return DerivativeSet::directions(Last::width); }
  static double get(const Scalar& x, int index) { return index == 0 ? x.value() : x.derivative()[index - 1]; }
  static void set_coefficient(Scalar& x, int index, double value) {
    if (index == 0) {
      x.template set_coefficient<0>(value);
    } else {
      auto lanes = x.derivative();
      lanes.set(index - 1, value);
      x.template set_coefficient<1>(lanes);
    }
  }
};

template <int W>
struct SeriesScalar<Nilpotent<2, double, Lanes<double, W>>> {
  using Scalar = Nilpotent<2, double, Lanes<double, W>>;
  static DerivativeSet set() { return DerivativeSet::shared_direction(W); }
  static double get(const Scalar& x, int index) {
    if (index == 0) return x.value();
    if (index == 1) return x.template coefficient<1>();
    return index < 2 + W ? x.template coefficient<2>()[index - 2] : x.derivative()[index - 2 - W];
  }
  static void set_coefficient(Scalar& x, int index, double value) {
    if (index == 0) {
      x.template set_coefficient<0>(value);
    } else if (index == 1) {
      x.template set_coefficient<1>(value);
    } else if (index < 2 + W) {
      auto lanes = x.template coefficient<2>();
      lanes.set(index - 2, value);
      x.template set_coefficient<2>(lanes);
    } else {
      auto lanes = x.derivative();
      lanes.set(index - 2 - W, value);
      x.template set_coefficient<3>(lanes);
    }
  }
};

template <class N>
concept SeriesNumber = requires {
  SeriesScalar<N>::set();
};

namespace detail {

template <class N, class At>
MatrixSeries series_of(Eigen::Index rows, Eigen::Index columns, const At& at) {
  MatrixSeries result(SeriesScalar<N>::set(), rows, columns);
  for (int index = 0; index < result.set().size(); ++index) {
    Eigen::MatrixXd coefficient(rows, columns);
    for (Eigen::Index j = 0; j < columns; ++j)
      for (Eigen::Index i = 0; i < rows; ++i) coefficient(i, j) = SeriesScalar<N>::get(at(i, j), index);
    if (index == 0 || !coefficient.isZero(0)) result.set_coefficient(index, std::move(coefficient));
  }
  return result;
}

template <class N, class At>
void write_series(const MatrixSeries& series, const At& at) {
  for (int index = 0; index < series.set().size(); ++index) {
    if (series.is_zero(index)) continue;
    const Eigen::MatrixXd& coefficient = series.stored(index);
    for (Eigen::Index j = 0; j < series.columns(); ++j)
      for (Eigen::Index i = 0; i < series.rows(); ++i) SeriesScalar<N>::set_coefficient(at(i, j), index, coefficient(i, j));
  }
}

}  // namespace detail

template <class Derived>
requires SeriesNumber<typename Derived::Scalar> MatrixSeries to_series(const Eigen::MatrixBase<Derived>& matrix) {
  return detail::series_of<typename Derived::Scalar>(matrix.rows(), matrix.cols(),
                                                     [&](auto i, auto j) { return matrix.derived().coeff(i, j); });
}
template <SeriesNumber N, int R, int C>
MatrixSeries to_series(const Matrix<N, R, C>& matrix) {
  return detail::series_of<N>(R, C, [&](auto i, auto j) { return matrix(int(i), int(j)); });
}

template <SeriesNumber N>
Eigen::Matrix<N, Eigen::Dynamic, Eigen::Dynamic> from_series(const MatrixSeries& series) {
  Eigen::Matrix<N, Eigen::Dynamic, Eigen::Dynamic> result(series.rows(), series.columns());
  detail::write_series<N>(series, [&](auto i, auto j) -> N& { return result(i, j); });
  return result;
}
// series: R x C.
template <SeriesNumber N, int R, int C>
Matrix<N, R, C> from_series(const MatrixSeries& series) {
  Matrix<N, R, C> result{};
  detail::write_series<N>(series, [&](auto i, auto j) -> N& { return result(int(i), int(j)); });
  return result;
}
template <SeriesNumber N>
N from_series(const ScalarSeries& series) {
  N result;
  for (int index = 0; index < int(series.size()); ++index) SeriesScalar<N>::set_coefficient(result, index, series[index]);
  return result;
}

// All by one real factorization. Throw TensorError as the functions of series do.
template <class Derived, class Right>
requires SeriesNumber<typename Derived::Scalar>
auto solve(const Eigen::MatrixBase<Derived>& A, const Eigen::MatrixBase<Right>& b) {
  return from_series<typename Derived::Scalar>(Factorized(to_series(A)).solve(to_series(b)));
}
template <class Derived, class Right>
requires SeriesNumber<typename Derived::Scalar>
auto solve_transposed(const Eigen::MatrixBase<Derived>& A, const Eigen::MatrixBase<Right>& b) {
  return from_series<typename Derived::Scalar>(Factorized(to_series(A)).solve_transposed(to_series(b)));
}
template <class Derived>
requires SeriesNumber<typename Derived::Scalar>
auto inverse(const Eigen::MatrixBase<Derived>& A) {
  return from_series<typename Derived::Scalar>(Factorized(to_series(A)).inverse());
}
template <class Derived>
requires SeriesNumber<typename Derived::Scalar>
typename Derived::Scalar determinant(const Eigen::MatrixBase<Derived>& A) {
  return from_series<typename Derived::Scalar>(determinant(to_series(A)));
}
template <class Derived>
requires SeriesNumber<typename Derived::Scalar>
typename Derived::Scalar log_determinant(const Eigen::MatrixBase<Derived>& A) {
  return from_series<typename Derived::Scalar>(Factorized(to_series(A)).log_determinant());
}
template <SeriesNumber N, int R, int C>
Matrix<N, R, C> solve(const Matrix<N, R, R>& A, const Matrix<N, R, C>& b) {
  return from_series<N, R, C>(Factorized(to_series(A)).solve(to_series(b)));
}

}  // namespace holo
