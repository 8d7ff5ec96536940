// Motion capture.
#include "holo/sim/motion/bvh.h"

#include "fuzz/target.h"

namespace holo::fuzz {

namespace {

constexpr const char* arm_motion = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT UpperArm
  {
    OFFSET 1.5 2 -0.5
    CHANNELS 3 Yrotation Zrotation Xrotation
    JOINT Hand
    {
      OFFSET 0 -3 0.25
      CHANNELS 1 Xrotation
      End Site
      {
        OFFSET 0 -1 0
      }
    }
  }
  JOINT Leg
  {
    OFFSET 0 -4 0
    CHANNELS 0
  }
}
MOTION
Frames: 3
Frame Time: 0.02
0 0 0 0 0 0 0 0 0 0
1 2 3 10 -20 30 40 50 -60 70
-1.5 +.5 2e-1 90 0 -180 270 -350 15 400
)";

void read_motion(std::string_view bytes) {
  const BvhMotion motion = parse_bvh("input.bvh", bytes);
  attempt([&] { bvh_poses(motion); });
  attempt([&] { bvh_poses(motion, {.scale = 0.01, .up = UpAxis::z, .position_channels = PositionChannels::replace_offset}); });
  attempt([&] { chain_length(motion, motion.joints.front().name, motion.joints.back().name); });
}

std::vector<std::string> motions() { return {arm_motion}; }

}  // namespace

const Registration bvh(Target{.name = "bvh", .read = read_motion, .seeds = motions, .places = {"input.bvh"}});

}  // namespace holo::fuzz
