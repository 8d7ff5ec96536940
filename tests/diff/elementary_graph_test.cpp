// The graph and the tape in the test of the elementary functions: graphs by tangents alone and with a last reverse sweep, and
// in lanes; the tape of nilpotent numbers, whose adjoints are the third derivatives.
#include "elementary_scalars.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/tape/tape.h"

namespace holo {
namespace {

using graph::Graph;
using graph::Interpreter;
using graph::Range;
using graph::Recorded;

// Leaves: x, y, then the three directions.
constexpr Range inputs{0, 2}, directions[] = {{2, 4}, {4, 6}, {6, 8}};

int along(Graph& g, int target, Range direction) {
  int result;
  graph::tangent_along(g, direction, &target, 1, &result);
  return result;
}
int by_reverse(Graph& g, int target, Range direction) {
  int slopes[2];
  graph::reverse(g, target, inputs, slopes);
  return g.add(g.multiply(slopes[0], direction.begin), g.multiply(slopes[1], direction.begin + 1));
}

template <class F>
Interpreter interpreter_of(F f, bool with_reverse) {
  Graph g(8, 1 << 20);
  std::vector<int> d(8);
  d[0] = Recorded(f(Recorded(&g, 0), Recorded(&g, 1))).node_in(g);
  d[1] = along(g, d[0], directions[0]);
  d[2] = along(g, d[0], directions[1]);
  d[3] = along(g, d[1], directions[1]);
  for (int s = 0; s < 4; ++s) d[4 + s] = with_reverse ? by_reverse(g, d[s], directions[2]) : along(g, d[s], directions[2]);
  return Interpreter(g, d);
}

template <class S, bool with_reverse>
struct OnTheGraph {
  using PartialScalar = Recorded;
  template <class F>
  static MixedDerivatives run(const DirectionalPoint& p, F f) {
    static const Interpreter interpreter = interpreter_of(f, with_reverse);
    static std::vector<S> values(std::size_t(interpreter.counts().nodes) + 1);
    const double leaves[] = {p.x, p.y, p.dx[0], p.dy[0], p.dx[1], p.dy[1], p.dx[2], p.dy[2]};
    MixedDerivatives d{};
    const auto load = [&](int k) {
      S leaf(leaves[k]);
      if constexpr (!std::same_as<S, double>)
        if (k < 2) leaf = S(k == 0 ? p.other_x : p.other_y), leaf.set(lane, leaves[k]);
      return leaf;
    };
    interpreter.run(values.data(), load, [&](int i, const S& value) {
      if constexpr (std::same_as<S, double>)
        d[i] = value;
      else
        d[i] = value[lane];
    });
    return d;
  }
  static constexpr int lane = 1;
};
using ByTangents = OnTheGraph<double, false>;
using ByReverse = OnTheGraph<double, true>;
using InLanes = OnTheGraph<LaneBlock, true>;
HOLO_ADD_TESTED_SCALAR_WITHIN(ByTangents, "graph, tangents", any, 3, graph_ulps)
HOLO_ADD_TESTED_SCALAR_WITHIN(ByReverse, "graph, reverse", any, 3, graph_ulps)
HOLO_ADD_TESTED_SCALAR_WITHIN(InLanes, "graph in lanes", any, 3, lane_ulps)

struct OnTheTape {
  template <class F>
  static MixedDerivatives run(const DirectionalPoint& p, F f) {
    using N = Nilpotent<2>;
    using V = Variable<N>;
    static Tape<N> tape;
    tape.clear();
    const V x = tape.variable(N::seed(p.x, {p.dx[0], p.dx[1]})), y = tape.variable(N::seed(p.y, {p.dy[0], p.dy[1]}));
    const V result = f(x, y);
    MixedDerivatives d{};
    for (int s = 0; s < 4; ++s) d[s] = result.value().coefficient(s);
    if (result.is_constant()) return d;
    tape.reverse(result);
    const N by_x = tape.adjoint(x), by_y = tape.adjoint(y);
    for (int s = 0; s < 4; ++s) d[4 + s] = by_x.coefficient(s) * p.dx[2] + by_y.coefficient(s) * p.dy[2];
    return d;
  }
};
HOLO_ADD_TESTED_SCALAR(OnTheTape, "Tape<Nilpotent<2>>", any, 3)

}  // namespace
}  // namespace holo
