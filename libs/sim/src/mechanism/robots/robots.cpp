#include "holo/sim/mechanism/model/robots.h"

#include "holo/core/error.h"
#include "holo/core/registry.h"

namespace holo {

namespace {

using Make = MechanismModel (*)(const PluginHost&);

const Registry<Make>& robots() {
  static const Registry<Make> registry = [] {
    Registry<Make> all("robots");
    all.add("kickbot", [](const PluginHost& plugins) { return make_kickbot(plugins, true); });
    all.add("kickbot_merged", [](const PluginHost& plugins) { return make_kickbot(plugins, false); });
    all.add("kickbot_rig", make_kickbot_rig);
    all.add("legs", make_legs);
    all.add("bear", make_bear);
    all.add("biker", make_biker);
    return all;
  }();
  return registry;
}

}  // namespace

MechanismModel make_robot(const std::string& name, const PluginHost& plugins) { return robots().get(name)(plugins); }
std::vector<std::string> robot_names() { return robots().names(); }

}  // namespace holo
