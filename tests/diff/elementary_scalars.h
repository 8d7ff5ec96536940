#pragma once
// How the scalars enter the test of the elementary functions: each evaluates all functions at a point along given directions.

#include <array>
#include <vector>

#include "elementary_functions.h"

namespace holo {

// x + sum_k dx_k eps_k, y + sum_k dy_k eps_k.
struct DirectionalPoint {
  double x, y;
  std::array<double, 3> dx, dy;
  double other_x, other_y;  // in the same ranges, for lanes beside
};
// D^|S| f along the directions of the mask S, and behind these the pure derivatives of orders 4 and 5 along the first
// direction.
constexpr int fourth = 8, fifth = 9, entry_count = 10;
using MixedDerivatives = std::array<double, entry_count>;

constexpr int bit_count(int mask) { return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1); }
constexpr int order_of(int entry) { return entry < fourth ? bit_count(entry) : entry - fourth + 4; }

struct TestedScalar {
  enum class Directions {
    any,
    equal,  // dx_1 = dx_2 = dx_3, dy alike
    axes    // x, y, x
  };
  const char* name;
  Directions directions;
  int order;    // entries of up to this order are set
  double ulps;  // how many units in the last place an operation of few roundings is off
  std::vector<MixedDerivatives (*)(const DirectionalPoint&)> functions;  // null: the scalar does not have this function
};

std::vector<TestedScalar>& tested_scalars();

struct AddTestedScalar {
  explicit AddTestedScalar(TestedScalar scalar) { tested_scalars().push_back(std::move(scalar)); }
};

constexpr double scalar_ulps = 8;
// A third derivative of hypot is a product of three cosines and two reciprocals, each within 1.5, and of three directions:
// eight products more, half a unit each.
constexpr double graph_ulps = 5 * 1.5 + 8 * 0.5;
constexpr double lane_ulps = 8 + 2 * 4;  // the C library's vector functions are within 4, and a slope may need two of them

// An evaluator whose scalar lacks some of the functions names that scalar: these are null.
template <class Evaluator, class F>
constexpr bool has_function() {
  if constexpr (requires { typename Evaluator::PartialScalar; })
    return requires(F f, const typename Evaluator::PartialScalar& x) { f(x, x); };
  else
    return true;
}
template <class Evaluator, class F>
constexpr auto run_or_null(F) -> MixedDerivatives (*)(const DirectionalPoint&) {
  if constexpr (has_function<Evaluator, F>())
    return [](const DirectionalPoint& p) -> MixedDerivatives { return Evaluator::run(p, F()); };
  else
    return nullptr;
}

// Evaluator::run(p, f) calls f(x, y) with its scalars. The list of functions for one scalar.
#define HOLO_EVALUATE(expression)                                                                            \
  run_or_null<Evaluator>(                                                                                    \
      []([[maybe_unused]] const auto& x, [[maybe_unused]] const auto& y) requires requires { expression; } { \
        return expression;                                                                                   \
      }),
#define HOLO_EVALUATE_UNARY(expression, low, high, expected) HOLO_EVALUATE(expression)
#define HOLO_EVALUATE_BINARY(expression, xl, xh, yl, yh, expected) HOLO_EVALUATE(expression)
#define HOLO_ADD_TESTED_SCALAR_WITHIN(ScalarEvaluator, name, directions, order, ulps)            \
  const AddTestedScalar add_##ScalarEvaluator([] {                                               \
    using Evaluator = ScalarEvaluator;                                                           \
    return TestedScalar{name,                                                                    \
                        TestedScalar::Directions::directions,                                    \
                        order,                                                                   \
                        ulps,                                                                    \
                        {HOLO_ELEMENTARY_FUNCTIONS(HOLO_EVALUATE_UNARY, HOLO_EVALUATE_BINARY)}}; \
  }());
#define HOLO_ADD_TESTED_SCALAR(ScalarEvaluator, name, directions, order) \
  HOLO_ADD_TESTED_SCALAR_WITHIN(ScalarEvaluator, name, directions, order, scalar_ulps)

}  // namespace holo
