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
};
// D^|S| f along the directions of the mask S.
using MixedDerivatives = std::array<double, 8>;

struct TestedScalar {
  enum class Directions {
    any,
    equal,  // dx_1 = dx_2 = dx_3, dy alike
    axes    // x, y, x
  };
  const char* name;
  Directions directions;
  int order;  // masks of up to so many directions are set
  std::vector<MixedDerivatives (*)(const DirectionalPoint&)> functions;
};

std::vector<TestedScalar>& tested_scalars();

struct AddTestedScalar {
  explicit AddTestedScalar(TestedScalar scalar) { tested_scalars().push_back(std::move(scalar)); }
};

constexpr int bit_count(int mask) { return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1); }

// Evaluator::run(p, f) calls f(x, y) with its scalars. The list of functions for one scalar.
#define HOLO_EVALUATE(expression)                                                                                        \
  [](const DirectionalPoint& p) -> MixedDerivatives {                                                                    \
    return Evaluator::run(p, []([[maybe_unused]] const auto& x, [[maybe_unused]] const auto& y) { return expression; }); \
  },
#define HOLO_EVALUATE_UNARY(expression, low, high, expected) HOLO_EVALUATE(expression)
#define HOLO_EVALUATE_BINARY(expression, xl, xh, yl, yh, expected) HOLO_EVALUATE(expression)
#define HOLO_ADD_TESTED_SCALAR(ScalarEvaluator, name, directions, order)                         \
  const AddTestedScalar add_##ScalarEvaluator([] {                                               \
    using Evaluator = ScalarEvaluator;                                                           \
    return TestedScalar{name,                                                                    \
                        TestedScalar::Directions::directions,                                    \
                        order,                                                                   \
                        {HOLO_ELEMENTARY_FUNCTIONS(HOLO_EVALUATE_UNARY, HOLO_EVALUATE_BINARY)}}; \
  }());

}  // namespace holo
