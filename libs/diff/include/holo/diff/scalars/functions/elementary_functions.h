#pragma once
// Analytic functions of one variable (sqrt, exp, sin, ...) for numbers that carry derivatives: compositions with the
// sequence of the derivatives at the value.

#include "holo/diff/scalars/derivative_number.h"
#include "holo/diff/scalars/derivative_sequences.h"
#include "holo/diff/singular/removable_singularities.h"

namespace holo {
namespace detail {

template <class N>
concept PrefersRecurrences = requires {
  requires N::prefers_recurrences;
};
// The recurrences of a number that prefers them: holo/diff/scalars/taylor_recurrences.h.
template <class N>
struct Recurrences;

}  // namespace detail

#define HOLO_UNARY(name)                                              \
  template <DerivativeNumber N>                                       \
  HOLO_INLINE constexpr typename N::Full name(const N& x) {           \
    return x.compose(detail::name##_sequence<N::order>(x.value()).d); \
  }
// Long series take a shorter way: the recurrences of holo/diff/scalars/taylor_recurrences.h.
#define HOLO_UNARY_OR_RECURRENCE(name)                                  \
  template <DerivativeNumber N>                                         \
  HOLO_INLINE constexpr typename N::Full name(const N& x) {             \
    if constexpr (detail::PrefersRecurrences<N>)                        \
      return detail::Recurrences<typename N::Full>::name##_of(x);       \
    else                                                                \
      return x.compose(detail::name##_sequence<N::order>(x.value()).d); \
  }
HOLO_UNARY_OR_RECURRENCE(sqrt)
HOLO_UNARY_OR_RECURRENCE(cbrt)
HOLO_UNARY_OR_RECURRENCE(exp)
HOLO_UNARY_OR_RECURRENCE(expm1)
HOLO_UNARY_OR_RECURRENCE(log)
HOLO_UNARY_OR_RECURRENCE(log1p)
HOLO_UNARY_OR_RECURRENCE(sin)
HOLO_UNARY_OR_RECURRENCE(cos)
HOLO_UNARY_OR_RECURRENCE(tan)
HOLO_UNARY_OR_RECURRENCE(asin)
HOLO_UNARY_OR_RECURRENCE(acos)
HOLO_UNARY_OR_RECURRENCE(atan)
HOLO_UNARY_OR_RECURRENCE(sinh)
HOLO_UNARY_OR_RECURRENCE(cosh)
HOLO_UNARY_OR_RECURRENCE(tanh)
HOLO_UNARY(sinc)
HOLO_UNARY(sinhc)
HOLO_UNARY(one_minus_cos_over_square)
HOLO_UNARY_OR_RECURRENCE(erf)
#undef HOLO_UNARY
#undef HOLO_UNARY_OR_RECURRENCE

// The three functions with a removable singularity also take plain numbers.
template <class B>
requires(!DerivativeNumber<B>) constexpr B sinc(const B& x) { return detail::sinc_sequence<0>(x).d[0]; }
template <class B>
requires(!DerivativeNumber<B>) constexpr B sinhc(const B& x) { return detail::sinhc_sequence<0>(x).d[0]; }
template <class B>
requires(!DerivativeNumber<B>) constexpr B one_minus_cos_over_square(const B& x) {
  return detail::one_minus_cos_over_square_sequence<0>(x).d[0];
}

}  // namespace holo
