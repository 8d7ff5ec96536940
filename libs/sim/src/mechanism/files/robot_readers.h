#pragma once
// The readers of single formats; each returns the tree at the file's own positions.

#include "holo/sim/mechanism/model/mechanism_files.h"
#include "mechanism/files/kinematic_tree.h"
#include "mechanism/files/xml_element.h"

namespace holo {

KinematicTree read_urdf(XmlFiles& files);
KinematicTree read_mjcf(XmlFiles& files, const MechanismFileOptions& options);

// Adds the loops, actuators and types of joints of a loop file.
void add_loop_file(KinematicTree& tree, const MechanismFileOptions& options);

// "; the file has no joint 'x'. Did you mean 'y'?" and the like: refuses a name that is not among the candidates.
[[noreturn]] void refuse_name(const Location& location, const std::string& kind, const std::string& name,
                              const std::vector<std::string>& candidates);

}  // namespace holo
