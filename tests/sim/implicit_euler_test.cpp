#include "holo/sim/dynamics/implicit_euler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../allocation_counter.h"
#include "dynamics/loads/dead_load.h"
#include "dynamics/loads/pressure.h"
#include "holo/core/numerics/parallel.h"
#include "scenes.h"

namespace holo::test {
namespace {

constexpr Vector3d no_gravity = {0, 0, 0};

ElasticSceneDefinition one_body(ElasticBodyDefinition body, double time_step = 0.01) {
  ElasticSceneDefinition scene;
  scene.time_step = time_step;
  scene.bodies = {std::move(body)};
  return scene;
}

double distance(const Vector3d& a, const Vector3d& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(ImplicitEuler, FreeFallIsTheDiscreteParabola) {
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({0.5, 0.4, 0.3}, 100));
  body.velocity = {1, 0, 2};
  const ElasticScene elastic(one_body(body));
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  const Vector3d start = center_of_mass(*model, state);
  ImplicitEuler integrator(elastic, {.tolerance = 1e-12});
  for (int n = 1; n <= 20; ++n) {
    ASSERT_EQ(integrator.step(state).newton.status, NewtonStatus::converged);
    const double t = n * 0.01, fallen = -9.81 * 0.01 * 0.01 * n * (n + 1) / 2;
    EXPECT_LT(distance(center_of_mass(*model, state), {start[0] + t, start[1], start[2] + 2 * t + fallen}), 1e-12);
    EXPECT_EQ(state.step, n);
    EXPECT_EQ(state.time, n * 0.01);
  }
  Eigen::VectorXd shape = state.positions - model->start_positions();
  for (int v = 1; v < model->vertex_count(); ++v) EXPECT_LT((shape.segment<3>(3 * v) - shape.segment<3>(0)).norm(), 1e-11);
}

TEST(ImplicitEuler, KeepsLinearMomentumWithoutGravityAndHandles) {
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({0.5, 0.4, 0.3}, 100));
  body.velocity = {1, 2, 3};
  body.angular_velocity = {0, 5, 1};
  body.stiffness_damping = 0.005;
  ElasticSceneDefinition scene = one_body(body);
  scene.gravity = no_gravity;
  const ElasticScene elastic(scene);
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  state.velocities = disturbed(state.velocities, 0.5);
  const Vector3d before = linear_momentum(*model, state);
  ImplicitEuler integrator(elastic, {.tolerance = 1e-12});
  for (int n = 0; n < 20; ++n) ASSERT_EQ(integrator.step(state).newton.status, NewtonStatus::converged);
  EXPECT_LT(distance(linear_momentum(*model, state), before), 1e-9 * distance(before, no_gravity));
}

TEST(ImplicitEuler, EnergyNeverGrowsWithoutDriving) {
  for (double damping : {0.0, 0.01}) {
    ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({0.5, 0.4, 0.3}, 100));
    body.stiffness_damping = damping;
    const ElasticScene elastic(one_body(body));
    const auto& model = elastic.model;
    ElasticState state = initial_state(*model);
    for (Eigen::Index i = 0; i < state.positions.size(); i += 3) state.positions[i] *= 1.3;
    ImplicitEuler integrator(elastic);
    double before = energies(*model, elastic.gravity, state).total();
    for (int n = 0; n < 40; ++n) {
      const ElasticStepResult result = integrator.step(state);
      ASSERT_EQ(result.newton.status, NewtonStatus::converged) << result.newton.diagnosis;
      EXPECT_LE(result.energies.total(), before + 1e-9 * std::abs(before));
      before = result.energies.total();
    }
  }
}

TEST(ImplicitEuler, DampingTakesEnergyFasterAndATurnedBodyIsDampedAlike) {
  auto elastic_after = [](double alpha, double beta, double angle) {
    ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({0.5, 0.4, 0.3}, 100));
    body.mass_damping = alpha;
    body.stiffness_damping = beta;
    body.rotation_angle = angle;
    body.rotation_axis = {0.6, 0.8, 0};
    ElasticSceneDefinition scene = one_body(body, 0.002);
    scene.gravity = no_gravity;
    const ElasticScene elastic(scene);
    const auto& model = elastic.model;
    ElasticState state = initial_state(*model);
    state.positions *= 1.1;
    ImplicitEuler integrator(elastic, {.tolerance = 1e-10});
    ElasticStepResult result;
    for (int n = 0; n < 30; ++n) result = integrator.step(state);
    return result.energies.total();
  };
  const double undamped = elastic_after(0, 0, 0);
  EXPECT_LT(elastic_after(5, 0, 0), 0.8 * undamped);
  const double damped = elastic_after(0, 0.002, 0);
  EXPECT_LT(damped, 0.8 * undamped);
  EXPECT_NEAR(elastic_after(0, 0.002, 2.5) / damped, 1, 1e-6);
}

// A bar that hangs from its end, Poisson's ratio 0, small strains: its tip sinks by rho g L^2/(2 E), and it holds the energy
// A (rho g)^2 L^3/(6 E), of which linear elements of length h miss h^2/(4 L^2).
TEST(ImplicitEuler, HangingBarConvergesToTheClosedForm) {
  const double E = 1e9, weight = 1000 * 9.81, expected_tip = weight / (2 * E),
               expected_energy = 0.25 * weight * weight / (6 * E);
  std::vector<double> errors;
  for (int cells : {2, 4, 8}) {
    ElasticBodyDefinition body =
        hand_body(HandEnergy::stable, box_source({1, 0.5, 0.5}, 6 * cells * cells * cells / 4), E, 0.0);
    body.rotation_axis = {0, 1, 0};
    body.rotation_angle = std::numbers::pi / 2;  // x points down
    body.handles = {box_handle({-9, -9, -1e-9}, {9, 9, 9})};
    const ElasticScene elastic(one_body(body, 1e3));
    const auto& model = elastic.model;
    ElasticState state = initial_state(*model);
    ImplicitEuler integrator(elastic, {.tolerance = 1e-13});
    ElasticStepResult result;
    for (int n = 0; n < 3; ++n) {
      result = integrator.step(state);
      ASSERT_EQ(result.newton.status, NewtonStatus::converged) << result.newton.diagnosis;
    }
    double sunk = 0;
    int tips = 0;
    for (int v = 0; v < model->vertex_count(); ++v)
      if (model->start_positions()[3 * v + 2] < -1 + 1e-9) {
        sunk += model->start_positions()[3 * v + 2] - state.positions[3 * v + 2];
        ++tips;
      }
    EXPECT_NEAR(sunk / tips / expected_tip, 1, 4e-3);
    errors.push_back(1 - result.energies.elastic / expected_energy);
  }
  EXPECT_NEAR(errors[0], 1.0 / 16, 0.03);
  EXPECT_NEAR(errors[0] / errors[1], 4, 1);
  EXPECT_NEAR(errors[1] / errors[2], 4, 1);
}

TEST(ImplicitEuler, HandlesFollowTheirMotionExactlyAndAreReleased) {
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({0.5, 0.2, 0.2}, 200));
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::sinusoid;
  motion.displacement = {0, 0, 0.1};
  motion.period = 0.3;
  body.handles = {box_handle({-1, -1, -1}, {1e-9, 1, 1}, motion)};
  body.handles[0].release_time = 0.1;
  const ElasticScene elastic(one_body(body));
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  ImplicitEuler integrator(elastic);
  const auto& held = elastic.schedule.handles()[0].vertices;
  ASSERT_GT(held.size(), 3u);
  for (int n = 1; n <= 15; ++n) {
    ASSERT_EQ(integrator.step(state).newton.status, NewtonStatus::converged);
    double off = 0;
    for (int v : held) {
      const Eigen::Vector3d X = model->start_positions().segment<3>(3 * v);
      const Vector3d target = motion.position({X[0], X[1], X[2]}, n * 0.01);
      for (int i = 0; i < 3; ++i)
        off = std::max(off, std::abs(state.positions[3 * v + i] - target[static_cast<std::size_t>(i)]));
    }
    if (n <= 10) {
      EXPECT_EQ(off, 0) << n;
    } else {
      EXPECT_GT(off, 1e-6) << n;
    }
  }
}

// The end is pushed into the body by more than an element in one step: put to its target at once, it would invert the elements.
TEST(ImplicitEuler, AHandleThatMovesFarTakesTheBodyAlong) {
  ElasticBodyDefinition body = hand_body(HandEnergy::log, box_source({0.5, 0.2, 0.2}, 300));
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::linear;
  motion.displacement = {0.2, 0, 0};
  motion.duration = 0.01;
  body.handles = {box_handle({-1, -1, -1}, {1e-9, 1, 1}, motion)};
  const ElasticScene elastic(one_body(body));
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  ImplicitEuler integrator(elastic);
  const ElasticStepResult result = integrator.step(state);
  ASSERT_EQ(result.newton.status, NewtonStatus::converged) << result.newton.diagnosis;
  EXPECT_GT(result.start_factorizations, 0) << "otherwise the motion is too small for this test";
  EXPECT_EQ(result.inverted_elements, 0);
  EXPECT_GT(result.minimum_determinant, 0);
  for (int v : elastic.schedule.handles()[0].vertices)
    EXPECT_NEAR(state.positions[3 * v] - model->start_positions()[3 * v], 0.2, 1e-15);
}

TEST(ImplicitEuler, HandlesThatInvertAnElementByThemselvesAreNamedWithTheElementsOwnNumber) {
  const MeshSource one_cell_from_101 = [] {  // every vertex is held
    TetrahedralMesh mesh = box_mesh({1, 1, 1}, 6);
    for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) mesh.element_names.push_back(101 + static_cast<std::int64_t>(i));
    return mesh;
  };
  ElasticBodyDefinition body = hand_body(HandEnergy::log, one_cell_from_101);
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::linear;
  motion.displacement = {2, 0, 0};
  motion.duration = 0.01;
  body.handles = {box_handle({-1, -1, -1}, {1e-9, 1, 1}, motion), box_handle({1 - 1e-9, -1, -1}, {1, 1, 1})};
  const ElasticScene elastic(one_body(body));
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  ImplicitEuler integrator(elastic);
  const ElasticStepResult result = integrator.step(state);
  EXPECT_EQ(result.newton.status, NewtonStatus::infeasible_start);
  for (const char* part :
       {"handles.0, handles.1 of 'body' move all vertices of element 10", "determinant would be -", "hold fewer vertices"})
    EXPECT_NE(result.newton.diagnosis.find(part), std::string::npos) << part << " in: " << result.newton.diagnosis;
  EXPECT_EQ(result.newton.diagnosis.find("smaller scene.time_step"), std::string::npos) << result.newton.diagnosis;
  EXPECT_EQ(state.step, 0);
  EXPECT_EQ(state.positions, model->start_positions());
}

TEST(ImplicitEuler, SameBitsOnAnyNumberOfThreadsAndAfterASavedState) {
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({1, 0.3, 0.3}, 3000));
  body.stiffness_damping = 0.001;
  body.handles = {box_handle({-1, -1, -1}, {1e-9, 1, 1})};
  const ElasticScene elastic(one_body(body));
  const auto& model = elastic.model;
  auto run = [&](int threads, bool restart) {
    ThreadLimit limit(threads);
    ElasticState state = initial_state(*model);
    auto integrator = std::make_unique<ImplicitEuler>(elastic);
    for (int n = 0; n < 4; ++n) {
      if (restart && n == 2) {
        state = deserialize(*model, serialize(state));
        integrator = std::make_unique<ImplicitEuler>(elastic);
      }
      EXPECT_EQ(integrator->step(state).newton.status, NewtonStatus::converged);
    }
    return serialize(state);
  };
  const std::string one = run(1, false);
  EXPECT_EQ(one, run(2, false));
  EXPECT_EQ(one, run(5, false));
  EXPECT_EQ(one, run(1, true));
}

TEST(ImplicitEuler, NothingIsAllocatedInAnIterationAfterTheFirst) {
  if (!counts_allocations) GTEST_SKIP() << "the sanitizers bring their own allocator";
  ElasticBodyDefinition body = hand_body(HandEnergy::log, box_source({1, 0.3, 0.3}, 1000));
  body.stiffness_damping = 0.001;
  body.mass_damping = 0.1;
  for (const LoadMaker& make : {force_load({1, 2, 3}), traction_load({1, 2, 3}), pressure_load(10)}) {
    LoadDefinition& load = body.loads.emplace_back();
    load.make = make;
    load.subset.kind = SubsetDefinition::Kind::all;
  }
  const ElasticScene elastic(one_body(body));
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  IncrementalPotential potential(model, implicit_euler_terms(elastic));
  potential.begin_step(elastic.step_from(state), elastic.schedule);
  Eigen::VectorXd x = disturbed(state.positions, 0.01), gradient, direction = disturbed(x, 1) - x;
  SparseMatrix hessian;
  ThreadLimit limit(1);
  auto iteration = [&] {
    potential.derivatives(x, Curvature::projected, gradient, hessian);
    return potential.energy(x) + potential.feasible_step(x, direction) + potential.step_size(direction);
  };
  iteration();
  const long before = allocation_count.load();
  EXPECT_TRUE(std::isfinite(iteration()));
  EXPECT_EQ(allocation_count.load() - before, 0);
  EXPECT_TRUE(an_allocation_counts());
}

TEST(ImplicitEuler, StateOfAnotherSceneIsRefused) {
  const ElasticScene elastic(one_body(hand_body(HandEnergy::stable, box_source({1, 1, 1}, 6))));
  const auto& model = elastic.model;
  const auto other = build(one_body(hand_body(HandEnergy::stable, box_source({1, 1, 1}, 60))));
  const std::string bytes = serialize(initial_state(*model));
  EXPECT_EQ(deserialize(*model, bytes).positions, model->start_positions());
  EXPECT_THROW(deserialize(*other, bytes), Error);
  EXPECT_THROW(deserialize(*model, bytes.substr(1)), Error);
  EXPECT_THROW(deserialize(*model, ""), Error);
}

}  // namespace
}  // namespace holo::test
