// Frames that are linear about their start, against the nonlinear step and the balance of momentum.
#include "holo/comparison/linearized_frame.h"

#include <gtest/gtest.h>

#include <set>

#include "../sim/controlled_block.h"
#include "holo/comparison/contact_branches.h"
#include "holo/comparison/contact_gauss_seidel.h"

namespace holo::test {
namespace {

using namespace holo::comparison;

const Eigen::VectorXd rest = Eigen::VectorXd::Zero(12);

LinearizedFrame linearized(const ElasticScene& scene, StepLoss& loss, const ElasticState& state, int contacts,
                           const Eigen::VectorXd& activations = rest) {
  const DenseBounds bounds{Eigen::VectorXd::Constant(12, -3), Eigen::VectorXd::Constant(12, 3)};
  return linearize_frame({scene, loss, state, activations, block_shear_modulus, bounds}, contacts).value();
}

Eigen::VectorXd pull(double size) {
  Eigen::VectorXd u(12);
  for (int i = 0; i < 12; ++i) u[i] = size * (1 + 0.1 * i);
  return u;
}

// Without forces of contact, and far above the ground, the nonlinear step differs by the square of what activations do in it,
// whether the frame before had none of them or the same.
TEST(LinearizedFrame, DiffersFromTheNonlinearStepByTheSquareOfTheActivations) {
  ElasticScene scene = controlled_block();
  ElasticState state = initial_state(*scene.model);
  for (Eigen::Index i = 2; i < state.positions.size(); i += 3) state.positions[i] += 1;
  BlockVelocityLoss loss(scene, {0, 0, 0.1});
  loss.begin(state);
  const LinearizedFrame frame = linearized(scene, loss, state, 4);
  const Eigen::VectorXd no_forces = Eigen::VectorXd::Zero(12);
  std::vector<double> errors, errors_of_same;
  for (const double size : {0.02, 0.01, 0.005}) {
    ImplicitEuler integrator(scene);
    InverseStep step(integrator, loss, {.unit = block_shear_modulus});
    ASSERT_TRUE(step.begin(state, block_shear_modulus * pull(size)));
    ASSERT_TRUE(step.finish(pull(size)));
    errors.push_back((frame.end(pull(size), no_forces) - step.x()).norm());
    const LinearizedFrame same = linearized(scene, loss, state, 4, block_shear_modulus * pull(size));
    errors_of_same.push_back((same.end(pull(size), no_forces) - step.x()).norm());
  }
  EXPECT_GT(errors[2], 0);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.4);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.2);
  EXPECT_NEAR(errors_of_same[0] / errors_of_same[1], 4, 0.4);
  EXPECT_NEAR(errors_of_same[1] / errors_of_same[2], 4, 0.2);
}

class SettledBlock : public testing::Test {
 protected:
  SettledBlock() : scene(controlled_block()), state(settled_block(scene)), loss(scene, {0.1, 0, 0.3}) { loss.begin(state); }

  ElasticScene scene;
  ElasticState state;
  BlockVelocityLoss loss;
};

// Its loss is quadratic, and so equals the objective.
TEST_F(SettledBlock, HasTheLossAsObjective) {
  const LinearizedFrame frame = linearized(scene, loss, state, 6, block_shear_modulus * pull(0.1));
  const Eigen::VectorXd u = pull(-0.3);
  const Eigen::VectorXd f = Eigen::VectorXd::LinSpaced(18, -20, 50);
  loss.set_activations(block_shear_modulus * u);
  const double value = loss.value(frame.end(u, f));
  EXPECT_NEAR(contact_objective(frame.problem, u, f), value, 1e-9 * value);
}

// The change of the momentum is the sum of all forces: contact, weight, and damping of the mass. Inner forces have none.
TEST_F(SettledBlock, ForcesOfContactChangeItsMomentum) {
  const LinearizedFrame frame = linearized(scene, loss, state, 1000);
  const Eigen::VectorXd u = pull(-0.1);
  const GaussSeidelResult found = solve_contact_forces(frame.problem, u, {.tolerance = 1e-13});
  ASSERT_TRUE(found.converged);
  const Eigen::VectorXd moves = frame.end(u, found.forces) - state.positions;
  const double h = scene.integration.time_step;
  Eigen::Vector3d rates = Eigen::Vector3d::Zero(), forces = Eigen::Vector3d::Zero();
  for (int v = 0; v < scene.model->vertex_count(); ++v) {
    const double m = scene.model->masses()[std::size_t(v)];
    rates += m * ((moves - h * state.velocities).segment<3>(3 * v) / (h * h) + 0.1 / h * moves.segment<3>(3 * v));
    forces += m * Eigen::Vector3d(0, 0, -9.81);
  }
  const double weight = forces.norm();
  double normal = 0;
  for (std::size_t i = 0; i < frame.vertices.size(); ++i) normal += found.forces[Eigen::Index(3 * i)];
  EXPECT_GT(normal, 0.5 * weight);
  EXPECT_NEAR((rates - forces)[2], normal, 1e-6 * weight);
}

// The second of those that carry is the farthest from the first, each two of four are half a side of the block apart at least.
// More contacts contain fewer, and none is taken twice.
TEST_F(SettledBlock, ChoosesContactsFarFromEachOther) {
  const std::vector<int> four = linearized(scene, loss, state, 4).vertices, all = linearized(scene, loss, state, 1000).vertices;
  ASSERT_EQ(four.size(), 4u);
  EXPECT_TRUE(std::equal(four.begin(), four.end(), all.begin()));
  EXPECT_EQ(all.size(), scene.contact.surface->vertices.size());
  EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), all.size());
  const auto distance = [&](int a, int b) {
    return (state.positions.segment<3>(3 * a) - state.positions.segment<3>(3 * b)).norm();
  };
  double farthest = 0;
  for (const int vertex : all)
    if (state.positions[3 * vertex + 2] < 2e-3) farthest = std::max(farthest, distance(four[0], vertex));
  EXPECT_EQ(distance(four[0], four[1]), farthest);
  for (const int a : four) {
    EXPECT_LT(state.positions[3 * a + 2], 2e-3);
    for (const int b : four) EXPECT_TRUE(a == b || distance(a, b) > 0.14) << a << " " << b;
  }
}

// With the forces of contact found, no contact is below its start, and the search takes the block to its target.
TEST_F(SettledBlock, FollowsItsTarget) {
  const LinearizedFrame frame = linearized(scene, loss, state, 12);
  const GaussSeidelResult start = solve_contact_forces(frame.problem, rest);
  const BranchSearchResult found = search_branches(frame.problem, rest, start.forces);
  ASSERT_EQ(found.status, BranchSearchStatus::stationary);
  EXPECT_LT(found.objective, 0.1 * contact_objective(frame.problem, rest, start.forces));
  EXPECT_LT((loss.velocity(frame.end(found.activations, found.forces)) - Eigen::Vector3d(0.1, 0, 0.3)).norm(), 0.05);
  const Eigen::VectorXd w = contact_displacements(frame.problem, found.activations, found.forces);
  EXPECT_LE(complementarity_residual(frame.problem, found.forces, w), 1e-9);
}

TEST(LinearizedFrameBadInput, NeedsPlanesThatStandStillWithFriction) {
  ElasticScene scene = controlled_block();
  EXPECT_EQ(objection_to_linear_contact(scene), "");
  scene.contact.planes[0].friction = 0;
  EXPECT_EQ(objection_to_linear_contact(scene), "a plane has no friction");
  scene.contact.planes.clear();
  EXPECT_EQ(objection_to_linear_contact(scene), "there is no plane");
}

}  // namespace
}  // namespace holo::test
