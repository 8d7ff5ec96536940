#pragma once
// The Cholesky factor A = L L' of a symmetric positive definite matrix on a tape. For solves take solve(), for determinants
// log_determinant(): they cost less and say more where A is nearly singular.
//
//   MatrixVariable<T> L = cholesky_factor(A);
//
// Abar += sym(L^-T Phi(L' Lbar) L^-1), Phi: the lower part with half the diagonal. Only the symmetric part of A counts, and
// Abar is symmetric.

#include "holo/diff/tape/lifting.h"
#include "holo/diff/tape/solve_nodes.h"

namespace holo {

namespace detail {

// The factorization is L itself: solve() is L^-1 b.
class CholeskyFactor : public RealFactorization {
 public:
  // Throws TensorError: not_symmetric, not_finite, not_positive_definite with the row.
  CholeskyFactor(const double* A, int n);
  Eigen::Index size() const override { return L_.rows(); }
  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const override;
  void solve_transposed(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const override;
  const Eigen::MatrixXd& L() const { return L_; }
  // L_S += L_0 Phi(L_0^-1 R L_0^-T), R: the symmetric part of what is given. Returns the largest entry of the correction.
  double correct(const double* rest, double* L_S) const;

 private:
  Eigen::MatrixXd L_;
};

// In place: the lower part with half the diagonal; the transpose; half the sum with the transpose.
void lower_with_half_diagonal(double* plane, int n);
void transpose_in_place(double* plane, int n);
void symmetrize(double* plane, int n);

template <class T, class F>
void for_each_plane(double* planes, int n, const F& f) {
  for (int p = 0; p < Planes<T>::count; ++p) f(planes + std::ptrdiff_t(p) * n * n, n);
}

}  // namespace detail

// Throws TensorError: dimension_mismatch, and as above.
template <class T>
MatrixVariable<T> cholesky_factor(const MatrixVariable<T>& A) {
  using P = detail::Planes<T>;
  const int n = A.rows();
  detail::require_shape(n == A.columns(), "a Cholesky factor", n, A.columns(), n, n);
  Tape<T>& tape = A.tape();
  TapeBlock *a = A.block(), *z = detail::zero_block(tape, n, n);
  const std::size_t count = a->size() * P::count;
  const auto* value = static_cast<const detail::CholeskyFactor*>(
      tape.factor({a->values, a->size()}, [&] { return std::make_shared<const detail::CholeskyFactor>(a->values, n); }));
  std::copy_n(value->L().data(), a->size(), z->values);
  double* rest = tape.kept(count);
  detail::lift<T>([&] {
    std::copy_n(a->values, count, rest);
    detail::multiply_add<T>(-1.0, {z->values, n, n}, false, {z->values, n, n}, true, rest);
    double largest = 0;
    for (int p = P::is_nilpotent ? 1 : 0; p < P::count; ++p)
      largest = std::fmax(largest, value->correct(rest + std::size_t(p) * a->size(), z->values + std::size_t(p) * a->size()));
    return largest;
  });
  const RealFactorization* factor = value;
  if constexpr (!P::is_nilpotent) factor = detail::dense_factor(MatrixVariable<T>(&tape, z));
  return detail::block_node(tape, z, [a, z, n, count, factor](Tape<T>& t) {
    double *X = t.scratch(count), *Y = t.scratch(count);
    std::fill_n(X, count, 0.0);
    detail::multiply_add<T>(1.0, {z->values, n, n}, true, {z->adjoints, n, n}, false, X);
    detail::for_each_plane<T>(X, n, detail::lower_with_half_diagonal);
    const detail::DenseOperand<T> L{z};
    detail::solve_planes<T>(*factor, L, true, X, n, Y);  // Y = L^-T Phi
    detail::for_each_plane<T>(Y, n, detail::transpose_in_place);
    detail::solve_planes<T>(*factor, L, true, Y, n, X);  // X = L^-T Phi' L^-1
    detail::for_each_plane<T>(X, n, detail::symmetrize);
    detail::add_planes<T>(1.0, X, a->size(), t.adjoint(a));
  });
}

}  // namespace holo
