#pragma once
// The robot that a run designed, as the study wrote it into the run's folder robot/.

#include <filesystem>
#include <string>
#include <vector>

#include "export/export_folder.h"

namespace holo {

// Paths of its files in the run's folder, sorted; {} for a run without a robot.
std::vector<std::string> robot_files(const std::filesystem::path& run);
// Copies those of a format, "mjcf" or "urdf", and the joints' positions. Throws Error(input) if the run has none.
void copy_robot(const std::filesystem::path& run, const std::string& format, ExportFolder& folder);

}  // namespace holo
