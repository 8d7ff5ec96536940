// The table of adjoints of matrix functions.
#include "holo/comparison/matrix_functions.h"

#include <gtest/gtest.h>

#include <set>

namespace holo_test {
namespace {

// Rounding, times the condition of the matrices, which is below 50 in the Frobenius norms.
TEST(MatrixFunctions, HaveTheDerivativesOfTheirLoops) {
  std::set<std::string> names;
  for (const holo::comparison::MatrixFunction& function : holo::comparison::matrix_functions())
    for (const std::uint64_t seed : {1, 2, 3}) {
      names.insert(function.name);
      const holo::comparison::MatrixFunctionErrors errors = function.errors(seed);
      for (const double error : {errors.printed_gradient, errors.printed_hessian, errors.taped_gradient, errors.taped_hessian})
        EXPECT_LE(error, 1e-12) << function.name << " " << seed;
    }
  EXPECT_EQ(names.size(), 8u);
}

}  // namespace
}  // namespace holo_test
