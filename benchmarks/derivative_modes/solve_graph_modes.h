#pragma once
// The third part: the Hessian (64x64) of a graph with 64 inputs, a 200x200 solve and nonlinear outputs
// (benchmarks/solve_graph/graph.h).

#include "graph.h"
#include "modes.h"

namespace holo::benchmark {

struct SolveGraphInputs {
  Network network = random_network();
  std::vector<double> p = solve_graph_point();
};

// The energy in any scalar, with an elimination by rows in that scalar: for what knows no matrices. p: [inputs].
template <class S, class Value>
S eliminated_network(const Network& network, const std::vector<S>& p, const Value& value) {
  std::vector<std::vector<S>> A(nodes, std::vector<S>(nodes + 1));
  for (int i = 0; i < nodes; ++i)
    for (int j = 0; j < nodes; ++j) A[i][j] = network.coupling(i, j);
  for (int i = 0; i < nodes; ++i) A[i][nodes] = network.constant_source[i];
  for (int k = 0; k < inputs; ++k) {
    const S s = exp(p[k]), sine = sin(p[k]);
    const int i = network.from[k], j = network.to[k];
    A[i][i] += s, A[j][j] += s, A[i][j] -= s, A[j][i] -= s;
    for (int row = 0; row < nodes; ++row) A[row][nodes] += network.sources(row, k) * sine;
  }
  for (int c = 0; c < nodes; ++c) {
    int pivot = c;
    for (int row = c + 1; row < nodes; ++row)
      if (std::abs(value(A[row][c])) > std::abs(value(A[pivot][c]))) pivot = row;
    std::swap(A[c], A[pivot]);
    const S inverse = 1.0 / A[c][c];
    for (int row = c + 1; row < nodes; ++row) {
      const S factor = A[row][c] * inverse;
      for (int column = c + 1; column <= nodes; ++column) A[row][column] -= factor * A[c][column];
    }
  }
  S f = 0.0;
  for (int i = nodes; i-- > 0;) {
    S y = A[i][nodes];
    for (int j = i + 1; j < nodes; ++j) y -= A[i][j] * A[j][nodes];
    A[i][nodes] = y / A[i][i];
    const S t = tanh(A[i][nodes]);
    f += network.weights[i] * t * t;
  }
  return f;
}

// `in` outlives the modes.
void add_adolc_solve_graph(std::vector<Mode>& modes, const SolveGraphInputs& in);

Results compare_solve_graph(int repeats);

}  // namespace holo::benchmark
