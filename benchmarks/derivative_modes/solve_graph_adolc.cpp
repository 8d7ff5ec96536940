// ADOL-C on the solve graph: the elimination's five million operations on a tape, read for every column of the Hessian.

#include <adolc/adolc.h>

#include "adolc_tags.h"
#include "solve_graph_modes.h"

namespace holo::benchmark {
namespace {

// Buffers that hold the whole tape and its values, so that nothing goes to files in the working directory.
constexpr unsigned operations = 1u << 24, locations = 1u << 26, constants = 1u << 20, values = 1u << 25;

void record(const SolveGraphInputs& in) {
  trace_on(solve_graph_tag, 0, operations, locations, constants, values);
  std::vector<adouble> p(in.p.size());
  for (std::size_t k = 0; k < p.size(); ++k) p[k] <<= in.p[k];
  double value;
  adouble f = eliminated_network(in.network, p, [](const adouble& x) { return x.getValue(); });
  f >>= value;
  trace_off();
}

}  // namespace

void add_adolc_solve_graph(std::vector<Mode>& modes, const SolveGraphInputs& in) {
  modes.push_back({"ADOL-C, tape reused, hessian", Family::peer,
                   [&in](std::size_t, double* output) {
                     static const bool is_recorded = (record(in), true);
                     static_cast<void>(is_recorded);
                     const std::size_t n = in.p.size();
                     std::vector<double> p = in.p, lower(n * n);
                     std::vector<double*> rows(n);
                     for (std::size_t k = 0; k < n; ++k) rows[k] = lower.data() + k * n;
                     ::hessian(solve_graph_tag, int(n), p.data(), rows.data());
                     for (std::size_t i = 0; i < n; ++i)
                       for (std::size_t j = 0; j <= i; ++j) output[i * n + j] = output[j * n + i] = lower[i * n + j];
                   },
                   ""});
}

}  // namespace holo::benchmark
