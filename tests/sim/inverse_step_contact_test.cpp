// The activations of one time step in which two bodies touch at crossing edges: gradient and Hessian against differences of
// steps solved anew.
#include <cmath>

#include "contact/active_pairs.h"
#include "controlled_block.h"
#include "inverse_step_derivatives.h"
#include "soft_block.h"

namespace holo::test {
namespace {

constexpr double activation_distance = 0.02, height = 0.18;  // of the contact; of the square cross sections [m]

// Two beams of square cross section on edge: the lower one along x, held up to its middle, the upper one along y, with eight
// segments of muscles. A ridge comes down across a ridge.
ElasticScene crossing_ridges(double stick_speed) {
  ElasticSceneDefinition definition;
  definition.time_step = 0.01;
  definition.bodies = {soft_block("lower", {0.36, height, height}, 48, 4e5),
                       soft_block("upper", {height, 0.36, height}, 48, 1e5)};
  ElasticBodyDefinition &lower = definition.bodies[0], &upper = definition.bodies[1];
  lower.handles = {box_handle({-9, -9, -9}, {9, 9, 0.75 * height})};
  lower.friction = upper.friction = 0.4;
  lower.rotation_axis = {1, 0, 0};
  upper.rotation_axis = {0, 1, 0};
  lower.rotation_angle = upper.rotation_angle = M_PI / 4;
  // The lower ridge is at y = 0 and z = sqrt(2) height, the upper one at x = height/sqrt(2) and z = -height/sqrt(2).
  upper.translation = {0.009, -0.153, 1.5 * std::sqrt(2.0) * height + 0.9 * activation_distance};
  upper.velocity = {0.6, 0.1, -0.2};
  std::vector<Polyline> lines;
  for (const double x : {0.05, 0.13})
    for (const double z : {0.05, 0.13}) lines.push_back({{x, 0.02, z}, {x, 0.17, z}, {x, 0.34, z}});
  upper.muscles = line_muscles(MuscleLaw::fiber, 0.1, lines, {0, 0, 0, 0});
  definition.contact.between_bodies = true;
  definition.contact.activation_distance = activation_distance;
  definition.contact.stiffness = 2e6;
  definition.contact.shape = BarrierShape::smooth;
  definition.contact.stick_speed = stick_speed;
  return ElasticScene(definition);
}

// The fourth step of the scene, with activations as unknowns.
class CrossingRidges : public testing::TestWithParam<double> {
 protected:
  CrossingRidges() : loss(scene, {0.2, -0.1, 0.15}) {
    for (int n = 0; n < 3; ++n)
      if (integrator.step(state).newton.status != NewtonStatus::converged) throw std::runtime_error("a step failed");
    loss.begin(state);
    if (!problem.begin(state, Eigen::VectorXd::Zero(problem.dimension()))) throw std::runtime_error(problem.diagnosis());
  }
  // Of the pair's closest points against each other, across the normal that friction takes from the start of the step [m/s].
  double sliding_speed(const ActivePair& pair_at_start) const {
    const PairFrame frame = pair_frame(pair_at_start.features, pair_at_start.x);
    Eigen::Vector3d w = Eigen::Vector3d::Zero();
    for (int i = 0; i < 4; ++i)
      w += frame.weights[i] * (problem.x() - state.positions).segment<3>(3 * pair_at_start.vertices[std::size_t(i)]);
    return (frame.tangents.transpose() * w).norm() / scene.integration.time_step;
  }

  const ElasticScene scene = crossing_ridges(GetParam());
  ImplicitEuler integrator{scene};
  ElasticState state = initial_state(*scene.model);
  BlockVelocityLoss loss;
  InverseStep problem{integrator, loss, {.unit = block_shear_modulus}};
};

// All contact is that of crossing edges, and stays so along the differences: the third derivatives of a pair that becomes
// active would jump. The truncation and the rounding of differences of 0.008 shear moduli are 1e-11 together.
TEST_P(CrossingRidges, HaveTheDerivativesOfStepsSolvedAnew) {
  const Eigen::VectorXd u = 0.3 * random_columns(problem.dimension(), 1, 17);
  deep_gradient(problem, u);
  ActivePairs pairs(scene.contact.mesh, 1.2 * activation_distance);
  int active = 0, sticking = 0, slipping = 0;
  for (const ActivePair& pair : pairs.at(problem.x())) {
    EXPECT_GT(std::abs(pair.distance / activation_distance - 1), 1e-6);
    if (pair.distance >= activation_distance) continue;
    active += 1;
    EXPECT_EQ(pair.features.stratum, Stratum::edge_edge);
  }
  for (const ActivePair& pair : pairs.at(state.positions))
    if (pair.distance < activation_distance) (sliding_speed(pair) < GetParam() ? sticking : slipping) += 1;
  EXPECT_GE(active, 3);
  EXPECT_GE(GetParam() > 1 ? sticking : slipping, 3);
  EXPECT_EQ(GetParam() > 1 ? slipping : sticking, 0);
  expect_derivatives_of_steps_solved_anew(problem, u, 8e-3);
}

// Of sliding and of sticking [m/s].
INSTANTIATE_TEST_SUITE_P(StickSpeeds, CrossingRidges, testing::Values(0.01, 3.0));

}  // namespace
}  // namespace holo::test
