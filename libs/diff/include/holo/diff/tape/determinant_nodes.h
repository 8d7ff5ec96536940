#pragma once
// Determinants on a tape, and their logarithms.
//
//   Variable<T> d = determinant(A), l = log_determinant(A);
//
// log_determinant() comes from the factorization, and a singular matrix throws TensorError(singular); determinant() takes any.

#include <algorithm>
#include <memory>

#include "holo/diff/matrix.h"
#include "holo/diff/tape/solve_nodes.h"

namespace holo {

namespace detail {

// X = A^-1 in the algebra, kept by the tape.
template <class T>
double* inverse_planes(const RealFactorization& factor, const MatrixVariable<T>& A) {
  const std::size_t count = A.size() * Planes<T>::count;
  double *right = A.tape().zeros(count), *X = A.tape().kept(count);
  for (int i = 0; i < A.rows(); ++i) right[std::size_t(i) * std::size_t(A.rows() + 1)] = 1.0;
  solve_planes<T>(factor, DenseOperand<T>{A.block()}, false, right, A.rows(), X);
  return X;
}

// log |det A| in the algebra, from its value: with k the lowest unit of S, sum over the rest U + V of tr(X_U A_{V+k}).
template <class T>
T log_determinant_series(double value, PlaneMatrix A, const double* X) {
  using P = Planes<T>;
  double planes[P::count] = {};
  const int n = A.rows;
  const auto trace = [&](int px, int pa) {
    const double *x = X + std::size_t(px) * A.size(), *a = A.data + std::size_t(pa) * A.size();
    double sum = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) sum += x[j * n + i] * a[i * n + j];
    return sum;
  };
  planes[0] = value;
  for (int mask = 1; mask < P::masks; ++mask) {
    const int lowest = mask & -mask, rest = mask ^ lowest;
    P::for_each_product(rest, [&](int u, int v, double) {
      const int a = v | lowest;
      for (int w = 0; w < P::width(mask); ++w)
        planes[P::first(mask) + w] += trace(P::first(u) + (P::width(u) > 1 ? w : 0), P::first(a) + (P::width(a) > 1 ? w : 0));
    });
  }
  return P::join(planes, 1);
}

// log |det A|, and the sign of det A.
double real_log_determinant(const double* A, int n, double& sign);
// log (sign det A) in complex arithmetic, by elimination with pivots of the largest real part; sign: that of the real part.
Complex<double> complex_log_determinant(const double* planes, int n, double& sign);

// A = U diag(values) V^T; sign: det U det V.
struct SingularFactors {
  Eigen::MatrixXd U, V;
  Eigen::VectorXd values;
  double sign;
  SingularFactors(const double* A, int n);
  // The product of the singular values but for those named.
  double product_without(const int* names, int count) const {
    double product = 1;
    for (int i = 0; i < int(values.size()); ++i)
      if (std::find(names, names + count, i) == names + count) product *= values[i];
    return product;
  }
};

// The determinant of the rows and columns named of a matrix of n rows (by columns), along its first row.
template <class T>
T small_determinant(const T* N, int n, const int* rows, const int* columns, int count) {
  if (count == 1) return N[columns[0] * n + rows[0]];
  T sum(0.0);
  int rest[8];
  for (int k = 0; k < count; ++k) {
    std::copy(columns, columns + k, rest);
    std::copy(columns + k + 1, columns + count, rest + k);
    const T term = N[columns[k] * n + rows[0]] * small_determinant(N, n, rows + 1, rest, count - 1);
    sum = k % 2 == 0 ? T(sum + term) : T(sum - term);
  }
  return sum;
}
// f(names, count) for all sets of 1 ... largest of the numbers below n.
template <class F>
void for_each_subset(int n, int largest, const F& f) {
  int names[8];
  const auto extend = [&](const auto& self, int count, int from) -> void {
    if (count > 0) f(static_cast<const int*>(names), count);
    if (count == largest) return;
    for (names[count] = from; names[count] < n; ++names[count]) self(self, count + 1, names[count] + 1);
  };
  extend(extend, 0, 0);
}

// With N = U^T (A - A_0) V, whose products of more than `order` factors vanish, det A is, but for the sign, the sum over all
// sets I of at most `order` numbers of (product of the other singular values) det N_II: without any quotient, so that singular
// values may vanish, and one after another, as many as like.
template <class T>
struct DeterminantExpansion {
  static constexpr int order = [] {
    if constexpr (std::is_arithmetic_v<T>)
      return 0;
    else
      return T::order;
  }();
  static_assert(order <= 6, "the determinant of a matrix on a tape is expanded to the sixth order");

  const SingularFactors* factors;
  int n;
  T* N;

  DeterminantExpansion(Tape<T>& tape, const TapeBlock* a) : n(a->rows) {
    factors = tape.template result_of_value<SingularFactors>(
        {a->values, a->size()}, [&] { return std::make_shared<const SingularFactors>(a->values, a->rows); });
    N = array(tape.kept(doubles()));
    double* planes = tape.zeros(a->size() * Planes<T>::count);
    for (int p = 1; p < Planes<T>::count; ++p) turn(p, a->values, false, planes);
    for (std::size_t k = 0; k < a->size(); ++k) N[k] = Planes<T>::join(planes + k, a->size());
  }
  std::size_t doubles() const { return std::size_t(n) * std::size_t(n) * ((sizeof(T) + sizeof(double) - 1) / sizeof(double)); }
  T* array(double* memory) const {
    T* result = static_cast<T*>(static_cast<void*>(memory));
    std::uninitialized_fill_n(result, std::size_t(n) * std::size_t(n), T(0.0));
    return result;
  }
  // Plane p of out += U^T x V, or U x V^T.
  void turn(int p, const double* x, bool back, double* out) const {
    using Map = Eigen::Map<const Eigen::MatrixXd>;
    const std::ptrdiff_t offset = std::ptrdiff_t(p) * n * n;
    Eigen::Map<Eigen::MatrixXd> to(out + offset, n, n);
    if (back)
      to += factors->U * Map(x + offset, n, n) * factors->V.transpose();
    else
      to += factors->U.transpose() * Map(x + offset, n, n) * factors->V;
  }

  T value() const {
    T sum(factors->product_without(nullptr, 0));
    for_each_subset(n, std::min(order, n), [&](const int* I, int count) {
      sum = sum + factors->product_without(I, count) * small_determinant(N, n, I, I, count);
    });
    return factors->sign * sum;
  }
  // Abar += zbar d det/dA: the entry (a, b) of the cofactors sums the same over all I with a and b, one number larger.
  void add_cofactors(Tape<T>& tape, const T& zbar, TapeBlock* block) const {
    T* C = array(tape.scratch(doubles()));
    for_each_subset(n, std::min(order + 1, n), [&](const int* I, int count) {
      const double product = factors->sign * factors->product_without(I, count);
      if (product == 0.0) return;
      for (int a = 0; a < count; ++a)
        for (int b = 0; b < count; ++b) add_cofactor(I, count, a, b, product, C[I[b] * n + I[a]]);
    });
    const std::size_t size = block->size();
    double* planes = tape.scratch(size * Planes<T>::count);
    for (std::size_t k = 0; k < size; ++k) Planes<T>::split(zbar * C[k], planes + k, size);
    for (int p = 0; p < Planes<T>::count; ++p) turn(p, planes, true, tape.adjoint(block));
  }
  void add_cofactor(const int* I, int count, int a, int b, double product, T& to) const {
    if (count == 1) {
      to = to + product;
      return;
    }
    int rows[8], columns[8];
    std::copy(I, I + count, rows);
    std::copy(I, I + count, columns);
    std::copy(I + a + 1, I + count, rows + a);
    std::copy(I + b + 1, I + count, columns + b);
    to = to + ((a + b) % 2 == 0 ? product : -product) * small_determinant(N, n, rows, columns, count - 1);
  }
};

}  // namespace detail

// log |det A|. zbar: Abar += zbar A^-T.
template <class T>
Variable<T> log_determinant(const MatrixVariable<T>& A) {
  const RealFactorization* factor = detail::dense_factor(A);
  const double* X = detail::inverse_planes(*factor, A);
  double sign;
  T value;
  if constexpr (detail::Planes<T>::is_nilpotent) {
    const double real = detail::real_log_determinant(A.block()->values, A.rows(), sign);
    value = detail::log_determinant_series<T>(real, A.planes(), X);
  } else {
    value = detail::complex_log_determinant(A.block()->values, A.rows(), sign);
  }
  TapeBlock* a = A.block();
  return detail::scalar_node(A.tape(), value, [a, X](Tape<T>& t, const T& zbar) {
    const std::size_t count = a->size() * detail::Planes<T>::count;
    double* scaled = t.scratch(count);
    std::fill_n(scaled, count, 0.0);
    detail::add_scaled<T>(zbar, {X, a->rows, a->rows}, scaled);
    double* to = t.adjoint(a);
    for (int p = 0; p < detail::Planes<T>::count; ++p)
      for (int i = 0; i < a->rows; ++i)
        for (int j = 0; j < a->rows; ++j) to[p * a->size() + i * a->rows + j] += scaled[p * a->size() + j * a->rows + i];
  });
}

// The determinant, also of a singular matrix: up to 3 x 3 by the polynomial, for larger ones by the singular values. For a
// scalar of order n the latter needs the products of all sets of n + 1 singular values; its time grows with the power max(n +
// 1, 3) of the rows. Adjoint: Abar += zbar cof A. In full complex arithmetic a singular matrix of more than 3 rows throws
// TensorError(singular).
template <class T>
Variable<T> determinant(const MatrixVariable<T>& A) {
  const int n = A.rows();
  detail::require_shape(n == A.columns(), "a determinant", n, A.columns(), n, n);
  if (n == 1) return A(0, 0);
  if (n == 2) return A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  if (n == 3) {
    using M = Matrix3<Variable<T>>;
    M m{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m(i, j) = A(i, j);
    return determinant(m);
  }
  if constexpr (detail::Planes<T>::is_nilpotent) {
    TapeBlock* a = A.block();
    const detail::DeterminantExpansion<T> expansion(A.tape(), a);
    return detail::scalar_node(A.tape(), expansion.value(),
                               [expansion, a](Tape<T>& t, const T& zbar) { expansion.add_cofactors(t, zbar, a); });
  } else {
    double sign;
    detail::complex_log_determinant(A.block()->values, n, sign);
    return sign * exp(log_determinant(A));
  }
}

}  // namespace holo
