// One step of a staged problem of a mechanism's sizes (280 states, 92 parameters, 2 controls): the arrow form, with factors in
// lanes and by KLU, on one thread and on all, against general sparse factorizations of the same conditions. All in one run; the
// fastest of several repetitions, one thread by its processor time and all by the clock; what counts are the ratios. Patterns
// are analysed before; `first` has that, too.
//
//   benchmark_staged_step [--instants N] [--repetitions N] [--without NAME]...
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <ctime>
#include <iostream>
#include <limits>

#include "holo/core/parallel.h"
#include "holo/opt/staged/staged_step.h"
#include "mechanism_like.h"

namespace {

using namespace holo;

// By the clock, or of work on one thread its processor time: what it takes where nothing else runs, even if something does.
double seconds(bool by_clock, const auto& work) {
  auto now = [by_clock] {
    timespec time;
    clock_gettime(by_clock ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

struct Times {
  double first = 0, best = std::numeric_limits<double>::infinity();
  StagedStepTimes parts;
  StagedDirection direction;
};

// A reference needs no factors of dC/ds: its `prepare` is not counted.
Times run(StagedStepKind kind, StateFactorization factorization, const StagedQuadratic& quadratic, int repetitions,
          bool by_clock = false) {
  const auto solver = make_staged_step(kind, *quadratic.layout, factorization);
  Times times;
  times.direction = StagedDirection(*quadratic.layout);
  for (int i = 0; i <= repetitions; ++i) {
    StagedStepOutcome outcome;
    const double prepare = seconds(by_clock, [&] { outcome = solver->prepare(quadratic); });
    if (!outcome.solved()) throw std::runtime_error(fmt::format("dC/ds is singular at instant {}", outcome.instant));
    double time = seconds(by_clock, [&] { outcome = solver->solve(quadratic, times.direction); });
    if (!outcome.solved()) throw std::runtime_error(to_string(kind) + " found no step");
    if (kind == StagedStepKind::arrow) time += prepare;
    if (i == 0) {
      times.first = time;
    } else if (time < times.best) {
      times.best = time;
      times.parts = solver->times();
    }
  }
  return times;
}

void compare(int instants, int repetitions, const std::vector<std::string>& without) {
  const MechanismLike problem(instants);
  const StagedLayout& layout = problem.layout();
  const StagedQuadratic quadratic = problem.quadratic();
  fmt::print("{} instants, {} states, {} parameters, {} controls; C_s {} entries, Hessian {} (upper)\n", instants,
             layout.state_count, layout.parameter_count, layout.control_count, layout.states_jacobian.nonZeros(),
             layout.hessian.nonZeros());
  fmt::print("{:<24}{:>10}{:>10}{:>8}   {}\n", "solver", "first ms", "best ms", "ratio",
             "factor, condense, recursion, recovery by clock, ms");
  Times arrow;
  {
    const ThreadLimit one(1);
    arrow = run(StagedStepKind::arrow, StateFactorization::lanes, quadratic, repetitions);
  }
  auto print = [&](const std::string& name, const Times& times, bool parts) {
    fmt::print("{:<24}{:>10.2f}{:>10.2f}{:>8.2f}   ", name, 1e3 * times.first, 1e3 * times.best, times.best / arrow.best);
    if (parts)
      fmt::print("{:.2f}, {:.2f}, {:.2f}, {:.2f}", 1e3 * times.parts.factor, 1e3 * times.parts.condense,
                 1e3 * times.parts.recursion, 1e3 * times.parts.recovery);
    if (parts && &times != &arrow) fmt::print("; ");
    if (&times != &arrow)
      fmt::print("differs by {:.1e}",
                 (times.direction.step.states - arrow.direction.step.states).norm() / arrow.direction.step.states.norm());
    fmt::print("\n");
    std::cout.flush();
  };
  print("arrow", arrow, true);
  {
    const ThreadLimit one(1);
    print("arrow, KLU", run(StagedStepKind::arrow, StateFactorization::klu, quadratic, repetitions), true);
  }
  print("arrow, all, by clock", run(StagedStepKind::arrow, StateFactorization::lanes, quadratic, repetitions, true), true);
  const ThreadLimit one(1);
  for (StagedStepKind kind : {StagedStepKind::umfpack_metis, StagedStepKind::umfpack, StagedStepKind::sparse_lu}) {
    const bool left_out = std::find(without.begin(), without.end(), to_string(kind)) != without.end();
    if (!left_out && is_available(kind)) print(to_string(kind), run(kind, StateFactorization::lanes, quadratic, 1), false);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  namespace options = boost::program_options;
  int instants = 120, repetitions = 10;
  std::vector<std::string> without;
  options::options_description description("benchmark_staged_step");
  auto add = description.add_options();
  add("help", "this");
  add("instants", options::value(&instants)->default_value(instants), "number of instants");
  add("repetitions", options::value(&repetitions)->default_value(repetitions), "of each arrow form");
  add("without", options::value(&without), "umfpack_metis, umfpack or sparse_lu, which takes minutes at 120 instants");
  options::variables_map found;
  options::store(options::parse_command_line(argc, argv, description), found);
  options::notify(found);
  if (found.contains("help")) {
    std::cout << description;
    return 0;
  }
  compare(instants, repetitions, without);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
