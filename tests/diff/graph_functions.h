#pragma once
// Functions and helpers that the tests of the graph share.

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <vector>

#include "holo/diff/graph/emit.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/matrix.h"

namespace holo::graph {

using Reference = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

// Two outputs that between them use every operation; a third parameter that neither uses.
struct Everything {
  static constexpr int input_count = 3, parameter_count = 3, output_count = 2;
  template <class S>
  static constexpr void evaluate(const S* x, const S* p, S* y) {
    y[0] = p[0] * sin(x[0] * x[1]) + exp(x[2] / x[1]) * log(x[0]) - pow(x[1], -2.0 / 3) + sqrt(x[2]) + tan(0.3 * x[0]) +
           select(x[0] < x[1], x[0] * x[0] * x[1], cos(x[2])) + select(x[0] >= x[2] || !(x[1] != x[1]), x[2] * x[1], S(1)) +
           select(x[0] <= x[2] && x[1] == x[1] && x[0] > 0, x[2] / x[0], x[0]) - 3 / p[1];
    y[1] = p[1] * atan2(x[0], x[1]) + hypot(x[1], x[2]) * p[0] + cbrt(x[0]) + tanh(x[1]) * sinh(x[2]) + cosh(x[0]) +
           asin(x[0] / 5) * acos(x[1] / 5) + atan(x[2]) + expm1(x[0]) + log1p(x[1]) + pow(x[0], x[1]) + pow(x[2], 3) -
           pow(x[1], -2) + min(x[0], x[2]) * max(x[1], x[2]) + abs(x[0] - x[2]);
  }
};

// One output that ignores two of its inputs and one parameter, and branches.
struct Sparse {
  static constexpr int input_count = 4, parameter_count = 2, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* x, const S* p, S* y) {
    y[0] = p[0] * x[0] * x[0] * x[0] + select(x[2] > 0, sqrt(select(x[2] > 0, x[2], S(1))), S(0));
  }
};

// The same, with something in it that no constant expression allows.
struct NotConstexpr : Sparse {
  template <class S>
  static void evaluate(const S* x, const S* p, S* y) {
    static int calls = 0;
    ++calls;
    Sparse::evaluate(x, p, y);
  }
};

// The same, with too little room for its Hessian.
struct TooLarge : Sparse {
  static constexpr int graph_capacity = 15;
};

// The mixed derivative of the function's weighted outputs along the directions (in inputs, then parameters), by central
// differences.
template <class Function>
double reference_derivative(const std::vector<double>& at, const std::vector<double>& weights,
                            const std::vector<std::vector<double>>& directions) {
  constexpr int n = Function::input_count, p = Function::parameter_count, m = Function::output_count;
  const Reference step = 1e-17;
  Reference sum = 0;
  for (int signs = 0; signs < 1 << directions.size(); ++signs) {
    Reference x[n + p], y[m];
    for (int k = 0; k < n + p; ++k) x[k] = at[k];
    Reference sign = 1;
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const int side = (signs >> i) % 2 == 0 ? 1 : -1;
      sign *= side;
      for (int k = 0; k < n + p; ++k) x[k] += side * step * directions[i][k];
    }
    Function::evaluate(x, x + n, y);
    for (int k = 0; k < m; ++k) sum += sign * weights[k] * y[k];
  }
  for (std::size_t i = 0; i < directions.size(); ++i) sum /= 2 * step;
  return double(sum);
}

template <class S>
struct ArrayLoad {
  const S* leaves;
  template <int k>
  S leaf() const {
    return leaves[k];
  }
};
template <class S>
struct ArrayStore {
  S* outputs;
  template <int i>
  void output(const S& value) {
    outputs[i] = value;
  }
};

// The derivative at a point, leaf by leaf as in Leaves<Function>; by the compiled graph.
template <class Function, Derivative derivative, class S>
std::vector<S> compiled(const std::vector<S>& leaves) {
  using Source = Compiled<Function, derivative>;
  static_assert(Source::compiled);
  std::vector<S> outputs(output_count<Function>(derivative));
  ArrayStore<S> store{outputs.data()};
  emit<Source, S>(ArrayLoad<S>{leaves.data()}, store);
  return outputs;
}

template <class Function, class S>
std::vector<S> interpreted(Derivative derivative, const std::vector<S>& leaves) {
  const Interpreter interpreter = interpret<Function>(derivative);
  std::vector<S> outputs(interpreter.output_count()), values(interpreter.counts().nodes);
  interpreter.run(
      values.data(), [&](int k) { return leaves.at(k); }, [&](int i, const S& value) { outputs[i] = value; });
  return outputs;
}

}  // namespace holo::graph
