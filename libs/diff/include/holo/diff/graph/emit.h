#pragma once
// Straight-line code of a compiled graph: one template step for each node, on any scalar. The local array of values is turned
// into registers by the optimizer. Steps are folded in chunks, flat: recursion over chunks would be optimized again at every
// level.

#include <utility>

#include "holo/core/host_device.h"
#include "holo/diff/graph/program.h"
#include "holo/diff/scalars/elementary.h"

namespace holo::graph {

namespace detail {

template <class S>
using MaskOf = decltype(std::declval<const S&>() < std::declval<const S&>());

template <class S, const auto& program>
struct Registers {
  S values[program.counts.nodes > 0 ? program.counts.nodes : 1];
  MaskOf<S> conditions[program.counts.conditions > 0 ? program.counts.conditions : 1];

  template <int k>
  HOLO_FN HOLO_INLINE S value() const {
    if constexpr (k == zero) {
      return S(0.0);
    } else {
      return values[k];
    }
  }
  template <int k>
  HOLO_FN HOLO_INLINE MaskOf<S> condition() const {
    return conditions[program.nodes[k].c];
  }
};

template <const auto& program, int k, class S, class Load>
HOLO_FN HOLO_INLINE void condition_step(Registers<S, program>& r) {
  constexpr Node n = program.nodes[k];
  auto& result = r.conditions[n.c];
  if constexpr (n.operation == Operation::less) {
    result = r.template value<n.a>() < r.template value<n.b>();
  } else if constexpr (n.operation == Operation::less_equal) {
    result = r.template value<n.a>() <= r.template value<n.b>();
  } else if constexpr (n.operation == Operation::equal) {
    result = r.template value<n.a>() == r.template value<n.b>();
  } else if constexpr (n.operation == Operation::logical_and) {
    result = r.template condition<n.a>() && r.template condition<n.b>();
  } else if constexpr (n.operation == Operation::logical_or) {
    result = r.template condition<n.a>() || r.template condition<n.b>();
  } else {
    result = !r.template condition<n.a>();
  }
}

template <Operation operation, class S>
HOLO_FN HOLO_INLINE S apply(const S& a) {
  if constexpr (operation == Operation::negate) return -a;
  if constexpr (operation == Operation::reciprocal) return S(1.0) / a;
#define HOLO_APPLY(name, ...) \
  if constexpr (operation == Operation::name) return name(a);
  HOLO_UNARY_FUNCTIONS(HOLO_APPLY)
#undef HOLO_APPLY
  if constexpr (operation == Operation::squared_sech) return square(S(S(1.0) / cosh(a)));
  if constexpr (operation == Operation::arcsine_slope) return S(1.0) / sqrt(S((S(1.0) - a) * (S(1.0) + a)));
}

template <Operation operation, class S>
HOLO_FN HOLO_INLINE S apply(const S& a, const S& b) {
  if constexpr (operation == Operation::add) return a + b;
  if constexpr (operation == Operation::subtract) return a - b;
  if constexpr (operation == Operation::multiply) return a * b;
  if constexpr (operation == Operation::power) return pow(a, b);
  if constexpr (operation == Operation::atan2) return atan2(a, b);
  if constexpr (operation == Operation::hypot) return hypot(a, b);
  if constexpr (operation == Operation::direction_cosine) return a / hypot(a, b);
  if constexpr (operation == Operation::minimum) return min(a, b);
  if constexpr (operation == Operation::maximum) return max(a, b);
}

template <const auto& program, int k, class S, class Load>
HOLO_FN HOLO_INLINE void step(Registers<S, program>& r, const Load& load) {
  constexpr Node n = program.nodes[k];
  if constexpr (is_condition(n.operation)) {
    condition_step<program, k, S, Load>(r);
  } else if constexpr (n.operation == Operation::leaf) {
    r.values[k] = load.template leaf<n.a>();
  } else if constexpr (n.operation == Operation::constant) {
    r.values[k] = S(n.value);
  } else if constexpr (n.operation == Operation::power_constant) {
    r.values[k] = pow(r.template value<n.a>(), n.value);
  } else if constexpr (n.operation == Operation::select) {
    r.values[k] = select(r.template condition<n.a>(), r.template value<n.b>(), r.template value<n.c>());
  } else if constexpr (n.operation == Operation::multiply_add) {
    r.values[k] = r.template value<n.a>() * r.template value<n.b>() + r.template value<n.c>();
  } else if constexpr (n.operation == Operation::multiply_subtract) {
    r.values[k] = r.template value<n.a>() * r.template value<n.b>() - r.template value<n.c>();
  } else if constexpr (n.operation == Operation::subtract_multiply) {
    r.values[k] = r.template value<n.c>() - r.template value<n.a>() * r.template value<n.b>();
  } else if constexpr (n.operation == Operation::negate || is_function(n.operation)) {
    r.values[k] = apply<n.operation>(r.template value<n.a>());
  } else {
    r.values[k] = apply<n.operation>(r.template value<n.a>(), r.template value<n.b>());
  }
}

inline constexpr int chunk_size = 64;  // Clang refuses folds over more than 256

template <const auto& program, int begin, class S, class Load, int... k>
HOLO_FN HOLO_INLINE void chunk(Registers<S, program>& r, const Load& load, std::integer_sequence<int, k...>) {
  (step<program, begin + k>(r, load), ...);
}

template <const auto& program, class S, class Load, int... c>
HOLO_FN HOLO_INLINE void chunks([[maybe_unused]] Registers<S, program>& r, [[maybe_unused]] const Load& load,
                                std::integer_sequence<int, c...>) {
  constexpr int count = program.counts.nodes;
  [[maybe_unused]] constexpr auto size = [](int chunk) {
    return count - chunk * chunk_size < chunk_size ? count - chunk * chunk_size : chunk_size;
  };
  (chunk<program, c * chunk_size>(r, load, std::make_integer_sequence<int, size(c)>{}), ...);
}

template <const auto& program, class S, class Store, int... i>
HOLO_FN HOLO_INLINE void outputs([[maybe_unused]] const Registers<S, program>& r, [[maybe_unused]] Store& store,
                                 std::integer_sequence<int, i...>) {
  (store.template output<i>(r.template value<program.outputs[i]>()), ...);
}

}  // namespace detail

// Computes the outputs of Source::program (see Compiled) with scalars S. load.leaf<k>() gives the leaf k,
// store.output<i>(value) takes the output i.
template <class Source, class S, class Load, class Store>
HOLO_FN HOLO_INLINE void emit(const Load& load, Store& store) {
  constexpr const auto& program = Source::program;
  detail::Registers<S, program> r;
  constexpr int chunk_count = (program.counts.nodes + detail::chunk_size - 1) / detail::chunk_size;
  detail::chunks<program>(r, load, std::make_integer_sequence<int, chunk_count>{});
  detail::outputs<program>(r, store, std::make_integer_sequence<int, program.output_count>{});
}

}  // namespace holo::graph
