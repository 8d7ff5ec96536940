#include "holo/sim/articulated/trajectory/trajectory_states.h"

#include <algorithm>

#include "holo/core/numerics/parallel.h"
#include "holo/sim/articulated/dynamics/character_kinematics.h"

namespace holo::articulated {

TrajectoryStates::TrajectoryStates(const CharacterModel& model, int steps, const CharacterPose& pose)
    : model_(&model), steps_(steps) {
  const std::size_t states = offset(steps) + 1;
  coordinates_.resize(states * dofs());
  references_.resize(states * charts());
  frames_.resize(states * dofs());
  twists_.resize(states * dofs());
  motions_.resize(model, states);
  for (int i = -1; i <= steps; ++i) set_pose(i, pose);
  update(-1, steps);
}

CharacterPose TrajectoryStates::pose(int state) const {
  return {{coordinates(state), coordinates(state) + dofs()}, {references(state), references(state) + charts()}};
}

void TrajectoryStates::set_pose(int state, const CharacterPose& pose) {
  std::copy(pose.coordinates.begin(), pose.coordinates.end(), coordinates(state));
  std::copy(pose.references.begin(), pose.references.end(), references(state));
}

StepState<double> TrajectoryStates::view(int state) const {
  const std::size_t begin = offset(state) * dofs();
  return {{coordinates(state), references(state), motions_.view(offset(state))},
          {frames_.data() + begin, twists_.data() + begin}};
}

void TrajectoryStates::update(int first, int last) {
  parallel_for(std::size_t(last - first + 1), 8, [this, first](std::size_t begin, std::size_t end) {
    const CharacterData data = model_->data();
    for (std::size_t k = begin; k < end; ++k) {
      motions_.evaluate(*model_, coordinates(first + int(k)), offset(first + int(k)));
      const StepState<double> state = view(first + int(k));
      character_kinematics(data, state.state, state.kinematics);
    }
  });
}

}  // namespace holo::articulated
