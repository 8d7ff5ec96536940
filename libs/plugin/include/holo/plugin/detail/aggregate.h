#pragma once
// Aggregates of scalars (coefficients of a material, constants of a joint) from arrays.

#include <cstddef>
#include <type_traits>
#include <utility>

namespace holo::plugin {

// The members are nothing but scalars (or vectors and matrices of them), so their number is a quotient of sizes. `Aggregate` is
// the one of double.
template <class Aggregate>
constexpr int scalar_count() {
  if constexpr (std::is_empty_v<Aggregate>)
    return 0;
  else
    return int(sizeof(Aggregate) / sizeof(double));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"  // a vector among the members is filled through its braces left out
template <class Aggregate, class S, std::size_t... k>
constexpr Aggregate aggregate_of([[maybe_unused]] const S* values, std::index_sequence<k...>) {
  return Aggregate{values[k]...};
}
#pragma GCC diagnostic pop

// The aggregate whose scalars are the first `count` values.
template <class Aggregate, int count, class S>
constexpr Aggregate aggregate_of(const S* values) {
  return aggregate_of<Aggregate>(values, std::make_index_sequence<std::size_t(count)>{});
}

}  // namespace holo::plugin
