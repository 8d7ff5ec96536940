#pragma once
// The adjoints of matrix functions that [Shen2024] Table 1 lists, and those of our tape, against forward derivatives.
//
// The paper evaluates an adjoint in complex numbers, at entries of which one is moved by i h: its real part is the gradient and
// its imaginary part over h a column of the Hessian.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace holo::comparison {

// The largest differences from forward derivatives through scalar loops, over the largest entry of these, of
// L(Z) = |Z - T|^2 / 2 with the function's value Z and a constant T.
struct MatrixFunctionErrors {
  double printed_gradient = 0, printed_hessian = 0;  // by the formula of the table, with h = 1e-30
  double taped_gradient = 0, taped_hessian = 0;      // by our nodes (holo/diff/tape/nodes.h)
};

struct MatrixFunction {
  std::string name;                                                // snake_case
  std::string formula;                                             // of the function and its adjoint
  std::function<MatrixFunctionErrors(std::uint64_t seed)> errors;  // at random matrices of 3 x 3 with a condition below 50
};

// In the order of the table.
std::vector<MatrixFunction> matrix_functions();

}  // namespace holo::comparison
