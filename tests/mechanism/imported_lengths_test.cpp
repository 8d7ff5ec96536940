// Lengths of imported robots as design parameters.
#include <memory>

#include "holo/core/error.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"
#include "holo/sim/mechanism/model/merged_mechanism.h"
#include "mechanism_files_tools.h"

namespace holo::imported_lengths_tests {

using namespace mechanism_files_tools;

// Hinges at the origin and 0.3 m and 0.4 m along x and z of it, turned by the file's frames.
const std::string two_links =
    "<link name='world'/><link name='thigh'/><link name='shin'/>"
    "<joint name='hip' type='revolute'><parent link='world'/><child link='thigh'/><origin rpy='0 0 "
    "1.5707963267948966'/></joint>"
    "<joint name='knee' type='revolute'><parent link='thigh'/><child link='shin'/><origin xyz='.3 0 .4'/></joint>";

TEST(ImportedLengths, ALengthMovesTheJointAlongTheLineFromTheOneBefore) {
  const MechanismFile file =
      read_text("r.urdf", urdf(two_links), {.actuators = std::vector<std::string>{"hip", "knee"}, .lengths = {"knee"}});
  EXPECT_EQ(file.model.bodies().size(), 3u);
  EXPECT_EQ(joint(file, "knee_length").role, JointRole::configurable);
  const auto whole = std::make_shared<const MechanismModel>(file.model);
  const MechanismModel longer = merged(whole, Eigen::VectorXd::Constant(1, 0.25));
  // The file's x is y of the world: the knee was at (0, .3, .4), 0.5 m away, and is at 1.5 times that.
  const Eigen::Vector3d knee = longer.joints()[std::size_t(longer.joint("knee"))].point,
                        shin = longer.bodies()[std::size_t(longer.body("shin_group"))].origin;
  EXPECT_LT((knee - Eigen::Vector3d(0, .45, .6)).norm(), 1e-9);
  EXPECT_LT((shin - Eigen::Vector3d(0, .45, .6)).norm(), 1e-9) << "what hangs on the joint moves with it";
}

TEST(ImportedLengthsBadInput, JointsWithoutALengthAreRefused) {
  const auto refused = [](const std::string& text, const std::string& name, const std::string& part) {
    try {
      read_text("r.urdf", urdf(text), {.lengths = {name}});
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused(two_links, "hip", "no joint is before it");
  refused(two_links, "kne", "there is no joint with a length 'kne'. Did you mean 'knee'?");
  std::string same = two_links;
  same.replace(same.find(".3 0 .4"), 7, "0 0 0");
  refused(same, "knee", "there is no length to change");
}

}  // namespace holo::imported_lengths_tests
