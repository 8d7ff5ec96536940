#pragma once
// Reader of a joint's type in an experiment: the plugin's name, and beside it the constants that the plugin declares.
//
//   {type: screw, lead: 0.1}

#include <memory>
#include <vector>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/plugin_host.h"

namespace holo {

struct JointType {
  std::shared_ptr<const JointPlugin> plugin;  // null after a problem, and while a schema is recorded
  std::vector<double> constants;              // [constant_count]
};

// Reads what the entry has not read before. Problems are reported through the configuration file.
JointType read_joint_type(Configuration& entry, const PluginHost& plugins);

}  // namespace holo
