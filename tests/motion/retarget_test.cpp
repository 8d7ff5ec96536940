// Targets from recordings follow the recording, whatever its units, heading and place are.
#include "holo/sim/motion/retarget.h"

#include <Eigen/Geometry>

#include "bvh_texts.h"
#include "holo/sim/motion/orientation_signal.h"

namespace holo {
namespace retarget_tests {

using namespace bvh_texts;
using namespace motion_tests;

// A recording of smooth motions that drift along the file's z, with the arm swinging: 201 frames of 0.01 s.
std::string swing_text(double scale = 1) {
  std::string text =
      "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
      "JOINT Arm\n{\nOFFSET " +
      std::to_string(0.2 * scale) + " " + std::to_string(0.4 * scale) +
      " 0\n"
      "CHANNELS 2 Zrotation Xrotation\nEnd Site\n{\nOFFSET 0 " +
      std::to_string(-0.6 * scale) +
      " 0\n}\n}\n}\n"
      "MOTION\nFrames: 201\nFrame Time: 0.01\n";
  char line[200];
  for (int k = 0; k < 201; ++k) {
    const double t = 0.01 * k, w = 2 * std::numbers::pi * t;
    std::snprintf(line, sizeof line, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", 0.05 * scale * std::sin(w),
                  scale * (0.9 + 0.03 * std::cos(2 * w)), scale * 1.2 * t, 5 * std::sin(w), 3 * std::cos(w),
                  8 * std::sin(w + 1), 30 * std::sin(w), 20 * std::cos(w + 0.3));
    text += line;
  }
  return text;
}

const BvhPoses& swing() {
  static const BvhPoses poses = bvh_poses(parse_bvh("swing.bvh", swing_text()));
  return poses;
}

// The whole recording at its own step.
Retargeting whole() { return {.begin = 0, .end = 2, .time_step = 0.01, .count = 201}; }

Eigen::Matrix3d turn_at(const MotionSignal& signal, int k) {
  return Eigen::Quaterniond(signal.values(0, k), signal.values(1, k), signal.values(2, k), signal.values(3, k))
      .toRotationMatrix();
}
Eigen::Matrix3d turn_of(const Quaternion<double>& q) { return Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix(); }

TEST(Retarget, WithoutChangesTargetsAreTheJointsPath) {
  const MotionSignal hand = retarget_position(swing(), {.joint = "Arm.end"}, whole());
  ASSERT_EQ(hand.sample_count(), 201);
  EXPECT_EQ(hand.unit, "m");
  EXPECT_LT(largest(hand.values - swing().positions.middleRows(3 * 2, 3)), 1e-14);
  const MotionSignal arm_turn = retarget_orientation(swing(), "Arm", identity_quaternion<double>(), whole());
  EXPECT_LT(largest(arm_turn.values - swing().orientations.middleRows(4, 4)), 1e-14);
}

TEST(Retarget, PointsMoveWithTheirJoint) {
  // The end site, as a point of the arm: the file's (0, -0.6, 0) is (0, 0, -0.6) where z points up.
  const MotionSignal point = retarget_position(swing(), {.joint = "Arm", .point = {0, 0, -0.6}}, whole());
  EXPECT_LT(largest(point.values - retarget_position(swing(), {.joint = "Arm.end"}, whole()).values), 1e-14);
}

TEST(Retarget, ScaleHeadingAndTranslationActInThatOrder) {
  Retargeting changed = whole();
  changed.scale = 0.4;
  changed.rotation = quaternion_of({0, 0, 1.1});
  changed.translation = {1, -2, 0.3};
  const MotionSignal target = retarget_position(swing(), {.joint = "Arm"}, changed);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  for (int k = 0; k < 201; ++k) {
    const Eigen::Vector3d expected = 0.4 * (turn * swing().positions.block<3, 1>(3, k)) + Eigen::Vector3d(1, -2, 0.3);
    EXPECT_LT(largest(target.values.block<3, 1>(0, k) - expected), 1e-14);
  }
}

TEST(Retarget, UnitOfTheRecordingDoesNotMatter) {
  const BvhMotion inches = parse_bvh("inches.bvh", swing_text(1000));
  const BvhOptions options{.scale = 0.01};
  const BvhPoses poses = bvh_poses(inches, options);
  Retargeting from_inches = whole(), from_meters = whole();
  from_inches.scale = scale_by_length(inches, options, "Arm", "Arm.end", 0.3);
  from_meters.scale = 0.5;
  EXPECT_NEAR(from_inches.scale, 0.3 / 6, 1e-15);
  EXPECT_LT(largest(retarget_position(poses, {.joint = "Arm.end"}, from_inches).values -
                    retarget_position(swing(), {.joint = "Arm.end"}, from_meters).values),
            1e-14);
}

TEST(Retarget, AnchoredPointsStartFromTheMechanismsOwn) {
  Retargeting r = whole();
  r.scale = 0.7;
  r.reference_frame = 20;
  r.begin = 0.2, r.count = 181;
  r.translation = {9, 9, 9};  // without effect
  const Eigen::Vector3d anchor(0.1, 0.2, 0.3);
  const MotionSignal target = retarget_position(swing(), {.joint = "Arm.end", .anchor = anchor}, r);
  EXPECT_LT(largest(target.values.block<3, 1>(0, 0) - anchor), 1e-14);
  for (int k = 0; k < 181; k += 30) {
    const Eigen::Vector3d moved = swing().positions.block<3, 1>(6, 20 + k) - swing().positions.block<3, 1>(6, 20);
    EXPECT_LT(largest(target.values.block<3, 1>(0, k) - (anchor + 0.7 * moved)), 1e-14);
  }
  r.reference_frame.reset();
  const MotionSignal from_rest = retarget_position(swing(), {.joint = "Arm.end", .anchor = anchor}, r);
  const Eigen::Vector3d moved = swing().positions.block<3, 1>(6, 20) - swing().rest_positions.col(2);
  EXPECT_LT(largest(from_rest.values.block<3, 1>(0, 0) - (anchor + 0.7 * moved)), 1e-14);
}

TEST(Retarget, OrientationsAreRelativeToTheReferencePose) {
  Retargeting r = whole();
  r.rotation = quaternion_of({0, 0, -0.8});
  r.reference_frame = 30;
  const Quaternion<double> rest = quaternion_of({0.2, -0.5, 1.3});
  const MotionSignal target = retarget_orientation(swing(), "Arm", rest, r);
  EXPECT_LT(largest(turn_at(target, 30) - turn_of(rest)), 1e-14);
  const MotionSignal recorded = retarget_orientation(swing(), "Arm", identity_quaternion<double>(), whole());
  const Eigen::Matrix3d heading = turn_of(r.rotation);
  for (int k = 0; k < 201; k += 25) {
    const Eigen::Matrix3d moved = turn_at(recorded, k) * turn_at(recorded, 30).transpose();
    const Eigen::Matrix3d expected = heading * moved * heading.transpose() * turn_of(rest);
    EXPECT_LT(largest(turn_at(target, k) - expected), 1e-14);
  }
}

TEST(Retarget, PointOfABodyFollowsItsOrientationTarget) {
  // Two points of one joint, and the joint's orientation: their difference turns with it.
  Retargeting r = whole();
  r.rotation = quaternion_of({0, 0, 2});
  r.begin = 0.137, r.end = 1.51, r.count = 77, r.time_step = 0.02;
  const MotionSignal a = retarget_position(swing(), {.joint = "Arm"}, r);
  const MotionSignal b = retarget_position(swing(), {.joint = "Arm", .point = {0.3, 0.1, -0.2}}, r);
  const MotionSignal turn = retarget_orientation(swing(), "Arm", r.rotation, r);
  for (int k = 0; k < 77; ++k) {
    const Eigen::Vector3d expected = turn_at(turn, k) * Eigen::Vector3d(0.3, 0.1, -0.2);
    // Both are interpolated between frames: the orientation with an error of h^3 / 70 times a third derivative of at most 400.
    EXPECT_LT(largest(b.values.col(k) - a.values.col(k) - expected), 1e-5) << k;
  }
}

TEST(Retarget, WindowIsPlayedOverTheSamples) {
  Retargeting r = whole();
  r.begin = 0.5, r.end = 1.5, r.count = 51, r.time_step = 0.04;  // half as fast
  const MotionSignal slow = retarget_position(swing(), {.joint = "Hips"}, r);
  EXPECT_DOUBLE_EQ(slow.duration(), 2);
  for (int k = 0; k <= 50; ++k)
    EXPECT_LT(largest(slow.values.block<3, 1>(0, k) - swing().positions.block<3, 1>(0, 50 + 2 * k)), 1e-13);
  // Between frames: 240 Hz from 100 Hz, against the formula.
  r.begin = 0, r.end = 2, r.count = 481, r.time_step = 2.0 / 480;
  const MotionSignal fine = retarget_position(swing(), {.joint = "Hips"}, r);
  for (int k = 0; k < 481;
       ++k)  // the file's y is z; a fourth derivative of 0.03 (4 pi)^4 = 748, at the ends 10 times the error
    EXPECT_NEAR(fine.values(2, k), 0.9 + 0.03 * std::cos(4 * std::numbers::pi * k / 240.0), 748 * 1e-8 * 10 / 384 * 5) << k;
}

TEST(Retarget, TravelIsTakenOffEveryPointAlike) {
  Retargeting r = whole();
  r.begin = 0.3, r.end = 1.3, r.count = 101;
  const MotionSignal hips = retarget_position(swing(), {.joint = "Hips"}, r),
                     hand = retarget_position(swing(), {.joint = "Arm.end"}, r);
  r.remove_travel = true;
  const MotionSignal still = retarget_position(swing(), {.joint = "Hips"}, r);
  const MotionSignal still_hand = retarget_position(swing(), {.joint = "Arm.end"}, r);
  EXPECT_NEAR(hips.values(0, 100) - hips.values(0, 0), 1.2, 1e-13);  // the file's z is x
  EXPECT_LT(largest(still.values.col(100) - still.values.col(0)), 1e-13);
  EXPECT_LT(largest(hand.values - still_hand.values - (hips.values - still.values)), 1e-13);
  EXPECT_EQ(still.values.col(0), hips.values.col(0));
}

TEST(Retarget, CycleOfAPeriodicMotionIsThatMotion) {
  Retargeting r = whole();
  r.begin = 0.6, r.end = 1.6, r.count = 101, r.remove_travel = true;
  const MotionSignal plain = retarget_position(swing(), {.joint = "Arm.end"}, r);
  const MotionSignal plain_turn = retarget_orientation(swing(), "Arm", identity_quaternion<double>(), r);
  r.blend = 0.4;
  EXPECT_LT(largest(retarget_position(swing(), {.joint = "Arm.end"}, r).values - plain.values), 1e-12);
  EXPECT_LT(largest(retarget_orientation(swing(), "Arm", identity_quaternion<double>(), r).values - plain_turn.values), 1e-12);
}

TEST(Retarget, CyclesAreSmoothAcrossTheirSeam) {
  // A period that is none of the motion's, so that the blend has a gap to close.
  Retargeting r = whole();
  r.begin = 0.7, r.end = 1.5, r.time_step = 0.002, r.count = 401, r.remove_travel = true;
  const auto jumps = [&](const MotionSignal& s) {
    const int n = s.sample_count() - 1;
    const Eigen::VectorXd first = s.values.col(1) - s.values.col(0), last = s.values.col(n) - s.values.col(n - 1);
    return std::pair(largest(s.values.col(n) - s.values.col(0)), largest(first - last) / s.time_step);
  };
  const MotionSignal open = retarget_position(swing(), {.joint = "Arm.end"}, r);
  const MotionSignal open_turn = retarget_orientation(swing(), "Arm", identity_quaternion<double>(), r);
  ASSERT_GT(jumps(open).first, 0.02);
  ASSERT_GT(jumps(open_turn).first, 0.02);
  r.blend = 0.5;
  const MotionSignal closed = retarget_position(swing(), {.joint = "Arm.end"}, r);
  const MotionSignal closed_turn = retarget_orientation(swing(), "Arm", identity_quaternion<double>(), r);
  EXPECT_EQ(jumps(closed).first, 0);
  EXPECT_LT(jumps(closed_turn).first, 1e-15);
  // What is left is one step of an acceleration of at most 0.7 (2 pi)^2 for each angle, and two harmonics.
  EXPECT_LT(jumps(closed).second, 0.002 * 40);
  EXPECT_LT(jumps(closed_turn).second, 0.002 * 40);
  // Before the blend nothing changes but where the spline through the frames begins.
  EXPECT_LT(largest(closed.values.leftCols(150) - open.values.leftCols(150)), 1e-5);
}

#ifdef HOLO_DATA_DIR
TEST(Retarget, PublicKickLeadsAMechanismOfAnotherSize) {
  const BvhMotion motion = read_bvh(std::filesystem::path(HOLO_DATA_DIR) / "mocap/cmu_10_03_kick.bvh");
  const BvhOptions options{.scale = 0.0254 / 0.45};
  const BvhPoses poses = bvh_poses(motion, options);
  Retargeting r;
  r.scale = scale_by_length(motion, options, "RightUpLeg", "RightFoot", 0.48);  // a leg of 0.48 m
  r.begin = 1 * motion.frame_time;                                              // frame 0 is a T-pose
  r.count = 150, r.time_step = 1.0 / 60;
  r.end = r.begin + (r.count - 1) * r.time_step;
  r.reference_frame = 1;
  const MotionSignal foot = retarget_position(poses, {.joint = "RightFoot", .anchor = Eigen::Vector3d(0.02, -0.1, 0.06)}, r);
  EXPECT_EQ(foot.sample_count(), 150);
  EXPECT_LT(largest(foot.values.block<3, 1>(0, 0) - Eigen::Vector3d(0.02, -0.1, 0.06)), 1e-14);
  const double rise = foot.values.row(2).maxCoeff() - foot.values(2, 0);
  EXPECT_GT(rise, 0.1);
  EXPECT_LT(rise, 0.96);
  // No jump: a kick's foot moves at less than 15 m/s, scaled.
  double fastest = 0;
  for (int k = 1; k < 150; ++k) fastest = std::max(fastest, (foot.values.col(k) - foot.values.col(k - 1)).norm() * 60);
  EXPECT_LT(fastest, 15 * r.scale);
  EXPECT_GT(fastest, 1);
}
#endif

TEST(RetargetBadInput, WindowsOutsideOfTheRecordingAreRefused) {
  const auto make = [](const std::function<void(Retargeting&)>& change) {
    Retargeting r = whole();
    change(r);
    return retarget_position(swing(), {.joint = "Arm"}, r);
  };
  EXPECT_REFUSED(make([](Retargeting& r) { r.end = 2.1; }), "from 0 to 2.1 s, swing.bvh lasts from 0 to 2 s");
  EXPECT_REFUSED(make([](Retargeting& r) { r.begin = -0.1; }), "from -0.1 to 2 s");
  EXPECT_REFUSED(make([](Retargeting& r) { r.begin = 0.2, r.blend = 0.5; }),
                 "the window and its blend need the recording from -0.3 to 2 s");
  EXPECT_REFUSED(make([](Retargeting& r) { r.begin = 2; }), "its end must come after its beginning");
  EXPECT_REFUSED(make([](Retargeting& r) { r.end = std::nan(""); }), "its end must come after its beginning");
  EXPECT_REFUSED(make([](Retargeting& r) { r.blend = -1; }), "the blend is -1 s, allowed are 0 to the window's 2 s");
  EXPECT_REFUSED(make([](Retargeting& r) { r.begin = 1.5, r.blend = 0.6; }), "the blend is 0.6 s");
  EXPECT_REFUSED(make([](Retargeting& r) { r.count = 1; }), "1 samples at a step of 0.01 s");
  EXPECT_REFUSED(make([](Retargeting& r) { r.time_step = 0; }), "a positive step");
  EXPECT_REFUSED(make([](Retargeting& r) { r.reference_frame = 201; }),
                 "the reference frame is 201, swing.bvh has the frames 0 to 200");
  EXPECT_REFUSED(make([](Retargeting& r) { r.reference_frame = -1; }), "the reference frame is -1");
}

TEST(RetargetBadInput, ChangesWithoutMeaningAreRefused) {
  Retargeting r = whole();
  r.scale = 0;
  EXPECT_REFUSED(retarget_position(swing(), {.joint = "Arm"}, r), "the scale is 0");
  r = whole();
  r.rotation = {1, 1, 0, 0};
  EXPECT_REFUSED(retarget_position(swing(), {.joint = "Arm"}, r), "the rotation is (1, 1, 0, 0), a quaternion of length 1");
  r = whole();
  r.translation = {INFINITY, 0, 0};
  EXPECT_REFUSED(retarget_position(swing(), {.joint = "Arm"}, r), "the translation is not finite");
  r = whole();
  EXPECT_REFUSED(retarget_position(swing(), {.joint = "Arms"}, r), "swing.bvh: there is no joint 'Arms'. Did you mean 'Arm'?");
  EXPECT_REFUSED(retarget_position(swing(), {.joint = "Arm", .point = {std::nan(""), 0, 0}}, r),
                 "the point or its anchor at joint 'Arm'");
  EXPECT_REFUSED(retarget_orientation(swing(), "Arm", {0, 0, 0, 0}, r), "the body's rest orientation is (0, 0, 0, 0)");
  r.remove_travel = true, r.travel_joint = "Pelvis";
  EXPECT_REFUSED(retarget_position(swing(), {.joint = "Arm"}, r), "there is no joint 'Pelvis'");
  const BvhMotion motion = parse_bvh("arm.bvh", arm);
  EXPECT_REFUSED(scale_by_length(motion, {}, "Hand", "Hand", 1),
                 "the recording measures 0 m, the mechanism 1 m; both must be positive");
  EXPECT_REFUSED(scale_by_length(motion, {}, "Hips", "Hand", -1), "both must be positive");
}

TEST(RetargetBadInput, RecordingOfOneFrameIsRefused) {
  const BvhPoses one = bvh_poses(parse_bvh("one.bvh",
                                           "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\n"
                                           "Frames: 1\nFrame Time: 1\n0\n"));
  EXPECT_REFUSED(retarget_position(one, {.joint = "A"}, whole()), "one.bvh lasts from 0 to 0 s");
}

}  // namespace retarget_tests
}  // namespace holo
