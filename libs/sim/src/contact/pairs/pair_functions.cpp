#include "contact/pairs/pair_functions.h"

#include "contact/pairs/pair_formulas.h"
#include "holo/diff/graph/emit.h"

namespace holo::pairs {
namespace {

constexpr int all_nodes[] = {0, 1, 2, 3};

// Leaves and outputs of a graph, in arrays: inputs, then parameters.
template <class S, int input_count>
struct GraphInput {
  const S* z;
  double parameter;
  template <int k>
  HOLO_INLINE S leaf() const {
    if constexpr (k < input_count) {
      return z[k];
    } else {
      return S(parameter);
    }
  }
};
template <class S>
struct GraphOutput {
  S* values;
  template <int i>
  HOLO_INLINE void output(const S& value) {
    values[i] = value;
  }
};

// The function with its derivatives in the positions x [3 * node] of the pair, where it depends on `nodes`.
template <class Function, class S>
FirstOrder<S> first_order(const S* x, const int* nodes, double parameter = 0) {
  constexpr int n = Function::input_count;
  S z[n], gradient[n];
  relative_positions<n / 3>(x, nodes, z);
  const S parameters[] = {S(parameter)};
  FirstOrder<S> result{};
  Function::evaluate(z, parameters, &result.value);
  GraphOutput<S> output{gradient};
  graph::emit<graph::Compiled<Function, graph::Derivative::jacobian>, S>(GraphInput<S, n>{z, parameter}, output);
  spread_gradient<n / 3>(gradient, nodes, result.gradient);
  return result;
}
template <class Function, class S>
SecondOrder<S> second_order(const S* x, const int* nodes, double parameter = 0) {
  constexpr int n = Function::input_count;
  S z[n], derivatives[n + n * (n + 1) / 2];
  relative_positions<n / 3>(x, nodes, z);
  const S parameters[] = {S(parameter)};
  SecondOrder<S> result{};
  Function::evaluate(z, parameters, &result.value);
  GraphOutput<S> output{derivatives};
  graph::emit<graph::Compiled<Function, graph::Derivative::gradient_and_hessian>, S>(GraphInput<S, n>{z, parameter}, output);
  spread_gradient<n / 3>(derivatives, nodes, result.gradient);
  spread_hessian<n / 3>(derivatives + n, nodes, result.hessian);
  return result;
}

// visit.operator()<stratum>() of the features' stratum.
template <class Visit>
auto with_stratum(Stratum stratum, Visit visit) {
  switch (stratum) {
    case Stratum::point_point:
      return visit.template operator()<Stratum::point_point>();
    case Stratum::point_edge:
      return visit.template operator()<Stratum::point_edge>();
    case Stratum::point_triangle:
      return visit.template operator()<Stratum::point_triangle>();
    case Stratum::edge_edge:
      break;
  }
  return visit.template operator()<Stratum::edge_edge>();
}

template <class S>
SecondOrder<S> second_order_of(const ClosestFeatures& features, const S* x) {
  return with_stratum(features.stratum,
                      [&]<Stratum stratum>() { return second_order<SquaredDistance<stratum>>(x, features.nodes.data()); });
}

}  // namespace

double squared_distance_of(const ClosestFeatures& features, const double* x) {
  return with_stratum(features.stratum, [&]<Stratum stratum>() {
    constexpr int count = node_count(stratum) - 1;
    double z[3 * count];
    relative_positions<count>(x, features.nodes.data(), z);
    return squared_distance<stratum>(z);
  });
}
FirstOrder<double> squared_distance_first_order(const ClosestFeatures& features, const double* x) {
  return with_stratum(features.stratum,
                      [&]<Stratum stratum>() { return first_order<SquaredDistance<stratum>>(x, features.nodes.data()); });
}
SecondOrder<double> squared_distance_second_order(const ClosestFeatures& features, const double* x) {
  return second_order_of(features, x);
}
SecondOrder<Nilpotent<1>> squared_distance_second_order(const ClosestFeatures& features, const Nilpotent<1>* x) {
  return second_order_of(features, x);
}

bool is_mollified(double threshold, const double* x) {
  double z[9];
  relative_positions<3>(x, all_nodes, z);
  return squared_cross_product(z) < threshold;
}
double mollifier_of(double threshold, const double* x) {
  double z[9];
  relative_positions<3>(x, all_nodes, z);
  return mollifier(z, threshold);
}
FirstOrder<double> mollifier_first_order(double threshold, const double* x) {
  return first_order<Mollifier>(x, all_nodes, threshold);
}
SecondOrder<double> mollifier_second_order(double threshold, const double* x) {
  return second_order<Mollifier>(x, all_nodes, threshold);
}
SecondOrder<Nilpotent<1>> mollifier_second_order(double threshold, const Nilpotent<1>* x) {
  return second_order<Mollifier>(x, all_nodes, threshold);
}

}  // namespace holo::pairs
