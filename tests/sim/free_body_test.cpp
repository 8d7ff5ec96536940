// A body that nothing holds: its elastic forces have no sum and no torque, it resists neither translations nor, at rest,
// rotations, and rigid motions keep its energy.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "scenes.h"

namespace holo::test {
namespace {

// Without gravity and velocities the inertia of a step pulls to the positions where the step began: there the gradient is that
// of the elastic energy alone.
struct FreeBody {
  std::shared_ptr<const ElasticModel> model;
  Eigen::VectorXd positions, gradient;
  SparseMatrix hessian;

  FreeBody(HandEnergy energy, double disturbance) {
    ElasticSceneDefinition definition;
    definition.gravity = {0, 0, 0};
    definition.bodies = {hand_body(energy, box_source({0.7, 0.5, 0.4}, 120))};
    const ElasticScene elastic(definition);
    model = elastic.model;
    ElasticState state = initial_state(*model);
    if (disturbance > 0) state.positions = disturbed(state.positions, disturbance, 4);
    positions = state.positions;
    IncrementalPotential potential(model, implicit_euler_terms(elastic));
    potential.begin_step(elastic.step_from(state), elastic.schedule);
    potential.derivatives(positions, Curvature::exact, gradient, hessian);
    time_step = definition.time_step;
  }
  Eigen::Vector3d position(int v) const { return positions.segment<3>(3 * v); }
  // K d, the Hessian's product less that of inertia.
  Eigen::VectorXd stiffness_times(const Eigen::VectorXd& d) const {
    Eigen::VectorXd product = hessian.selfadjointView<Eigen::Lower>() * d;
    for (int v = 0; v < model->vertex_count(); ++v)
      product.segment<3>(3 * v) -= model->masses()[v] / (time_step * time_step) * d.segment<3>(3 * v);
    return product;
  }
  double time_step = 0;
};

class FreeBodyOf : public testing::TestWithParam<HandEnergy> {};

TEST_P(FreeBodyOf, ForcesHaveNoSumAndNoTorque) {
  const FreeBody body(GetParam(), 0.03);
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = force;
  double size = 0;
  for (int v = 0; v < body.model->vertex_count(); ++v) {
    const Eigen::Vector3d f = body.gradient.segment<3>(3 * v);
    force += f;
    torque += body.position(v).cross(f);
    size += f.norm();
  }
  ASSERT_GT(size, 10);  // the check is not vacuous
  EXPECT_LE(force.norm(), 1e-13 * size);
  EXPECT_LE(torque.norm(), 1e-13 * size);
}

TEST_P(FreeBodyOf, RotationsAtRestAreInTheNullSpaceOfTheStiffness) {
  const FreeBody rest(GetParam(), 0), strained(GetParam(), 0.03);
  const auto turned = [](const FreeBody& body, const Eigen::Vector3d& axis) {
    Eigen::VectorXd d(body.positions.size());
    for (int v = 0; v < body.model->vertex_count(); ++v) d.segment<3>(3 * v) = axis.cross(body.position(v));
    return d;
  };
  const double size = rest.hessian.coeffs().cwiseAbs().maxCoeff();
  for (const Eigen::Vector3d& axis : {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(0.3, -0.5, 0.8)}) {
    EXPECT_LE(rest.stiffness_times(turned(rest, axis)).cwiseAbs().maxCoeff(), 1e-13 * size);
    // Under stress a rotation turns the forces.
    EXPECT_GT(strained.stiffness_times(turned(strained, axis)).cwiseAbs().maxCoeff(), 1e-6 * size);
  }
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::VectorXd shift = Eigen::VectorXd::Zero(rest.positions.size());
    for (Eigen::Index i = axis; i < shift.size(); i += 3) shift[i] = 1;
    EXPECT_LE(strained.stiffness_times(shift).cwiseAbs().maxCoeff(), 1e-13 * size);
  }
}

// The potential of a body with two muscles, one that contracts and one that extends, without gravity and contact.
struct MuscularBody {
  std::shared_ptr<const ElasticModel> model;
  PotentialTerms terms;

  MuscularBody(HandEnergy energy, MuscleLaw law) {
    ElasticSceneDefinition definition;
    definition.gravity = {0, 0, 0};
    definition.bodies = {hand_body(energy, box_source({0.7, 0.5, 0.4}, 120))};
    definition.bodies[0].muscles = line_muscles(
        law, 0.15, {{{0.1, 0.1, 0.1}, {0.4, 0.3, 0.1}, {0.6, 0.4, 0.3}}, {{0.5, 0.1, 0.1}, {0.1, 0.4, 0.3}}}, {3e4, -1e4});
    const ElasticScene scene(definition);
    model = scene.model;
    terms = static_terms(scene);
  }
  double energy(const Eigen::VectorXd& x) const {
    double sum = 0;
    for (const auto& term : terms) sum += term->energy(x);
    return sum;
  }
  Eigen::Matrix3Xd gradient(const Eigen::VectorXd& x) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(x.size());
    for (const auto& term : terms) term->add_gradient(x, sum);
    return Eigen::Map<const Eigen::Matrix3Xd>(sum.data(), 3, sum.size() / 3);
  }
};

// E(R x + t) = E(x), and forces turn with the body. Positions of up to 3 m have rounding errors of 2e-16 m in edges of 0.1 m,
// so that F has errors of some 1e-15; strains of 0.3 make these less than 1e-14 of energy and forces.
TEST_P(FreeBodyOf, RigidMotionsKeepTheEnergyOfABodyWithMuscles) {
  const Eigen::Vector3d t(1.5, -2, 0.7);
  for (const MuscleLaw law : {MuscleLaw::fiber, MuscleLaw::fiber_squared}) {
    const MuscularBody body(GetParam(), law);
    const Eigen::VectorXd x = disturbed(body.model->start_positions(), 0.03, 4);
    const Eigen::Matrix3Xd gradient = body.gradient(x);
    for (const double angle : {0.0, 0.4, 1.7, 3.1}) {
      const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, Eigen::Vector3d(2, -1, 3).normalized()).toRotationMatrix();
      Eigen::VectorXd moved(x.size());
      for (Eigen::Index v = 0; v < x.size(); v += 3) moved.segment<3>(v) = R * x.segment<3>(v) + t;
      EXPECT_NEAR(body.energy(moved), body.energy(x), 1e-13 * std::abs(body.energy(x))) << angle;
      EXPECT_LT((body.gradient(moved) - R * gradient).norm(), 1e-13 * gradient.norm()) << angle;
    }
  }
}

// Forces without a torque about x_{n+1} give sum x_{n+1} x m (v_{n+1} - v_n) = 0 in a step of implicit Euler, so that with
// x_{n+1} = x_n + dt v_{n+1} the angular momentum changes by dt sum m v_{n+1} x v_n: nothing where the body does not deform or
// turn, and much where its parts swing fast.
TEST_P(FreeBodyOf, StepsChangeTheAngularMomentumByTheProductsOfVelocities) {
  ElasticSceneDefinition definition;
  definition.gravity = {0, 0, 0};
  definition.time_step = 0.02;
  definition.bodies = {hand_body(GetParam(), box_source({0.7, 0.5, 0.4}, 120), 1e5)};
  const ElasticScene scene(definition);
  const ElasticModel& model = *scene.model;
  ElasticState state = initial_state(model);
  state.velocities = 60 * (disturbed(state.positions, 0.03, 4) - state.positions);
  ImplicitEuler integrator(scene, {.tolerance = 1e-10});
  const auto sum = [&](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    Eigen::Vector3d total = Eigen::Vector3d::Zero();
    for (int v = 0; v < model.vertex_count(); ++v)
      total += model.masses()[static_cast<std::size_t>(v)] *
               Eigen::Vector3d(a.segment<3>(3 * v)).cross(Eigen::Vector3d(b.segment<3>(3 * v)));
    return total;
  };
  double largest = 0;
  for (int step = 0; step < 5; ++step) {
    const ElasticState before = state;
    ASSERT_EQ(integrator.step(state).newton.status, NewtonStatus::converged);
    const Eigen::Vector3d change = sum(state.positions, state.velocities) - sum(before.positions, before.velocities),
                          expected = definition.time_step * sum(state.velocities, before.velocities);
    // The forces of inertia are in balance with the others up to the last step's size times the mass over dt^2.
    EXPECT_LE((change - expected).norm(), 1e-9) << step;
    largest = std::max(largest, expected.norm());
  }
  EXPECT_GT(largest, 1e-2);  // N m s
}

INSTANTIATE_TEST_SUITE_P(Materials, FreeBodyOf, testing::Values(HandEnergy::stable, HandEnergy::log));

}  // namespace
}  // namespace holo::test
