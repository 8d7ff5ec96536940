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

  // Runs the plugin's `read` on a mapping of the experiment file. Returns the joint's constants [constant_count], whose meaning
  // and units are the plugin's. Problems are reported through the configuration file. Throws Error(input) with the plugin's
  // name if its `read` fails.
  std::vector<double> read_constants(Configuration& parameters) const;
  // Runs `read` on parameters given by name, in the units that `read` states; missing ones have their defaults. Returns the
  // constants [constant_count]. Throws Error(input) if a required parameter is missing or a value is refused.
  std::vector<double> constants(const std::vector<std::pair<std::string, double>>& values) const;
  // The keys that `read` asks for, with units, ranges and defaults.
  std::vector<ParameterDescription> parameters() const;
};

using JointReference = JointPlugin::Reference;

}  // namespace holo
