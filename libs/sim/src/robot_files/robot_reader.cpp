#include "holo/sim/articulated/robot_reader.h"

#include <fmt/format.h>

#include "robot_files/robot_readers.h"

namespace holo {

void refuse_name(const Location& location, const std::string& kind, const std::string& name,
                 const std::vector<std::string>& candidates) {
  throw_input_error(location, fmt::format("there is no {} '{}'.{}", kind, name, suggestion(name, candidates)));
}

void require_physical(const XmlElement& element, const MassProperties& mass) {
  if (const std::string problem = physical_problem(mass, 1e-3); !problem.empty()) element.fail(problem);
}

ArticulatedFile read_articulated(const std::filesystem::path& path, const RobotReaderOptions& options) {
  const std::string extension = path.extension().string();
  if (extension != ".xml" && extension != ".mjcf" && extension != ".urdf")
    throw_input_error(
        {path.string()},
        fmt::format("robots are read from *.xml, *.mjcf (MuJoCo) and *.urdf, not from '*{}'; convert it", extension));
  XmlFiles files(path);
  const XmlElement root = files.root();
  if (!root.is("robot") && !root.is("mujoco")) root.fail("the root element is neither 'mujoco' (MJCF) nor 'robot' (URDF)");
  if (root.is("robot") && !options.keyframe.empty())
    root.fail(fmt::format("a URDF has no keyframes; the reader's option 'keyframe' is '{}'", options.keyframe));
  ArticulatedFile file;
  if (root.is("mujoco")) {
    file = read_mjcf(files, options);
  } else {
    file.model = read_urdf(files);
    file.pose = file_pose(file.model);
  }
  if (!options.loop_file.empty()) add_loop_file(file.model, options);
  return file;
}

}  // namespace holo
