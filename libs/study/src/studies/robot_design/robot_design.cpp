#include "studies/robot_design/robot_design_study.h"
#include "studies/studies.h"

namespace holo {

namespace {

// The location of the keys that define the initial motion.
Location beginning(const Configuration& experiment, const RobotDesignPlan& plan) {
  const bool one_motion = plan.tasks.front().name.empty();  // tasks have `controls` of their own, inside `motion`
  return experiment.location(one_motion && !plan.starts_at_targets && experiment.has("controls") ? "controls" : "motion");
}

// An impossible initial motion is found while building, where the file is not known: its errors get the location.
std::unique_ptr<Study> build(const RobotDesignPlan& plan, double frames_per_second, const Location& place) {
  try {
    return std::make_unique<RobotDesign>(plan, frames_per_second);
  } catch (const Error& error) {
    const bool has_place = std::string(error.what()).rfind(place.file + ":", 0) == 0;
    if (error.failure() != Failure::input || has_place) throw;
    throw_input_error(place, error.what());
  }
}

StudyPlan read_design_study(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  RobotDesignPlan plan = read_robot_design(experiment, context, result.plugins);
  result.metrics = robot_design_metrics(plan);
  result.metrics_are_known = experiment.problem_count() == problems;  // losses that could not be read have some, too
  result.build = [plan, frames = context.frames_per_second, place = beginning(experiment, plan)] {
    return build(plan, frames, place);
  };
  return result;
}

}  // namespace

StudyKind robot_design() {
  return {"a mechanism's design and motion that fit targets best",
          "Minimizes the sum of the objectives over the motion and the design by sequential quadratic programming, with all "
          "joint constraints satisfied at every knot. Each measure of an objective (such as position_error) gives metrics of "
          "its own: its mean and maximum before and after, and the ratio of the means.",
          {},
          {},
          read_design_study};
}

}  // namespace holo
