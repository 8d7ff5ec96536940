// Characters from builders: masses, kinematics of their charts, pairs of self-collision.
#include "holo/sim/articulated/dynamics/character_model.h"

#include <gtest/gtest.h>

#include "character_samples.h"

namespace holo::articulated::character_model_tests {

using namespace test;

Eigen::Isometry3d isometry(const RigidFrame<double>& frame) {
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.linear()(i, j) = frame.rotation(i, j);
    result.translation()[i] = frame.origin[i];
  }
  return result;
}

double difference(const RigidFrame<double>& frame, const Eigen::Isometry3d& expected) {
  return (isometry(frame).matrix() - expected.matrix()).cwiseAbs().maxCoeff();
}

Eigen::Isometry3d turn(double angle, const Eigen::Vector3d& axis) { return Eigen::Isometry3d(Eigen::AngleAxisd(angle, axis)); }

TEST(CharacterKinematics, OfChartsAreTheirRotations) {
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(), z = Eigen::Vector3d::UnitZ();
  const Eigen::Translation3d moved(1, 2, 3);
  const auto base_frame = [](const BaseOptions& options, const CharacterPose& pose) {
    CharacterBuilder builder("body");
    const int base = builder.add_base(options);
    builder.add_mass(base, box_mass({0.1, 0.2, 0.3}, 1000));
    const CharacterModel model = builder.build();
    StateMemory<double> state(model);
    state.set(model, pose);
    return state.frames[std::size_t(base)];
  };
  const CharacterPose angles{{1, 2, 3, 0.4, 0.5, 0.6}, {}};
  EXPECT_LT(difference(base_frame({BaseChart::euler, "zyx"}, angles), moved * turn(0.4, z) * turn(0.5, y) * turn(0.6, x)),
            1e-15);
  EXPECT_LT(difference(base_frame({BaseChart::euler, "xzy"}, angles), moved * turn(0.4, x) * turn(0.5, z) * turn(0.6, y)),
            1e-15);
  const CharacterPose planar{{1, 3, 0.4}, {}};
  EXPECT_LT(difference(base_frame({BaseChart::planar, ""}, planar), Eigen::Translation3d(1, 0, 3) * turn(0.4, y)), 1e-15);
  const Eigen::Vector3d w(0.4, 0.5, 0.6);
  const CharacterPose vector{angles.coordinates, {rotation_of_vector(Vector3<double>{0, 0, 1})}};
  EXPECT_LT(
      difference(base_frame({BaseChart::rotation_vector, ""}, vector), moved * turn(1, z) * turn(w.norm(), w.normalized())),
      1e-15);
}

// Twists of all degrees of freedom are the derivatives of frames: dT_k / dq_j = xi_j T_k for k below j, else 0.
TEST(CharacterKinematics, HasTwistsAsDerivativesOfFrames) {
  const CharacterModel model = procedural_character("mammal18");
  const CharacterPose pose = three_poses(model, 3, 0.8, 0, true).newest;
  StateMemory<double> state(model);
  state.set(model, pose);
  StateMemory<ComplexStep> moved(model);
  moved.set(model, pose);
  for (int j = 0; j < model.dof_count(); ++j) {
    moved.coordinates[std::size_t(j)] = ComplexStep::seed(pose.coordinates[std::size_t(j)], 1.0);
    moved.update(model);
    for (int k = 0; k < model.dof_count(); ++k) {
      int above = k;
      while (above > j) above = model.dofs()[std::size_t(above)].parent;
      const bool chart =
          model.dofs()[std::size_t(j)].chart >= 0 && model.dofs()[std::size_t(j)].chart == model.dofs()[std::size_t(k)].chart;
      const Vector3<double> local{0.3, -0.2, 0.5}, point = state.frames[std::size_t(k)] * local;
      const Vector3<double> velocity =
          above == j || chart ? velocity_at(state.twists[std::size_t(j)], point) : Vector3<double>{};
      const Vector3<ComplexStep> step = moved.frames[std::size_t(k)] * matrix_cast<ComplexStep>(local);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(step[i].derivative(), velocity[i], 1e-14) << j << " " << k;
    }
    moved.coordinates[std::size_t(j)] = ComplexStep(pose.coordinates[std::size_t(j)]);
  }
}

// Of five links with two spheres each, all pairs but those of one link and of neighbors: 45 - 5 - 4 * 4.
TEST(CharacterModel, PairsSpheresOfBodiesThatAreNoNeighbors) {
  const CharacterModel chain = procedural_character("chain5", {{}, true});
  EXPECT_EQ(chain.sphere_pairs().size(), 24u);
  for (const SpherePair& pair : chain.sphere_pairs()) EXPECT_GT(std::abs(pair.first / 2 - pair.second / 2), 1);
  EXPECT_TRUE(procedural_character("chain5").sphere_pairs().empty());
}

TEST(CharacterModel, HasSecondMomentsAboutTheFrame) {
  const MassProperties box = transformed(box_mass({0.1, 0.2, 0.3}, 1000), turn(0.3, Eigen::Vector3d::UnitX()));
  const MassProperties moved = transformed(box, Eigen::Isometry3d(Eigen::Translation3d(1, -2, 0.5)));
  const SecondMoments E = second_moments(moved);
  EXPECT_EQ(E(3, 3), moved.mass);
  // the inertia about the frame's origin, by Steiner's theorem
  const Eigen::Matrix3d about_origin =
      moved.inertia() +
      moved.mass * (moved.center.squaredNorm() * Eigen::Matrix3d::Identity() - moved.center * moved.center.transpose());
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(E(i, 3), moved.mass * moved.center[i], 1e-12);
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(E(i, j), (i == j ? about_origin.trace() / 2 : 0) - about_origin(i, j), 1e-12 * moved.mass);
  }
}

}  // namespace holo::articulated::character_model_tests
