// The model of an experiment: the pose at the start, the weights of contact, the unit of the effort.
#include <fmt/format.h>

#include "holo/sim/articulated/trajectory/static_pose.h"
#include "studies/trajectory_optimization/trajectory_study.h"

namespace holo {

namespace {

articulated::CharacterPose start_pose(const TrajectoryPlan& plan, const articulated::StepConstants& step) {
  const articulated::CharacterPose& given = plan.scene.character.start.pose;
  if (!plan.starts_at_rest) return given;
  articulated::StaticPose found = articulated::find_static_pose(*plan.scene.character.model, step, given);
  if (!found.is_found)
    throw_input_error(plan.where, found.diagnosis + "; or begin as the scene is given, by `trajectory: {start: as_given}`");
  return found.pose;
}

// Of a given end: coordinates that are not given are those of the start.
articulated::CharacterPose end_pose(const TrajectoryPlan& plan, const articulated::StepConstants& step,
                                    const articulated::CharacterPose& start) {
  if (plan.stages.end == articulated::TrajectoryEnd::free) return {};
  const articulated::CharacterModel& model = *plan.scene.character.model;
  articulated::CharacterPose end = start;
  for (const JointValue& each : plan.end.pose) end.coordinates[std::size_t(model.dof(each.joint))] = each.value;
  if (const auto problems = problems_of_pose(model, end, plan.end.pose, plan.end.where, "ends"); !problems.empty())
    throw_input_error(problems.front().where, problems.front().text);
  if (!plan.end.is_static) return end;
  const articulated::StaticPose found = articulated::find_static_pose(model, step, end);
  if (!found.is_found)
    throw_input_error(plan.end.where, "at the end " + found.diagnosis + "; or give the end a `state` of as_given or passing");
  return found.pose;
}

// An end that is given and leaves nothing to optimize.
void check_length(const TrajectoryPlan& plan) {
  using articulated::TrajectoryEnd;
  if (plan.stages.end == TrajectoryEnd::free) return;
  const int steps = plan.scene.step_count;
  if (steps < 2) throw_input_error(plan.end.where, "a motion of one time step has a given end; it needs at least two");
  if (plan.stages.segment_length > 1 && plan.stages.end == TrajectoryEnd::state && steps <= plan.stages.segment_length)
    throw_input_error(
        plan.end.where,
        fmt::format("the spline has one segment of {} time steps from a given start to a given end, so that nothing is left to "
                    "optimize; give `trajectory.segment_length` less than {}",
                    steps, steps));
}

}  // namespace

std::unique_ptr<articulated::TrajectoryModel> make_trajectory_model(const TrajectoryPlan& plan,
                                                                    const CharacterObstacles& obstacles,
                                                                    const std::vector<Eigen::MatrixXd>& signals) {
  const std::shared_ptr<const articulated::CharacterModel>& character = plan.scene.character.model;
  articulated::TrajectoryModel::Definition definition;
  definition.character = character;
  definition.step = step_constants(plan.scene, standing_contact(plan.scene, *character), obstacles);
  definition.obstacles = obstacles.list();
  definition.steps = plan.scene.step_count;
  definition.start = definition.before = start_pose(plan, definition.step);
  definition.end = end_pose(plan, definition.step, definition.start);
  check_length(plan);
  if (!plan.starts_at_rest) definition.before = plan.scene.character.start.before(plan.scene.time_step);
  definition.losses = plan.losses;
  definition.data.signals = signals;
  definition.data.time_step = plan.scene.time_step;
  definition.effort_weight = plan.effort_weight;
  if (plan.effort_is_characteristic) {
    definition.effort_unit = characteristic_torque(*character, definition.start, norm(plan.scene.gravity));
    if (!(definition.effort_unit > 0))
      throw_input_error(plan.where,
                        "the effort is measured in the character's weight times its radius of gyration, which is 0 here; give "
                        "`effort: {unit: si}`");
  }
  return std::make_unique<articulated::TrajectoryModel>(std::move(definition));
}

}  // namespace holo
