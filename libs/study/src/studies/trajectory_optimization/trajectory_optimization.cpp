#include "studies/studies.h"
#include "studies/trajectory_optimization/trajectory_study.h"

namespace holo {

namespace {

StudyPlan read_trajectory_optimization(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  TrajectoryPlan plan = read_trajectory_plan(experiment, *context.plugins, result.plugins);
  result.metrics = quantities_of(trajectory_metrics(articulated::TrajectoryStages::stages_of(plan.stages)));
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<TrajectoryOptimization>(plan, frames);
  };
  return result;
}

}  // namespace

StudyKind trajectory_optimization() {
  return {"a motion of an articulated character that minimizes losses and the effort of its controls",
          "All states of the motion are unknowns, the equations of motion of the joints without actuators are constraints. A "
          "spline is optimized first, then the single states, by trust-region sequential quadratic programming; contact is a "
          "smooth function of the states, so that no schedule of contacts is needed.",
          {},
          {},
          read_trajectory_optimization};
}

}  // namespace holo
