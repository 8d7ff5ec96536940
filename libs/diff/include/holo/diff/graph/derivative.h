#pragma once
// The derivatives of a function, as outputs of one graph. A function is a type
//
//   struct Function {
//     static constexpr int input_count, parameter_count, output_count;
//     template <class S> static constexpr void evaluate(const S* inputs, const S* parameters, S* outputs);
//   };
//
// Derivatives of first order in the inputs exist for each output; those of higher order are of one scalar: the only output, or,
// of several, their sum weighted by leaves (multipliers, residuals).

#include "holo/diff/graph/recorded.h"
#include "holo/diff/graph/sweeps.h"

namespace holo::graph {

enum class Derivative {
  value,                     // y                          [output]
  jacobian,                  // dy/dx                      [output][input]; the gradient of a function with one output
  hessian,                   // d2L/dx2                    upper half by rows, [input (input + 1) / 2]
  directional_hessian,       // d/dt d2L/dx2 (x + t D1)    in the same order
  third_order_contraction,   // d3L/dx3 [D1, D2, .]        [input]
  parameter_gradient,        // dL/dp                      [parameter]
  parameter_gradient_slope,  // d/dp dL/dx                 [parameter][input]
  gradient_and_hessian,      // both of a scalar           [input + input (input + 1) / 2]
};

// The index ranges of the kinds of leaves.
template <class Function>
struct Leaves {
  static constexpr int n = Function::input_count, p = Function::parameter_count, m = Function::output_count;
  static constexpr Range inputs{0, n};
  static constexpr Range parameters{n, n + p};
  static constexpr Range direction1{n + p, 2 * n + p};
  static constexpr Range direction2{2 * n + p, 3 * n + p};
  static constexpr Range weights{3 * n + p, 3 * n + p + (m > 1 ? m : 0)};
  static constexpr int count = weights.end;
};

template <class Function>
constexpr int output_count(Derivative derivative) {
  const int n = Function::input_count, p = Function::parameter_count, m = Function::output_count;
  switch (derivative) {
    case Derivative::value:
      return m;
    case Derivative::jacobian:
      return m * n;
    case Derivative::hessian:
    case Derivative::directional_hessian:
      return n * (n + 1) / 2;
    case Derivative::third_order_contraction:
      return n;
    case Derivative::parameter_gradient:
      return p;
    case Derivative::parameter_gradient_slope:
      return p * n;
    case Derivative::gradient_and_hessian:
      return n + n * (n + 1) / 2;
  }
  return 0;
}

// Records the function; values[output] are the nodes of its outputs.
template <class Function>
constexpr void record(Graph& g, int* values) {
  using L = Leaves<Function>;
  Recorded inputs[L::n > 0 ? L::n : 1], parameters[L::p > 0 ? L::p : 1], outputs[L::m];
  for (int i = 0; i < L::n; ++i) inputs[i] = Recorded(&g, L::inputs.begin + i);
  for (int i = 0; i < L::p; ++i) parameters[i] = Recorded(&g, L::parameters.begin + i);
  Function::evaluate(inputs, parameters, outputs);
  for (int i = 0; i < L::m; ++i) values[i] = outputs[i].node_in(g);
}

// The tangents of `targets` in the direction of unit vector `leaf`.
constexpr void tangent_of_leaf(Graph& g, int leaf, const int* targets, int target_count, int* results) {
  Scratch<int> seeds(leaf + 1, zero);
  seeds[leaf] = g.constant(1.0);
  tangent(g, seeds, targets, target_count, results);
}

// The tangents of `targets` where the inputs move along leaves: input i along leaf direction.begin + i.
constexpr void tangent_along(Graph& g, Range direction, const int* targets, int target_count, int* results) {
  Scratch<int> seeds(direction.size());
  for (int i = 0; i < direction.size(); ++i) seeds[i] = direction.begin + i;
  tangent(g, seeds, targets, target_count, results);
}

// Appends the derivative to the graph of the function; outputs[output_count] are its nodes.
template <class Function>
constexpr void differentiate(Graph& g, Derivative derivative, int* outputs) {
  using L = Leaves<Function>;
  int values[L::m];
  record<Function>(g, values);
  if (derivative == Derivative::value) {
    for (int i = 0; i < L::m; ++i) outputs[i] = values[i];
    return;
  }
  if (derivative == Derivative::jacobian) {
    for (int i = 0; i < L::m; ++i) reverse(g, values[i], L::inputs, outputs + i * L::n);
    return;
  }

  int scalar = values[0];
  if constexpr (L::m > 1) {
    scalar = zero;
    for (int i = 0; i < L::m; ++i) scalar = g.add(scalar, g.multiply(L::weights.begin + i, values[i]));
  }
  if (derivative == Derivative::parameter_gradient) {
    reverse(g, scalar, L::parameters, outputs);
    return;
  }
  if (derivative == Derivative::third_order_contraction) {
    int first = zero, second = zero;
    tangent_along(g, L::direction1, &scalar, 1, &first);
    tangent_along(g, L::direction2, &first, 1, &second);
    reverse(g, second, L::inputs, outputs);
    return;
  }

  int gradient[L::n];
  reverse(g, scalar, L::inputs, gradient);
  if (derivative == Derivative::parameter_gradient_slope) {
    for (int i = 0; i < L::p; ++i) tangent_of_leaf(g, L::parameters.begin + i, gradient, L::n, outputs + i * L::n);
    return;
  }
  int* row = outputs;
  if (derivative == Derivative::gradient_and_hessian)
    for (int i = 0; i < L::n; ++i) *row++ = gradient[i];
  for (int i = 0; i < L::n; row += L::n - i, ++i) tangent_of_leaf(g, i, gradient + i, L::n - i, row);
  if (derivative == Derivative::directional_hessian) {
    constexpr int entries = L::n * (L::n + 1) / 2;
    int hessian[entries];
    for (int k = 0; k < entries; ++k) hessian[k] = outputs[k];
    tangent_along(g, L::direction1, hessian, entries, outputs);
  }
}

}  // namespace holo::graph
