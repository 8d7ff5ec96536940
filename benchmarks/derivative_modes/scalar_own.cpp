// The library's own ways to the derivatives of the scalar function.

#include <memory>
#include <type_traits>

#include "holo/diff/graph/emit.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"
#include "holo/diff/tape/tape.h"
#include "scalar_function.h"

namespace holo::benchmark {
namespace {

struct ScalarFunction {
  static constexpr int input_count = 1, parameter_count = 0, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* x, const S*, S* y) {
    y[0] = scalar_function(x[0]);
  }
};

// The third derivative as the third-order contraction with unit directions.
constexpr graph::Derivative derivatives[] = {graph::Derivative::jacobian, graph::Derivative::hessian,
                                             graph::Derivative::third_order_contraction};

template <class S>
struct PointInput {
  S x;
  template <int k>
  HOLO_INLINE S leaf() const {
    return k == 0 ? x : S(1.0);
  }
};
template <class S>
struct PointOutput {
  S y;
  template <int>
  HOLO_INLINE void output(const S& value) {
    y = value;
  }
};

template <int order, class S>
HOLO_INLINE S compiled(const S& x) {
  const PointInput<S> input{x};
  PointOutput<S> output{S(0.0)};
  graph::emit<graph::Compiled<ScalarFunction, derivatives[order - 1]>, S>(input, output);
  return output.y;
}

template <int order>
Nilpotent<order> seeded(double x) {
  double ones[order];
  for (double& one : ones) one = 1;
  return Nilpotent<order>::seed(x, ones);
}

}  // namespace

void add_complex_steps(std::vector<Mode>& modes, int order, const std::vector<double>& points) {
  const auto add = [&]<int n>(std::integral_constant<int, n>) {
    if constexpr (n == 1)
      modes.push_back(point_by_point("naive complex step", Family::complex_step, points,
                                     [](double x) { return scalar_function(Complex<double>::seed(x, 1.0)).derivative(); }));
    modes.push_back(point_by_point("multicomplex", Family::complex_step, points, [](double x) {
      double ones[n];
      for (double& one : ones) one = 1;
      return scalar_function(Multicomplex<n>::seed(x, ones)).derivative();
    }));
    modes.push_back(point_by_point("accelerated, Taylor", Family::shipped, points, [](double x) {
      return taylor<n>([](const auto& at) HOLO_INLINE_LAMBDA { return scalar_function(at); }, x).derivative(n);
    }));
    modes.push_back(point_by_point("accelerated, Nilpotent", Family::complex_step, points,
                                   [](double x) { return scalar_function(seeded<n>(x)).derivative(); }));
  };
  if (order == 1) add(std::integral_constant<int, 1>{});
  if (order == 2) add(std::integral_constant<int, 2>{});
  if (order == 3) add(std::integral_constant<int, 3>{});
}

// The reverse sweep gives f', in nilpotent numbers of order n - 1 its derivative of that order.
void add_tapes(std::vector<Mode>& modes, int order, const std::vector<double>& points) {
  const auto add = [&]<class T>(std::type_identity<T>, auto seed, auto derivative) {
    const auto tape = std::make_shared<Tape<T>>();
    modes.push_back(point_by_point("tape", Family::tape, points, [tape, seed, derivative](double at) {
      tape->clear();
      const Variable<T> x = tape->variable(seed(at));
      tape->reverse(scalar_function(x));
      return derivative(tape->adjoint(x));
    }));
  };
  const auto of_number = [](const auto& adjoint) { return adjoint.derivative(); };
  if (order == 1)
    add(
        std::type_identity<double>{}, [](double x) { return x; }, [](double adjoint) { return adjoint; });
  if (order == 2) add(std::type_identity<Nilpotent<1>>{}, seeded<1>, of_number);
  if (order == 3) add(std::type_identity<Nilpotent<2>>{}, seeded<2>, of_number);
}

void add_graphs(std::vector<Mode>& modes, int order, const std::vector<double>& points) {
  const auto add = [&]<int n>(std::integral_constant<int, n>) {
    modes.push_back(
        point_by_point("compile-time graph", Family::graph, points, [](double x) { return compiled<n, double>(x); }));
    modes.push_back({"compile-time graph, " + std::to_string(LaneBlock::width) + " points in lanes", Family::graph,
                     [&points](std::size_t items, double* output) {
                       for (std::size_t i = 0; i < items; i += LaneBlock::width) {
                         LaneBlock x;
                         for (int lane = 0; lane < LaneBlock::width; ++lane) x.set(lane, points[i + lane]);
                         compiled<n, LaneBlock>(x).store(output + i);
                       }
                     },
                     ""});
  };
  if (order == 1) add(std::integral_constant<int, 1>{});
  if (order == 2) add(std::integral_constant<int, 2>{});
  if (order == 3) add(std::integral_constant<int, 3>{});

  const auto interpreter = std::make_shared<const graph::Interpreter>(graph::interpret<ScalarFunction>(derivatives[order - 1]));
  const auto values = std::make_shared<std::vector<double>>(std::size_t(interpreter->counts().nodes) + 1);
  modes.push_back(point_by_point("run-time graph", Family::graph, points, [interpreter, values](double x) {
    double y = 0;
    interpreter->run(
        values->data(), [x](int k) { return k == 0 ? x : 1.0; }, [&y](int, double value) { y = value; });
    return y;
  }));
}

}  // namespace holo::benchmark
