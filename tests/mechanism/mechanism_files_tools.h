#pragma once
// Robots' files written for a test, and mechanisms read from them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/model/mechanism_files.h"

// Products of a few rotations and sums of lengths near 1.
#define EXPECT_NEAR_VECTOR(a, b) \
  EXPECT_LT(((a) - (b)).norm(), 1e-13) << "found " << (a).transpose() << ", expected " << (b).transpose()
#define EXPECT_NEAR_MATRIX(a, b) EXPECT_LT(((a) - (b)).norm(), 1e-13) << "found\n" << (a) << "\nexpected\n" << (b)

namespace holo::mechanism_files_tools {

inline const PluginHost& plugins() {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  return host;
}

// A folder of the running test, empty at first.
class Folder {
 public:
  Folder() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ =
        std::filesystem::path(testing::TempDir()) / (std::string("holo_robot_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string mjcf(const std::string& worldbody, const std::string& other = "") {
  return "<mujoco>\n" + other + "\n<worldbody>\n" + worldbody + "\n</worldbody>\n</mujoco>\n";
}
inline std::string urdf(const std::string& content) { return "<robot name='r'>\n" + content + "\n</robot>\n"; }

inline MechanismFile read_text(const std::string& name, const std::string& text, MechanismFileOptions options = {},
                               const std::string& loops = "") {
  const Folder folder;
  if (!loops.empty()) options.loop_file = folder.write("loops.yaml", loops);
  return read_mechanism(folder.write(name, text), plugins(), options);
}
inline MechanismFile read_mjcf(const std::string& worldbody, const std::string& other = "",
                               const MechanismFileOptions& options = {}) {
  return read_text("robot.xml", mjcf(worldbody, other), options);
}

inline const Eigen::Isometry3d& frame(const MechanismFile& file, const std::string& body) {
  return file.frames[std::size_t(file.model.body(body))];
}
inline const MechanismJoint& joint(const MechanismFile& file, const std::string& name) {
  return file.model.joints()[std::size_t(file.model.joint(name))];
}
inline int count(const MechanismFile& file, JointRole role) {
  int number = 0;
  for (const MechanismJoint& joint : file.model.joints()) number += joint.role == role;
  return number;
}

inline constexpr double quarter = std::numbers::pi / 2;
inline const Eigen::Vector3d ex = Eigen::Vector3d::UnitX(), ey = Eigen::Vector3d::UnitY(), ez = Eigen::Vector3d::UnitZ();
inline Eigen::Matrix3d about(const Eigen::Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

}  // namespace holo::mechanism_files_tools
