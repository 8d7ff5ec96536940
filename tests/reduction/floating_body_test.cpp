// Steps of floating reduced bodies against closed forms and the full potential of a step.
#include "holo/sim/reduction/floating_body.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "holo/core/error.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "holo/sim/reduction/linear_modes.h"
#include "reduced_bodies.h"
#include "reduction/rotation_step.h"

namespace holo::test {
namespace {

constexpr double step_time = 0.01;  // [s]

// A turned box above a plane through the origin, of which `columns` modes are left.
struct FloatingBox {
  explicit FloatingBox(double youngs_modulus, double friction = 0, double height = 0.5, double mass_damping = 0,
                       int columns = 6)
      : scene(definition_of(youngs_modulus, friction, height, mass_damping)),
        system(scene.model, scene.model->start_positions(), {{}, true}),
        basis(linear_modes(system, columns).shapes),
        body(std::make_shared<const FloatingBody>(system, basis, scene.contact)),
        elasticity(std::make_shared<const ReducedElasticity>(scene.model, system.positions(), basis)) {}

  static ElasticSceneDefinition definition_of(double youngs_modulus, double friction, double height, double mass_damping) {
    const auto plugin = material_host().get<MaterialPlugin>("neo_hookean");
    ElasticSceneDefinition definition;
    definition.time_step = step_time;
    definition.gravity = {0.3, 0, -9.81};
    ElasticBodyDefinition& body = definition.bodies.emplace_back();
    body.name = "box";
    body.mesh = [] { return box_mesh({0.5, 0.2, 0.1}, 60); };
    body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
    body.coefficients = plugin->coefficients({{"youngs_modulus", youngs_modulus}, {"poissons_ratio", 0.3}});
    body.translation = {0, 0, height};
    body.mass_damping = mass_damping;
    definition.contact.activation_distance = 0.01;
    PlaneDefinition plane;
    plane.name = "ground";
    plane.friction = friction;
    definition.contact.planes = {plane};
    return definition;
  }
  FloatingOptions options() const {
    FloatingOptions result;
    result.time_step = step_time;
    result.gravity = Eigen::Vector3d(scene.gravity.data());
    result.mass_damping = scene.model->bodies().front().mass_damping;
    return result;
  }
  FloatingDynamics dynamics() const { return {body, elasticity, options()}; }

  // The gradient of the library's potential of the full body's step from the positions of two poses, at those of a third.
  Eigen::VectorXd full_gradient(const FloatingPose& before, const FloatingPose& now, const FloatingPose& next) const {
    IncrementalPotential potential(scene.model, implicit_euler_terms(scene));
    const Eigen::VectorXd x = body->positions(now), v = (x - body->positions(before)) / step_time;
    const StepContext context{.positions = x, .velocities = v, .time_step = step_time, .start_time = 0, .end_time = step_time};
    potential.begin_step(context, scene.schedule);
    Eigen::VectorXd gradient;
    potential.gradient(body->positions(next), gradient);
    return gradient;
  }
  // Directions of the body's positions: translations, rotations about the center of mass, and turned columns of the basis.
  Eigen::MatrixXd directions(const FloatingPose& pose) const {
    const Eigen::VectorXd x = body->positions(pose);
    Eigen::MatrixXd result(x.size(), 6 + basis.cols());
    for (Eigen::Index v = 0; 3 * v < x.size(); ++v) {
      result.block<3, 3>(3 * v, 0).setIdentity();
      result.block<3, 3>(3 * v, 3) = -cross_matrix(x.segment<3>(3 * v) - pose.position);
      result.block(3 * v, 6, 3, basis.cols()) = pose.rotation * basis.middleRows<3>(3 * v);
    }
    return result;
  }

  // That of the lumped masses.
  Eigen::Vector3d largest_principal_axis() const {
    const FloatingPose start = body->start(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), step_time).now;
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
    for (int v = 0; v < scene.model->vertex_count(); ++v) {
      const Eigen::Vector3d y = scene.model->start_positions().segment<3>(3 * v) - start.position;
      moments += scene.model->masses()[std::size_t(v)] * y * y.transpose();
    }
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(moments).eigenvectors().col(0);
  }

  ElasticScene scene;
  ModalSystem system;
  Eigen::MatrixXd basis;
  std::shared_ptr<const FloatingBody> body;
  std::shared_ptr<const ReducedElasticity> elasticity;
};

// D and its derivatives against the exponential of a turn, and differences of fourth order in a.
TEST(RotationStep, IsARotationWithItsDerivatives) {
  const Eigen::Vector3d a(0.3, -0.2, 0.4);
  const auto D = [](const Eigen::Vector3d& at) { return RotationStep(at).change(); };
  const Eigen::Matrix3d Q = Eigen::AngleAxisd(2 * std::atan(a.norm()), a.normalized()).toRotationMatrix();
  EXPECT_LE((D(a) + Eigen::Matrix3d::Identity() - Q).norm(), 1e-15 * 8);
  EXPECT_LE((RotationStep::parameters(Q) - a).norm(), 1e-15 * 8);
  const double step = 1e-3;
  const auto difference = [&](int i, const auto& f) -> Eigen::Matrix3d {
    const Eigen::Vector3d e = step * Eigen::Vector3d::Unit(i);
    return (f(a - 2 * e) - 8 * f(a - e) + 8 * f(a + e) - f(a + 2 * e)) / (12 * step);
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE((RotationStep(a).change(i) - difference(i, D)).norm(), 1e-10);
    for (int j = 0; j < 3; ++j)
      EXPECT_LE((RotationStep(a).change(i, j) -
                 difference(j, [&](const Eigen::Vector3d& at) -> Eigen::Matrix3d { return RotationStep(at).change(i); }))
                    .norm(),
                1e-10);
  }
}

// At a step's end the full body's potential has no slope along any direction that the reduced body has: in flight, with a spin
// and damping, and on the ground with friction.
TEST(FloatingDynamics, StepsAreStationaryPointsOfTheFullPotential) {
  const FloatingBox box(1e5, 0.4, 0.03, 0.8);
  FloatingDynamics dynamics = box.dynamics();
  FloatingState state = box.body->start({0.5, 0.2, -1}, {1, 3, -0.5}, step_time);
  bool touched = false;
  for (int n = 0; n < 25; ++n) {
    const FloatingState from = state;
    const FloatingResult result = dynamics.step(state);
    ASSERT_TRUE(result.converged) << "step " << n << ": " << result.diagnosis;
    const Eigen::VectorXd gradient = box.full_gradient(from.before, from.now, state.now);
    const Eigen::MatrixXd directions = box.directions(state.now);
    // Relative to the forces that balance each other there, vertex by vertex.
    const Eigen::VectorXd slopes = directions.transpose() * gradient;
    const Eigen::VectorXd sizes = directions.cwiseAbs().transpose() * gradient.cwiseAbs();
    for (Eigen::Index k = 0; k < slopes.size(); ++k)
      EXPECT_LE(std::abs(slopes[k]), 1e-6 * sizes[k] + 1e-6) << "step " << n << ", direction " << k;
    touched |= box.body->smallest_gap(state.now) < 0.01;
    EXPECT_GT(box.body->smallest_gap(state.now), 0);
    EXPECT_EQ(state.before.position, from.now.position);
  }
  EXPECT_TRUE(touched);
}

// Without forces but gravity the center of mass of implicit Euler is that of a point.
TEST(FloatingDynamics, FallsAsAPointDoes) {
  const FloatingBox box(1e6);
  FloatingDynamics dynamics = box.dynamics();
  FloatingState state = box.body->start({1, 0, 2}, {4, -2, 1}, step_time);
  Eigen::Vector3d position = state.now.position, velocity(1, 0, 2);
  for (int n = 0; n < 20; ++n) {
    ASSERT_TRUE(dynamics.step(state).converged);
    velocity += step_time * Eigen::Vector3d(0.3, 0, -9.81);
    position += step_time * velocity;
    EXPECT_LE((state.now.position - position).norm(), 1e-9);
  }
}

// A stiff body that turns about a principal axis by the angle d in a step turns by atan(sin d/(2 - cos d)) in the next: the
// rotation that is nearest to 2 Q(0) - Q(-d). The elastic part is of the order of rho w^2 L^2/E = 1e-8.
TEST(FloatingDynamics, TurnsAsImplicitEulerTurnsARigidBody) {
  const FloatingBox box(1e10);
  FloatingDynamics dynamics = box.dynamics();
  const Eigen::Vector3d axis = box.largest_principal_axis();
  FloatingState state = box.body->start({0, 0, 5}, 20 * axis, step_time);
  double angle = 0.2;
  for (int n = 0; n < 5; ++n) {
    ASSERT_TRUE(dynamics.step(state).converged);
    angle = std::atan2(std::sin(angle), 2 - std::cos(angle));
    const Eigen::AngleAxisd turned(Eigen::Matrix3d(state.before.rotation.transpose() * state.now.rotation));
    EXPECT_NEAR(turned.angle(), angle, 1e-6);
    EXPECT_NEAR(std::abs(turned.axis().dot(axis)), 1, 1e-6);
  }
}

// Fallen, damped and at rest: planes carry the weight, and the body presses its own way.
TEST(FloatingDynamics, RestsOnThePlane) {
  const FloatingBox box(3e5, 0.5, 0.009, 5);
  FloatingDynamics dynamics = box.dynamics();
  FloatingState state = box.body->start(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), step_time);
  for (int n = 0; n < 150; ++n) ASSERT_TRUE(dynamics.step(state).converged);
  const ContactSummary contact = summarize_contact(box.scene.contact, box.body->positions(state.now), 0);
  EXPECT_NEAR(contact.normal_force, 9.81 * box.body->mass(), 1e-3 * 9.81 * box.body->mass());
  EXPECT_LE((state.now.position - state.before.position).norm() / step_time, 1e-3);
}

TEST(FloatingBodyBadInput, WhatDoesNotFitIsRefused) {
  const FloatingBox box(1e5);
  const auto expect = [](const std::function<void()>& call, const std::string& part) {
    try {
      call();
      ADD_FAILURE() << "nothing was refused: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect([&] { FloatingBody(clamped(box.scene.model), box.basis, {}); }, "modal system of a free body");
  expect([&] { FloatingBody(box.system, box.basis.topRows(6), {}); }, "a basis of 6 rows and 6 columns");
  expect([&] { FloatingBody(box.system, 2 * box.basis, {}); }, "must be orthonormal in M");
  expect([&] { FloatingBody(box.system, box.system.rigid_motions(), {}); }, "orthogonal to rigid motions");
  SceneContact moving = box.scene.contact;
  moving.planes.front().motion.kind = MotionDefinition::Kind::linear;
  expect([&] { FloatingBody(box.system, box.basis, moving); }, "planes that stay alone");
  FloatingOptions options = box.options();
  options.time_step = 0;
  expect([&] { FloatingDynamics(box.body, box.elasticity, options); }, "the time step 0 s");
  options = box.options();
  options.stiffness_damping = -1;
  expect([&] { FloatingDynamics(box.body, box.elasticity, options); }, "-1 s");
  const auto other = std::make_shared<const ReducedElasticity>(box.scene.model, box.system.positions(), box.basis.leftCols(2));
  expect([&] { FloatingDynamics(box.body, other, box.options()); }, "a floating body of 6 amplitudes got an energy of 2");
}

}  // namespace
}  // namespace holo::test
