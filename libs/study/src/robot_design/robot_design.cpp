#include "holo/study/robot_design.h"

#include "robot_design/robot_design_study.h"

namespace holo {

namespace {

StudyPlan read(Parameters& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  RobotDesignPlan plan = read_robot_design(experiment, context, result.plugins);
  result.metrics = robot_design_metrics(plan.losses, plan.tasks);
  result.metrics_are_known = experiment.problem_count() == problems;  // losses that could not be read have some, too
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<RobotDesign>(plan, frames);
  };
  return result;
}

}  // namespace

StudyKind robot_design() {
  return {"a mechanism's design and motion that fit targets best",
          "Minimizes the sum of the objectives over the motion and the design by sequential quadratic programming; every joint "
          "holds at "
          "every instant. Each measure of an objective (such as position_error) gives metrics of its own: its mean and maximum "
          "before "
          "and after, and the ratio of the means.",
          {},
          {},
          read};
}

}  // namespace holo
