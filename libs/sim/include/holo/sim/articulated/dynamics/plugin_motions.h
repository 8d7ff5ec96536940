#pragma once
// Memory of the motions of a character's plugin joints, and their evaluation by the plugins: the host's part of kinematics.
//
//   PluginMotionMemory<double> motions(character);
//   motions.evaluate(character, coordinates);
//   character_kinematics(character.data(), {coordinates, references, motions.view()}, out);

#include <vector>

#include "holo/sim/articulated/dynamics/character_model.h"

namespace holo::articulated {

// Over S = double, or the complex step Complex<double>: then motions and twists have their derivatives in their imaginary
// parts, and derivatives of twists have none. Nothing allocates after `resize`.
template <class S>
class PluginMotionMemory {
 public:
  PluginMotionMemory() = default;
  explicit PluginMotionMemory(const CharacterModel& model, std::size_t states = 1) { resize(model, states); }

  void resize(const CharacterModel& model, std::size_t states = 1);
  PluginMotions<S> view(std::size_t state = 0) const;
  // At the coordinates of one state. Several threads may evaluate different states.
  void evaluate(const CharacterModel& model, const S* coordinates, std::size_t state = 0);

 private:
  std::size_t joints_ = 0, coordinates_ = 0, pairs_ = 0;  // of one state
  std::vector<RigidFrame<S>> frames_;
  std::vector<Twist<S>> twists_, derivatives_;
};

}  // namespace holo::articulated
