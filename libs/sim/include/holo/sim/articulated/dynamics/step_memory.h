#pragma once
// Memory of the host for the kernels of a time step over one scalar: three states with their kinematics, and scratch memory.
//
//   StepMemory<double> memory(character);
//   memory.newest.set(character, pose); ...
//   step_residual(character.data(), step, memory.states(), memory.workspace(), residual.data());

#include <vector>

#include "holo/sim/articulated/dynamics/character_kinematics.h"
#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/articulated/dynamics/plugin_motions.h"
#include "holo/sim/articulated/dynamics/step_data.h"

namespace holo::articulated {

// A state and its kinematics.
template <class S>
struct StateMemory {
  std::vector<S> coordinates;
  std::vector<Matrix3<double>> references;
  std::vector<RigidFrame<S>> frames;
  std::vector<Twist<S>> twists;
  PluginMotionMemory<S> motions;

  explicit StateMemory(const CharacterModel& model)
      : coordinates(std::size_t(model.dof_count()), S(0.0)),
        references(model.rest().references),
        frames(coordinates.size()),
        twists(coordinates.size()),
        motions(model) {}

  StepState<S> view() { return {{coordinates.data(), references.data(), motions.view()}, {frames.data(), twists.data()}}; }
  // Kinematics of the coordinates that are set.
  void update(const CharacterModel& model) {
    motions.evaluate(model, coordinates.data());
    const StepState<S> all = view();
    character_kinematics(model.data(), all.state, all.kinematics);
  }
  void set(const CharacterModel& model, const CharacterPose& pose) {
    for (std::size_t j = 0; j < coordinates.size(); ++j) coordinates[j] = S(pose.coordinates[j]);
    for (std::size_t c = 0; c < references.size(); ++c) references[c] = pose.references[c];
    update(model);
  }
};

template <class S>
struct StepMemory {
  StateMemory<S> newest, current, previous;
  std::vector<WrenchMatrix<S>> inertial, applied;
  std::vector<Matrix<S, 4, 4>> moments[3];

  explicit StepMemory(const CharacterModel& model)
      : newest(model), current(model), previous(model), inertial(newest.frames.size()), applied(newest.frames.size()) {
    for (auto& array : moments) array.resize(newest.frames.size());
  }
  StepStates<S> states() { return {newest.view(), current.view(), previous.view()}; }
  StepWorkspace<S> workspace() {
    return {inertial.data(), applied.data(), moments[0].data(), moments[1].data(), moments[2].data()};
  }
};

}  // namespace holo::articulated
