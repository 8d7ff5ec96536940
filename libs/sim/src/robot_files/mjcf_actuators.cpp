// Actuators of an MJCF file, whatever they drive, and ranges, which joints have too.

#include <fmt/format.h>

#include "robot_files/mjcf_parts.h"

namespace holo {

// A reversed range is a mistake where it counts; else a note tells it. 0 0 is none.
std::optional<JointRange> read_mjcf_range(const XmlElement& element, const std::string& childclass, const char* range,
                                          const char* limited, MjcfParts& parts) {
  const XmlElement source = parts.settings.source(element, childclass, range);
  const std::vector<double> values = source.numbers(range, 2, 2);
  const std::string says =
      parts.settings.source(element, childclass, limited).text_of(limited, {"true", "false", "auto"}, "auto");
  if (values.empty() || says == "false" || (says == "auto" && !parts.settings.limits_automatically())) return {};
  if (says == "auto" && !(values[0] < values[1])) {
    if (values[0] != 0 || values[1] != 0)
      parts.model.notes.push_back(
          {source.location(),
           fmt::format("'{}' is not read: {} is not below {}, and '{}' is not true", range, values[0], values[1], limited),
           "range"});
    return {};
  }
  if (values[0] > values[1]) source.fail(fmt::format("the first number of '{}' is above the second", range));
  return JointRange{values[0], values[1]};
}

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
      actuator.control = read_mjcf_range(element, "", "ctrlrange", "ctrllimited", parts).value_or(JointRange());
      actuator.force = read_mjcf_range(element, "", "forcerange", "forcelimited", parts).value_or(JointRange());
      parts.model.actuators.push_back(actuator);
    }
}

}  // namespace holo
