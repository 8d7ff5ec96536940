#include "export/robot_copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/error.h"
#include "holo/core/runs/run_folder.h"

namespace holo {

namespace fs = std::filesystem;

std::vector<std::string> robot_files(const fs::path& run) {
  std::vector<std::string> files;
  if (fs::is_directory(run / "robot"))
    for (const fs::directory_entry& entry : fs::directory_iterator(run / "robot"))
      files.push_back("robot/" + entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

void copy_robot(const fs::path& run, const std::string& format, ExportFolder& folder) {
  using Names = std::vector<std::string>;
  const Names names = format == "mjcf" ? Names{"robot.xml", "robot_positions.csv"}
                                       : Names{"robot.urdf", "robot_loops.yaml", "robot_positions.csv"};
  for (const std::string& name : names) {
    if (!fs::exists(run / "robot" / name))
      throw Error(
          Failure::input,
          fmt::format("--format {}: the run {} has no robot: finished runs of the study robot_design have one, unless it "
                      "has joints that robots' files cannot express, which log.jsonl then names",
                      format, run.string()));
    if (!folder.has_file(name)) folder.write(name, read_whole_file(run / "robot" / name));  // both formats share the positions
  }
}

}  // namespace holo
