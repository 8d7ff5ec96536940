#include "holo/core/plugins/joint_reader.h"

#include "holo/core/error.h"

namespace holo {

JointType read_joint_type(Configuration& entry, const PluginHost& plugins) {
  JointType result;
  if (entry.recording()) {
    std::vector<Configuration::Branch> branches;
    for (const std::string& name : plugins.names<JointPlugin>()) {
      auto plugin = plugins.get<JointPlugin>(name);
      branches.push_back({name, plugin->summary(), [plugin](Configuration& p) { plugin->read_constants(p); }});
    }
    entry.branch("type", branches, {}, "the joint plugin's name");
    return result;
  }
  const std::size_t problems = entry.problem_count();
  const std::string type = entry.text("type", {.documentation = "the joint plugin's name"});
  if (type.empty() || entry.problem_count() != problems) {
    for (const std::string& key : entry.keys())  // only the plugin knows which keys are right
      if (nearest_name(key, {"type"}).empty()) entry.raw(key);
    return result;
  }
  try {
    result.plugin = plugins.get<JointPlugin>(type);
    result.constants = result.plugin->read_constants(entry);
  } catch (const Error& error) {
    entry.problem(entry.location("type"), error.what());
    result.plugin = nullptr;
  }
  return result;
}

}  // namespace holo
