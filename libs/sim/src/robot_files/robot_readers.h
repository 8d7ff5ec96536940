#pragma once
// The readers of single formats.

#include "holo/sim/articulated/robot_reader.h"
#include "robot_files/xml_element.h"

namespace holo {

ArticulatedModel read_urdf(XmlFiles& files);
ArticulatedFile read_mjcf(XmlFiles& files, const RobotReaderOptions& options);

// Adds the loops, actuators and types of joints of a loop file.
void add_loop_file(ArticulatedModel& model, const RobotReaderOptions& options);

// "there is no joint 'x'. Did you mean 'y'?" and the like: refuses a name that is not among the candidates.
[[noreturn]] void refuse_name(const Location& location, const std::string& kind, const std::string& name,
                              const std::vector<std::string>& candidates);

// Refuses a mass or inertia that no body has; negative ones of an XML attribute too.
void require_physical(const XmlElement& element, const MassProperties& mass);

}  // namespace holo
