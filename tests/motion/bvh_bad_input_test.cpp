// Whatever stands in a BVH file, reading it ends in a motion or in Error(input) that says what is wrong and where.
#include <unistd.h>

#include <fstream>
#include <random>

#include "bvh_texts.h"

namespace holo {
namespace {

using namespace bvh_texts;
using namespace motion_tests;

#define EXPECT_BVH_REFUSED(text, part) EXPECT_REFUSED(parse_bvh("a.bvh", text), part)

TEST(BvhBadInput, WhatIsNoFileIsRefused) {
  EXPECT_REFUSED(read_bvh("absent.bvh"), "absent.bvh: there is no such file");
  EXPECT_REFUSED(read_bvh("/"), "/: this is no regular file; a BVH file is required");
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("holo_bvh_" + std::to_string(getpid()) + ".bvh");
  std::ofstream(path, std::ios::binary) << replaced(arm, "Frame Time: 0.02", "Frame Time: x");
  EXPECT_REFUSED(read_bvh(path), path.string() + ":28:13: the frame time is 'x', a number is required");
  std::filesystem::remove(path);
  EXPECT_BVH_REFUSED("", "a.bvh: the file is empty");
  EXPECT_BVH_REFUSED(" \r\n\n", "a.bvh: the file is empty");
  EXPECT_BVH_REFUSED(
      "\x7f"
      "ELF",
      "a.bvh:1:1: '\\x7fELF' stands where 'HIERARCHY' is expected");
}

TEST(BvhBadInput, HierarchyIsChecked) {
  EXPECT_BVH_REFUSED(replaced(arm, "ROOT", "JOINT"), "a.bvh:2:1: 'JOINT' stands where 'ROOT' is expected");
  EXPECT_BVH_REFUSED(replaced(arm, "ROOT Hips", "ROOT"), "a.bvh:2:5: the root has no name");
  EXPECT_BVH_REFUSED(replaced(arm, "JOINT Hand", "JOINT "), "a joint below 'UpperArm' has no name");
  EXPECT_BVH_REFUSED(replaced(arm, "JOINT Leg", "JOINT Hand"), "a.bvh:20:9: there are two joints 'Hand', names must differ");
  EXPECT_BVH_REFUSED(replaced(arm, "Site", "Sight"), "a.bvh:14:11: 'Sight' stands where 'Site' is expected");
  EXPECT_BVH_REFUSED(replaced(arm, "CHANNELS 0", "CHANELS 0"),
                     "a.bvh:23:5: 'CHANELS' stands in the block of joint 'Leg'; allowed are OFFSET, CHANNELS");
  EXPECT_BVH_REFUSED(replaced(arm, "OFFSET 0 -1 0\n", "OFFSET 0 -1 0\nJOINT Finger\n{\n"),
                     "the end site 'Hand.end' has a joint below it");
  EXPECT_BVH_REFUSED(replaced(arm, "OFFSET 0 -1 0\n", "OFFSET 0 -1 0\nCHANNELS 1 Xrotation\n"),
                     "the end site 'Hand.end' has CHANNELS");
}

TEST(BvhBadInput, MissingBracesAreNamedByTheirJoint) {
  EXPECT_BVH_REFUSED(replaced(arm, "UpperArm\n  {", "UpperArm\n"),
                     "a.bvh:8:5: '{' is missing after the name of joint 'UpperArm'");
  EXPECT_BVH_REFUSED(replaced(arm, "  }\n}\nMOTION", "}\nMOTION"), "a.bvh:25:1: 'MOTION' stands in the block of joint 'Hips'");
  EXPECT_BVH_REFUSED(replaced(arm, "  }\n}\nMOTION", "}\n}\n}\nMOTION"), "a.bvh:26:1: '}' stands where 'MOTION' is expected");
  EXPECT_BVH_REFUSED(arm.substr(0, arm.find("  JOINT Leg")),
                     "the file ends where '}' of joint 'Hips' is expected: it is truncated");
}

TEST(BvhBadInput, OffsetsAreChecked) {
  EXPECT_BVH_REFUSED(replaced(arm, "1.5 2 -0.5", "1.5 2"),
                     "a.bvh:9:5: the offset z of joint 'UpperArm' is 'CHANNELS', a number is required");
  EXPECT_BVH_REFUSED(replaced(arm, "1.5 2 -0.5", "1.5 nan 2"), "the offset y of joint 'UpperArm' is 'nan', a finite number");
  EXPECT_BVH_REFUSED(replaced(arm, "1.5 2 -0.5", "1.5 1e999 2"),
                     "the offset y of joint 'UpperArm' is '1e999', a finite number");
  EXPECT_BVH_REFUSED(replaced(arm, "1.5 2 -0.5", "1,5 2 0"), "the offset x of joint 'UpperArm' is '1,5', a number");
  EXPECT_BVH_REFUSED(replaced(arm, "1.5 2 -0.5", "1.5 2 0 7"), "'7' stands in the block of joint 'UpperArm'");
  EXPECT_BVH_REFUSED(replaced(arm, "OFFSET 1.5 2 -0.5\n", "OFFSET 0 0 0\nOFFSET 1.5 2 -0.5\n"),
                     "joint 'UpperArm' has a second OFFSET");
  EXPECT_BVH_REFUSED(replaced(arm, "    OFFSET 0 -4 0\n", ""), "joint 'Leg' has no OFFSET");
}

TEST(BvhBadInput, ChannelsAreChecked) {
  EXPECT_BVH_REFUSED(replaced(arm, "3 Yrotation Z", "3 Yrotatoin Z"),
                     "a.bvh:9:16: 'Yrotatoin' of joint 'UpperArm' is no channel; allowed are Xposition, Yposition, Zposition, "
                     "Xrotation, Yrotation and Zrotation. Did you mean 'Yrotation'?");
  EXPECT_BVH_REFUSED(replaced(arm, "CHANNELS 3 Y", "CHANNELS 4 Y"),
                     "joint 'UpperArm' has 4 channels by their number, but 3 names");
  EXPECT_BVH_REFUSED(replaced(arm, "CHANNELS 3 Y", "CHANNELS 2 Y"),
                     "'Xrotation' stands where the line should end: joint 'UpperArm' has 2");
  EXPECT_BVH_REFUSED(replaced(arm, "CHANNELS 3 Y", "CHANNELS Y"),
                     "the number of channels of joint 'UpperArm' is 'Yrotation', an integer");
  for (const char* count : {"-1", "1001", "99999999999999999999"})
    EXPECT_BVH_REFUSED(replaced(arm, "CHANNELS 3 Y", std::string("CHANNELS ") + count + " Y"), "allowed are 0 to 1000");
  EXPECT_BVH_REFUSED(replaced(arm, "6 Xposition Yposition", "6 Xposition Xposition"),
                     "joint 'Hips' has the channel Xposition twice");
  EXPECT_BVH_REFUSED(replaced(arm, "    CHANNELS 0\n", ""), "joint 'Leg' has no CHANNELS ('CHANNELS 0' where it has none)");
  EXPECT_BVH_REFUSED(replaced(arm, "CHANNELS 0", "CHANNELS 0\nCHANNELS 0"), "joint 'Leg' has CHANNELS for the second time");
  EXPECT_BVH_REFUSED("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nJOINT B\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nCHANNELS 1 Xrotation\n}\n",
                     "joint 'A' has its CHANNELS after a joint below it");
  EXPECT_BVH_REFUSED("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n\n",
                     "no joint has channels");
}

TEST(BvhBadInput, NumberOfFramesAndFrameTimeAreChecked) {
  EXPECT_BVH_REFUSED(arm_hierarchy, "the file ends where 'MOTION' is expected");
  EXPECT_BVH_REFUSED(replaced(arm, "Frames: 3", "Frames: x"),
                     "a.bvh:27:9: the number of frames is 'x', an integer is required");
  for (const char* count : {"0", "-3", "99999999999999999999"})
    EXPECT_BVH_REFUSED(replaced(arm, "Frames: 3", std::string("Frames: ") + count), "the number of frames is");
  EXPECT_BVH_REFUSED(
      replaced(arm, "Frames: 3", "Frames: 2000000000"),
      "a.bvh:29:1: 2000000000 frames of 10 channels are announced, but what is left of the file holds at most 4");
  for (const char* time : {"0", "-0.01", "nan", "inf", "1e-999", "x"})
    EXPECT_BVH_REFUSED(replaced(arm, "Time: 0.02", std::string("Time: ") + time), "a.bvh:28:13: the frame time is");
  EXPECT_BVH_REFUSED(replaced(arm, "Time: 0.02\n", "Time: 0.02 "), "'0' stands where the line should end: the frames begin");
  EXPECT_BVH_REFUSED(replaced(arm, "Frame Time:", "Frame Rate:"), "a.bvh:28:7: 'Rate:' stands where 'Time:' is expected");
}

TEST(BvhBadInput, FramesAreCheckedNumberByNumber) {
  EXPECT_BVH_REFUSED(replaced(arm, "50 -60 70\n", "50 -60\n"),
                     "a.bvh:30:23: frame 1 of 3 has 9 numbers on its line, the joints have 10 channels");
  EXPECT_BVH_REFUSED(replaced(arm, "50 -60 70\n", "50 -60 70 80\n"),
                     "a.bvh:30:30: frame 1 of 3 has more than 10 numbers on its line, the joints have 10 channels");
  EXPECT_BVH_REFUSED(
      replaced(arm, "40 50 -60", "40 nan -60"),
      "a.bvh:30:20: the number is 'nan', a finite number of double precision is required (frame 1, joint 'UpperArm', "
      "Zrotation)");
  EXPECT_BVH_REFUSED(replaced(arm, "40 50 -60", "40 5o -60"),
                     "the number is '5o', a number is required (frame 1, joint 'UpperArm'");
  EXPECT_BVH_REFUSED(replaced(arm, "40 50 -60", "40 -inf -60"), "(frame 1, joint 'UpperArm', Zrotation)");
  EXPECT_BVH_REFUSED(replaced(arm, "Frames: 3", "Frames: 4"), "the file ends after 3 frames of 4: it is truncated");
  EXPECT_BVH_REFUSED(replaced(arm, "Frames: 3", "Frames: 2"),
                     "a.bvh:31:1: '-1.5' stands where the file should end: it has more than the 2 frames");
  EXPECT_BVH_REFUSED(arm.substr(0, arm.size() - 8), "frame 2 of 3 has 8 numbers on its line");
}

TEST(BvhBadInput, EveryTruncationEndsInARefusal) {
  for (std::size_t length = 0; length + 3 < arm.size(); ++length)  // the last two digits can be spared
    EXPECT_REFUSED(parse_bvh("a.bvh", arm.substr(0, length)), "a.bvh");
}

TEST(BvhBadInput, RandomDamageEndsInAMotionOrARefusal) {
  std::mt19937 random(20260607);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const char* hostile[] = {"-1", "1000000000000000000", "nan", "{", "}", "1e308", "End Site", "\n", "JOINT x {", "0"};
  int motions = 0, refusals = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = arm;
    for (std::size_t change = 0; change <= below(3); ++change) {
      const std::size_t at = below(text.size());
      if (below(3) == 0)
        text[at] = static_cast<char>(random());
      else if (below(2) == 0)
        text.erase(at, below(12));
      else
        text.replace(at, below(3), hostile[below(std::size(hostile))]);
    }
    try {
      const BvhMotion motion = parse_bvh("a.bvh", text);
      ASSERT_TRUE(motion.channels.allFinite());
      const BvhPoses poses = bvh_poses(motion, {.scale = 0.1, .position_channels = PositionChannels::add_to_offset});
      ASSERT_TRUE(poses.orientations.allFinite());
      ++motions;
    } catch (const Error& error) {
      ASSERT_EQ(error.failure(), Failure::input) << error.what();
      ASSERT_EQ(std::string(error.what()).find("a.bvh"), 0u) << error.what();
      ++refusals;
    }
  }
  EXPECT_GT(motions, 100);  // else the damage is too great to reach the later checks
  EXPECT_GT(refusals, 1000);
}

TEST(BvhBadInput, PosesNeedWhatTheFileDoesNotSay) {
  const BvhMotion motion = parse_bvh("a.bvh", replaced(arm, "OFFSET 0 0 0", "OFFSET 0 7 0"));
  EXPECT_REFUSED(bvh_poses(motion), "a.bvh: joint 'Hips' has both the offset (0, 7, 0) and position channels");
  EXPECT_NO_THROW(bvh_poses(motion, {.position_channels = PositionChannels::replace_offset}));
  for (const double scale : {0.0, -1.0, std::nan(""), static_cast<double>(INFINITY)})
    EXPECT_REFUSED(bvh_poses(motion, {.scale = scale}), "a positive finite number is required");
  const BvhMotion far = parse_bvh("a.bvh", replaced(arm, "OFFSET 0 -4 0", "OFFSET 0 -1e300 0"));
  EXPECT_REFUSED(bvh_poses(far, {.scale = 1e10}), "beyond double precision");
}

}  // namespace
}  // namespace holo
