// Actuators of an MJCF file, whatever they drive.

#include <algorithm>

#include "robot_files/mjcf_parts.h"

namespace holo {

namespace {

// A range counts where `limited` says so, or where nothing but the range is given.
JointRange range_of(const MjcfSettings& settings, const XmlElement& element, const char* range, const char* limited) {
  const XmlElement source = settings.source(element, "", range);
  const std::vector<double> values = source.numbers(range, 2, 2);
  const std::string says = settings.source(element, "", limited)
                               .text_of(limited, {"true", "false", "auto"}, settings.limits_automatically() ? "auto" : "false");
  if (values.empty() || says == "false") return {};
  if (values[0] > values[1]) source.fail(std::string("the first number of '") + range + "' is above the second");
  return {values[0], values[1]};
}

}  // namespace

void read_mjcf_actuators(const XmlElement& root, MjcfParts& parts) {
  for (const XmlElement& section : root.children("actuator"))
    for (const XmlElement& element : section.children()) {
      ArticulatedActuator actuator{element.text("name"), element.name(), element.source()};
      const char* attribute = element.has("jointinparent") ? "jointinparent" : "joint";
      if (element.has(attribute)) {
        const std::string name = element.required_text(attribute);
        actuator.joint = parts.model.joint(name);
        if (actuator.joint == no_body) refuse_name(element.location(), "joint", name, parts.model.joint_names());
      }
      const std::vector<double> gear = parts.settings.source(element, "", "gear").numbers("gear", 1, 6);
      if (!gear.empty()) actuator.gear = gear[0];
      actuator.control = range_of(parts.settings, element, "ctrlrange", "ctrllimited");
      actuator.force = range_of(parts.settings, element, "forcerange", "forcelimited");
      parts.model.actuators.push_back(actuator);
    }
}

}  // namespace holo
