// Robots that others published.
#include "mechanism_files_tools.h"

#ifdef HOLO_DATA_DIR

#include <Eigen/QR>
#include <memory>

#include "holo/core/error.h"
#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo::mechanism_files_tests {

using namespace mechanism_files_tools;

namespace {

const std::filesystem::path robots = std::filesystem::path(HOLO_DATA_DIR) / "robots";

// Degrees of freedom of the bodies at rest, by the rank of all equations; none is driven.
int mobility(const MechanismModel& model) {
  std::vector<MechanismJoint> joints = model.joints();
  for (MechanismJoint& joint : joints) joint.role = JointRole::passive;
  const auto layout = std::make_shared<const MechanismLayout>(std::make_shared<const MechanismModel>(model.bodies(), joints));
  const ConstraintEquations equations(layout);
  const Eigen::MatrixXd state = layout->rest_state(), controls(0, 1), prescribed(0, 1);
  const Eigen::VectorXd parameters(0);
  const MechanismUnknowns rest{state, controls, parameters, prescribed};
  Eigen::MatrixXd residual(layout->equations().size(), 1);
  equations.all_equations(rest, residual);
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-14);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(equations.dense_jacobian(rest, 0));
  qr.setThreshold(1e-9);
  return layout->state_count() - int(qr.rank());
}

struct PublicRobot {
  const char* folder;
  // links + ground; URDF joints + loops + ground; of them loops and motors; mobility: hinges count 1, universals 2, balls 3,
  // each loop takes 6. Rods between two balls spin idly: 1, 3, 4 and 0 degrees of freedom more than motors.
  int bodies, joints, loops, motors, hinges, universals, balls;
};
std::ostream& operator<<(std::ostream& out, const PublicRobot& robot) { return out << robot.folder; }

class PublicLoopRobot : public testing::TestWithParam<PublicRobot> {};

TEST_P(PublicLoopRobot, LoadsWithClosedLoopsAndTheMobilityOfItsCounts) {
  const PublicRobot& robot = GetParam();
  const std::filesystem::path folder = robots / "closed_loop" / robot.folder;
  MechanismFileOptions options{.loop_file = folder / "robot.yaml", .close_loops = true};
  if (robot.folder == std::string("disney_robot"))  // whose files spell one joint in two ways
    options.aliases = {{"left_spherical_free_foot", "left_s\u0125erical_free_foot"}};
  const MechanismFile file = read_mechanism(folder / "robot.urdf", plugins(), options);
  EXPECT_EQ(int(file.model.bodies().size()), robot.bodies);
  EXPECT_EQ(int(file.model.joints().size()), robot.joints);
  EXPECT_EQ(file.model.loop_count(), robot.loops);
  EXPECT_EQ(count(file, JointRole::actuator), robot.motors);
  ASSERT_EQ(int(file.loops.size()), robot.loops);
  for (const LoopClosure& loop : file.loops) {
    EXPECT_LT(loop.gap, 1e-12) << loop.name;
    EXPECT_LT(loop.angle, 1e-12) << loop.name;
  }
  EXPECT_EQ(mobility(file.model),
            robot.hinges + 2 * robot.universals + 3 * robot.balls - 6 * robot.loops + (robot.folder[0] == '5' ? 3 : 0));
}

// The five-bar linkage is planar: three of its loop's equations say nothing new.
INSTANTIATE_TEST_SUITE_P(All, PublicLoopRobot,
                         testing::Values(PublicRobot{"5bar_linkage", 8, 9, 1, 2, 6, 0, 0},
                                         PublicRobot{"disney_like", 36, 39, 3, 6, 27, 0, 0},
                                         PublicRobot{"disney_robot", 49, 55, 6, 12, 22, 0, 10},
                                         PublicRobot{"digit_like_2legs", 46, 52, 6, 12, 18, 6, 6}));

TEST(PublicRobotFiles, OpenLoopsAreAnErrorUnlessClosingIsAskedFor) {
  const std::filesystem::path folder = robots / "closed_loop/5bar_linkage";
  try {
    read_mechanism(folder / "robot.urdf", plugins(), {.loop_file = folder / "robot.yaml"});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'closedloop1_A_to_closedloop1_B': 0.3 m and 1.57 rad"), std::string::npos)
        << error.what();
  }
}

struct PublicTree {
  const char* path;
  int bodies, actuators;
  MechanismFileOptions options = {};
};
std::ostream& operator<<(std::ostream& out, const PublicTree& tree) { return out << tree.path; }

class PublicTreeRobot : public testing::TestWithParam<PublicTree> {};

TEST_P(PublicTreeRobot, LoadsWithItsCounts) {
  const PublicTree& tree = GetParam();
  const MechanismFile file = read_mechanism(robots / tree.path, plugins(), tree.options);
  EXPECT_EQ(int(file.model.bodies().size()), tree.bodies);
  EXPECT_EQ(file.model.loop_count(), 0);
  EXPECT_EQ(count(file, JointRole::actuator), tree.actuators);
}

const MechanismFileOptions undriven{.actuators = std::vector<std::string>{}};
// MJCF: bodies and, of bodies with several joints, those between them.
INSTANTIATE_TEST_SUITE_P(
    All, PublicTreeRobot,
    testing::Values(PublicTree{"mjcf/humanoid.xml", 16 + 9, 21}, PublicTree{"mjcf/ant.xml", 13, 8},
                    PublicTree{"mjcf/arm26_muscles.xml", 2, 0, undriven}, PublicTree{"mjcf/slider_crank.xml", 3, 0, undriven},
                    PublicTree{"mjcf/dm_suite/cheetah.xml", 7 + 2, 6}, PublicTree{"mjcf/dm_suite/hopper.xml", 5 + 2, 4},
                    PublicTree{"mjcf/dm_suite/walker.xml", 7 + 2, 6}, PublicTree{"mjcf/dm_suite/swimmer.xml", 1 + 2, 0},
                    PublicTree{"mjcf/dm_suite/humanoid_CMU.xml", 31 + 28, 56},
                    PublicTree{"mjcf/dm_suite/quadruped.xml",
                               18 + 4,
                               0,
                               {.actuators = std::vector<std::string>{},
                                .left_out = {"coupling_front_left", "coupling_front_right", "coupling_back_right",
                                             "coupling_back_left"}}},
                    PublicTree{"urdf/acrobot.urdf", 3, 0}, PublicTree{"urdf/quadruped_primitive.urdf", 13, 0},
                    PublicTree{"urdf/solo12.urdf", 17, 0}, PublicTree{"urdf/simple_humanoid.urdf", 30, 0}));

}  // namespace
}  // namespace holo::mechanism_files_tests

#endif
