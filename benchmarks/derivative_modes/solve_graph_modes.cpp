#include "solve_graph_modes.h"

#include <cmath>
#include <iostream>
#include <memory>

#include "gradient.h"
#include "holo/diff/tensor/nilpotent_matrix.h"

namespace holo::benchmark {
namespace {

constexpr std::size_t n = inputs;

// A mode from hessian(output [n][n]).
template <class Hessian>
Mode whole(std::string name, Family family, Hessian hessian) {
  return {std::move(name), family, [hessian](std::size_t, double* output) { hessian(output); }, ""};
}

void add_analytic_and_tape(std::vector<Mode>& modes, const SolveGraphInputs& in) {
  modes.push_back(whole("hand-written second-order adjoint", Family::analytic, [&in](double* output) {
    Derivatives d;
    hand_written_hessian(in.network, in.p, d);
    std::copy(d.hessian.begin(), d.hessian.end(), output);
  }));
  modes.back().is_yardstick = true;
  modes.push_back(whole("tape, columns in lanes", Family::shipped,
                        [&in, taped = std::make_shared<TapedNetwork>(in.network)](double* output) {
                          Derivatives d;
                          taped->hessian(in.p, d);
                          std::copy(d.hessian.begin(), d.hessian.end(), output);
                        }));
}

// A factorization and two solves, which no Hessian goes without.
Mode gradient_alone(const SolveGraphInputs& in) {
  return {"hand-written gradient alone", Family::frame,
          [&in](std::size_t, double* output) { network_gradient(in.network, in.p.data(), output); }, ""};
}

// Differences of the adjoint's gradient; errors balance at about 2^-26 and 2^-34, times ratios of f, its gradient and its third
// derivatives to the Hessian.
void add_differences(std::vector<Mode>& modes, const SolveGraphInputs& in) {
  constexpr double ratios = 1e4;
  modes.push_back(whole("forward differences of the gradient", Family::differences, [&in](double* output) {
    constexpr double h = 0x1p-26;
    std::vector<double> p = in.p, origin(n), g(n);
    network_gradient(in.network, p.data(), origin.data());
    for (std::size_t k = 0; k < n; ++k) {
      p[k] = in.p[k] + h;
      network_gradient(in.network, p.data(), g.data());
      p[k] = in.p[k];
      for (std::size_t i = 0; i < n; ++i) output[i * n + k] = (g[i] - origin[i]) / h;
    }
  }));
  modes.back().tolerance = ratios * 0x1p-26;
  modes.push_back(whole("central differences of the gradient", Family::differences, [&in](double* output) {
    constexpr double h = 0x1p-17;
    std::vector<double> p = in.p, below(n), above(n);
    for (std::size_t k = 0; k < n; ++k) {
      p[k] = in.p[k] - h;
      network_gradient(in.network, p.data(), below.data());
      p[k] = in.p[k] + h;
      network_gradient(in.network, p.data(), above.data());
      p[k] = in.p[k];
      for (std::size_t i = 0; i < n; ++i) output[i * n + k] = (above[i] - below[i]) / (2 * h);
    }
  }));
  modes.back().tolerance = ratios * 0x1p-34;
}

void add_complex_step(std::vector<Mode>& modes, const SolveGraphInputs& in) {
  modes.push_back(whole("naive complex step of the gradient", Family::complex_step, [&in](double* output) {
    constexpr double h = 0x1p-100;
    using C = std::complex<double>;
    std::vector<C> p(in.p.begin(), in.p.end()), g(n);
    for (std::size_t k = 0; k < n; ++k) {
      p[k] = C(in.p[k], h);
      network_gradient(in.network, p.data(), g.data());
      p[k] = in.p[k];
      for (std::size_t i = 0; i < n; ++i) output[i * n + k] = g[i].imag() / h;
    }
  }));
}

// One direction shared by as many others as there are lanes; one real factorization each time.
using Pairs = Nilpotent<2, double, LaneBlock>;
Pairs network_energy(const Network& network, const std::vector<Pairs>& p) {
  using Dense = Eigen::Matrix<Pairs, Eigen::Dynamic, Eigen::Dynamic>;
  Dense A = network.coupling.cast<Pairs>(), b = network.constant_source.cast<Pairs>();
  for (int k = 0; k < inputs; ++k) {
    const Pairs s = exp(p[k]), sine = sin(p[k]);
    const int i = network.from[k], j = network.to[k];
    A(i, i) += s, A(j, j) += s, A(i, j) -= s, A(j, i) -= s;
    for (int row = 0; row < nodes; ++row) b(row, 0) += network.sources(row, k) * sine;
  }
  const auto y = solve(A, b);
  Pairs f = 0.0;
  for (int i = 0; i < nodes; ++i) {
    const Pairs t = tanh(Pairs(y(i, 0)));
    f += network.weights[i] * (t * t);
  }
  return f;
}

void add_accelerated(std::vector<Mode>& modes, const SolveGraphInputs& in) {
  modes.push_back(whole("accelerated, pairs in lanes", Family::complex_step, [&in](double* output) {
    std::vector<Pairs> p(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t first = i / LaneBlock::width * LaneBlock::width; first < n; first += LaneBlock::width) {
        for (std::size_t k = 0; k < n; ++k) {
          LaneBlock lanes(0.0);
          if (k >= first && k < first + LaneBlock::width) lanes.set(int(k - first), 1.0);
          p[k] = Pairs(in.p[k]);
          p[k].template set_coefficient<1>(k == i ? 1.0 : 0.0);
          p[k].template set_coefficient<2>(lanes);
        }
        const LaneBlock second = network_energy(in.network, p).derivative();
        for (std::size_t k = first; k < first + LaneBlock::width; ++k)
          output[i * n + k] = output[k * n + i] = second[int(k - first)];
      }
  }));
}

// The tape within twice the hand-written time.
void judge(Results& results) {
  const auto microseconds = [&](Family family) {
    return std::to_string(int(1e-3 * fastest(results.rows, [family](const Row& row) { return row.family == family; })));
  };
  for (const Row& row : results.rows) {
    if (row.family != Family::shipped) continue;
    Gate gate{row.part, row.problem, row.quantity, row.mode + " over hand-written", row.ratio, 2.0, 1.2, ""};
    if (!gate.holds())
      gate.cause = "by hand " + microseconds(Family::analytic) + " us, by tape " + microseconds(Family::shipped) +
                   " us, the gradient alone " + microseconds(Family::frame) + " us";
    results.gates.push_back(std::move(gate));
  }
}

}  // namespace

Results compare_solve_graph(int repeats) {
  const SolveGraphInputs in;
  Problem problem = {"solve graph", "64 inputs, 200x200 solve", "Hessian", 1, n * n, 1e-11, {}};
  problem.reference.resize(n * n);
  std::vector<Mode> modes;
  add_analytic_and_tape(modes, in);
  modes.front().run(1, problem.reference.data());
  modes.push_back(gradient_alone(in));
  add_differences(modes, in);
  add_complex_step(modes, in);
  add_accelerated(modes, in);
#ifdef HOLO_BENCHMARK_ADOLC
  add_adolc_solve_graph(modes, in);
#endif
  Results results;
  results.rows = compare(problem, modes, repeats);
  judge(results);
  std::cerr << problem.name << ": done\n";
  return results;
}

}  // namespace holo::benchmark
