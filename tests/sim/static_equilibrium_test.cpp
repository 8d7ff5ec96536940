// Equilibria as minima of a potential without inertia.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "dynamics/loads/dead_load.h"
#include "holo/core/error.h"
#include "holo/core/plugins/plugin_host.h"
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

LoadDefinition traction_on(const Vector3d& traction, const Vector3d& minimum, const Vector3d& maximum) {
  LoadDefinition load;
  load.make = traction_load(traction);
  load.subset.kind = SubsetDefinition::Kind::box;
  load.subset.minimum = minimum;
  load.subset.maximum = maximum;
  return load;
}

// A spring of 100 m along an axis from a vertex: it holds that coordinate, and nearly nothing else.
LoadDefinition support(Vector3d vertex, std::size_t axis) {
  Vector3d far = vertex;
  far[axis] += 100;
  ConfigurationFile file = ConfigurationFile::parse(
      fmt::format(
          "{{type: spring, stiffness: 1e3, rest_length: 100, point: [{}], on: {{sphere: {{center: [{}], radius: 1e-9}}}}}}",
          fmt::join(far, ", "), fmt::join(vertex, ", ")),
      "support.yaml");
  Configuration root = file.root();
  const LoadDefinition load = read_load(root, {});
  file.finish();
  return load;
}

// The strains along and across of a bar of 1 m that opposite tractions [Pa] pull at both ends. The vertex at the origin is
// held, and springs at two others hold rotations: in the equilibrium no support has a force, up to the squared strain.
Eigen::Vector2d strains_of_pulled_bar(ElasticBodyDefinition body, double traction) {
  body.mesh = box_source({1, 0.5, 0.5}, 6 * 4 * 2 * 2);
  body.handles = {box_handle({-9, -9, -9}, {1e-9, 1e-9, 1e-9})};
  body.loads = {traction_on({traction, 0, 0}, {1 - 1e-9, -9, -9}, {9, 9, 9}),
                traction_on({-traction, 0, 0}, {-9, -9, -9}, {1e-9, 9, 9}), support({1, 0, 0}, 1), support({1, 0, 0}, 2),
                support({0, 0.5, 0}, 2)};
  ElasticSceneDefinition definition;
  definition.gravity = {0, 0, 0};
  definition.bodies = {body};
  const Equilibrium bar{ElasticScene(definition)};
  EXPECT_EQ(bar.result.status, NewtonStatus::converged) << bar.result.diagnosis;
  // Linear elements hold the homogeneous state x = F X exactly.
  const Eigen::Index count = bar.x.size() / 3;
  const Eigen::Map<const Eigen::Matrix3Xd> X(bar.state.positions.data(), 3, count), x(bar.x.data(), 3, count);
  const Eigen::Matrix3d F = x * X.transpose() * (X * X.transpose()).inverse();
  EXPECT_LT((x - F * X).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(F(1, 1), F(2, 2), 1e-12);
  return {F(0, 0) - 1, F(1, 1) - 1};
}

// Half the difference of the pulled and the pushed bar has no term of the squared strain: what is left of the curves of the
// materials is some squared strains, 1e-8 each. The strains of 1e-4 are known to 1e-13.
TEST(StaticEquilibrium, AUniaxialBarHasTheYoungsModulusAndThePoissonsRatioOfItsMaterial) {
  const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto expect_moduli = [](const ElasticBodyDefinition& body, double E, double nu) {
    const double traction = 1e-4 * E;
    const Eigen::Vector2d slope =
        (strains_of_pulled_bar(body, traction) - strains_of_pulled_bar(body, -traction)) / (2 * traction);
    EXPECT_NEAR(1 / slope[0], E, 1e-7 * E) << body.material->name << " " << nu;
    EXPECT_NEAR(-slope[1] / slope[0], nu, 1e-7) << body.material->name << " " << nu;
  };
  for (const double nu : {0.0, 0.3, 0.45}) {
    for (const HandEnergy energy : {HandEnergy::stable, HandEnergy::log})
      expect_moduli(hand_body(energy, {}, 1e5, nu), 1e5, nu);
    for (const char* name : {"stable_neo_hookean", "neo_hookean", "stvk"}) {
      const auto plugin = host.get<MaterialPlugin>(name);
      ElasticBodyDefinition body = hand_body(HandEnergy::stable, {});
      body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
      body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", nu}});
      expect_moduli(body, 1e5, nu);
    }
  }
}

// The work of a small traction across the end of a cantilever of 1 x 0.1 x 0.1 m, over the force: the mean deflection [m].
struct Cantilever {
  static constexpr double length = 1, height = 0.1, E = 1e6, nu = 0.3, traction = 1e-8 * E;

  static double deflection(int cells_across) {
    ElasticBodyDefinition body = hand_body(
        HandEnergy::stable, box_source({length, height, height}, 60 * cells_across * cells_across * cells_across), E, nu);
    body.handles = {box_handle({-9, -9, -9}, {1e-9, 9, 9})};
    body.loads = {traction_on({0, 0, traction}, {length - 1e-9, -9, -9}, {9, 9, 9})};
    ElasticSceneDefinition definition;
    definition.gravity = {0, 0, 0};
    definition.bodies = {body};
    const Equilibrium beam{ElasticScene(definition)};
    EXPECT_EQ(beam.result.status, NewtonStatus::converged) << beam.result.diagnosis;
    const double work = -beam.potential.potential_terms().back()->energy(beam.x);
    return work / (traction * height * height);
  }
  // F L^3/(3 E I) + F L/(k G A), Timoshenko's beam with the shear coefficient k = 10 (1 + nu)/(12 + 11 nu) of rectangles
  // [Cowper1966].
  static double of_beam_theory() {
    const double A = height * height, I = A * A / 12, F = traction * A, G = E / (2 * (1 + nu)),
                 k = 10 * (1 + nu) / (12 + 11 * nu);
    return F * std::pow(length, 3) / (3 * E * I) + F * length / (k * G * A);
  }
};

// Each mesh refines the one before, so that its energy is lower and its deflection larger, and all are stiffer than the body.
// The error falls with the square of the cells' size; what extrapolation leaves of it and what beam theory neglects, the
// hindered contraction at the clamped end, are below 5 %.
TEST(StaticEquilibrium, ACantileverBendsAsBeamTheorySaysInTheLimitOfFineMeshes) {
  const double expected = Cantilever::of_beam_theory();
  std::vector<double> deflections;
  for (const int cells : {1, 2, 4, 8}) {
    deflections.push_back(Cantilever::deflection(cells));
    EXPECT_LT(deflections.back(), expected) << cells;
    if (deflections.size() > 1) {
      EXPECT_GT(deflections.back(), deflections[deflections.size() - 2]) << cells;
    }
  }
  EXPECT_NEAR(deflections[3] + (deflections[3] - deflections[2]) / 3, expected, 0.05 * expected);
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
