#include "holo/sim/mechanism/model/robot_file.h"

#include "holo/core/configuration.h"
#include "mechanism/model/bodies_and_joints.h"

namespace holo {

bool is_robot_yaml(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".yaml" || extension == ".yml";
}

MechanismModel read_robot(const std::filesystem::path& path, const PluginHost& plugins, const MechanismFileOptions& options) {
  if (!is_robot_yaml(path)) return read_mechanism(path, plugins, options).model;
  ConfigurationFile file = ConfigurationFile::load(path);
  Configuration root = file.root();
  MechanismBuilder builder(plugins);
  read_bodies_and_joints(root, plugins, builder);
  file.finish();
  try {
    return builder.build();
  } catch (const Error& error) {
    throw_input_error({path.string()}, error.what());
  }
}

}  // namespace holo
