#pragma once
// Reader of the section `character` of a scene.
//
//   character: {type: mammal18, springs: {stiffness: 60, damping: 3}, pose: {base_z: 0.7}}
//   character: {file: ant.xml, base: {add: true, rotation: euler}, ignore: [tendon]}
//
// A character is made while it is read, as a mechanism is: the rest of the experiment names its joints.

#include "characters/character_definition.h"
#include "holo/core/configuration.h"

namespace holo {

struct CharacterPlan {
  CharacterDefinition definition;
  std::shared_ptr<const articulated::CharacterModel> model;  // null after a problem, and while a schema is recorded
  CharacterStart start;
};

// Problems are reported through the configuration file.
CharacterPlan read_character(Configuration& scene);

}  // namespace holo
