// The model of an experiment: the pose at the start, the weights of contact, the unit of the effort.
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
