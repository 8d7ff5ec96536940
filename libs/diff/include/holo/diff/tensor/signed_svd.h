#pragma once
// The signed singular value decomposition of 3x3 matrices, F = U diag(s) V^T with rotations U and V: s0 >= s1 >= |s2| to
// rounding, and the sign of det F stands on s2. For double, and for lanes without a branch on a lane. Singular values and
// vectors are no analytic functions of F: nothing here takes derivative scalars (holo/diff/tensor/principal_stretches.h
// differentiates what is built from them).
//
// Jacobi rotations of F^T F, held as one quaternion so that approximate ones do no harm [McAdams2011], give V; F V is then
// orthogonal but for the rounding of F^T F, and is turned on as it stands where that matters [Golub2013, 8.6.3].

#include <bit>
#include <cstdint>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/matrix.h"

namespace holo {

template <class S>
struct SignedSvd {
  Matrix3<S> U, V;       // rotations
  Vector3<S> stretches;  // F = U diag(stretches) V^T
};

namespace detail {

// 1/sqrt(x) to 4e-2, for x > 0: halves the exponent.
HOLO_INLINE double rough_inverse_root(double x) {
  return std::bit_cast<double>(0x5fe6eb50c7b537a9 - (std::bit_cast<std::int64_t>(x) >> 1));
}
template <int W>
HOLO_INLINE Lanes<double, W> rough_inverse_root(const Lanes<double, W>& x) {
  typedef std::int64_t Bits __attribute__((vector_size(W * sizeof(double))));
  const Bits halved = Bits(x.values) >> 1;
  return Lanes<double, W>::of(typename Lanes<double, W>::Values(0x5fe6eb50c7b537a9 - halved));
}
// q = (w, x, y, z)
template <class S>
HOLO_INLINE Matrix3<S> rotation_of(const S (&q)[4]) {
  const S scale = S(1.0) / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), twice = scale + scale;
  const S xx = twice * q[1] * q[1], yy = twice * q[2] * q[2], zz = twice * q[3] * q[3];
  const S xy = twice * q[1] * q[2], xz = twice * q[1] * q[3], yz = twice * q[2] * q[3];
  const S wx = twice * q[0] * q[1], wy = twice * q[0] * q[2], wz = twice * q[0] * q[3];
  const S one(1.0);
  return {one - (yy + zz), xy - wz, xz + wy, xy + wz, one - (xx + zz), yz - wx, xz - wy, yz + wx, one - (xx + yy)};
}

// Turns the symmetric matrix c (of trace about 1, all entries kept) about axis k so that its entry (p, q) nearly vanishes,
// (p, q, k) cyclic, and multiplies the quaternion by that rotation. Scales both by about 1: nothing depends on their scale.
template <int p, int q, int k, class S>
HOLO_INLINE void turn_about(S (&c)[3][3], S (&quaternion)[4]) {
  const S pp = c[p][p], qq = c[q][q], pq = c[p][q], pk = c[p][k], qk = c[q][k];
  // tan(angle) = across/along; half of it to within 1 % by the continued fraction of sqrt(1 + tan^2)
  const S difference = pp - qq, twice = pq + pq, square = difference * difference + twice * twice + S(1e-60);
  const S along = abs(difference) + sqrt(square), across = select(difference < S(0.0), S(-twice), twice);
  const S along2 = along * along, across2 = across * across;
  S w = along * (S(8.0) * along2 + S(4.0) * across2), z = across * (S(4.0) * along2 + across2);
  const S scale = rough_inverse_root(S(w * w + z * z));
  w = scale * w;
  z = scale * z;
  const S ww = w * w, zz = z * z, cosine = ww - zz, sine = S(2.0) * w * z, norm = ww + zz;
  const S cc = cosine * cosine, ss = sine * sine, cs = cosine * sine, cross = S(2.0) * cs * pq;
  c[p][p] = cc * pp + cross + ss * qq;
  c[q][q] = ss * pp - cross + cc * qq;
  c[p][q] = c[q][p] = (cc - ss) * pq - cs * difference;
  c[p][k] = c[k][p] = norm * (cosine * pk + sine * qk);
  c[q][k] = c[k][q] = norm * (cosine * qk - sine * pk);
  c[k][k] = norm * norm * c[k][k];
  const S a = quaternion[0], b = quaternion[1 + k], d = quaternion[1 + p], e = quaternion[1 + q];
  quaternion[0] = w * a - z * b;
  quaternion[1 + k] = w * b + z * a;
  quaternion[1 + p] = w * d + z * e;
  quaternion[1 + q] = w * e - z * d;
}

// A rotation whose columns are the eigenvectors of F^T F.
template <class S>
HOLO_INLINE Matrix3<S> right_rotation(const Matrix3<S>& F) {
  const Matrix3<S> product = transpose(F) * F;
  const S scale = S(1.0) / max(trace(product), S(1e-300));
  S c[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[i][j] = scale * product(i, j);
  S quaternion[4] = {S(1.0), S(0.0), S(0.0), S(0.0)};
  constexpr int max_sweeps = 8;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    const S off = c[0][1] * c[0][1] + c[0][2] * c[0][2] + c[1][2] * c[1][2];
    if (!any(off > S(1e-33))) break;  // each sweep takes it to about its cube
    turn_about<0, 1, 2>(c, quaternion);
    turn_about<1, 2, 0>(c, quaternion);
    turn_about<2, 0, 1>(c, quaternion);
  }
  return rotation_of(quaternion);
}

template <class S>
HOLO_INLINE S column_dot(const Matrix3<S>& a, int p, int q) {
  return a(0, p) * a(0, q) + a(1, p) * a(1, q) + a(2, p) * a(2, q);
}

// Turns columns p and q of B and V by one rotation so that those of B become orthogonal.
template <class S>
HOLO_INLINE void turn_columns(Matrix3<S>& B, Matrix3<S>& V, int p, int q) {
  const S difference = column_dot(B, p, p) - column_dot(B, q, q), twice = S(2.0) * column_dot(B, p, q);
  const S along = max(S(abs(difference) + sqrt(difference * difference + twice * twice)), S(1e-300));
  const S inverse = S(1.0) / sqrt(S(1.0) + (twice / along) * (twice / along));
  const S c = inverse, s = select(difference < S(0.0), S(-inverse), inverse) * (twice / along);
  for (int i = 0; i < 3; ++i) {
    const S b = B(i, p), v = V(i, p);
    B(i, p) = c * b + s * B(i, q);
    B(i, q) = c * B(i, q) - s * b;
    V(i, p) = c * v + s * V(i, q);
    V(i, q) = c * V(i, q) - s * v;
  }
}

// Columns of B in falling length, p before q; a pair that changes places turns, so that V stays a rotation.
template <class S>
HOLO_INLINE void order_columns(Matrix3<S>& B, Matrix3<S>& V, S (&squares)[3], int p, int q) {
  const auto wrong = squares[p] < squares[q];
  for (int i = 0; i < 3; ++i) {
    const S b = B(i, p), v = V(i, p);
    B(i, p) = select(wrong, B(i, q), b);
    B(i, q) = select(wrong, S(-b), B(i, q));
    V(i, p) = select(wrong, V(i, q), v);
    V(i, q) = select(wrong, S(-v), V(i, q));
  }
  const S square = squares[p];
  squares[p] = select(wrong, squares[q], square);
  squares[q] = select(wrong, square, squares[q]);
}

template <class S>
HOLO_INLINE void order_columns(Matrix3<S>& B, Matrix3<S>& V, S (&squares)[3]) {
  for (int p = 0; p < 3; ++p) squares[p] = column_dot(B, p, p);
  order_columns(B, V, squares, 0, 1);
  order_columns(B, V, squares, 0, 2);
  order_columns(B, V, squares, 1, 2);
}

// Whether the columns of B = F V, in falling length, are not yet orthogonal to the rounding of F.
template <class S>
HOLO_INLINE auto askew(const Matrix3<S>& B, const S (&squares)[3]) {
  const S xy = column_dot(B, 0, 1), xz = column_dot(B, 0, 2), yz = column_dot(B, 1, 2);
  const S bound = S(1e-30) * squares[0];
  const S first = max(S(xy * xy), S(xz * xz));
  return (first > bound * squares[0]) | (yz * yz > bound * squares[1]);
}

// A unit vector orthogonal to the unit vector u [Duff2017].
template <class S>
HOLO_INLINE Vector3<S> any_normal(const Vector3<S>& u) {
  const S sign = select(u[2] < S(0.0), S(-1.0), S(1.0)), a = S(-1.0) / (sign + u[2]);
  return {S(1.0) + sign * u[0] * u[0] * a, sign * u[0] * u[1] * a, -sign * u[0]};
}

template <class S>
HOLO_INLINE Vector3<S> column(const Matrix3<S>& a, int j) {
  return {a(0, j), a(1, j), a(2, j)};
}

// The rotation U with U^T B upper triangular, for B of any rank; B's columns in falling length.
template <class S>
HOLO_INLINE Matrix3<S> left_rotation(const Matrix3<S>& B, const S (&squares)[3]) {
  const auto zero = squares[0] < S(1e-290);
  Vector3<S> x = (S(1.0) / sqrt(max(squares[0], S(1e-290)))) * column(B, 0);
  if (any(zero)) {
    x[0] = select(zero, S(1.0), x[0]);
    x[1] = select(zero, S(0.0), x[1]);
    x[2] = select(zero, S(0.0), x[2]);
  }
  const Vector3<S> second = column(B, 1), rest = second - dot(x, second) * x;
  const S square = squared_norm(rest);
  const auto dependent = square <= S(1e-31) * squares[0] + S(1e-290);
  Vector3<S> y = (S(1.0) / sqrt(max(square, S(1e-300)))) * rest;
  if (any(dependent)) {
    const Vector3<S> normal = any_normal(x);
    for (int i = 0; i < 3; ++i) y[i] = select(dependent, normal[i], y[i]);
  }
  y = y - dot(x, y) * x;
  const Vector3<S> z = cross(x, y);
  return {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
}

}  // namespace detail

// For every finite matrix with entries below 1e140, also a singular one; magnitudes below 1e-140 count as 0. U diag(s) V^T
// equals F to a few rounding errors of its largest entry; U and V are orthogonal to rounding errors. The result is not finite
// if F is not.
template <class S>
HOLO_INLINE SignedSvd<S> signed_svd(const Matrix3<S>& F) {
  SignedSvd<S> svd;
  svd.V = detail::right_rotation(F);
  Matrix3<S> B = F * svd.V;
  S squares[3];
  detail::order_columns(B, svd.V, squares);
  constexpr int max_sweeps = 12;
  for (int sweep = 0; sweep < max_sweeps && any(detail::askew(B, squares)); ++sweep) {
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) detail::turn_columns(B, svd.V, p, q);
    detail::order_columns(B, svd.V, squares);
  }
  svd.U = detail::left_rotation(B, squares);
  for (int i = 0; i < 3; ++i) svd.stretches[i] = dot(detail::column(svd.U, i), detail::column(B, i));
  return svd;
}

}  // namespace holo
