// Orientations in time, against rotation matrices by Eigen.
#include "holo/sim/motion/orientation_signal.h"

#include <Eigen/Geometry>

#include "refusals.h"

namespace holo {
namespace orientation_tests {

using namespace motion_tests;

Eigen::Matrix3d matrix_of(const Quaternion<double>& q) { return Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix(); }
Eigen::Matrix3d matrix_at(const MotionSignal& signal, int k) {
  return matrix_of({signal.values(0, k), signal.values(1, k), signal.values(2, k), signal.values(3, k)});
}

// The largest distance between the rotation matrices of two signals.
double distance(const MotionSignal& a, const MotionSignal& b) {
  EXPECT_EQ(a.sample_count(), b.sample_count());
  double result = 0;
  for (int k = 0; k < std::min(a.sample_count(), b.sample_count()); ++k)
    result = std::max(result, largest(matrix_at(a, k) - matrix_at(b, k)));
  return result;
}

// A closed tumbling motion of period 2 s, through rotations of up to 2.1 rad.
MotionSignal tumble(int count, double strength = 1) {
  MotionSignal vectors = closed_signal(3, count);
  vectors.values *= strength;
  return orientations_from_rotation_vectors(vectors);
}

double most_negative_step(const MotionSignal& signal) {
  double least = 1;
  for (int k = 1; k < signal.sample_count(); ++k) least = std::min(least, signal.values.col(k).dot(signal.values.col(k - 1)));
  return least;
}

TEST(Orientation, RotationVectorsAreThoseOfEigen) {
  for (const double angle : {0.0, 1e-12, 1e-7, 0.4, 2.0, 3.1415, std::numbers::pi}) {
    const Eigen::Vector3d axis = Eigen::Vector3d(0.3, -0.8, 0.5).normalized();
    const Quaternion<double> q = quaternion_of({angle * axis[0], angle * axis[1], angle * axis[2]});
    EXPECT_LT(largest(matrix_of(q) - Eigen::AngleAxisd(angle, axis).toRotationMatrix()), 1e-15);
    for (const double sign : {1.0, -1.0}) {
      const Vector3<double> back = rotation_vector({sign * q.w, sign * q.x, sign * q.y, sign * q.z});
      for (int i = 0; i < 3; ++i) {
        // Half a turn has two vectors.
        const double expected = angle < 3.14159 ? angle * axis[i] : std::copysign(angle * axis[i], back[i]);
        EXPECT_NEAR(back[i], expected, 4e-16 * (1 + angle)) << angle << sign;
      }
      EXPECT_NEAR(norm(back), angle, 1e-15);
    }
  }
}

TEST(Orientation, AnglesComposeAsMatricesDo) {
  const MotionSignal angles = signal_of(3, 11, 0.1, [](int i, double t) { return std::sin(5 * t + i) * 2; });
  const auto about = [](char axis, double angle) {
    return Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(axis - 'X')).toRotationMatrix();
  };
  for (const std::string axes : {"ZYX", "XYZ", "ZXY", "ZXZ"}) {
    const MotionSignal signal = orientations_from_angles(angles, axes);
    for (int k = 0; k < 11; ++k) {
      const Eigen::Matrix3d expected =
          about(axes[0], angles.values(0, k)) * about(axes[1], angles.values(1, k)) * about(axes[2], angles.values(2, k));
      EXPECT_LT(largest(matrix_at(signal, k) - expected), 2e-15) << axes << k;
    }
    EXPECT_GT(most_negative_step(signal), 0);
  }
}

TEST(Orientation, ContinuousSignalsAreTheSameOrientationsOfLengthOne) {
  MotionSignal signal = tumble(41);
  const MotionSignal whole = signal;
  for (int k = 0; k < 41; k += 3) signal.values.col(k) *= -1.001;
  const MotionSignal continuous = continuous_orientations(signal);
  EXPECT_GT(most_negative_step(continuous), 0.5);
  EXPECT_LT(distance(continuous, whole), 1e-15);
  EXPECT_LT(largest((continuous.values.colwise().norm().array() - 1).matrix()), 3e-16);
}

TEST(Orientation, AngularVelocityOfAConstantSpinIsExact) {
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 0.5).normalized();
  const double rate = 3;
  // A turned start, so that the spin in the world's axes differs from that in the body's axes.
  const Quaternion<double> start = quaternion_of({0.3, 0.9, -0.4});
  MotionSignal signal = signal_of(3, 50, 0.05, [&](int i, double t) { return rate * t * axis[i]; });
  signal = rotate_orientations(orientations_from_rotation_vectors(signal), identity_quaternion<double>(), start);
  const MotionSignal velocity = angular_velocity(signal, SignalEnds::open);
  EXPECT_EQ(velocity.unit, "rad/s");
  for (int k = 0; k < 50; ++k)
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(velocity.values(i, k), rate * axis[i], 1e-13) << k;
}

TEST(Orientation, AngularVelocityIsTheRateOfTheRotationMatrix) {
  // dR/dt R^T = [w]x, by a difference quotient of fourth order from a finer signal; halving the step quarters the error.
  double last = 0;
  for (const int count : {101, 201}) {
    const MotionSignal signal = tumble(count), velocity = angular_velocity(signal, SignalEnds::closed);
    const int refinement = 3200 / (count - 1);
    const MotionSignal fine = tumble(3201);
    double error = 0;
    for (int k = 2; k < count - 2; ++k) {
      const int m = k * refinement;
      const Eigen::Matrix3d rate =
          (8 * (matrix_at(fine, m + 1) - matrix_at(fine, m - 1)) - (matrix_at(fine, m + 2) - matrix_at(fine, m - 2))) /
          (12 * fine.time_step);
      const Eigen::Matrix3d spin = rate * matrix_at(fine, m).transpose();
      for (int i = 0; i < 3; ++i) error = std::max(error, std::abs(spin((i + 2) % 3, (i + 1) % 3) - velocity.values(i, k)));
    }
    if (last > 0) {
      EXPECT_NEAR(last / error, 4, 0.3);
    }
    last = error;
  }
  EXPECT_LT(last, 0.1);
  EXPECT_GT(last, 1e-6);
}

TEST(Orientation, SlerpTurnsAtAConstantRateBetweenKnots) {
  const MotionSignal signal = tumble(9), fine = resample_orientations(signal, 8 * 10 + 1, OrientationPath::slerp);
  for (int k = 0; k < 81; ++k) {
    const int piece = std::min(k / 10, 7);
    const Eigen::Quaterniond a(signal.values(0, piece), signal.values(1, piece), signal.values(2, piece),
                               signal.values(3, piece));
    const Eigen::Quaterniond b(signal.values(0, piece + 1), signal.values(1, piece + 1), signal.values(2, piece + 1),
                               signal.values(3, piece + 1));
    EXPECT_LT(largest(matrix_at(fine, k) - a.slerp(0.1 * (k - 10 * piece), b).toRotationMatrix()), 1e-14) << k;
  }
}

TEST(Orientation, HermitePathReproducesAConstantSpin) {
  const Eigen::VectorXd times = (Eigen::VectorXd(5) << 0, 0.1, 0.5, 0.6, 1).finished();
  const Eigen::Vector3d spin(1, -2, 0.5);
  Eigen::MatrixXd knots(4, 5);
  for (int i = 0; i < 5; ++i) {
    const Quaternion<double> q = quaternion_of({times[i] * spin[0], times[i] * spin[1], times[i] * spin[2]});
    knots.block<4, 1>(0, i) << q.w, q.x, q.y, q.z;
  }
  knots.col(2) *= -1;
  const OrientationSpline spline = make_orientation_spline(times, knots, OrientationPath::hermite);
  for (double t = 0; t <= 1; t += 0.05)
    EXPECT_LT(largest(matrix_of(evaluate(spline, t)) - matrix_of(quaternion_of({t * spin[0], t * spin[1], t * spin[2]}))),
              1e-14);
}

TEST(Orientation, HermitePathHasAContinuousAngularVelocity) {
  const MotionSignal signal = tumble(9);
  const Eigen::VectorXd times = signal.time_step * Eigen::VectorXd::LinSpaced(9, 0, 8);
  const auto jump = [&](OrientationPath path, int knot) {
    const OrientationSpline spline = make_orientation_spline(times, signal.values, path, SignalEnds::closed);
    const double near = 1e-5, t = times[knot];
    const Quaternion<double> q = evaluate(spline, t);
    const Vector3<double> after = rotation_vector(conjugate(q) * evaluate(spline, t + near));
    const Vector3<double> before = rotation_vector(conjugate(evaluate(spline, t - near)) * q);
    return norm(after - before) / near;
  };
  for (int knot = 0; knot < 8; ++knot) {  // 0: the seam
    EXPECT_GT(jump(OrientationPath::slerp, knot), 0.1) << knot;
    EXPECT_LT(jump(OrientationPath::hermite, knot), 4e-3) << knot;  // one step of an acceleration of some 100 rad/s^2
  }
}

TEST(Orientation, HermitePathConvergesWithTheThirdPower) {
  double last = 0;
  const MotionSignal exact = tumble(1601);
  for (const int count : {51, 101}) {
    const double error =
        distance(resample_orientations(tumble(count), 1601, OrientationPath::hermite, SignalEnds::closed), exact);
    if (last > 0) {
      EXPECT_GT(last / error, 7);
    }
    last = error;
  }
}

TEST(Orientation, RotatingIsMatrixMultiplication) {
  const MotionSignal signal = tumble(11);
  const Quaternion<double> left = quaternion_of({0.1, 2, -0.4}), right = quaternion_of({-1, 0.3, 0.6});
  const MotionSignal turned = rotate_orientations(signal, left, right);
  for (int k = 0; k < 11; ++k) {
    const Eigen::Matrix3d expected = matrix_of(left) * matrix_at(signal, k) * matrix_of(right);
    EXPECT_LT(largest(matrix_at(turned, k) - expected), 2e-15);
  }
}

TEST(Orientation, MirroringIsConjugationByTheReflection) {
  const Eigen::Vector3d normal(0.3, -1, 0.2);
  const MotionSignal signal = tumble(11), mirrored = mirror_orientations(signal, normal);
  const Eigen::Matrix3d mirror = reflection(normal).matrix;
  for (int k = 0; k < 11; ++k) {
    const Eigen::Matrix3d expected = mirror * matrix_at(signal, k) * mirror;
    EXPECT_LT(largest(matrix_at(mirrored, k) - expected), 2e-15);
  }
  EXPECT_LT(distance(mirror_orientations(mirrored, normal), signal), 2e-15);
}

TEST(Orientation, SymmetrizedMotionIsItsMirrorImageHalfAPeriodLater) {
  const Eigen::Vector3d normal(0, 1, 0);
  const MotionSignal signal = tumble(41, 0.5), symmetric = symmetrize_orientations(signal, normal);
  ASSERT_GT(distance(signal, symmetric), 0.1);
  const MotionSignal mirrored = mirror_orientations(symmetric, normal);
  for (int k = 0; k <= 20; ++k) EXPECT_LT(largest(matrix_at(mirrored, k + 20) - matrix_at(symmetric, k)), 1e-14) << k;
  const MotionSignal other = rotate_orientations(signal, quaternion_of({0, 0, 0.3}), identity_quaternion<double>());
  const auto [left, right] = symmetrize_orientations(signal, other, normal);
  const MotionSignal image = mirror_orientations(right, normal);
  for (int k = 0; k <= 20; ++k) EXPECT_LT(largest(matrix_at(image, k + 20) - matrix_at(left, k)), 1e-14) << k;
}

TEST(Orientation, ScalingAboutTheMeanScalesTheAngle) {
  const MotionSignal angles = signal_of(1, 41, 0.05, [](int, double t) { return 0.7 + 0.4 * std::sin(std::numbers::pi * t); });
  const MotionSignal scaled = scale_orientations_about_mean(orientations_from_angles(angles, "Y"), 0.25, SignalEnds::closed);
  const MotionSignal expected =
      signal_of(1, 41, 0.05, [](int, double t) { return 0.7 + 0.1 * std::sin(std::numbers::pi * t); });
  EXPECT_LT(distance(scaled, orientations_from_angles(expected, "Y")), 1e-13);
}

TEST(Orientation, SmoothingKeepsRestAndTakesNoiseAway) {
  MotionSignal angles = signal_of(3, 101, 0.02, [](int i, double) { return 0.3 * i; });
  const MotionSignal rest = orientations_from_angles(angles, "XYZ");
  EXPECT_LT(distance(smooth_orientations(rest, 1, SignalEnds::open), rest), 1e-12);
  for (int k = 0; k <= 100; ++k) angles.values(1, k) += 0.02 * (k % 2 == 0 ? 1 : -1);
  const MotionSignal noisy = orientations_from_angles(angles, "XYZ"),
                     smoothed = smooth_orientations(noisy, 2, SignalEnds::closed);
  EXPECT_GT(distance(noisy, rest), 0.01);
  EXPECT_LT(distance(smoothed, rest), 1e-5);  // sin(pi 2 Hz 0.02 s)^4 of it
}

TEST(Orientation, WholeTurnIsClosedWithTheOtherSign) {
  const MotionSignal angles = signal_of(1, 41, 0.05, [](int, double t) { return std::numbers::pi * t; });
  const MotionSignal turn = orientations_from_angles(angles, "Z");
  ASSERT_LT(turn.values.col(0).dot(turn.values.col(40)), -0.999);
  EXPECT_LT(distance(smooth_orientations(turn, 5, SignalEnds::closed), turn), 1e-12);
  EXPECT_LT(
      distance(resample_orientations(resample_orientations(turn, 81, OrientationPath::hermite, SignalEnds::closed), 41), turn),
      1e-13);
  const MotionSignal velocity = angular_velocity(turn, SignalEnds::closed);
  EXPECT_NEAR(velocity.values(2, 0), std::numbers::pi, 1e-13);
}

TEST(Orientation, ClosedLoopsEndWhereTheyBegan) {
  const MotionSignal signal = segment(tumble(201), 0, 160);
  const MotionSignal closed = close_orientation_loop(signal, 0.5);
  EXPECT_LT(largest(matrix_at(closed, 159) - matrix_at(signal, 0)), 1e-14);
  EXPECT_EQ(closed.values.leftCols(100), signal.values.leftCols(100));
  EXPECT_GT(most_negative_step(closed), 0.9);
}

TEST(OrientationBadInput, WhatIsNoOrientationIsRefused) {
  const MotionSignal good = tumble(21);
  EXPECT_REFUSED(angular_velocity(closed_signal(3, 21), SignalEnds::open), "has 3 components, an orientation has four");
  MotionSignal signal = good;
  signal.values.col(7) *= 1.1;
  EXPECT_REFUSED(angular_velocity(signal, SignalEnds::open), "the quaternion at sample 7 has the length 1.1");
  EXPECT_REFUSED(continuous_orientations(signal), "at sample 7");
  signal.values.col(7).setZero();
  EXPECT_REFUSED(continuous_orientations(signal), "has the length 0");
  EXPECT_REFUSED(angular_velocity(segment(good, 0, 12), SignalEnds::closed), "the signal is not closed, it ends");
  EXPECT_REFUSED(rotate_orientations(good, {2, 0, 0, 0}, {1, 0, 0, 0}),
                 "the rotation (2, 0, 0, 0) is no quaternion of length 1");
  EXPECT_REFUSED(rotate_orientations(good, {1, 0, 0, 0}, {std::nan(""), 0, 0, 0}), "is no quaternion of length 1");
  EXPECT_REFUSED(orientations_from_angles(closed_signal(3, 5), "XYW"), "the axes are 'XYW', 3 letters X, Y or Z are required");
  EXPECT_REFUSED(orientations_from_angles(closed_signal(3, 5), "XY"), "the axes are 'XY'");
  EXPECT_REFUSED(orientations_from_rotation_vectors(good), "a rotation vector has three");
}

TEST(OrientationBadInput, EditsWithoutAnAnswerAreRefused) {
  const MotionSignal angles = signal_of(1, 21, 0.1, [](int, double t) { return std::numbers::pi * t; });
  const MotionSignal turn = orientations_from_angles(angles, "Z");
  EXPECT_REFUSED(scale_orientations_about_mean(turn, 0.5, SignalEnds::closed), "lie all around, they have no mean");
  const MotionSignal turns =
      orientations_from_angles(affine_map(angles, {Eigen::MatrixXd::Constant(1, 1, 4), Eigen::VectorXd::Zero(1)}), "Z");
  EXPECT_REFUSED(smooth_orientations(turns, 0.02, SignalEnds::open), "a higher cutoff frequency is required");
  const MotionSignal quarter = signal_of(1, 21, 0.1, [](int, double) { return std::numbers::pi / 2; });
  EXPECT_REFUSED(symmetrize_orientations(orientations_from_angles(quarter, "X"), Eigen::Vector3d(0, 1, 0)),
                 "there is no orientation halfway");
  EXPECT_REFUSED(symmetrize_orientations(resample_orientations(turn, 20), Eigen::Vector3d(0, 1, 0)), "the period has 19 steps");
  EXPECT_REFUSED(close_orientation_loop(turn, 3), "the window is 3 s");
  EXPECT_REFUSED(resample_orientations(turn, 0), "0 samples");
}

TEST(OrientationBadInput, KnotsThatCarryNoPathAreRefused) {
  const MotionSignal good = tumble(5);
  const auto make = [&](std::vector<double> times, SignalEnds ends) {
    const Eigen::VectorXd at = Eigen::Map<Eigen::VectorXd>(times.data(), static_cast<Eigen::Index>(times.size()));
    return make_orientation_spline(at, good.values, OrientationPath::hermite, ends);
  };
  EXPECT_REFUSED(make({0, 1, 2, 3}, SignalEnds::open), "there are 4 times and 5 orientations");
  EXPECT_REFUSED(make({0, 1, 2, 2, 3}, SignalEnds::open), "the times must ascend");
  EXPECT_REFUSED(make({0, 1, 2, INFINITY, 3}, SignalEnds::open), "must be finite");
  const OrientationSpline spline = make({0, 1, 2, 3, 4}, SignalEnds::open);
  EXPECT_REFUSED(evaluate(spline, 4.1), "the time 4.1 s lies outside of the knots");
  EXPECT_REFUSED(sample(spline, 0, -1, 3), "a positive step");
}

}  // namespace orientation_tests
}  // namespace holo
