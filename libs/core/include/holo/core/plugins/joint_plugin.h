#pragma once
// A type of joint that a plugin offers.

#include <string>
#include <utility>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin.h"

namespace holo {

class JointPlugin : public Plugin<holo_joint, holo_joint_reference> {
 public:
  static constexpr const char *kind = "joint", *plural = "joints";
  using Plugin::Plugin;

  // Reads the joint's parameters; reports problems to the file. Returns the constants [constant_count].
  // Throws Error(input) with the plugin's name when its `read` fails.
  std::vector<double> read_constants(Configuration& parameters) const;
  // Constants at given parameter values; missing ones take their defaults.
  std::vector<double> constants(const std::vector<std::pair<std::string, double>>& values) const;
  // What `read` asks for.
  std::vector<ParameterDescription> parameters() const;
};

using JointReference = JointPlugin::Reference;

}  // namespace holo
