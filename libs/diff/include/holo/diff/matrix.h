#pragma once
// Small dense matrices over any scalar: constexpr aggregates, row-major. All products are bilinear: nothing ever conjugates, so
// that complex-step scalars pass through unharmed.

#include <type_traits>

#include "holo/diff/scalars/elementary.h"

namespace holo {

// An aggregate: Matrix<double, 2, 2>{1, 2, 3, 4} has the rows (1, 2) and (3, 4).
template <class S, int R, int C>
struct Matrix {
  using Scalar = S;
  static constexpr int row_count = R;
  static constexpr int column_count = C;

  S entries[R * C];

  HOLO_FN constexpr S& operator()(int row, int column) { return entries[row * C + column]; }
  HOLO_FN constexpr const S& operator()(int row, int column) const { return entries[row * C + column]; }
  HOLO_FN constexpr S& operator[](int k) { return entries[k]; }
  HOLO_FN constexpr const S& operator[](int k) const { return entries[k]; }
};

template <class S>
using Matrix3 = Matrix<S, 3, 3>;
template <class S, int R>
using Vector = Matrix<S, R, 1>;
template <class S>
using Vector3 = Matrix<S, 3, 1>;

template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C> operator+(const Matrix<S, R, C>& a, const Matrix<S, R, C>& b) {
  Matrix<S, R, C> result{};
  for (int k = 0; k < R * C; ++k) result.entries[k] = a.entries[k] + b.entries[k];
  return result;
}

template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C> operator-(const Matrix<S, R, C>& a, const Matrix<S, R, C>& b) {
  Matrix<S, R, C> result{};
  for (int k = 0; k < R * C; ++k) result.entries[k] = a.entries[k] - b.entries[k];
  return result;
}

template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C> operator-(const Matrix<S, R, C>& a) {
  Matrix<S, R, C> result{};
  for (int k = 0; k < R * C; ++k) result.entries[k] = -a.entries[k];
  return result;
}

template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C> operator*(const std::type_identity_t<S>& factor, const Matrix<S, R, C>& a) {
  Matrix<S, R, C> result{};
  for (int k = 0; k < R * C; ++k) result.entries[k] = factor * a.entries[k];
  return result;
}

template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C> operator*(const Matrix<S, R, C>& a, const std::type_identity_t<S>& factor) {
  return factor * a;
}

template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C> operator/(const Matrix<S, R, C>& a, const std::type_identity_t<S>& divisor) {
  Matrix<S, R, C> result{};
  for (int k = 0; k < R * C; ++k) result.entries[k] = a.entries[k] / divisor;
  return result;
}

template <class S, int R, int K, int C>
HOLO_FN constexpr Matrix<S, R, C> operator*(const Matrix<S, R, K>& a, const Matrix<S, K, C>& b) {
  Matrix<S, R, C> result{};
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      S sum = a(i, 0) * b(0, j);
      for (int k = 1; k < K; ++k) sum = sum + a(i, k) * b(k, j);
      result(i, j) = sum;
    }
  return result;
}

template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C>& operator+=(Matrix<S, R, C>& a, const Matrix<S, R, C>& b) {
  return a = a + b;
}
template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C>& operator-=(Matrix<S, R, C>& a, const Matrix<S, R, C>& b) {
  return a = a - b;
}
template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C>& operator*=(Matrix<S, R, C>& a, const std::type_identity_t<S>& factor) {
  return a = factor * a;
}

// The same entries in another scalar: matrix_cast<S>(A).
template <class S, class T, int R, int C>
HOLO_FN constexpr Matrix<S, R, C> matrix_cast(const Matrix<T, R, C>& a) {
  Matrix<S, R, C> result{};
  for (int k = 0; k < R * C; ++k) result.entries[k] = S(a.entries[k]);
  return result;
}

template <class S, int N>
HOLO_FN constexpr Matrix<S, N, N> identity() {
  Matrix<S, N, N> result{};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) result(i, j) = S(i == j ? 1.0 : 0.0);
  return result;
}
template <class S>
HOLO_FN constexpr Matrix3<S> identity3() {
  return identity<S, 3>();
}

template <class S, int N>
HOLO_FN constexpr Matrix<S, N, N> diagonal(const Matrix<S, N, 1>& d) {
  Matrix<S, N, N> result{};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) result(i, j) = i == j ? d.entries[i] : S(0.0);
  return result;
}

template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, C, R> transpose(const Matrix<S, R, C>& a) {
  Matrix<S, C, R> result{};
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) result(j, i) = a(i, j);
  return result;
}

template <class S, int N>
HOLO_FN constexpr S trace(const Matrix<S, N, N>& a) {
  S sum = a(0, 0);
  for (int i = 1; i < N; ++i) sum = sum + a(i, i);
  return sum;
}

// The sum of products of entries; the Frobenius product of matrices, the scalar product of vectors.
template <class S, int R, int C>
HOLO_FN constexpr S dot(const Matrix<S, R, C>& a, const Matrix<S, R, C>& b) {
  S sum = a.entries[0] * b.entries[0];
  for (int k = 1; k < R * C; ++k) sum = sum + a.entries[k] * b.entries[k];
  return sum;
}

template <class S, int R, int C>
HOLO_FN constexpr S squared_norm(const Matrix<S, R, C>& a) {
  return dot(a, a);
}

// Not differentiable at 0: its derivatives are not finite there.
template <class S, int R, int C>
HOLO_FN constexpr S norm(const Matrix<S, R, C>& a) {
  return sqrt(squared_norm(a));
}

template <class S>
HOLO_FN constexpr Vector3<S> cross(const Vector3<S>& a, const Vector3<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// a b^T
template <class S, int R, int C>
HOLO_FN constexpr Matrix<S, R, C> outer(const Matrix<S, R, 1>& a, const Matrix<S, C, 1>& b) {
  Matrix<S, R, C> result{};
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) result(i, j) = a.entries[i] * b.entries[j];
  return result;
}

// The matrix of cofactors, d det(A) / dA, for 1x1 to 3x3; det(A) inverse(A)^T where A is invertible.
template <class S, int N>
HOLO_FN constexpr Matrix<S, N, N> cofactor(const Matrix<S, N, N>& a) {
  static_assert(N >= 1 && N <= 3, "cofactor() is written for 1x1 to 3x3 matrices");
  if constexpr (N == 1) {
    return {S(1.0)};
  } else if constexpr (N == 2) {
    return {a(1, 1), -a(1, 0), -a(0, 1), a(0, 0)};
  } else {
    Matrix<S, 3, 3> result{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        result(i, j) = a(i1, j1) * a(i2, j2) - a(i1, j2) * a(i2, j1);
      }
    return result;
  }
}

// The change of cofactor(A) along dA, for 3x3: linear in both.
template <class S>
HOLO_FN constexpr Matrix3<S> cofactor_differential(const Matrix3<S>& a, const Matrix3<S>& da) {
  Matrix3<S> result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      result(i, j) = a(i1, j1) * da(i2, j2) + da(i1, j1) * a(i2, j2) - a(i1, j2) * da(i2, j1) - da(i1, j2) * a(i2, j1);
    }
  return result;
}

template <class S, int N>
HOLO_FN constexpr S determinant(const Matrix<S, N, N>& a) {
  static_assert(N >= 1 && N <= 3, "determinant() is written for 1x1 to 3x3 matrices");
  if constexpr (N == 1) {
    return a.entries[0];
  } else if constexpr (N == 2) {
    return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
  } else {
    return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) + a(0, 1) * (a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2)) +
           a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
  }
}

// Not finite where the matrix is singular.
template <class S, int N>
HOLO_FN constexpr Matrix<S, N, N> inverse(const Matrix<S, N, N>& a) {
  const S reciprocal = S(1.0) / determinant(a);
  return reciprocal * transpose(cofactor(a));
}

template <class S, int N>
HOLO_FN constexpr Matrix<S, N, N> symmetric_part(const Matrix<S, N, N>& a) {
  return S(0.5) * (a + transpose(a));
}

}  // namespace holo
