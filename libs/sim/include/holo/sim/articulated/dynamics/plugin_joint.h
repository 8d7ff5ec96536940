#pragma once
// A joint of a character whose motion is that of a joint plugin, docs/writing-a-joint.md.

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace holo {
class JointPlugin;
}

namespace holo::articulated {

struct PluginJoint {
  std::shared_ptr<const JointPlugin> type;
  std::vector<double> constants = {};  // as the plugin's `read` has them
};

// Joints in place of those that the source of a character has, by their names.
using JointReplacements = std::map<std::string, PluginJoint>;

}  // namespace holo::articulated
