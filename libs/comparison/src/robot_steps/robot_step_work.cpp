#include "holo/comparison/robot_step_work.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "holo/comparison/robot_example.h"
#include "holo/core/numerics/median.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/stopwatch.h"
#include "holo/core/registry.h"
#include "holo/opt/staged/staged_sqp.h"

namespace holo::comparison {

namespace {

struct Solver {
  StagedStepKind kind;
  StateFactorization factorization;
};

const Registry<Solver>& solvers() {
  static const Registry<Solver> registry = [] {
    Registry<Solver> all("solvers of a step");
    all.add("arrow", {StagedStepKind::arrow, StateFactorization::lanes});
    all.add("arrow_klu", {StagedStepKind::arrow, StateFactorization::klu});
    for (const StagedStepKind kind :
         {StagedStepKind::dense_riccati, StagedStepKind::sparse_lu, StagedStepKind::umfpack, StagedStepKind::umfpack_metis})
      all.add(to_string(kind), {kind, StateFactorization::lanes});
    return all;
  }();
  return registry;
}

// [byte], from a line such as "VmHWM:  1234 kB" of /proc/self/status; NaN where the system does not tell.
double status_bytes(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(key + ":", 0) == 0) return 1024 * std::strtod(line.c_str() + key.size() + 1, nullptr);
  return std::nan("");
}

void limit_resources(const RobotStepWork& work) {
  const auto limit = [](__rlimit_resource resource, rlim_t soft, rlim_t hard) {
    rlimit both{soft, hard};
    if (setrlimit(resource, &both) != 0) throw Error(Failure::environment, "this process may not limit its resources");
  };
  limit(RLIMIT_CORE, 0, 0);
  if (work.bytes > 0) limit(RLIMIT_AS, rlim_t(work.bytes), rlim_t(work.bytes));
  if (work.seconds <= 0) return;
  const auto end = rlim_t(std::ceil(read_clock(CLOCK_PROCESS_CPUTIME_ID) + work.seconds));
  limit(RLIMIT_CPU, end, end + 1);
}

// A solver in its turns.
class StepTimer {
 public:
  StepTimer(std::string name, const StagedLayout& layout)
      : direction(layout),
        name_(std::move(name)),
        kind_(solvers().get(name_).kind),
        solver_(make_staged_step(kind_, layout, solvers().get(name_).factorization)) {}

  const std::string& name() const { return name_; }
  bool is_sparse() const { return kind_ != StagedStepKind::arrow && kind_ != StagedStepKind::dense_riccati; }
  bool try_step(const StagedQuadratic& quadratic) {
    StagedStepOutcome outcome;
    const double prepare = seconds_of(thread_seconds, [&] { outcome = solver_->prepare(quadratic); });
    if (!outcome.solved()) return false;
    double seconds = seconds_of(thread_seconds, [&] { outcome = solver_->solve(quadratic, direction); });
    if (!outcome.solved()) return false;
    if (kind_ == StagedStepKind::arrow) seconds += prepare;  // the others do without
    if (is_sparse()) seconds = solver_->times().factor + solver_->times().recovery;
    spent += seconds;
    times.push_back(seconds);
    return true;
  }
  // Without the first turn, which has the patterns to analyze and the caches to fill, where there are others. The sparse ones'
  // has no such part.
  double time() const {
    if (times.size() == 1 || is_sparse()) return median(times);
    return median({times.begin() + 1, times.end()});
  }

  StagedDirection direction;
  std::vector<double> times;
  double spent = 0;

 private:
  std::string name_;
  StagedStepKind kind_;
  std::unique_ptr<StagedStep> solver_;
};

// The model after a few iterations: the multipliers bend it.
StagedQuadratic model_under_way(RobotExample& example, StepTimer& first) {
  constexpr int iterations = 2;
  StagedSqpOptions options;
  options.max_iterations = iterations;
  options.schedule = RegularizerSchedule::off;
  const StagedSqpResult result = StagedSqp(*example.problem, options).solve(example.start);
  StagedQuadratic quadratic(example.problem->layout());
  for (const bool gauss_newton : {false, true}) {  // the latter where the former is not convex
    example.problem->linearize(example.start);
    if (quadratic.linearize(*example.problem, example.start, result.multipliers.states, gauss_newton) >= 0) break;
    if (first.try_step(quadratic)) return quadratic;
  }
  throw Error(Failure::internal, fmt::format("the solver {} finds no step after {} iterations", first.name(), iterations));
}

void time_steps(const RobotStepWork& work, RobotExample& example, const ReportValue& report) {
  constexpr double enough_seconds = 10;  // of one solver
  const ThreadLimit one_thread(1);
  std::vector<StepTimer> timers;
  for (const std::string& name : work.solvers) timers.emplace_back(name, example.problem->layout());
  StepTimer& first = timers.front();
  const StagedQuadratic quadratic = model_under_way(example, first);
  const double length = first.direction.step.states.norm();
  for (int turn = 0; turn <= work.repetitions; ++turn)
    for (StepTimer& timer : timers) {
      if (!timer.times.empty() && timer.spent > enough_seconds) continue;
      if (!timer.try_step(quadratic)) throw Error(Failure::internal, fmt::format("the solver {} finds no step", timer.name()));
      report("step." + timer.name(), timer.time());
      report("difference." + timer.name(), (timer.direction.step.states - first.direction.step.states).norm() / length);
    }
}

// Times of one optimization's parts: the sums over the iterations, by the clock.
std::map<std::string, double> parts_of(const StagedSqpResult& result) {
  std::map<std::string, double> parts;
  for (const StagedSqpIteration& i : result.iterations) {
    parts["assembly"] += i.assembly_time;
    parts["factor"] += i.factor_time;
    parts["condense"] += i.condense_time;
    parts["recursion"] += i.recursion_time;
    parts["recovery"] += i.recovery_time;
    parts["line_search"] += i.line_search_time;
  }
  return parts;
}

StagedSqpOptions options_of(const RobotStepWork& work) {
  StagedSqpOptions options;
  options.max_iterations = work.iterations;
  options.schedule = RegularizerSchedule::off;  // else the second optimization would not be the first again
  return options;
}

// The iterations that took a step.
double count_steps(const StagedSqpResult& result) {
  const auto count = std::count_if(result.iterations.begin(), result.iterations.end(),
                                   [](const StagedSqpIteration& i) { return i.step_length > 0; });
  if (count == 0) throw Error(Failure::internal, "the optimization takes no step: " + result.diagnosis);
  return double(count);
}

// Whole optimizations, on one thread and on all in turns. Only iterations that took a step are counted, the time is all of it.
void time_iterations(const RobotStepWork& work, const RobotExample& example, const ReportValue& report) {
  StagedSqp sqp(*example.problem, options_of(work));
  std::vector<double> one_thread, all_threads;
  std::map<std::string, std::vector<double>> parts;
  for (int turn = 0; turn <= work.repetitions; ++turn)
    for (const int threads : {1, 0}) {
      const ThreadLimit limit(threads);
      StagedPoint point = example.start;
      StagedSqpResult result;
      double processor = 0;
      const double clock =
          seconds_of(wall_seconds, [&] { processor = seconds_of(thread_seconds, [&] { result = sqp.solve(point); }); });
      const double count = count_steps(result);
      double evaluations = 0;
      for (const StagedSqpIteration& i : result.iterations) evaluations += i.evaluations;
      if (turn == 0) continue;  // to fill memory and caches
      (threads == 1 ? one_thread : all_threads).push_back((threads == 1 ? processor : clock) / count);
      report("evaluations", evaluations / count);
      if (threads != 1) continue;
      double rest = 1;
      for (const auto& [name, seconds] : parts_of(result)) {
        parts[name].push_back(seconds / clock);
        rest -= seconds / clock;
      }
      parts["rest"].push_back(rest);
    }
  report("iteration.one_thread", median(one_thread));
  report("iteration.all_threads", median(all_threads));
  for (const auto& [name, shares] : parts) report("part." + name, median(shares) * median(one_thread));
}

// The same on one thread, in turns with another robot, or another length of its motion: what slows the machine down for a while
// then acts on both.
void compare_iterations(const RobotStepWork& work, const RobotExample& example, const PluginHost& plugins,
                        const ReportValue& report) {
  const RobotExample other = make_robot_example(work.over.robot, work.over.knots, plugins);
  StagedSqp ours(*example.problem, options_of(work)), others(*other.problem, options_of(work));
  const ThreadLimit one_thread(1);
  const auto iteration_of = [](StagedSqp& sqp, StagedPoint point) {
    StagedSqpResult result;
    const double seconds = seconds_of(thread_seconds, [&] { result = sqp.solve(point); });
    return seconds / count_steps(result);
  };
  std::vector<double> times, times_of_other;
  for (int turn = 0; turn <= work.repetitions; ++turn) {
    const double time_of_other = iteration_of(others, other.start), time = iteration_of(ours, example.start);
    if (turn == 0) continue;  // to fill memory and caches
    times.push_back(time);
    times_of_other.push_back(time_of_other);
  }
  report("iteration.over_other", median_ratio(times, times_of_other));
}

void require_valid(const RobotStepWork& work) {
  const auto require = [](bool is_good, const std::string& what) {
    if (!is_good) throw Error(Failure::input, what);
  };
  for (const std::string& name : work.solvers) {
    solvers().get(name);
    require(step_solver_is_available(name), "this build has no UMFPACK (it was configured with HOLO_ENABLE_GPL=OFF)");
  }
  require(work.repetitions >= 1, fmt::format("{} repetitions; it must be 1 or more", work.repetitions));
  require(work.iterations >= 0, fmt::format("{} iterations; it must be 0 or more", work.iterations));
  require(work.over.knots == 0 || work.iterations > 0, "without iterations there are none to compare with another robot's");
}

}  // namespace

std::vector<std::string> step_solver_names() {
  return {"arrow", "arrow_klu", "dense_riccati", "sparse_lu", "umfpack", "umfpack_metis"};
}
bool step_solver_is_available(const std::string& name) { return is_available(solvers().get(name).kind); }

void measure_robot_steps(const RobotStepWork& work, const PluginHost& plugins, const ReportValue& report) {
  require_valid(work);
  const double before = status_bytes("VmRSS");
  RobotExample example = make_robot_example(work.robot, work.knots, plugins);
  const StagedCounts counts = count_unknowns(example.problem->equations().layout(), work.knots);
  report("variables", double(counts.variables));
  report("constraints", double(counts.constraints));
  limit_resources(work);
  if (work.iterations > 0) time_iterations(work, example, report);
  report("memory", status_bytes("VmHWM") - before);
  if (work.over.knots > 0) compare_iterations(work, example, plugins, report);
  if (!work.solvers.empty()) time_steps(work, example, report);
}

}  // namespace holo::comparison
