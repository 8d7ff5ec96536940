#pragma once
// Reader of a scene with an articulated character: time, gravity, inertia, the character, its obstacles and its contact.
//
//   scene:
//     time_step: 0.01
//     duration: 2
//     inertia: mid
//     character: {type: mammal18}
//     obstacles: [{name: floor, type: plane}]
//     contact: {penetration: 0.02, slip_ratio: 10}

#include <optional>
#include <vector>

#include "characters/character_reader.h"
#include "characters/obstacle_reader.h"
#include "holo/sim/articulated/dynamics/contact_weights.h"
#include "holo/sim/articulated/dynamics/step_data.h"

namespace holo {

// Weights of contact, or lengths and ratios from which they follow.
struct CharacterContact {
  std::optional<articulated::ContactWeights> weights;
  double penetration = 0.02;  // of `points` points that carry the weight in equal shares [m]
  int points = 0;             // 0: as many as are lowest at the start
  double slip_ratio = 10;     // [s/m]
};

struct CharacterScene {
  double time_step = 0;  // [s]
  int step_count = 1;
  Vector3<double> gravity = {0, 0, -9.81};  // [m/s^2]
  articulated::InertiaRule inertia = articulated::InertiaRule::end;
  CharacterPlan character;
  std::vector<ObstacleDefinition> obstacles;
  CharacterContact contact;
};

// Appends the plugins of joints to `plugins`. Problems are reported through the configuration file; the character has no model
// then.
CharacterScene read_character_scene(Configuration& experiment, const PluginHost& host, std::vector<UsedPlugin>& plugins);

// How the character stands on its obstacles.
struct StandingContact {
  articulated::ContactWeights weights{};  // 0 without obstacles
  int points = 1;                         // that carry the weight
  double penetration = 0;                 // of these, at rest: sqrt(weight / (points w_n)) [m]
};
// `model` may have other springs than the scene's.
StandingContact standing_contact(const CharacterScene& scene, const articulated::CharacterModel& model);

// The obstacles must outlive the constants.
articulated::StepConstants step_constants(const CharacterScene& scene, const StandingContact& contact,
                                          const CharacterObstacles& obstacles);

}  // namespace holo
