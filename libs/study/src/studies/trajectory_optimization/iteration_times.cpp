#include "studies/trajectory_optimization/iteration_times.h"

#include <algorithm>
#include <array>

#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/stopwatch.h"
#include "holo/opt/trajectory/timed_problem.h"
#include "holo/sim/articulated/dynamics/step_jacobians.h"
#include "holo/sim/articulated/dynamics/step_memory.h"
#include "studies/trajectory_optimization/ready_trajectory.h"

namespace holo {

using articulated::TrajectoryModel, articulated::TrajectoryProblem, articulated::TrajectoryStates;

namespace {

// Times of kernels over all steps of a motion [s].
struct KernelTimes {
  double jacobians = 0;                                // all of them
  double contact_wrenches = 0, contact_jacobians = 0;  // also of self-collision
};

template <class Kernel>
double median_time(const TrajectoryStates& states, const Kernel& kernel) {
  std::array<double, 5> times{};
  for (double& time : times)
    time = seconds_of(thread_seconds, [&] {
      for (int step = 1; step <= states.steps(); ++step) kernel(states.step_states(step));
    });
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

KernelTimes measure_kernels(const TrajectoryModel& model, const TrajectoryStates& states) {
  using States = articulated::StepStates<double>;
  const articulated::CharacterModel& character = model.character();
  const articulated::CharacterData data = character.data();
  const articulated::StepConstants& step = model.step();
  articulated::StepMemory<double> memory(character);
  const articulated::StepWorkspace<double> workspace = memory.workspace();
  std::array<std::vector<double>, 3> D;
  for (auto& matrix : D) matrix.resize(std::size_t(character.dof_count() * character.dof_count()));
  KernelTimes times;
  times.jacobians = median_time(
      states, [&](const States& at) { step_jacobians(data, step, at, workspace, D[0].data(), D[1].data(), D[2].data()); });
  times.contact_wrenches = median_time(states, [&](const States& at) {
    articulated::add_contact_wrenches(data, step, at, workspace.applied);
    articulated::add_self_collision_wrenches(data, step, at, workspace.applied);
  });
  times.contact_jacobians = median_time(states, [&](const States& at) {
    articulated::add_contact_jacobians(data, step, at, D[0].data(), D[1].data());
    articulated::add_self_collision_jacobian(data, step, at, D[0].data());
  });
  return times;
}

// From sums over all iterations to the parts of the mean one.
void divide_time(const ProblemTimes& sums, const KernelTimes& kernels, double total, IterationTimes& result) {
  const double each = 1.0 / std::max(result.iterations, 1);
  const auto linearizations = double(sums.linearizations), evaluations = double(sums.evaluations);
  // What is timed apart is at most the time of the calls that it is a part of.
  const double jacobians = std::min(linearizations * kernels.jacobians, sums.linearization);
  const double collision =
      std::min((evaluations + linearizations) * kernels.contact_wrenches + linearizations * kernels.contact_jacobians,
               sums.evaluation + jacobians);
  result.linearizations = int(sums.linearizations);
  result.total = each * total;
  result.collision = each * collision;
  result.dynamics = each * (sums.evaluation + jacobians - collision);
  result.products = each * (sums.linearization - jacobians + sums.products);
  result.factorization = each * (sums.factorization + sums.solution);
}

}  // namespace

IterationTimes measure_iterations(const TrajectoryPlan& plan, int iterations) {
  const ThreadLimit one_thread(1);
  const ReadyTrajectory ready(plan);
  TrajectoryProblem problem(ready.model(), first_basis(plan), plan.stages.linear_algebra);
  Eigen::VectorXd point = problem.point();
  problem.scale_losses(point);
  TimedProblem timed(problem, thread_seconds);
  TrustRegionSqpOptions options = plan.stages.spline_solver;
  options.max_iterations = iterations;
  TrustRegionSqp solver(timed, options);
  TrustRegionSqpResult solved;
  const double total = seconds_of(thread_seconds, [&] { solved = solver.solve(point); });
  IterationTimes result;
  result.steps = ready.model().steps();
  result.dofs = ready.model().character().dof_count();
  result.point_rows = (problem.unknown_count() + problem.constraint_count()) / (problem.basis().point_count() - 1);
  result.iterations = int(solved.iterations.size());
  result.objective = solved.objective;
  result.violation = solved.constraint_largest;
  const ProblemTimes sums = timed.times();
  divide_time(sums, measure_kernels(ready.model(), problem.states(point)), total, result);
  return result;
}

}  // namespace holo
