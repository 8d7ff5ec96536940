// BVH files hold what they say, in whatever order and layout they say it.
#include "bvh_texts.h"

namespace holo {
namespace {

using namespace bvh_texts;
using namespace motion_tests;

TEST(Bvh, HierarchyAndFramesAreThoseOfTheFile) {
  const BvhMotion motion = parse_bvh("arm.bvh", arm);
  ASSERT_EQ(motion.joints.size(), 5u);
  const char* names[] = {"Hips", "UpperArm", "Hand", "Hand.end", "Leg"};
  const int parents[] = {-1, 0, 1, 2, 0};
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_EQ(motion.joints[j].name, names[j]);
    EXPECT_EQ(motion.joints[j].parent, parents[j]);
    EXPECT_EQ(motion.joints[j].is_end_site, j == 3);
    EXPECT_EQ(motion.joint_index(names[j]), static_cast<int>(j));
  }
  EXPECT_EQ(motion.joints[1].offset, Eigen::Vector3d(1.5, 2, -0.5));
  EXPECT_EQ(motion.joints[1].first_channel, 6);
  EXPECT_EQ(motion.joints[1].channels, (std::vector{BvhChannel::y_rotation, BvhChannel::z_rotation, BvhChannel::x_rotation}));
  EXPECT_EQ(motion.joints[2].first_channel, 9);
  ASSERT_EQ(motion.channels.rows(), 10);
  ASSERT_EQ(motion.frame_count(), 3);
  EXPECT_EQ(motion.frame_time, 0.02);
  EXPECT_EQ(motion.channels(1, 2), 0.5);
  EXPECT_EQ(motion.channels(2, 2), 0.2);
  EXPECT_EQ(motion.channels(9, 1), 70);
}

TEST(Bvh, LayoutDoesNotMatter) {
  std::string text = arm;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  const BvhMotion plain = parse_bvh("arm.bvh", arm);
  const auto expect_same = [&](const std::string& other) {
    const BvhMotion motion = parse_bvh("other.bvh", other);
    EXPECT_EQ(motion.channels, plain.channels);
    ASSERT_EQ(motion.joints.size(), plain.joints.size());
    for (std::size_t j = 0; j < plain.joints.size(); ++j) EXPECT_EQ(motion.joints[j].name, plain.joints[j].name);
  };
  expect_same(text);
  expect_same("\xef\xbb\xbf" + arm);
  expect_same(arm + "\n \t\n");
  expect_same(replaced(arm, "ROOT Hips\n{", "ROOT Hips {"));
  expect_same(replaced(arm, "ROOT Hips\n{", "root Hips{"));
  expect_same(replaced(replaced(arm, "Zrotation", "ZROTATION"), "End Site", "END SITE"));
  expect_same(replaced(arm, "Frames: 3", "Frames:   3"));
  expect_same(replaced(arm, "0 0 0 0 0 0 0 0 0 0\n", "\t0 0 0 0 0   0 0 0 0 0 \n\n"));
}

TEST(Bvh, NamesMayHoldBlanks) {
  EXPECT_EQ(parse_bvh("a.bvh", replaced(arm, "UpperArm", "Upper Arm, left ")).joints[1].name, "Upper Arm, left");
}

TEST(Bvh, SeveralRootsAndEndSitesAreRead) {
  const std::string text =
      "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nEnd Site\n{\nOFFSET 1 0 0\n}\nEnd Site\n{\nOFFSET 2 0 "
      "0\n}\n}\n"
      "ROOT B\n{\nOFFSET 0 0 0\nCHANNELS 1 Yposition\n}\nMOTION\nFrames: 1\nFrame Time: 1\n3 4\n";
  const BvhMotion motion = parse_bvh("two.bvh", text);
  ASSERT_EQ(motion.joints.size(), 4u);
  EXPECT_EQ(motion.joints[1].name, "A.end");
  EXPECT_EQ(motion.joints[2].name, "A.end2");
  EXPECT_EQ(motion.joints[3].parent, -1);
  EXPECT_EQ(bvh_poses(motion).roots, (std::vector{0, 3}));
}

TEST(Bvh, DeepChainsAreRead) {
  const int depth = 20000;
  std::string text = "HIERARCHY\nROOT j0\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n", end;
  for (int i = 1; i < depth; ++i) text += "JOINT j" + std::to_string(i) + "\n{\nOFFSET 0 0 1\nCHANNELS 0\n";
  for (int i = 0; i < depth; ++i) end += "}\n";
  const BvhMotion motion = parse_bvh("deep.bvh", text + end + "MOTION\nFrames: 1\nFrame Time: 1\n0\n");
  EXPECT_EQ(motion.joints.size(), static_cast<std::size_t>(depth));
  EXPECT_EQ(chain_length(motion, "j0", "j" + std::to_string(depth - 1)), depth - 1);
}

TEST(Bvh, ChainLengthIsTheSumOfOffsets) {
  const BvhMotion motion = parse_bvh("arm.bvh", arm);
  EXPECT_DOUBLE_EQ(chain_length(motion, "Hips", "Hand"), std::sqrt(1.5 * 1.5 + 4 + 0.25) + std::sqrt(9 + 0.0625));
  EXPECT_EQ(chain_length(motion, "Hand", "Hand.end"), 1);
  EXPECT_EQ(chain_length(motion, "Hand", "Hand"), 0);
  EXPECT_REFUSED(chain_length(motion, "Hand", "Hips"), "arm.bvh: joint 'Hips' does not hang below 'Hand'");
  EXPECT_REFUSED(chain_length(motion, "Hip", "Hand"),
                 "arm.bvh: there is no joint 'Hip'. Did you mean 'Hips'? The joints are Hips, "
                 "UpperArm, Hand, Hand.end, Leg");
}

#ifdef HOLO_DATA_DIR
struct PublicMotion {
  const char* name;
  int frames;
  double frame_time;
};

TEST(Bvh, PublicRecordingsAreRead) {
  for (const auto& [name, frames, frame_time] :
       {PublicMotion{"cmu_02_01_walk.bvh", 343, 0.008333}, PublicMotion{"cmu_10_01_kick.bvh", 802, 0.0083333},
        PublicMotion{"cmu_10_03_kick.bvh", 363, 0.0083333}}) {
    SCOPED_TRACE(name);
    const BvhMotion motion = read_bvh(std::filesystem::path(HOLO_DATA_DIR) / "mocap" / name);
    int joints = 0;
    for (const BvhJoint& joint : motion.joints) joints += joint.is_end_site ? 0 : 1;
    EXPECT_EQ(joints, 31);
    EXPECT_EQ(motion.channels.rows(), 96);
    EXPECT_EQ(motion.frame_count(), frames);
    EXPECT_EQ(motion.frame_time, frame_time);
    // A leg of a person: of 0.7 to 1 m, where one unit is 1/0.45 inch.
    const double leg = 0.0254 / 0.45 * chain_length(motion, "RightUpLeg", "RightFoot");
    EXPECT_GT(leg, 0.7);
    EXPECT_LT(leg, 1);
  }
}
#endif

}  // namespace
}  // namespace holo
