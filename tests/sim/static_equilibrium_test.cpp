// Equilibria as minima of a potential without inertia.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "holo/core/error.h"
#include "holo/opt/newton.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/dynamics/gravity.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "scenes.h"

namespace holo::test {
namespace {

// A bar of 1 m that hangs from its end, along -z, of Poisson's ratio 0, with damping that an equilibrium must not see.
ElasticScene hanging_bar(double youngs_modulus, double density, int cells) {
  ElasticBodyDefinition body =
      hand_body(HandEnergy::stable, box_source({1, 0.5, 0.5}, 6 * cells * cells * cells / 4), youngs_modulus, 0.0);
  body.density = density;
  body.rotation_axis = {0, 1, 0};
  body.rotation_angle = std::numbers::pi / 2;  // x points down
  body.mass_damping = 3;
  body.stiffness_damping = 0.1;
  body.handles = {box_handle({-9, -9, -1e-9}, {9, 9, 9})};
  ElasticSceneDefinition definition;
  definition.bodies = {body};
  return ElasticScene(definition);
}

struct Equilibrium {
  ElasticScene elastic;
  ElasticState state = initial_state(*elastic.model);
  IncrementalPotential potential{elastic.model, static_terms(elastic)};
  Eigen::VectorXd x = state.positions;
  NewtonResult result;

  explicit Equilibrium(const ElasticScene& scene) : elastic(scene) {
    potential.begin_step(elastic.step_from(state), elastic.schedule);
    NewtonWorkspace workspace;
    result = minimize(potential, x, {.tolerance = 1e-13}, workspace);
  }
};

// With the weight rho g per volume and small strains, the point at the height -s sinks by rho g/E (L s - s^2/2). Vertices of
// linear elements under a distributed load lie on this curve in one dimension; in three, those of one height scatter by the
// corners of the lumped masses.
TEST(StaticEquilibrium, HangingBarFollowsTheClosedForm) {
  const double E = 1e9, weight = 1000 * 9.81;
  const Equilibrium bar(hanging_bar(E, 1000, 8));
  ASSERT_EQ(bar.result.status, NewtonStatus::converged) << bar.result.diagnosis;
  const Eigen::VectorXd& X = bar.elastic.model->start_positions();
  std::map<long, std::array<double, 3>> of_height;  // sum of the way down, count, height
  for (int v = 0; v < bar.elastic.model->vertex_count(); ++v) {
    auto& [sum, count, s] = of_height[std::lround(-X[3 * v + 2] * 1e6)];
    sum += X[3 * v + 2] - bar.x[3 * v + 2], ++count, s = -X[3 * v + 2];
  }
  EXPECT_GE(of_height.size(), 8u);
  for (const auto& [key, values] : of_height) {
    const auto& [sum, count, s] = values;
    EXPECT_NEAR(sum / count, weight / E * (s - s * s / 2), 4e-3 * weight / (2 * E)) << s;
  }
}

// Large strains: the gradient of every free vertex vanishes, and the handle carries the whole weight.
TEST(StaticEquilibrium, ResidualVanishesAndTheHandleCarriesTheWeight) {
  Equilibrium bar(hanging_bar(2e4, 1000, 4));
  ASSERT_EQ(bar.result.status, NewtonStatus::converged) << bar.result.diagnosis;
  const ElasticModel& model = *bar.elastic.model;
  Eigen::VectorXd gradient, free_gradient;
  SparseMatrix hessian;
  bar.potential.derivatives(bar.x, Curvature::exact, gradient, hessian);
  bar.potential.free_derivatives(bar.x, Curvature::exact, free_gradient, hessian);
  double weight = 0, carried = 0;
  for (int v = 0; v < model.vertex_count(); ++v) {
    if (bar.potential.prescribed(v)) {
      // The gradient is the force against the motion: of the handle's vertices the reaction, less their own weight.
      carried += free_gradient[3 * v + 2];
    }
    weight += model.masses()[static_cast<std::size_t>(v)] * 9.81;
  }
  EXPECT_LT(gradient.norm(), 1e-10 * weight);
  EXPECT_NEAR(carried, weight, 1e-10 * weight);
  EXPECT_GT((bar.x - bar.state.positions).cwiseAbs().maxCoeff(), 0.1) << "the strains are large";
}

TEST(StaticEquilibrium, DampingAndTheTimeStepDoNotMatter) {
  ElasticScene scene = hanging_bar(1e5, 1000, 4), other = hanging_bar(1e5, 1000, 4);
  other.integration.time_step = 7;
  EXPECT_EQ(Equilibrium(scene).x, Equilibrium(other).x);
}

TEST(StaticEquilibrium, ABodyThatNothingHoldsIsRefusedWithWhatHelps) {
  ElasticScene scene = hanging_bar(1e5, 1000, 4);
  scene.schedule = DirichletSchedule();
  const Equilibrium bar(scene);
  ASSERT_NE(bar.result.status, NewtonStatus::converged);
  EXPECT_EQ(bar.result.diagnosis.find("time_step"), std::string::npos) << bar.result.diagnosis;
}

TEST(StaticEquilibrium, APotentialNeedsOneElasticTerm) {
  const ElasticScene scene = hanging_bar(1e5, 1000, 4);
  PotentialTerms none, two = static_terms(scene);
  none.push_back(std::make_unique<Gravity>(scene.model, scene.gravity));
  two.push_back(std::make_unique<ElasticTerm>(scene.model));
  EXPECT_THROW(IncrementalPotential(scene.model, std::move(none)), Error);
  EXPECT_THROW(IncrementalPotential(scene.model, std::move(two)), Error);
}

}  // namespace
}  // namespace holo::test
