// Edits of signals do what their definitions say.
#include "holo/sim/motion/signal.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <limits>

#include "refusals.h"

namespace holo {
namespace {

using namespace motion_tests;

constexpr double signal_rounding = 1e-14;  // of a few operations on numbers of order 1

TEST(MotionSignal, AffineMapActsOnEverySamples) {
  const MotionSignal signal = closed_signal(3, 21);
  AffineMap map{Eigen::MatrixXd(2, 3), Eigen::Vector2d(1, -2)};
  map.matrix << 1, 2, 0, 0, -1, 3;
  const MotionSignal mapped = affine_map(signal, map);
  ASSERT_EQ(mapped.component_count(), 2);
  EXPECT_EQ(mapped.time_step, signal.time_step);
  EXPECT_EQ(mapped.unit, "m");
  for (int k = 0; k < 21; ++k) {
    const Eigen::VectorXd x = signal.values.col(k);
    EXPECT_NEAR(mapped.values(0, k), x[0] + 2 * x[1] + 1, signal_rounding);
    EXPECT_NEAR(mapped.values(1, k), -x[1] + 3 * x[2] - 2, signal_rounding);
  }
}

TEST(MotionSignal, ReflectionKeepsItsPlaneAndTurnsItsNormal) {
  const Eigen::Vector3d normal(1, 2, -0.5), point(0.3, -1, 2);
  const AffineMap mirror = reflection(normal, point);
  const Eigen::Vector3d along = normal.cross(Eigen::Vector3d(0, 0, 1));
  const auto image = [&](const Eigen::Vector3d& x) -> Eigen::Vector3d { return mirror.matrix * x + mirror.offset; };
  EXPECT_LT(largest(image(point + along) - (point + along)), 1e-14);
  EXPECT_LT(largest(image(point + normal) - (point - normal)), 1e-14);
  EXPECT_NEAR(mirror.matrix.determinant(), -1, 1e-14);
}

TEST(MotionSignal, ScalingKeepsTheMeanAndScalesTheRest) {
  const MotionSignal signal = closed_signal(2, 41);
  const MotionSignal scaled = scale_about_mean(signal, Eigen::Vector2d(0, 2), SignalEnds::closed);
  // The harmonics of a closed signal have no mean over a period without its seam's second knot.
  EXPECT_LT(largest(scaled.values.row(0).array() - 0.3), signal_rounding);
  EXPECT_LT(largest(scaled.values.row(1).array() - 0.6 - 2 * (signal.values.row(1).array() - 0.6)), 2 * signal_rounding);
  EXPECT_LT(largest(scale_about_mean(signal, Eigen::Vector2d(1, 1), SignalEnds::open).values - signal.values), signal_rounding);
}

TEST(MotionSignal, SymmetrizedMotionIsItsMirrorImageHalfAPeriodLater) {
  const AffineMap mirror = reflection(Eigen::Vector3d(0.2, 1, 0), Eigen::Vector3d(0, 0.4, 0));
  const MotionSignal signal = closed_signal(3, 41), symmetric = symmetrize(signal, mirror);
  ASSERT_GT(largest(symmetric.values - signal.values), 0.1);  // else it was symmetric already
  const MotionSignal later = half_period_later(symmetric);
  EXPECT_LT(largest(affine_map(later, mirror).values - symmetric.values), signal_rounding);
  EXPECT_LT(largest(symmetrize(symmetric, mirror).values - symmetric.values), signal_rounding);
}

TEST(MotionSignal, SymmetrizedPairAreMirrorImagesHalfAPeriodApart) {
  const AffineMap mirror = reflection(Eigen::Vector3d(0, 1, 0));
  const MotionSignal left = closed_signal(3, 21),
                     right = affine_map(left, {2 * Eigen::Matrix3d::Identity(), Eigen::Vector3d::Ones()});
  const auto [new_left, new_right] = symmetrize(left, right, mirror);
  EXPECT_LT(largest(affine_map(half_period_later(new_right), mirror).values - new_left.values), 2 * signal_rounding);
  const auto [same_left, same_right] = symmetrize(new_left, new_right, mirror);
  EXPECT_LT(largest(same_left.values - new_left.values), 2 * signal_rounding);
  EXPECT_LT(largest(same_right.values - new_right.values), 2 * signal_rounding);
}

TEST(MotionSignal, HalfAPeriodTwiceIsTheWhole) {
  const MotionSignal signal = closed_signal(2, 31);
  const MotionSignal later = half_period_later(signal);
  EXPECT_EQ(later.values(0, 0), signal.values(0, 15));
  EXPECT_EQ(half_period_later(later).values, signal.values);
}

TEST(MotionSignal, ClosedLoopEndsWhereItBeganAndKeepsWhatLiesBeforeTheWindow) {
  const MotionSignal signal = signal_of(2, 101, 0.01, [](int i, double t) { return std::exp(t * (i + 1)); });
  const MotionSignal closed = close_loop(signal, 0.4);
  EXPECT_EQ(closed.values.col(100), closed.values.col(0));
  EXPECT_EQ(closed.values.leftCols(60), signal.values.leftCols(60));
  // Velocity at the end: the correction's is 0, its third derivative 60 gap / window^3.
  const double step = 0.01, gap = std::exp(2.0) - 1, third = 60 * gap / std::pow(0.4, 3);
  const auto slope = [&](const MotionSignal& s) { return (s.values(1, 100) - s.values(1, 99)) / step; };
  EXPECT_NEAR(slope(closed), slope(signal), third * step * step / 6 * 1.01);
}

TEST(MotionSignal, SegmentKeepsSamplesAsTheyAre) {
  const MotionSignal signal = closed_signal(3, 21);
  const MotionSignal part = segment(signal, 5, 7);
  EXPECT_EQ(part.values, signal.values.middleCols(5, 7));
  EXPECT_DOUBLE_EQ(part.duration(), 6 * signal.time_step);
}

TEST(MotionSignal, SmootherStepIsFlatAtItsEnds) {
  EXPECT_EQ(smoother_step(-3), 0);
  EXPECT_EQ(smoother_step(0), 0);
  EXPECT_EQ(smoother_step(1), 1);
  EXPECT_EQ(smoother_step(7), 1);
  EXPECT_EQ(smoother_step(0.5), 0.5);
  EXPECT_NEAR(smoother_step(0.3), 6 * std::pow(0.3, 5) - 15 * std::pow(0.3, 4) + 10 * std::pow(0.3, 3), 1e-16);
  EXPECT_LT(smoother_step(1e-4), 1.01e-11);
}

TEST(MotionSignalBadInput, WhatIsNoSignalIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const AffineMap same{Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero()};
  MotionSignal signal = closed_signal(2, 21);
  EXPECT_REFUSED(affine_map(MotionSignal{}, same), "0 components at 0 samples");
  EXPECT_REFUSED(affine_map(segment(signal, 0, 1), same), "segment: 1 samples");
  for (const double step : {0.0, -0.1, nan, infinity}) {
    MotionSignal wrong = signal;
    wrong.time_step = step;
    EXPECT_REFUSED(affine_map(wrong, same), "a positive finite one is required");
  }
  signal.values(1, 4) = nan;
  EXPECT_REFUSED(affine_map(signal, same), "component 1 at sample 4 (t = 0.4 s) is nan");
}

TEST(MotionSignalBadInput, SizesThatDoNotFitAreRefused) {
  const MotionSignal signal = closed_signal(2, 21);
  EXPECT_REFUSED(affine_map(signal, {Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()}), "3 x 3 with an offset of 3");
  EXPECT_REFUSED(affine_map(signal, {Eigen::Matrix2d::Identity(), Eigen::Vector3d::Zero()}), "2 x 2 with an offset of 3");
  EXPECT_REFUSED(scale_about_mean(signal, Eigen::Vector3d::Ones(), SignalEnds::open), "there are 3 factors");
  EXPECT_REFUSED(segment(signal, 15, 7), "7 samples from sample 15 on");
  EXPECT_REFUSED(segment(signal, -1, 7), "the samples 0 to 20");
  EXPECT_REFUSED(segment(signal, 2147483647, 2), "segment");
}

TEST(MotionSignalBadInput, MirrorsThatAreNoneAreRefused) {
  const MotionSignal signal = closed_signal(3, 21);
  EXPECT_REFUSED(reflection(Eigen::Vector3d::Zero()), "the plane's normal is (0, 0, 0)");
  EXPECT_REFUSED(symmetrize(signal, {2 * Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()}), "the mirror applied twice");
  EXPECT_REFUSED(symmetrize(signal, {Eigen::Matrix3d::Identity(), Eigen::Vector3d::Ones()}), "the mirror applied twice");
  EXPECT_REFUSED(symmetrize(signal, {Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero()}), "the mirror's matrix is 2 x 2");
  const AffineMap mirror = reflection(Eigen::Vector3d(0, 1, 0));
  EXPECT_REFUSED(symmetrize(closed_signal(3, 20), mirror), "the period has 19 steps");
  EXPECT_REFUSED(symmetrize(segment(signal, 0, 11), mirror), "the signal is not closed, component");
  EXPECT_REFUSED(symmetrize(signal, closed_signal(3, 23), mirror), "they must agree");
}

TEST(MotionSignalBadInput, WindowsBeyondTheSignalAreRefused) {
  const MotionSignal signal = closed_signal(2, 21);
  EXPECT_REFUSED(close_loop(signal, 0), "the window is 0 s");
  EXPECT_REFUSED(close_loop(signal, 2.1), "the window is 2.1 s");
}

}  // namespace
}  // namespace holo
