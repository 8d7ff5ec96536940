// Equilibria under growing loads: sliding handles against homogeneous deformations, reactions against energies, divided steps,
// loads without an equilibrium.
#include "holo/sim/dynamics/quasi_statics.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/elastic/elastic_observations.h"
#include "scenes.h"

namespace holo::test {
namespace quasi_statics_tests {

MotionDefinition moved_by(Vector3d displacement) {
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::linear;
  motion.displacement = displacement;
  return motion;
}

ElasticBodyDefinition body_of(const char* material, MeshSource mesh, double youngs_modulus, double poissons_ratio) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto plugin = host.get<MaterialPlugin>(material);
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, std::move(mesh));
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", youngs_modulus}, {"poissons_ratio", poissons_ratio}});
  return body;
}

// A handle along one axis at the vertices with that coordinate.
HandleDefinition plane_handle(int axis, double coordinate, Vector3d displacement = {}) {
  Vector3d minimum = {-9, -9, -9}, maximum = {9, 9, 9};
  minimum[std::size_t(axis)] = coordinate - 1e-9;
  maximum[std::size_t(axis)] = coordinate + 1e-9;
  HandleDefinition handle = box_handle(minimum, maximum, moved_by(displacement));
  handle.along = {};
  handle.along[std::size_t(axis)] = true;
  return handle;
}

ElasticSceneDefinition scene_of(ElasticBodyDefinition body, double time_step) {
  ElasticSceneDefinition scene;
  scene.time_step = time_step;
  scene.duration = 1;
  scene.gravity = {};
  scene.bodies = {std::move(body)};
  return scene;
}

// A cube between plates without friction that come together by 65 %, as in [Luo2019] Fig 12.
ElasticSceneDefinition squeezed_cube(const char* material, double lambda_over_mu, double time_step) {
  const double mu = 1e4, lambda = lambda_over_mu * mu, nu = lambda / (2 * (lambda + mu)), E = 2 * mu * (1 + nu);
  ElasticBodyDefinition body = body_of(material, box_source({1, 1, 1}, 48), E, nu);
  body.handles = {plane_handle(0, 0), plane_handle(1, 0), plane_handle(2, 0), plane_handle(2, 1, {0, 0, -0.65})};
  return scene_of(std::move(body), time_step);
}

struct Statics {
  ElasticScene scene;
  QuasiStatics statics;
  ElasticState state;
  NewtonWorkspace workspace;
  QuasiStaticResult result;
  int increments = 0, refused = 0;

  explicit Statics(const ElasticSceneDefinition& definition, double tolerance = 1e-11)
      : scene(definition),
        statics(scene, {.newton = {.tolerance = tolerance}, .smallest_increment = 1e-3}),
        state(initial_state(*scene.model)) {}

  bool run() {
    while (state.step < scene.integration.step_count) {
      result = statics.step(state, workspace);
      increments += result.increments;
      refused += result.refused;
      if (result.newton.status != NewtonStatus::converged) return false;
    }
    return true;
  }
};

// F of the affine map of all vertices; the largest distance from it is `misfit`.
Eigen::Matrix3d fitted_map(const Statics& run, double& misfit) {
  const Eigen::Index count = run.state.positions.size() / 3;
  const Eigen::Map<const Eigen::Matrix3Xd> X(run.scene.model->start_positions().data(), 3, count),
      x(run.state.positions.data(), 3, count);
  const Eigen::Matrix3d F = x * X.transpose() * (X * X.transpose()).inverse();
  misfit = (x - F * X).cwiseAbs().maxCoeff();
  return F;
}

// The determinant of the homogeneous deformation diag(a, a, s) of least energy: by a scan of a and golden sections.
template <class Energy>
double homogeneous_determinant(double s, const Energy& energy) {
  double best = 0.5;
  for (double a = 0.5; a < 3; a += 1e-3)
    if (energy(a, s) < energy(best, s)) best = a;
  double left = best - 1e-3, right = best + 1e-3;
  for (int n = 0; n < 60; ++n) {
    const double first = left + 0.382 * (right - left), second = left + 0.618 * (right - left);
    (energy(first, s) < energy(second, s) ? right : left) = energy(first, s) < energy(second, s) ? second : first;
  }
  return left * left * s;
}

// With mu = 1: [Luo2019] Eq 38, and stable neo-Hookean whose small strains have lambda and mu [Smith2018].
double determinant_of_volume_preserving(double lambda) {
  return homogeneous_determinant(0.35, [&](double a, double s) {
    const double J = a * a * s, e = J - 1;
    if (!(e * e < 0.25)) return std::numeric_limits<double>::infinity();
    return std::pow(J, -2.0 / 3) * (2 * a * a + s * s) + lambda / 2 * std::pow(std::log(1 - 4 * e * e), 2);
  });
}
double determinant_of_stable(double lambda) {
  const double m = 4.0 / 3, l = lambda + 5.0 / 6, alpha = 1 + m / l - m / (4 * l);
  return homogeneous_determinant(0.35, [&](double a, double s) {
    const double I = 2 * a * a + s * s;
    return m / 2 * I + l / 2 * std::pow(a * a * s - alpha, 2) - m / 2 * std::log(I + 1);
  });
}

// Energies near a minimum are flat: the scan knows a to the root of their rounding, 1e-8.
TEST(QuasiStatics, ACubeBetweenSlidingPlatesHasTheHomogeneousVolume) {
  for (const double ratio : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0})
    for (const bool is_log : {true, false}) {
      const char* material = is_log ? "volume_preserving" : "stable_neo_hookean_smith";
      Statics run(squeezed_cube(material, ratio, 0.05));
      ASSERT_TRUE(run.run()) << run.result.newton.diagnosis;
      double misfit = 0;
      const Eigen::Matrix3d F = fitted_map(run, misfit);
      EXPECT_LT(misfit, 1e-9) << material;
      EXPECT_NEAR(F(0, 0), F(1, 1), 1e-9) << material;
      EXPECT_NEAR(F(2, 2), 0.35, 1e-14) << material;
      EXPECT_NEAR(F.determinant(), is_log ? determinant_of_volume_preserving(ratio) : determinant_of_stable(ratio), 1e-6)
          << material << " " << ratio;
    }
}

// The work of the handle: with the energies at a displacement a little smaller and larger, whose difference has an error of
// third order.
TEST(QuasiStatics, TheReactionIsTheDerivativeOfTheEnergyByTheHandlesWay) {
  const double change = 1e-4;
  const auto energy_at = [&](double displacement, Eigen::Vector3d* reaction) {
    ElasticBodyDefinition body = body_of("neo_hookean", box_source({1, 0.5, 0.5}, 162), 1e5, 0.4);
    body.handles = {box_handle({-9, -9, -9}, {1e-9, 9, 9}),
                    box_handle({1 - 1e-9, -9, -9}, {9, 9, 9}, moved_by({displacement, 0.1, 0}))};
    Statics run(scene_of(std::move(body), 0.25));
    EXPECT_TRUE(run.run()) << run.result.newton.diagnosis;
    if (reaction != nullptr) {
      const Eigen::VectorXd forces = run.statics.forces(run.state);
      for (const int vertex : run.scene.schedule.handles().back().vertices) *reaction += forces.segment<3>(3 * vertex);
    }
    return run.statics.energy(run.state);
  };
  Eigen::Vector3d reaction = Eigen::Vector3d::Zero();
  energy_at(0.3, &reaction);
  const double slope = (energy_at(0.3 + change, nullptr) - energy_at(0.3 - change, nullptr)) / (2 * change);
  EXPECT_NEAR(reaction[0], slope, 1e-6 * std::abs(slope));
}

TEST(QuasiStatics, ARotatedSceneHasTheRotatedEquilibrium) {
  const double angle = 1.1;
  const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const auto positions = [&](bool is_rotated) {
    ElasticBodyDefinition body = body_of("ogden", box_source({1, 0.5, 0.5}, 162), 1e5, 0.4);
    if (is_rotated) body.rotation_angle = angle;
    const Eigen::Vector3d way = (is_rotated ? R : Eigen::Matrix3d(Eigen::Matrix3d::Identity())) * Eigen::Vector3d(0.2, 0, -0.3);
    body.handles = {box_handle({-9, -9, -9}, {1e-9, 9, 9}),
                    box_handle({1 - 1e-9, -9, -9}, {9, 9, 9}, moved_by({way[0], way[1], way[2]}))};
    ElasticSceneDefinition definition = scene_of(std::move(body), 0.25);
    if (is_rotated) {  // handles are selected on the placed mesh
      const Eigen::Vector3d x_axis = R.col(0);
      const auto select_from = [&](double distance, double direction, SubsetDefinition& subset) {
        subset.kind = SubsetDefinition::Kind::half_space;
        for (std::size_t k = 0; k < 3; ++k) {
          subset.center[k] = distance * x_axis[Eigen::Index(k)];
          subset.normal[k] = direction * x_axis[Eigen::Index(k)];
        }
      };
      select_from(1e-9, -1, definition.bodies.front().handles[0].subset);
      select_from(1 - 1e-9, 1, definition.bodies.front().handles[1].subset);
    }
    Statics run(definition);
    EXPECT_TRUE(run.run()) << run.result.newton.diagnosis;
    return run.state.positions;
  };
  const Eigen::VectorXd upright = positions(false), turned = positions(true);
  double largest = 0;
  for (Eigen::Index i = 0; i < upright.size(); i += 3)
    largest = std::max(largest, (R * upright.segment<3>(i) - turned.segment<3>(i)).norm());
  EXPECT_LT(largest, 1e-8);
}

// At 65 % an affine map has det F = 0.35, where the energy is infinite: one step needs parts, and ends where 20 steps do.
TEST(QuasiStatics, AStepWithoutAnEquilibriumIsDividedAndEndsWhereSmallStepsDo) {
  Statics one(squeezed_cube("volume_preserving", 5, 1)), twenty(squeezed_cube("volume_preserving", 5, 0.05));
  ASSERT_TRUE(one.run()) << one.result.newton.diagnosis;
  ASSERT_TRUE(twenty.run());
  EXPECT_EQ(one.state.step, 1);
  EXPECT_EQ(twenty.increments, 20 + twenty.refused);
  EXPECT_LT((one.state.positions - twenty.state.positions).lpNorm<Eigen::Infinity>(), 1e-8);
}

// All of the surface is held: the volume cannot go into the sides, and is less than half at the end.
TEST(QuasiStatics, AnInfeasibleLoadLeavesTheLastEquilibrium) {
  ElasticSceneDefinition definition = squeezed_cube("volume_preserving", 5, 0.1);
  std::vector<HandleDefinition>& handles = definition.bodies.front().handles;
  handles.push_back(plane_handle(0, 1));
  handles.push_back(plane_handle(1, 1));
  Statics run(definition);
  EXPECT_FALSE(run.run());
  EXPECT_GT(run.refused, 0);
  EXPECT_FALSE(run.result.newton.diagnosis.empty());
  // det F = 1 - 0.65 t > 0.5 until t = 0.769; the parts are at least a thousandth of the step.
  EXPECT_EQ(run.state.step, 7);
  EXPECT_NEAR(run.state.time, 0.5 / 0.65, 3e-4);
  EXPECT_LT(run.state.time, 0.5 / 0.65);
  EXPECT_GT(determinants(*run.scene.model, run.state.positions).minimum, 0.5);
  EXPECT_TRUE(run.statics.forces(run.state).allFinite());
}

TEST(QuasiStatics, AWorkspaceServesSeveralScenesAndChangesNoBit) {
  const auto positions = [](NewtonWorkspace& workspace, const char* material) {
    Statics run(squeezed_cube(material, 5, 0.25));
    while (run.state.step < run.scene.integration.step_count) run.statics.step(run.state, workspace);
    return run.state.positions;
  };
  NewtonWorkspace shared, first, second;
  const Eigen::VectorXd a = positions(shared, "neo_hookean"), b = positions(shared, "yeoh");
  EXPECT_EQ(a, positions(first, "neo_hookean"));
  EXPECT_EQ(b, positions(second, "yeoh"));
}

}  // namespace quasi_statics_tests
}  // namespace holo::test
