#pragma once
// Reader of the section `character` of a scene.
//
//   character: {type: mammal18, springs: {stiffness: 60, damping: 3}, pose: {base_z: 0.7}}
//   character: {file: ant.xml, base: {add: true, rotation: euler}, ignore: [tendon]}
//   character: {type: hopper6, plugin_joints: [{joint: knee, type: rolling_knee, radius: 0.03}]}
//
// A character is made while it is read, as a mechanism is: the rest of the experiment names its joints.

#include "characters/character_definition.h"
#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/study/study.h"

namespace holo {

struct CharacterPlan {
  CharacterDefinition definition;
  std::shared_ptr<const articulated::CharacterModel> model;  // null after a problem, and while a schema is recorded
  CharacterStart start;
};

// Appends the plugins of joints to `plugins`. Problems are reported through the configuration file.
CharacterPlan read_character(Configuration& scene, const PluginHost& host, std::vector<UsedPlugin>& plugins);

// Reads numbers by the names of degrees of freedom. The names are not checked.
std::vector<JointValue> read_joint_values(Configuration& section, const char* key, const char* documentation);

}  // namespace holo
