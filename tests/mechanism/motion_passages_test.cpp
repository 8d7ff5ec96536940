// Dead points that a motion passes between its knots.
#include "holo/sim/mechanism/kinematics/motion_passages.h"

#include <gtest/gtest.h>

#include "oracle_mechanisms.h"

namespace holo {
namespace motion_passages_tests {

constexpr int knots = 9;

MechanismMotion motion_of(double crank) {
  const auto model = std::make_shared<const MechanismModel>(oracle::slider_crank(crank));
  return make_motion(model, Eigen::RowVectorXd::LinSpaced(knots, 0, 0.4), Eigen::VectorXd(0), Eigen::MatrixXd(0, knots));
}

TEST(MotionPassages, AMotionOnOneAssemblyModePassesNone) { EXPECT_TRUE(motion_passages(motion_of(0.7), {}, 0.1).empty()); }

// A slider that is driven: its crank stands on one side of the dead point at first, on the other one later, as an optimizer may
// leave it.
TEST(MotionPassages, PosesOnBothSidesOfADeadPointAreTold) {
  const auto model = std::make_shared<const MechanismModel>(oracle::slider_crank_with_a_rod_of_any_length(false));
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 0.05);
  MechanismMotion motion = make_motion(model, controls, Eigen::VectorXd::Zero(1), Eigen::MatrixXd(0, knots));
  EXPECT_TRUE(motion_passages(motion, {}, 0.1).empty());
  // The mirror image in the plane of the rail, from the fifth knot on.
  for (int k = 5; k < knots; ++k) {
    const Eigen::VectorXd up = motion.states.col(k);
    const auto& bodies = model->bodies();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      auto pose = motion.states.col(k).segment<7>(7 * Eigen::Index(b));
      const Eigen::Quaterniond q(pose[3], pose[4], pose[5], pose[6]);
      const double turned = 2 * std::atan2(q.z(), q.w());
      const Eigen::Vector3d axis =
          bodies[b].name == "crank" ? Eigen::Vector3d(std::cos(0.7), std::sin(0.7), 0) : Eigen::Vector3d::Zero();
      double rest = std::atan2(axis.y(), axis.x());
      if (bodies[b].name == "rod" || bodies[b].name == "rod_end") rest = -std::asin(std::sin(0.7) / 2.53);
      const double mirrored = -(rest + turned) - rest;
      if (bodies[b].name == "base" || bodies[b].name == "slider") continue;
      pose[1] = -pose[1];
      pose.tail<4>() << std::cos(mirrored / 2), 0, 0, std::sin(mirrored / 2);
    }
  }
  const std::vector<MotionPassage> found = motion_passages(motion, {}, 0.1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].at, 4.5);
  EXPECT_NE(found[0].text.find("different assembly modes between knots 4 and 5 (t = 0.45 s)"), std::string::npos)
      << found[0].text;
  EXPECT_TRUE(motion_passages(motion, {5}, 0.1).empty()) << "nothing leads from one task to the next";
}

}  // namespace motion_passages_tests
}  // namespace holo
