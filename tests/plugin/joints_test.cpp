// The tests that come free with every joint. The project's own equations stand in
// docs/robot-design-derivations.md#constraint-equations-of-joints.
//
// Errors are relative to the largest entry of a result; a weighted Hessian adds up six equations, and gets ten times as much.

#include <Eigen/SVD>
#include <cmath>

#include "joint_fixture.h"

namespace holo {
namespace {

double joint_tolerance() { return 1e-13 * tolerance_scale(); }

vector<double> upper(const vector<double>& full, std::size_t n) {
  vector<double> result;
  for (std::size_t i = 0; i < n; ++i) result.insert(result.end(), full.begin() + i * n + i, full.begin() + (i + 1) * n);
  return result;
}

void expect_near(const vector<double>& expected, const vector<double>& found, double allowed) {
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_LE(std::abs(expected[k] - found[k]), allowed)
        << "entry " << k << ": expected " << expected[k] << ", found " << found[k];
}

TEST_P(Joints, EquationsAndTheirJacobianAreThoseOfHundredDigits) {
  const std::size_t n = x_size();
  double size = 0;
  for (const JointCase& c : cases_) {
    const auto r = run(HOLO_JOINT_EQUATIONS, c), J = run(HOLO_JOINT_JACOBIAN, c);
    for (std::size_t e = 0; e < c.knots.size(); ++e) {
      const vector<double>& x = c.knots[e].x;
      vector<double> exact_r(6), exact(6 * n);
      reference().constraint_equations(c.frames.data(), c.constants.data(), x.data(), exact_r.data());
      reference().jacobian(c.frames.data(), c.constants.data(), x.data(), exact.data());
      expect_near(exact_r, r[e], joint_tolerance() * (largest(exact_r) + largest(exact) * largest(x)));
      expect_near(exact, J[e], joint_tolerance() * largest(exact));
      size = std::max(size, largest(exact_r));
    }
  }
  EXPECT_GT(size, 0) << "nothing was tested";
}

// At some knots, in every lane in turn: the reference is slow.
TEST_P(Joints, WeightedHessianIsThatOfHundredDigits) {
  const std::size_t n = x_size();
  for (const JointCase& c : cases_) {
    const auto H = run(HOLO_JOINT_HESSIAN, c);
    for (std::size_t e = 0; e < c.knots.size(); e += 7) {
      vector<double> exact(n * n);
      reference().hessian(c.frames.data(), c.constants.data(), c.knots[e].x.data(), c.knots[e].weights.data(), exact.data());
      expect_near(upper(exact, n), H[e], 10 * joint_tolerance() * largest(exact));
    }
  }
}

TEST_P(Joints, MotionAndItsDerivativesAreThoseOfHundredDigits) {
  const std::size_t m = coordinate_count();
  for (const JointCase& c : cases_) {
    const auto motion = run(HOLO_JOINT_MOTION, c);
    const auto J = m == 0 ? vector<vector<double>>(c.knots.size()) : run(HOLO_JOINT_MOTION_JACOBIAN, c);
    const auto H = m == 0 ? vector<vector<double>>(c.knots.size()) : run(HOLO_JOINT_MOTION_HESSIAN, c);
    for (std::size_t e = 0; e < c.knots.size(); ++e) {
      const double* q = c.knots[e].x.data() + poses;
      vector<double> exact_motion(7), exact_J(7 * m), exact_H(m * m);
      reference().motion(c.constants.data(), q, exact_motion.data());
      expect_near(exact_motion, motion[e], joint_tolerance() * largest(exact_motion));
      if (m == 0) continue;
      reference().motion_jacobian(c.constants.data(), q, exact_J.data());
      reference().motion_hessian(c.constants.data(), q, c.knots[e].weights.data(), exact_H.data());
      expect_near(exact_J, J[e], joint_tolerance() * largest(exact_J));
      expect_near(upper(exact_H, m), H[e], 10 * joint_tolerance() * largest(exact_H));
    }
  }
}

TEST_P(Joints, PatternsContainEveryNonZero) {
  const std::size_t n = x_size();
  const JointCase& c = cases_[0];
  for (std::size_t e = 0; e < 3; ++e) {
    vector<double> J(6 * n), H(n * n);
    reference().jacobian(c.frames.data(), c.constants.data(), c.knots[e].x.data(), J.data());
    reference().hessian(c.frames.data(), c.constants.data(), c.knots[e].x.data(), c.knots[e].weights.data(), H.data());
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_TRUE(std::abs(J[i * n + k]) < 1e-30 || (joint().jacobian_pattern[i] >> k & 1) != 0)
            << "equation " << i << ", " << k;
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_TRUE(std::abs(H[i * n + k]) < 1e-30 || (joint().hessian_pattern[i] >> k & 1) != 0) << i << ", " << k;
    }
  }
}

TEST_P(Joints, PassiveEquationsDoNotContainTheCoordinates) {
  const std::size_t n = x_size();
  for (const JointCase& c : cases_)
    for (const vector<double>& J : run(HOLO_JOINT_JACOBIAN, c))
      for (std::size_t i = 0; i < joint().passive_equation_count; ++i)
        for (std::size_t k = poses; k < n; ++k) EXPECT_EQ(0.0, J[i * n + k]) << "equation " << i << ", entry " << k;
}

TEST_P(Joints, EquationsVanishOnTheMotion) {
  for (const JointCase& c : cases_)
    for (int i = 0; i < 10; ++i) EXPECT_LE(violation(c, moved(c, proper_coordinates()), 6), joint_tolerance() / 10);
}

// Not vacuous: off the motion they do not vanish.
TEST_P(Joints, EquationsDoNotVanishOffTheMotion) {
  for (const JointCase& c : cases_) {
    const Eigen::Isometry3d more =
        Eigen::Translation3d(0.1, 0.2, -0.15) * Eigen::Quaterniond(0.9, 0.2, -0.3, 0.25).normalized();
    EXPECT_GT(violation(c, moved(c, proper_coordinates(), more), 6), 1e-4);
  }
}

TEST_P(Joints, CoordinatesAreThoseOfTheMotion) {
  if (joint().operations[HOLO_JOINT_COORDINATES] == nullptr) GTEST_SKIP() << "they are found by iteration";
  for (const JointCase& c : cases_)
    for (int i = 0; i < 10; ++i) {
      const vector<double> wanted = proper_coordinates();
      const vector<double> found = run_one(HOLO_JOINT_COORDINATES, c, moved(c, wanted));
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        const std::uint32_t kind = joint().coordinates[k].kind;
        if (kind == HOLO_COORDINATE_QUATERNION) {
          double product = 0;
          for (std::size_t j = k; j < k + 4; ++j) product += wanted[j] * found[j];
          EXPECT_NEAR(1, std::abs(product), 1e-14);  // 1 - product is the square of their distance
          for (std::size_t j = k; j < k + 4; ++j)
            EXPECT_NEAR(wanted[j], product > 0 ? found[j] : -found[j], 10 * joint_tolerance());
          k += 3;
        } else {
          const double gap = found[k] - wanted[k], turn = 2 * std::numbers::pi;
          EXPECT_NEAR(0, kind == HOLO_COORDINATE_ANGLE ? std::remainder(gap, turn) : gap, 10 * joint_tolerance()) << k;
        }
      }
    }
}

TEST_P(Joints, LanesAgreeBitForBit) {
  for (int k = 0; k < HOLO_JOINT_OPERATION_COUNT; ++k) {
    const auto operation = holo_joint_operation(k);
    if (joint().operations[k] == nullptr) continue;
    JointCase shifted = cases_[1];
    std::rotate(shifted.knots.begin(), shifted.knots.begin() + 1, shifted.knots.end());
    vector<vector<double>> expected = run(operation, cases_[1]);
    std::rotate(expected.begin(), expected.begin() + 1, expected.end());
    EXPECT_EQ(expected, run(operation, shifted)) << "operation " << k;
  }
}

// Of the driven equations in B's pose, with the quaternion's length: at any coordinates, right angles among them.
TEST_P(Joints, DrivenEquationsHaveFullRankOnTheMotion) {
  const JointCase& c = cases_[0];
  const std::size_t n = x_size();
  for (int i = 0; i < 40; ++i) {
    vector<double> coordinates = proper_coordinates();
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      if (joint().coordinates[k].kind == HOLO_COORDINATE_ANGLE && i < 16)
        coordinates[k] = std::numbers::pi / 2 * ((i >> (2 * (k % 2)) & 3) - 1);
    const JointKnot knot = moved(c, coordinates);
    const vector<double> J = run_one(HOLO_JOINT_JACOBIAN, c, knot);
    Eigen::Matrix<double, 7, 7> jacobian;
    for (Eigen::Index row = 0; row < 6; ++row)
      for (Eigen::Index k = 0; k < 7; ++k) jacobian(row, k) = J[std::size_t(row) * n + HOLO_POSE_SIZE + std::size_t(k)];
    for (Eigen::Index k = 0; k < 7; ++k) jacobian(6, k) = k < 3 ? 0 : 2 * knot.x[HOLO_POSE_SIZE + std::size_t(k)];
    jacobian.rowwise().normalize();
    EXPECT_GT(Eigen::JacobiSVD<Eigen::MatrixXd>(jacobian).singularValues()[6], 1e-2)
        << "coordinates " << testing::PrintToString(coordinates);
  }
}

TEST_P(Joints, NoCoordinatesAreNoMotionAndAnyAreRigid) {
  JointKnot rest = cases_[0].knots[0];
  for (std::size_t k = 0; k < coordinate_count(); ++k) {
    const bool first = joint().coordinates[k].kind == HOLO_COORDINATE_QUATERNION &&
                       (k == 0 || joint().coordinates[k - 1].kind != HOLO_COORDINATE_QUATERNION);
    rest.x[poses + k] = first ? 1 : 0;
  }
  for (const JointCase& c : cases_) {
    EXPECT_EQ((vector<double>{0, 0, 0, 1, 0, 0, 0}), run_one(HOLO_JOINT_MOTION, c, rest));
    const vector<double> motion = run_one(HOLO_JOINT_MOTION, c, moved(c, proper_coordinates()));
    EXPECT_NEAR(1, std::hypot(std::hypot(motion[3], motion[4]), std::hypot(motion[5], motion[6])), joint_tolerance());
  }
}

// The axes that tell a flipped joint from a right one keep their direction in all motion.
TEST_P(Joints, PassiveAxesStayAligned) {
  for (const JointCase& c : cases_)
    for (int i = 0; i < 10; ++i) {
      const JointKnot knot = moved(c, proper_coordinates());
      const Eigen::Matrix3d between = frame(c, knot.x, 0).linear().transpose() * frame(c, knot.x, 1).linear();
      for (int k = 0; k < 3; ++k)
        EXPECT_TRUE((joint().passive_axes >> k & 1) == 0 || std::abs(between(k, k) - 1) < 1e-12) << "axis " << k;
    }
}

// A half turn that the passive equations do not notice is a motion of the joint, or passive_axes tell it.
TEST_P(Joints, HalfTurnsThatThePassiveEquationsAllowAreDeclared) {
  if (joint().passive_equation_count == 0) GTEST_SKIP() << "it has no passive equations";
  if (coordinate_count() > 0 && joint().operations[HOLO_JOINT_COORDINATES] == nullptr)
    GTEST_SKIP() << "it does not tell its coordinates";
  for (const JointCase& c : cases_)
    for (int axis = 0; axis < 3; ++axis) {
      const Eigen::Isometry3d half(Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::Unit(axis)));
      JointKnot knot = moved(c, proper_coordinates(), half);
      if (violation(c, knot, joint().passive_equation_count) > 1e-10) continue;
      if (coordinate_count() > 0) {
        const vector<double> found = run_one(HOLO_JOINT_COORDINATES, c, knot);
        std::copy(found.begin(), found.end(), knot.x.begin() + poses);
      }
      const vector<double> motion = run_one(HOLO_JOINT_MOTION, c, knot);
      const Eigen::Isometry3d between = frame(c, knot.x, 0).inverse() * frame(c, knot.x, 1);
      if (to_isometry(motion.data()).isApprox(between, 1e-9)) continue;
      bool told = false;
      for (int k = 0; k < 3; ++k) told = told || ((joint().passive_axes >> k & 1) != 0 && between.linear()(k, k) < 0);
      EXPECT_TRUE(told) << "a half turn about axis " << axis << " goes unnoticed";
    }
}

TEST_P(Joints, PluginAndReferenceAreOfOneKind) {
  EXPECT_EQ(GetParam(), joint().name);
  EXPECT_EQ(GetParam(), reference().name);
  EXPECT_EQ(joint().coordinate_count, reference().coordinate_count);
  EXPECT_EQ(joint().constant_count, reference().constant_count);
  EXPECT_NE("", plugin_->summary());
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Joints);
INSTANTIATE_TEST_SUITE_P(Every, Joints, testing::ValuesIn(chosen_names<JointPlugin>()), test_name);

}  // namespace
}  // namespace holo
