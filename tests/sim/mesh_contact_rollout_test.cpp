// Derivatives of a motion with contact and friction between bodies, against motions solved anew.
#include "contact/active_pairs.h"
#include "dynamics/contact/mesh_friction.h"
#include "rollout.h"
#include "soft_block.h"

namespace holo::test {
namespace {

// A block that is pressed onto a held one and slides on it (or sticks to it, with a large stick speed). The barrier reaches
// far, so that differences are small against it.
ElasticScene sliding_block(double stick_speed, bool has_bristles) {
  ElasticSceneDefinition definition;
  definition.time_step = 0.01;
  definition.bodies = {soft_block("lower", {0.4, 0.3, 0.1}, 72, 4e5), soft_block("upper", {0.2, 0.2, 0.1}, 24, 3e5)};
  definition.bodies[0].handles = {box_handle({-9, -9, -9}, {9, 9, 1e-9})};
  definition.bodies[0].friction = definition.bodies[1].friction = 0.4;
  definition.bodies[1].translation = {0.083, 0.061, 0.114};
  definition.bodies[1].rotation_angle = 0.31;
  definition.bodies[1].velocity = {0.3, 0.1, -0.2};
  definition.contact.between_bodies = true;
  definition.contact.activation_distance = 0.02;
  definition.contact.stiffness = 2e6;
  definition.contact.shape = BarrierShape::smooth;
  definition.contact.stick_speed = stick_speed;
  if (has_bristles) {
    BristlesDefinition& bristles = definition.bodies[1].bristles.emplace();
    bristles.direction = {0.64, 0.48, 0.6};
    bristles.forward = 1.4;
    bristles.backward = 0.6;
  }
  return ElasticScene(definition);
}

class MeshContactRollout : public testing::TestWithParam<std::pair<double, bool>> {
 protected:
  ElasticScene scene() const { return sliding_block(GetParam().first, GetParam().second); }
};

TEST_P(MeshContactRollout, GradientInEveryParameterIsThatOfMotionsSolvedAnew) {
  Rollout rollout(scene(), 1e-3, 0.05);
  const Eigen::VectorXd a = rollout.parameters();
  ASSERT_EQ(a.size(), 2 + 2 + 3 + 1 + 1);  // coefficients, gravity, the barrier's stiffness, the coefficient of friction
  rollout.run(a);
  ActivePairs pairs(rollout.scene().contact.mesh, rollout.scene().contact.barrier.distance);
  EXPECT_GT(pairs.at(rollout.state(Rollout::step_count).positions).size(), 50u);
  // Steps are solved to rounding, and velocities are their difference over the time step.
  expect_gradient_of_motions_solved_anew(rollout, 1e-4, 2e-14);
}

TEST_P(MeshContactRollout, SecondDerivativeIsTheDerivativeOfTheGradient) {
  Rollout rollout(scene(), 1e-3, 0.05);
  expect_second_derivative_of_the_gradient(rollout, 2, 1e-5, 1e-10);
}

// Of sliding and of sticking [m/s], without and with bristles.
INSTANTIATE_TEST_SUITE_P(StickSpeeds, MeshContactRollout,
                         testing::Values(std::pair(0.01, false), std::pair(3.0, false), std::pair(3.0, true)));

}  // namespace
}  // namespace holo::test
