#pragma once
// Reader of mechanisms from robots' files: this project's YAML, MJCF (MuJoCo) or URDF.
//
//   MechanismModel legs = read_robot("experiments/robot_design/robots/legs.yaml", plugins);
//
// A robot's YAML has the keys `bodies` and `joints`, as the section `robot` of an experiment (mechanism_parameters.h).

#include <filesystem>

#include "holo/sim/mechanism/model/mechanism_files.h"
#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// Whether the path has the extension .yaml or .yml.
bool is_robot_yaml(const std::filesystem::path& path);

// Reads a mechanism. The options apply to MJCF and URDF. Throws Error(input): for YAML all problems with file:line:column,
// unknown keys included, and errors of MechanismModel with the file's name; else as read_mechanism().
MechanismModel read_robot(const std::filesystem::path& path, const PluginHost& plugins,
                          const MechanismFileOptions& options = {});

}  // namespace holo
