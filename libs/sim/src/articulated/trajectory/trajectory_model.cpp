#include "holo/sim/articulated/trajectory/trajectory_model.h"

#include <fmt/format.h>

#include <cmath>

#include "articulated/trajectory/observable_columns.h"
#include "holo/core/error.h"

namespace holo::articulated {

namespace {

void require_pose_of(const CharacterModel& character, const CharacterPose& pose) {
  const CharacterPose& rest = character.rest();
  if (pose.coordinates.size() != rest.coordinates.size() || pose.references.size() != rest.references.size())
    throw Error(Failure::internal,
                fmt::format("a trajectory starts at a pose of {} coordinates and {} reference rotations; the "
                            "character has {} and {}.",
                            pose.coordinates.size(), pose.references.size(), rest.coordinates.size(), rest.references.size()));
}

void require_fitting(const TrajectoryModel::Definition& definition) {
  if (definition.steps < 1 || !(definition.step.time_step > 0))
    throw Error(Failure::internal, fmt::format("a trajectory has {} steps of {} s; it needs at least one, of more than 0 s.",
                                               definition.steps, definition.step.time_step));
  require_pose_of(*definition.character, definition.start);
  require_pose_of(*definition.character, definition.before);
  if (!definition.end.coordinates.empty()) {
    require_pose_of(*definition.character, definition.end);
    for (std::size_t c = 0; c < definition.end.references.size(); ++c)
      if (squared_norm(definition.end.references[c] - definition.start.references[c]) > 0)
        throw Error(Failure::internal, "a trajectory ends at a pose with other reference rotations than its start.");
  }
  for (const Eigen::MatrixXd& signal : definition.data.signals)
    if (signal.cols() != 1 && signal.cols() <= definition.steps)
      throw Error(Failure::internal,
                  fmt::format("a signal of a trajectory has {} values; it needs 1, or those of the {} states "
                              "from 0 on.",
                              signal.cols(), definition.steps + 1));
  if (!(definition.effort_weight >= 0) || !(definition.effort_unit > 0))
    throw Error(Failure::internal, fmt::format("the effort has the weight {} and the unit {}; allowed are >= 0 and > 0.",
                                               definition.effort_weight, definition.effort_unit));
}

// What losses read beside observables and signals.
void set_data(const CharacterModel& character, TrajectoryModel::Definition& definition) {
  definition.data.time_step = definition.step.time_step;
  Eigen::MatrixXd& controls = definition.data.initial_controls;
  if (controls.size() > 0) return;
  const std::vector<int> dofs = observed_controls(character);
  controls.resize(Eigen::Index(dofs.size()), definition.steps + 1);
  for (std::size_t k = 0; k < dofs.size(); ++k)
    controls.row(Eigen::Index(k)).setConstant(definition.start.coordinates[std::size_t(dofs[k])]);
}

}  // namespace

TrajectoryModel::TrajectoryModel(Definition definition)
    : definition_(std::move(definition)),
      step_(definition_.step),
      unactuated_(definition_.character->unactuated()),
      losses_(ArticulatedObservables(*definition_.character, definition_.step.time_step)) {
  require_fitting(definition_);
  set_data(*definition_.character, definition_);
  step_.obstacles = definition_.obstacles.data();
  step_.obstacle_count = int(definition_.obstacles.size());
  for (const NamedLoss& loss : definition_.losses) losses_.add(loss);
  if (const std::size_t controls = character().actuated().size(); controls > 0)
    effort_factor_ = definition_.effort_weight / (double(controls) * definition_.effort_unit * definition_.effort_unit);
}

double TrajectoryModel::weight() const { return character().total_mass() * norm(step_.gravity); }

double characteristic_torque(const CharacterModel& model, const CharacterPose& pose, double gravity) {
  TrajectoryStates states(model, 1, pose);
  const CharacterData data = model.data();
  const RigidFrame<double>* frames = states.view(0).kinematics.frames;
  const double mass = model.total_mass();
  // The second moments about the world's origin, moved to the center of mass.
  double moment = 0;
  for (int k = 0; k < model.dof_count(); ++k) {
    if (!model.dofs()[std::size_t(k)].has_mass) continue;
    const Matrix<double, 4, 4> E = moved_moments(frames[k], data.moments[k], frames[k]);
    moment += E(0, 0) + E(1, 1) + E(2, 2);
  }
  const Vector3<double> center = center_of_mass(data, ArticulatedSubject{"", true, -1}, mass, frames);
  return mass * gravity * std::sqrt(std::max(moment / mass - squared_norm(center), 0.0));
}

}  // namespace holo::articulated
