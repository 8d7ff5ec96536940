// Loads on bodies: their sums, equilibria in closed form, and what an experiment may not ask for.
#include "dynamics/loads/loads.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "dynamics/loads/circular_load.h"
#include "dynamics/loads/dead_load.h"
#include "dynamics/loads/pressure.h"
#include "holo/core/error.h"
#include "holo/sim/dynamics/implicit_euler.h"
#include "scenes.h"

namespace holo::test {
namespace {

LoadDefinition load_on(LoadMaker make, const Vector3d& minimum, const Vector3d& maximum) {
  LoadDefinition load;
  load.make = std::move(make);
  load.subset.kind = SubsetDefinition::Kind::box;
  load.subset.minimum = minimum;
  load.subset.maximum = maximum;
  return load;
}

// A cube of 1 m without gravity whose material is mu/2 (F:F - 3) - mu ln J (Poisson's ratio 0), mu = 50 kPa.
ElasticSceneDefinition loaded_cube(const LoadDefinition& load, double time_step = 1e3) {
  ElasticSceneDefinition scene;
  scene.time_step = time_step;
  scene.gravity = {0, 0, 0};
  scene.bodies = {hand_body(HandEnergy::log, box_source({1, 1, 1}, 40), 1e5, 0.0)};
  scene.bodies[0].loads = {load};
  return scene;
}
constexpr double mu = 5e4;

Eigen::Matrix3Xd forces(PotentialTerm& term, const Eigen::VectorXd& x) {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(x.size());
  term.add_gradient(x, gradient);
  return -Eigen::Map<const Eigen::Matrix3Xd>(gradient.data(), 3, gradient.size() / 3);
}

struct LoadedCube {
  std::shared_ptr<const ElasticModel> model;
  std::unique_ptr<PotentialTerm> term;
  explicit LoadedCube(const LoadDefinition& load)
      : model(build(loaded_cube(load))), term(load.make(*model, model->bodies()[0], model->bodies()[0].loads[0])) {}
};

TEST(Loads, TractionOnAFlatFaceEqualsItsArea) {
  LoadDefinition load = load_on(traction_load({30, -20, 10}), {1 - 1e-9, -9, -9}, {9, 9, 9});
  const LoadedCube cube(load);
  const Eigen::VectorXd x = disturbed(cube.model->start_positions(), 0.1);
  const Eigen::Matrix3Xd f = forces(*cube.term, x);
  EXPECT_LT((f.rowwise().sum() - Eigen::Vector3d(30, -20, 10)).norm(), 1e-12);  // 1 m^2
  for (int v = 0; v < cube.model->vertex_count(); ++v)
    EXPECT_EQ(f.col(v).norm() > 0, cube.model->start_positions()[3 * v] > 1 - 1e-9);
  // The lever arm of a uniform traction is the middle of the face.
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();
  for (int v = 0; v < f.cols(); ++v) torque += Eigen::Vector3d(cube.model->start_positions().segment<3>(3 * v)).cross(f.col(v));
  EXPECT_LT((torque - Eigen::Vector3d(1, 0.5, 0.5).cross(Eigen::Vector3d(30, -20, 10))).norm(), 1e-12);
}

// Every corner of the face is one of the group's, but half of the triangles alone are.
TEST(Loads, OfAGroupOfTrianglesTheseAreLoaded) {
  LoadDefinition load = load_on(traction_load({}), {1 - 1e-9, -9, -9}, {9, 9, 9});
  ElasticSceneDefinition scene = loaded_cube(load);
  scene.bodies[0].mesh = [source = scene.bodies[0].mesh] {
    TetrahedralMesh mesh = source();
    MeshGroup group{.name = "half", .dimension = 2, .vertices = {}, .triangles = {}, .elements = {}};
    std::set<int> corners;
    bool is_taken = true;
    for (const auto& t : boundary_triangles(mesh)) {
      if (!std::all_of(t.begin(), t.end(), [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)][0] > 1 - 1e-9; }))
        continue;
      corners.insert(t.begin(), t.end());
      if (is_taken) group.triangles.push_back(t);
      is_taken = !is_taken;
    }
    group.vertices.assign(corners.begin(), corners.end());
    mesh.groups.push_back(group);
    return mesh;
  };
  const ElasticScene elastic(scene);
  const auto& model = elastic.model;
  const std::size_t whole = loaded_triangles(model->bodies()[0], load).size();
  load.subset = {};
  load.subset.kind = SubsetDefinition::Kind::group;
  load.subset.group = "half";
  EXPECT_EQ(loaded_triangles(model->bodies()[0], load).size(), (whole + 1) / 2);
}

TEST(Loads, AForceIsSharedByItsVertices) {
  LoadDefinition load = load_on(force_load({0, 7, 0}), {-9, -9, -9}, {1e-9, 1e-9, 9});
  const LoadedCube cube(load);
  const Eigen::Matrix3Xd f = forces(*cube.term, cube.model->start_positions());
  EXPECT_NEAR(f.row(1).sum(), 7, 1e-13);
  const double share = f.row(1).maxCoeff();
  for (int v = 0; v < f.cols(); ++v) EXPECT_TRUE(f(1, v) == 0 || f(1, v) == share);
}

// -p/3 times the area vector of each triangle on its corners, whatever the shape, where the lag is that shape.
TEST(Loads, PressureIsTheForceOnEachTriangleAsItIs) {
  for (const double end : {9.0, 1e-9}) {  // the whole surface; the face x = 0, which has a border
    LoadDefinition load = load_on(pressure_load(300), {-9, -9, -9}, {end, 9, 9});
    const LoadedCube cube(load);
    const Eigen::VectorXd x = disturbed(cube.model->start_positions(), 0.1);
    cube.term->update_lag(x);
    Eigen::Matrix3Xd expected = Eigen::Matrix3Xd::Zero(3, x.size() / 3);
    const auto triangles = loaded_triangles(cube.model->bodies()[0], load);
    for (const auto& [a, b, c] : triangles) {
      const Eigen::Vector3d u = x.segment<3>(3 * b) - x.segment<3>(3 * a), w = x.segment<3>(3 * c) - x.segment<3>(3 * a);
      for (int vertex : {a, b, c}) expected.col(vertex) -= 300.0 / 6 * u.cross(w);
    }
    const Eigen::Matrix3Xd f = forces(*cube.term, x);
    EXPECT_LT((f - expected).norm(), 1e-13 * expected.norm()) << end;
    if (end > 1) {
      EXPECT_EQ(cube.term->lag_count(), 0) << "a closed surface has no border";
      EXPECT_LT(f.rowwise().sum().norm(), 1e-12 * f.norm());
    }
  }
}

// The border's lagged force is wrong off the lagged shape, but no more where the body is far from its start.
TEST(Loads, PressureOnAPartIsTheSameWhereverTheBodyIs) {
  LoadDefinition load = load_on(pressure_load(300), {-9, -9, -9}, {1e-9, 9, 9});
  const LoadedCube cube(load);
  const Eigen::VectorXd lagged = disturbed(cube.model->start_positions(), 0.1), x = disturbed(lagged, 0.01, 4);
  const Eigen::VectorXd away = Eigen::Vector3d(1000, -2000, 500).replicate(x.size() / 3, 1);
  cube.term->update_lag(lagged);
  const Eigen::Matrix3Xd here = forces(*cube.term, x);
  cube.term->update_lag(lagged + away);
  const Eigen::Matrix3Xd there = forces(*cube.term, x + away);
  // Both origins are within one size of the surface of it: they may differ by as much, and the border's error by that times the
  // motion.
  EXPECT_LT((there - here).norm(), 0.05 * here.norm());
}

TEST(Loads, TheLagOfPressureHasItsDerivatives) {
  LoadDefinition load = load_on(pressure_load(300), {-9, -9, -9}, {1e-9, 9, 9});
  const LoadedCube cube(load);
  const Eigen::VectorXd x = disturbed(cube.model->start_positions(), 0.1), lagged = disturbed(x, 0.05, 4);
  const Eigen::VectorXd d = disturbed(Eigen::VectorXd::Zero(x.size()), 1, 5);
  cube.term->update_lag(lagged);
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), 1);
  ASSERT_GT(cube.term->lag_count(), 0);
  cube.term->add_lag_gradient(x, cube.term->lag_derivative(d, Eigen::MatrixXd::Zero(1, d.cols())), columns);
  const auto gradient_at = [&](double t) {
    cube.term->update_lag(lagged + t * d);
    return Eigen::Matrix3Xd(-forces(*cube.term, x));
  };
  const Eigen::Matrix3Xd slope = (gradient_at(0.1) - gradient_at(-0.1)) / 0.2;  // the lag is quadratic: exact
  EXPECT_LT((Eigen::Map<const Eigen::VectorXd>(slope.data(), slope.size()) - columns).norm(), 1e-12 * columns.norm());
}

// P = mu (s - 1/s) = t along the traction, and no stress across: linear elements hold this state exactly.
TEST(Loads, ABlockUnderTractionStretchesAsTheClosedFormSays) {
  for (const double t : {2e4, -2e4}) {
    LoadDefinition load = load_on(traction_load({t, 0, 0}), {1 - 1e-9, -9, -9}, {9, 9, 9});
    ElasticSceneDefinition scene = loaded_cube(load);
    scene.bodies[0].handles = {box_handle({-9, -9, -9}, {1e-9, 9, 9})};
    const ElasticScene elastic(scene);
    const auto& model = elastic.model;
    ElasticState state = initial_state(*model);
    ImplicitEuler integrator(elastic, {.tolerance = 1e-12});
    for (int step = 0; step < 3; ++step)  // from the third on, inertia knows that nothing moves
    {
      const ElasticStepResult result = integrator.step(state);
      ASSERT_EQ(result.newton.status, NewtonStatus::converged) << result.newton.diagnosis;
    }
    const double stretch = (t / mu + std::sqrt(t / mu * (t / mu) + 4)) / 2;
    Eigen::VectorXd expected = model->start_positions();
    for (Eigen::Index i = 0; i < expected.size(); i += 3) expected[i] *= stretch;
    EXPECT_LT((state.positions - expected).cwiseAbs().maxCoeff(), 1e-9) << t;
  }
}

// Stretched by s in every direction the stress is P = mu (s - 1/s) = -p s^2: the pressure acts on the area as it is.
TEST(Loads, PressureOnTheWholeSurfaceShrinksABlockAsTheClosedFormSays) {
  const double s = 0.8;
  LoadDefinition load = load_on(pressure_load(-mu * (s - 1 / s) / (s * s)), {-9, -9, -9}, {9, 9, 9});
  const ElasticScene elastic(loaded_cube(load, 5));  // inertia holds the rigid motions
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  ImplicitEuler integrator(elastic, {.tolerance = 1e-12});
  for (int step = 0; step < 8; ++step) {
    const ElasticStepResult result = integrator.step(state);
    ASSERT_EQ(result.newton.status, NewtonStatus::converged) << result.newton.diagnosis;
  }
  const Eigen::Vector3d middle(0.5, 0.5, 0.5);
  double off = 0;
  for (int v = 0; v < model->vertex_count(); ++v) {
    const Eigen::Vector3d X = model->start_positions().segment<3>(3 * v), x = state.positions.segment<3>(3 * v);
    off = std::max(off, (x - middle - s * (X - middle)).norm());
  }
  EXPECT_LT(off, 1e-9);
}

TEST(Loads, ARampGrowsLinearlyFromItsStart) {
  LoadDefinition load;
  EXPECT_EQ(load.share_at(0), 1);
  load.start = 2;
  EXPECT_EQ(load.share_at(1.99), 0);
  EXPECT_EQ(load.share_at(2), 1);
  load.ramp = 4;
  EXPECT_EQ(load.share_at(2), 0);
  EXPECT_EQ(load.share_at(3), 0.25);
  EXPECT_EQ(load.share_at(99), 1);
}

std::string scene_with(const std::string& load) {
  return "scene:\n  time_step: 0.01\n  duration: 0.1\n  bodies:\n    - name: bar\n      mesh: {shape: box, size: [1, 0.5, "
         "0.5], "
         "elements: 20}\n      density: 500\n      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, "
         "poissons_ratio: 0.4}\n      loads:\n        - " +
         load + "\n";
}

// What reading and building refuse, which must begin with the place of the load; "" for nothing.
std::string load_refusal(const std::string& load) {
  ConfigurationFile file = ConfigurationFile::parse(scene_with(load), "loads.yaml");
  Configuration root = file.root(), section = root.section("scene");
  const ElasticSceneDefinition scene =
      read_elastic_scene(section, PluginHost({HOLO_BINARY_DIR "/plugins"}), ElementDifferentiation::compiled);
  try {
    file.finish();
    implicit_euler_terms(ElasticScene(scene));
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    EXPECT_NE(std::string(error.what()).find("loads.yaml:10:"), std::string::npos) << error.what();
    return error.what();
  }
  return "";
}

// Perpendicular to axis and radius, with the moment given; of the same direction wherever the body is. About the center of mass
// their sum is 0.
TEST(Loads, CircularForcesHaveTheirMoment) {
  const Eigen::Vector3d moment(3, -4, 12), center(0.5, 0.5, 0.5);
  LoadDefinition load = load_on(circular_load({3, -4, 12}, {0.5, 0.5, 0.5}), {-9, -9, -9}, {9, 9, 9});
  const LoadedCube cube(load);
  const Eigen::VectorXd& X = cube.model->start_positions();
  const Eigen::Matrix3Xd f = forces(*cube.term, X);
  EXPECT_EQ(f, forces(*cube.term, disturbed(X, 0.1)));
  Eigen::Vector3d sum_of_moments = Eigen::Vector3d::Zero(), first_moment = Eigen::Vector3d::Zero();
  for (int v = 0; v < cube.model->vertex_count(); ++v) {
    const Eigen::Vector3d radius = X.segment<3>(3 * v) - center;
    sum_of_moments += radius.cross(Eigen::Vector3d(f.col(v)));
    first_moment += cube.model->masses()[static_cast<std::size_t>(v)] * radius;
    EXPECT_LE(std::abs(f.col(v).dot(moment)) + std::abs(f.col(v).dot(radius)), 1e-12 * moment.norm());
  }
  EXPECT_NEAR(sum_of_moments.dot(moment.normalized()), moment.norm(), 1e-12 * moment.norm());
  // sum_v m_v (X_v - c) is that of the lumped masses, which do not lie symmetrically.
  const Eigen::Vector3d sum = f.rowwise().sum(), direction = moment.cross(first_moment);
  EXPECT_LE((sum - direction * (sum.dot(direction) / direction.squaredNorm())).norm(), 1e-12 * moment.norm());
}

TEST(LoadsBadInput, WhatIsMeantIsTaken) {
  EXPECT_EQ(load_refusal("{type: circular, moment: [0, 1, 0], center: [0, 0, 0], on: {all: true}}"), "");
  EXPECT_EQ(load_refusal("{type: force, force: [0, 0, -1], on: {all: true}, start: 0.1, ramp: 0.2}"), "");
  EXPECT_EQ(load_refusal("{type: traction, traction: [0, 0, -1], on: {box: {min: [0.99, -9, -9]}}}"), "");
  EXPECT_EQ(load_refusal("{type: pressure, pressure: -5, on: {sphere: {center: [0, 0, 0], radius: 9}}}"), "");
}

TEST(LoadsBadInput, AnEmptySurfaceIsRefusedWithTheBodysExtent) {
  // One edge of the bar: vertices, but no triangle.
  const std::string edge = "on: {box: {max: [9, 0.001, 0.001]}}}";
  EXPECT_EQ(load_refusal("{type: force, force: [0, 0, -1], " + edge), "");
  for (const char* kind : {"{type: traction, traction: [0, 0, -1], ", "{type: pressure, pressure: 3, "}) {
    const std::string text = load_refusal(kind + edge);
    EXPECT_NE(text.find("holds no triangle of the surface of body 'bar', which fills [0, 1] x"), std::string::npos) << text;
  }
  const std::string text = load_refusal("{type: force, force: [0, 0, -1], on: {sphere: {center: [9, 9, 9], radius: 1}}}");
  EXPECT_NE(text.find("holds no vertex of body 'bar'"), std::string::npos) << text;
}

TEST(LoadsBadInput, KeysAndValuesThatCannotBeMeant) {
  const auto refused = [](const std::string& load, const std::string& part) {
    const std::string text = load_refusal(load);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  refused("{type: weight, on: {all: true}}", "weight");
  refused("{on: {all: true}}", "type");
  refused("{type: pressure, pressure: 3}", "on");
  refused("{type: pressure, pressure: .nan, on: {all: true}}", "found .nan; a number must be finite");
  refused("{type: force, force: [0, .inf, 0], on: {all: true}}", "found .inf; a number must be finite");
  refused("{type: force, force: [0, 0], on: {all: true}}", "force");
  refused("{type: traction, force: [0, 0, 1], on: {all: true}}", "traction");
  refused("{type: pressure, pressure: 3, presure: 4, on: {all: true}}", "presure");
  refused("{type: pressure, pressure: 3, on: {all: true}, ramp: -1}", "ramp");
  refused("{type: pressure, pressure: 3, on: {all: true}, start: -1}", "start");
  refused("{type: circular, moment: [0, 0, 0], center: [0, 0, 0], on: {all: true}}", "a moment of 0 has no axis");
  refused("{type: circular, moment: [0, 1, 0], on: {all: true}}", "center");
  refused("{type: circular, moment: [1, 0, 0], center: [0, 0, 0], on: {box: {max: [9, 0.001, 0.001]}}}", "are on its axis");
  refused("{type: pressure, pressure: 3, on: {cylinder: {}}}",
          "needs one of the keys: box, sphere, half_space, group, surface, all");
}

}  // namespace
}  // namespace holo::test
