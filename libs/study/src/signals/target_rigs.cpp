#include "signals/target_rigs.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/model/mechanism_parameters.h"
#include "studies/robot_design/robot_design_plan.h"

namespace holo {

void read_rig(Configuration& entry, const PluginHost& host, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins) {
  TargetRig rig;
  std::vector<TargetRig>& rigs = plan.tasks.back().rigs;
  rig.name = entry.text("name", {.documentation = "name by which recorded targets refer to the rig"});
  rig.where = entry.location("name");
  const bool is_known = std::any_of(rigs.begin(), rigs.end(), [&](const TargetRig& other) { return other.name == rig.name; });
  if (is_known && !entry.recording()) entry.problem(rig.where, fmt::format("there are two rigs named '{}'", rig.name));
  rig.model = read_mechanism(entry, host).subassembly;
  if (rig.model) {
    for (const MechanismJoint& joint : rig.model->joints()) plugins.push_back(joint.type);
    rig.layout = std::make_shared<const MechanismLayout>(rig.model);
    if (rig.layout->prescribed_count() > 0)
      entry.problem(entry.location("robot"),
                    fmt::format("a rig moves by its controls, and '{}' has prescribed joints; make them actuators", rig.name));
  }
  std::vector<ControlCurve> curves;
  entry.each(
      "controls", [&](Configuration& control) { read_control(control, rig.layout.get(), plan.knots(), curves); },
      "motions of the rig's controls; other controls stay at rest");
  if (rig.layout) rig.controls = values_of(curves, *rig.layout, plan.knots());
  if (!entry.recording()) rigs.push_back(std::move(rig));
}

}  // namespace holo
