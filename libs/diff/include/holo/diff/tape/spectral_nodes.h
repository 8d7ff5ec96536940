#pragma once
// f(A) = Q f(Lambda) Q' of a symmetric matrix on a tape, for a smooth f of one number, exact at repeated eigenvalues too:
// divided differences of f, never derivatives of Q (holo/diff/tensor/spectral_function.h).
//
//   MatrixVariable<T> L = spectral_function(A, [](const auto& x) { return log(x); });
//
// Abar += Q (Gamma .* (Q' Zbar Q)) Q', Gamma the divided differences. That is the derivative of f(A) along Zbar, and in the
// algebra the coefficient of one more unit, with which Zbar is added to A. One eigendecomposition serves all. Only the
// symmetric part of A counts, and Abar is symmetric.

#include <memory>

#include "holo/diff/tape/lifting.h"
#include "holo/diff/tensor/spectral_function.h"

namespace holo {

namespace detail {

// The planes of T as derivatives, and each once more.
template <class T>
struct SpectralSet {
  static constexpr int order = [] {
    if constexpr (requires { T::order; })
      return T::order;
    else
      return std::is_arithmetic_v<T> ? 0 : 1;
  }();
  static const DerivativeSet& value() {
    static const DerivativeSet set = base().with_one_more();
    return set;
  }

 private:
  static DerivativeSet base() {
    if constexpr (std::is_arithmetic_v<T>)
      return DerivativeSet::none();
    else if constexpr (!Planes<T>::is_nilpotent || order > 2 || Planes<T>::count == (1 << order))
      return DerivativeSet::subsets(order);
    else if constexpr (order == 1)
      return DerivativeSet::directions(Planes<T>::count - 1);
    else
      return DerivativeSet::shared_direction(Planes<T>::width(2));
  }
};

// Adds the symmetric parts of n x n planes to the series, from coefficient `first` on.
void set_symmetric_planes(const double* planes, int count, int n, int first, MatrixSeries& series);
// The value's symmetric part; throws TensorError(not_symmetric) where that is not all of it.
Eigen::MatrixXd symmetric_value(const double* value, int n, const char* node);
void add_coefficients(const MatrixSeries& series, int first, int count, double* planes);
// Derivatives that are not finite are handed on as they are, and not refused.
bool all_finite(const double* numbers, std::size_t count);

}  // namespace detail

// For scalars of order at most 2. Throws TensorError: not_symmetric, not_finite (A, or f at an eigenvalue), dimension_mismatch.
template <class T, class F>
MatrixVariable<T> spectral_function(const MatrixVariable<T>& A, const F& f) {
  using Set = detail::SpectralSet<T>;
  constexpr int planes = detail::Planes<T>::count;
  static_assert(Set::order <= 2, "a spectral function on a tape has derivatives up to the third");
  const int n = A.rows();
  detail::require_shape(n == A.columns(), "a spectral function", n, A.columns(), n, n);
  detail::require_tiny_step<T>(A.block(), "a spectral function");
  Tape<T>& tape = A.tape();
  TapeBlock *a = A.block(), *z = detail::zero_block(tape, n, n);
  const auto* factors = tape.template result_of_value<SpectralFactorization>({a->values, a->size()}, [&] {
    return std::make_shared<const SpectralFactorization>(detail::symmetric_value(a->values, n, "a spectral function"),
                                                         scalar_derivative(f), Set::order + 1);
  });
  const std::size_t count = a->size() * planes;
  if (detail::all_finite(a->values, count)) {
    MatrixSeries argument(Set::value(), n, n);
    detail::set_symmetric_planes(a->values, planes, n, 0, argument);
    detail::add_coefficients((*factors)(argument), 0, planes, z->values);
  } else {
    std::fill_n(z->values, count, std::nan(""));
  }
  return detail::block_node(tape, z, [a, z, n, count, factors](Tape<T>& t) {
    if (!detail::all_finite(a->values, count) || !detail::all_finite(z->adjoints, count)) {
      std::fill_n(t.adjoint(a), count, std::nan(""));
      return;
    }
    MatrixSeries both(Set::value(), n, n);
    detail::set_symmetric_planes(a->values, planes, n, 0, both);
    detail::set_symmetric_planes(z->adjoints, planes, n, planes, both);
    detail::add_coefficients((*factors)(both), planes, planes, t.adjoint(a));
  });
}

}  // namespace holo
