#pragma once
// Definition of a character in an experiment: its source, changes of its joints, its pose and velocity at the start. Reading
// keeps it with its places in the file; build_character() makes the character of it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "characters/character_links.h"
#include "holo/core/error.h"
#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/articulated/robot_reader.h"

namespace holo {

// A number of a degree of freedom by its name: a coordinate [rad or m] or a velocity [rad/s or m/s].
struct JointValue {
  std::string joint;
  double value = 0;
  Location where;
};

// Values in place of those that the source of the character has.
struct JointChange {
  std::string joint;
  Location where;
  std::optional<double> stiffness, rest, damping, armature;
};

// A joint of a plugin in place of one that the source of the character has.
struct JointReplacement {
  std::string joint;
  Location where;
  articulated::PluginJoint plugin;
};

struct CharacterDefinition {
  std::string type;                              // of a procedural character; of links its name; "": of a file
  std::vector<CharacterLink> links;              // of a character of meshes
  std::shared_ptr<const ArticulatedFile> robot;  // of a file: without what is ignored, with a free base if one is added
  std::vector<std::string> ignored;              // of a file: elements that it has and the character lacks
  Location where;                                // of the type or file
  articulated::BaseOptions base;
  int link_count = 5;                 // of the type `chain`
  double limit_weight = 1000;         // [J/rad^3 or J/m^3]
  double self_collision_weight = 0;   // w of w (overlap)^3 [J/m^3]; 0: none
  double stiffness = 0, damping = 0;  // added in all actuated hinges and slides, about the start
  std::vector<JointReplacement> plugin_joints;
  std::vector<JointChange> joints;
  std::vector<JointValue> pose, velocity;  // at the start; others are at rest

  std::string name() const { return robot ? robot->model.file : type; }
};

// The start of a motion.
struct CharacterStart {
  articulated::CharacterPose pose;
  std::vector<double> velocity;  // dof_count [rad/s or m/s]

  // The pose one time step before, at constant rates of the coordinates.
  articulated::CharacterPose before(double time_step) const;
};

// Builds the character. `adjust` runs after the definition's own changes of joints. Throws Error(input) as character_from_robot
// and procedural_character, and for a joint that the character does not have.
std::shared_ptr<const articulated::CharacterModel> build_character(const CharacterDefinition& definition,
                                                                   const articulated::CharacterAdjustment& adjust = {});

CharacterStart start_of(const CharacterDefinition& definition, const articulated::CharacterModel& model);

struct StartProblem {
  Location where;
  std::string text;
};
// Coordinates of the start beyond limits of their joints.
std::vector<StartProblem> problems_of_start(const CharacterDefinition& definition, const articulated::CharacterModel& model);
// The same of another pose, of which `values` were given, in a section at `where`; "ends" where the character does in it.
std::vector<StartProblem> problems_of_pose(const articulated::CharacterModel& model, const articulated::CharacterPose& pose,
                                           const std::vector<JointValue>& values, const Location& where,
                                           const std::string& verb);

}  // namespace holo
