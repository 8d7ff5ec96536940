// The chart of rotations by rotation vectors against Eigen, complex steps and the identity of Maurer and Cartan.
#include "holo/sim/articulated/dynamics/rotation_vector.h"

#include <gtest/gtest.h>

#include "character_samples.h"

namespace holo::articulated::rotation_vector_tests {

using namespace test;

// Lengths on both sides of where series take over (1/2), tiny and large ones, and 0.
std::vector<Vector3<double>> rotation_vectors() {
  std::vector<Vector3<double>> result{{0, 0, 0}};
  const Eigen::Vector3d directions[] = {{1, 0, 0}, {1, 2, -3}, {-0.3, 0.2, 0.9}};
  for (const Eigen::Vector3d& direction : directions)
    for (const double length : {1e-9, 1e-3, 0.1, 0.4999, 0.5001, 1.0, 3.0, 6.0}) {
      const Eigen::Vector3d w = length * direction.normalized();
      result.push_back({w.x(), w.y(), w.z()});
    }
  return result;
}

double largest(const Matrix3<double>& a) {
  double result = 0;
  for (int i = 0; i < 9; ++i) result = std::max(result, std::abs(a[i]));
  return result;
}

TEST(RotationVector, IsTheRotationAboutItsAxis) {
  for (const Vector3<double>& w : rotation_vectors()) {
    const Eigen::Vector3d vector(w[0], w[1], w[2]);
    const double angle = vector.norm();
    const Eigen::Matrix3d expected =
        angle > 0 ? Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix() : Eigen::Matrix3d::Identity();
    const Matrix3<double> R = rotation_of_vector(w);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(R(i, j), expected(i, j), 1e-15) << angle;
  }
}

TEST(RotationVector, HasTheLeftJacobianAsItsAngularVelocity) {
  for (const Vector3<double>& w : rotation_vectors())
    for (int k = 0; k < 3; ++k) {
      Vector3<ComplexStep> moved = matrix_cast<ComplexStep>(w);
      moved[k] += ComplexStep::seed(0.0, 1.0);
      const Matrix3<ComplexStep> R = rotation_of_vector(moved);
      Matrix3<double> derivative{};
      for (int i = 0; i < 9; ++i) derivative[i] = R[i].derivative();
      const Matrix3<double> J = left_jacobian(w);
      const Matrix3<double> expected = cross_matrix(Vector3<double>{J(0, k), J(1, k), J(2, k)}) * rotation_of_vector(w);
      EXPECT_LT(largest(derivative - expected), 1e-14);
    }
}

TEST(RotationVector, HasTheDerivativeOfTheLeftJacobian) {
  for (const Vector3<double>& w : rotation_vectors())
    for (int l = 0; l < 3; ++l) {
      Vector3<ComplexStep> moved = matrix_cast<ComplexStep>(w);
      moved[l] += ComplexStep::seed(0.0, 1.0);
      const Matrix3<ComplexStep> J = left_jacobian(moved);
      Matrix3<double> derivative{};
      for (int i = 0; i < 9; ++i) derivative[i] = J[i].derivative();
      EXPECT_LT(largest(derivative - left_jacobian_derivative(w, l)), 1e-14);
    }
}

TEST(RotationVector, SatisfiesTheIdentityOfMaurerAndCartan) {
  double nontrivial = 0;
  for (const Vector3<double>& w : rotation_vectors()) {
    const Matrix3<double> J = left_jacobian(w);
    const auto column = [](const Matrix3<double>& A, int k) { return Vector3<double>{A(0, k), A(1, k), A(2, k)}; };
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        const Vector3<double> curl = column(left_jacobian_derivative(w, l), k) - column(left_jacobian_derivative(w, k), l);
        const Vector3<double> product = cross(column(J, l), column(J, k));
        nontrivial = std::max(nontrivial, norm(product));
        EXPECT_LT(norm(curl - product), 1e-14);
      }
  }
  EXPECT_GT(nontrivial, 0.5);
}

TEST(RotationVector, LosesRankOnlyAtTwoPi) {
  for (const double length : {3.0, 6.0}) {
    const Matrix3<double> J = left_jacobian(Vector3<double>{0, length, 0});
    Eigen::Matrix3d eigen;
    for (int i = 0; i < 9; ++i) eigen(i / 3, i % 3) = J[i];
    const double least = Eigen::JacobiSVD<Eigen::Matrix3d>(eigen).singularValues()[2];
    EXPECT_NEAR(least, std::abs(std::sin(length / 2)) / (length / 2), 1e-14);
  }
}

TEST(Recentering, KeepsAllFrames) {
  const CharacterModel model = procedural_character("mammal18");
  CharacterPose pose = three_poses(model, 1, 0.5, 0, true).newest;
  const std::size_t first = std::size_t(model.dof("base_rotation_x"));
  pose.coordinates[first] = 3;
  pose.coordinates[first + 1] = -2;
  StateMemory<double> before(model), after(model);
  before.set(model, pose);
  ASSERT_FALSE(recenter(model, pose, 4));
  ASSERT_TRUE(recenter(model, pose, M_PI));
  EXPECT_EQ(pose.coordinates[first], 0);
  after.set(model, pose);
  for (std::size_t k = 0; k < before.frames.size(); ++k) {
    EXPECT_LT(largest(before.frames[k].rotation - after.frames[k].rotation), 1e-13);
    EXPECT_LT(norm(before.frames[k].origin - after.frames[k].origin), 1e-13);
  }
}

}  // namespace holo::articulated::rotation_vector_tests
