#pragma once
// Characters that need no file: pendulums, a block, a rotor, a hopper, a chain, a quadruped, a spider, a biped, a bird, a
// humanoid. docs/articulated-dynamics.md#characters describes each.

#include <string>
#include <vector>

#include "holo/sim/articulated/dynamics/character_model.h"

namespace holo::articulated {

struct CharacterOptions {
  BaseOptions base = {};  // of characters that move in space
  bool self_collision = false;
  double limit_weight = 1000;  // of limits and cones [J/rad^3]
  // Of a spring about the rest pose and a damper in each actuated joint [N m/rad], [N m s/rad].
  double stiffness = 0, damping = 0;
  CharacterAdjustment adjust = {};
  JointReplacements joints = {};
  int links = 5;  // of `chain`
};

std::vector<std::string> procedural_character_names();
// Whether the character's base is that of the options; others have none, or move in a plane. Throws as procedural_character.
bool has_free_base(const std::string& name);

// x points forward, z up. Throws Error(input) for a name that is not in the list, with the nearest, and for a chain without
// links.
CharacterModel procedural_character(const std::string& name, const CharacterOptions& options = {});

}  // namespace holo::articulated
