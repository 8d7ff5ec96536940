// Blocks on planes: they fall, bounce and rest as mechanics says.
#include "dynamics/contact/plane_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "block_on_plane.h"
#include "holo/core/error.h"

namespace holo::test {
namespace {

// The sum of the normal forces [N], by the barrier's gradient.
double sum_of_normal_forces(const BlockOnPlane& block) {
  PlaneBarrier barrier(block.scene.contact.planes[0], block.scene.contact.surface, block.scene.contact.barrier);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(block.state.positions.size());
  barrier.add_gradient(block.state.positions, gradient);
  double sum = 0;
  for (Eigen::Index i = 2; i < gradient.size(); i += 3) sum -= gradient[i];
  return sum;
}

TEST(PlaneContact, RestingBlockIsCarriedByItsWeightWithinTheActivationDistance) {
  BlockOnPlane block(block_on_slope(0, 0));
  block.run(300);
  const double weight = block.weight();
  EXPECT_NEAR(sum_of_normal_forces(block), weight, 1e-6 * weight);
  const ContactSummary summary = block.contact();
  EXPECT_NEAR(summary.normal_force, weight, 1e-6 * weight);
  EXPECT_GT(summary.touching_vertices, 4);
  // -B' is the pressure p: near the activation distance D it is 3 k (d - D)^2/D.
  const double pressure = weight / 0.01, stiffness = block.scene.contact.barrier.stiffness;
  EXPECT_NEAR(summary.smallest_gap, block_reach - std::sqrt(pressure * block_reach / (3 * stiffness)), 1e-4 * block_reach);
}

// A block at rest on a barrier: a stiff one near the activation distance D, and an elastic one on a soft barrier. There the
// pressure at the gap y D is k D q(y) with q = 2 (y - 1) ln y + (1 - y)^2/y, and q = 0.4 at y = 0.68; at the edges of the base
// vertices stand for parts of the sides, too, and have larger gaps.
struct RestingBlock : BlockOnPlane {
  RestingBlock(bool is_soft, double distance, double stiffness_factor = 1)
      : BlockOnPlane(scene_of(is_soft, distance, stiffness_factor)) {
    run(300);
  }
  static ElasticSceneDefinition scene_of(bool is_soft, double distance, double stiffness_factor) {
    ElasticSceneDefinition definition = block_on_slope(0, 0, (is_soft ? 0.7 : 0.99) * distance);
    const double pressure = 1000 * 0.1 * block_gravity, youngs_modulus = is_soft ? 1e5 : 1e7;
    definition.bodies[0].coefficients =
        hand_body(HandEnergy::stable, definition.bodies[0].mesh, youngs_modulus, 0.4).coefficients;
    definition.contact.activation_distance = distance;
    definition.contact.stiffness = stiffness_factor * (is_soft ? pressure / (0.4 * block_reach) : 5e10);
    return definition;
  }
  double height() const { return center_of_mass(*scene.model, state)[2]; }
};

TEST(PlaneContact, ElasticBlockRestsOnASoftBarrierWithinPartsOfItsDistance) {
  RestingBlock block(true, block_reach);
  EXPECT_NEAR(sum_of_normal_forces(block), block.weight(), 1e-6 * block.weight());
  int base = 0;
  for (const int v : block.scene.contact.surface->vertices) {
    const double gap = block.state.positions[3 * v + 2] / block_reach;
    if (gap > 10) continue;  // not of the base
    EXPECT_TRUE(gap > 0.3 && gap < 0.95) << gap;
    ++base;
  }
  EXPECT_EQ(base, 9);
  EXPECT_LT(block.state.velocities.cwiseAbs().maxCoeff(), 1e-7) << "it is at rest";
}

// Half of the distance lets it sink by less than the distance, and four times the stiffness lifts it by less.
TEST(PlaneContact, StiffnessAndDistanceMoveARestingBlockByLessThanTheDistance) {
  for (const bool is_soft : {false, true}) {
    const double height = RestingBlock(is_soft, block_reach).height();
    const double sinks = height - RestingBlock(is_soft, block_reach / 2).height(),
                 rises = RestingBlock(is_soft, block_reach, 4).height() - height;
    EXPECT_GT(sinks, 0) << is_soft;
    EXPECT_LE(sinks, block_reach) << is_soft;
    EXPECT_GT(rises, 0) << is_soft;
    EXPECT_LT(rises, block_reach) << is_soft;
  }
}

// The block falls as a rigid body with the heights h + v n dt - g dt^2 n (n + 1)/2 of implicit Euler as long as these are above
// the activation distance: it then has no contact, and the first height below is that of a step with contact. Half of these
// drops last a step longer by the heights h + v t - g t^2/2 of continuous time.
TEST(PlaneContact, ADropTakesTheStepsOfTheDiscreteParabola) {
  int differ = 0;
  for (const double height : {0.011, 0.015, 0.02, 0.027, 0.031, 0.04})
    for (const double speed : {0.0, 0.3}) {
      ElasticSceneDefinition definition = block_on_slope(0, 0, height);
      definition.time_step = 0.002;
      definition.bodies[0].velocity = {0, 0, speed};
      const auto first_step_in_contact = [&](int shift) {  // 1: of the discrete parabola, 0: of the continuous one
        int n = 1;
        while (height + speed * n * 0.002 - block_gravity * 0.002 * 0.002 * n * (n + shift) / 2 >= block_reach) ++n;
        return n;
      };
      BlockOnPlane block(definition);
      for (int n = 0; n < 200 && block.contact().smallest_gap >= block_reach; ++n) block.run(1);
      EXPECT_EQ(block.state.step, first_step_in_contact(1)) << height << " " << speed;
      differ += first_step_in_contact(1) != first_step_in_contact(0);
    }
  EXPECT_GE(differ, 4) << "the check tells the two parabolas apart";
}

// Kinetic, elastic, gravitational and barrier energies together never grow: implicit Euler takes some in every step.
TEST(PlaneContact, FallingBlockNeverGainsEnergyAndNeverPassesThePlane) {
  ElasticSceneDefinition definition = block_on_slope(0, 0.3, 0.02);
  definition.time_step = 0.002;
  definition.bodies[0].velocity = {0.3, 0, -4};  // of which a step is 80 activation distances
  definition.bodies[0].angular_velocity = {0, 3, 0};
  BlockOnPlane block(definition);
  PlaneBarrier barrier(block.scene.contact.planes[0], block.scene.contact.surface, block.scene.contact.barrier);
  double last = energies(*block.scene.model, block.scene.gravity, block.state).total(), touched = 0;
  for (int n = 0; n < 150; ++n) {
    block.run(1);
    const double stored = barrier.energy(block.state.positions);
    const double total = energies(*block.scene.model, block.scene.gravity, block.state).total() + stored;
    EXPECT_LT(total, last + 1e-9 * std::abs(last)) << n;
    EXPECT_GT(block.contact().smallest_gap, 0) << n;
    last = total;
    touched = std::max(touched, stored);
  }
  EXPECT_GT(touched, 0);
}

TEST(PlaneContact, FeasibleStepIsNineTenthsOfTheWayToThePlane) {
  const ElasticScene scene(block_on_slope(0, 0, 0.02));
  PlaneBarrier barrier(scene.contact.planes[0], scene.contact.surface, scene.contact.barrier);
  const Eigen::VectorXd& x = scene.model->start_positions();
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(x.size());
  for (Eigen::Index i = 2; i < x.size(); i += 3) direction[i] = -0.05;
  EXPECT_NEAR(barrier.feasible_step(x, direction), 0.9 * 0.02 / 0.05, 1e-14);
  EXPECT_EQ(barrier.feasible_step(x, -direction), 1);
  EXPECT_EQ(barrier.feasible_step(x, 0.1 * direction), 1);
}

TEST(PlaneContact, StiffnessRuleIsThatOfElasticityOrWeight) {
  ElasticSceneDefinition definition = block_on_slope(0, 0);
  const ElasticScene stiff(definition);
  EXPECT_NEAR(stiff.contact.barrier.stiffness, 0.5 * 1e7 / (1.2 * block_reach), 1e-6 * 4e10);
  definition.bodies[0] = hand_body(HandEnergy::stable, box_source({0.1, 0.1, 0.1}, 48), 100, 0.4);
  definition.bodies[0].translation = {0, 0, block_reach};
  const ElasticScene soft(definition);  // 1000 kg/m^3 over 0.1 m
  EXPECT_NEAR(soft.contact.barrier.stiffness, 3 * 1000 * 0.1 * block_gravity / (1.2 * block_reach), 1e-6 * 2e7);
}

std::string refusal(const ElasticSceneDefinition& definition) {
  try {
    const ElasticScene scene(definition);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

TEST(PlaneContactBadInput, BodiesThatBeginInAnObstacleAreRefusedWithTheVertexAndTheDepth) {
  for (const double gap : {0.0, -0.03}) {
    const std::string text = refusal(block_on_slope(0, 0, gap));
    EXPECT_NE(text.find("body 'body' begins in the obstacle 'ground'"), std::string::npos) << text;
  }
  EXPECT_NE(refusal(block_on_slope(0, 0, -0.03)).find("lies 0.03 m below the plane"), std::string::npos);
  EXPECT_EQ(refusal(block_on_slope(0, 0, 1e-9)), "");
}

}  // namespace
}  // namespace holo::test
