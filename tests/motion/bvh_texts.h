#pragma once
// Small BVH files of the tests.

#include <string>

#include "holo/sim/motion/bvh.h"
#include "refusals.h"

namespace holo::bvh_texts {

// A root, an arm of two joints with rotations in different orders, a leg without channels, three frames.
inline const std::string arm_hierarchy =
    "HIERARCHY\n"
    "ROOT Hips\n"
    "{\n"
    "  OFFSET 0 0 0\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT UpperArm\n"
    "  {\n"
    "    OFFSET 1.5 2 -0.5\n"
    "    CHANNELS 3 Yrotation Zrotation Xrotation\n"
    "    JOINT Hand\n"
    "    {\n"
    "      OFFSET 0 -3 0.25\n"
    "      CHANNELS 1 Xrotation\n"
    "      End Site\n"
    "      {\n"
    "        OFFSET 0 -1 0\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  JOINT Leg\n"
    "  {\n"
    "    OFFSET 0 -4 0\n"
    "    CHANNELS 0\n"
    "  }\n"
    "}\n";
inline const std::string arm_frames =
    "MOTION\n"
    "Frames: 3\n"
    "Frame Time: 0.02\n"
    "0 0 0 0 0 0 0 0 0 0\n"
    "1 2 3 10 -20 30 40 50 -60 70\n"
    "-1.5 +.5 2e-1 90 0 -180 270 -350 15 400\n";
inline const std::string arm = arm_hierarchy + arm_frames;

// `text` with the first `from` replaced; fails where there is none, so that a test cannot pass by a typing mistake.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "there is no '" << from << "'";
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace holo::bvh_texts
