// Affine bodies: one tetrahedron with the mass, the center and the second moments of a mesh, whose points follow its map.
#include "elastic/affine/affine_body.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "holo/sim/elastic/elastic_observations.h"
#include "scheme_run.h"

namespace holo::test {
namespace {

const Eigen::Vector3d box_size(0.3, 0.2, 0.1);  // m
constexpr double box_density = 700;             // kg/m^3

ElasticSceneDefinition scene_of_a_box(Deformation deformation, double youngs_modulus = 1e8) {
  ElasticSceneDefinition definition;
  definition.gravity = {0, 0, 0};
  definition.bodies = {
      hand_body(HandEnergy::stable, box_source({box_size[0], box_size[1], box_size[2]}, 48), youngs_modulus, 0.3)};
  definition.bodies[0].deformation = deformation;
  definition.bodies[0].density = box_density;
  return definition;
}

struct Moments {
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // about the center [kg m^2]

  void add(double m, const Eigen::Vector3d& x) {
    mass += m;
    center += m * x;
    second += m * x * x.transpose();
  }
  void finish() {
    center /= mass;
    second -= mass * center * center.transpose();
  }
};

Moments moments_of(const ElasticModel& model) {
  Moments moments;
  for (int v = 0; v < model.vertex_count(); ++v)
    moments.add(model.masses()[std::size_t(v)], model.start_positions().segment<3>(3 * v));
  moments.finish();
  return moments;
}

TEST(AffineBody, NodesHaveTheMassTheCenterAndTheSecondMomentsOfATurnedBox) {
  ElasticSceneDefinition definition = scene_of_a_box(Deformation::affine);
  definition.bodies[0].rotation_axis = {0.6, 0, 0.8};
  definition.bodies[0].rotation_angle = 0.7;
  definition.bodies[0].translation = {1, -2, 0.5};
  const auto model = build(definition);
  ASSERT_EQ(model->vertex_count(), 4);
  const Moments found = moments_of(*model);
  const double mass = box_density * box_size.prod();
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Eigen::Vector3d(0.6, 0, 0.8)).toRotationMatrix();
  for (const double each : model->masses()) EXPECT_NEAR(each, mass / 4, 1e-14 * mass);
  EXPECT_LT((found.center - (turn * box_size / 2 + Eigen::Vector3d(1, -2, 0.5))).norm(), 1e-14);
  const Eigen::Vector3d of_box = mass / 12 * box_size.cwiseProduct(box_size);
  EXPECT_LT((found.second - turn * of_box.asDiagonal() * turn.transpose()).norm(), 1e-12 * of_box.norm());
}

// Four points of each tetrahedron integrate polynomials of second degree exactly.
TEST(AffineBody, MomentsAreThoseOfAMeshWithADensityOfEachElement) {
  const TetrahedralMesh mesh = box_mesh({0.3, 0.2, 0.1}, 48);
  std::vector<double> densities;
  Moments expected;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    densities.push_back(1000 + 500 * wiggle(e));
    Eigen::Matrix<double, 3, 4> corners;
    for (int i = 0; i < 4; ++i)
      corners.col(i) = Eigen::Vector3d(mesh.vertices[std::size_t(mesh.tetrahedra[e][std::size_t(i)])].data());
    const double mass = densities[e] * signed_volume(mesh, int(e)), near = (5 + 3 * std::sqrt(5.0)) / 20;
    for (int i = 0; i < 4; ++i)
      expected.add(mass / 4, near * corners.col(i) + (1 - near) / 3 * (corners.rowwise().sum() - corners.col(i)));
  }
  expected.finish();
  const AffineBody affine = affine_body(mesh, densities);
  Moments found;
  for (const auto& node : affine.element.vertices) found.add(affine.mass / 4, Eigen::Vector3d(node.data()));
  found.finish();
  EXPECT_NEAR(found.mass, expected.mass, 1e-13 * expected.mass);
  EXPECT_LT((found.center - expected.center).norm(), 1e-14);
  EXPECT_GT((expected.center - box_size / 2).norm(), 1e-3);
  EXPECT_LT((found.second - expected.second).norm(), 1e-13 * expected.second.norm());
  EXPECT_GT(signed_volume(affine.element, 0), 0);
}

struct EmbeddedBox {
  static ElasticSceneDefinition placed() {
    ElasticSceneDefinition definition = scene_of_a_box(Deformation::affine);
    definition.bodies[0].translation = {0.5, -0.25, 1};
    return definition;
  }
  std::shared_ptr<const ElasticModel> model = build(placed());
  const Embedding& embedding = *model->embedding();
};

TEST(Embedding, PointsAreTheVerticesOfTheMeshAndFollowEveryAffineMap) {
  const EmbeddedBox box;
  const EmbeddedBody& body = box.embedding.bodies()[0];
  ASSERT_EQ(box.embedding.point_count(), 4 + int(body.mesh.vertices.size()));
  Eigen::Matrix3d map;
  map << 1.2, 0.3, -0.1, 0.2, 0.9, 0.4, -0.3, 0.1, 1.1;
  const Eigen::Vector3d shift(0.4, -0.2, 0.7);
  Eigen::VectorXd x = box.model->start_positions();
  for (int v = 0; v < 4; ++v) x.segment<3>(3 * v) = map * Eigen::Vector3d(x.segment<3>(3 * v)) + shift;
  const Eigen::VectorXd start = box.embedding.points(box.model->start_positions()), moved = box.embedding.points(x);
  EXPECT_EQ(moved.head(12), x);
  for (std::size_t v = 0; v < body.mesh.vertices.size(); ++v) {
    const Eigen::Vector3d at(body.mesh.vertices[v].data());
    const Eigen::Index first = 3 * (body.first_point + int(v));
    EXPECT_LT((start.segment<3>(first) - at).norm(), 1e-14);
    EXPECT_LT((moved.segment<3>(first) - map * at - shift).norm(), 1e-14);
  }
  EXPECT_NEAR(box.model->length(), box_size.norm(), 1e-14);
}

TEST(Embedding, PullingBackIsTheTransposeAndAStencilIsARow) {
  const EmbeddedBox box;
  const Eigen::VectorXd d = disturbed(Eigen::VectorXd::Zero(12), 1, 1),
                        g = disturbed(Eigen::VectorXd::Zero(3 * box.embedding.point_count()), 1, 2);
  Eigen::VectorXd pulled = Eigen::VectorXd::Zero(12);
  box.embedding.add_pulled_back(g, pulled);
  const Eigen::VectorXd points = box.embedding.points(d);
  EXPECT_NEAR(pulled.dot(d), g.dot(points), 1e-13 * g.norm() * d.norm());
  for (int p = 0; p < box.embedding.point_count(); ++p) {
    const Embedding::Stencil stencil = box.embedding.stencil(p);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < std::size_t(stencil.count); ++i) sum += stencil.weights[i] * d.segment<3>(3 * stencil.nodes[i]);
    EXPECT_LT((sum - points.segment<3>(3 * p)).norm(), 1e-15) << p;
  }
}

// Of a uniform map the same body has the same energies when each of its tetrahedra deforms by itself; of a velocity A (x - c)
// the kinetic energy is tr(A S A^T)/2 with the second moments S, which lumped masses of many vertices miss.
TEST(AffineBody, EnergiesAreThoseOfTheWholeBody) {
  Eigen::Matrix3d map, rate;
  map << 1.1, 0.2, 0, -0.1, 0.95, 0.05, 0.02, 0, 1.02;
  rate << 0.3, -2, 1, 2, 0.1, 0.4, -1, 0.2, -0.5;
  const auto energies_of = [&](Deformation deformation) {
    const auto model = build(scene_of_a_box(deformation));
    ElasticState state = initial_state(*model);
    for (int v = 0; v < model->vertex_count(); ++v) {
      const Eigen::Vector3d x = state.positions.segment<3>(3 * v);
      state.positions.segment<3>(3 * v) = map * x;
      state.velocities.segment<3>(3 * v) = rate * (x - box_size / 2);
    }
    return energies(*model, {0, 0, -9.81}, state);
  };
  const ElasticEnergies affine = energies_of(Deformation::affine), full = energies_of(Deformation::full);
  EXPECT_NEAR(affine.elastic, full.elastic, 1e-12 * full.elastic);
  EXPECT_NEAR(affine.gravity, full.gravity, 1e-12 * std::abs(full.gravity));
  const Eigen::Vector3d second = box_density * box_size.prod() / 12 * box_size.cwiseProduct(box_size);
  const double kinetic = 0.5 * (rate * second.asDiagonal() * rate.transpose()).trace();
  EXPECT_NEAR(affine.kinetic, kinetic, 1e-13 * kinetic);
  EXPECT_GT(std::abs(full.kinetic - kinetic), 0.01 * kinetic);
}

// The orientation of a rigid box after a time, by Euler's equations and the classical Runge-Kutta method.
Eigen::Matrix3d rigid_turn(const Eigen::Vector3d& inertia, const Eigen::Vector3d& spin, double time) {
  constexpr int steps = 4000;
  using State = Eigen::Matrix<double, 3, 4>;  // R and the angular velocity in the box's axes
  const auto slope = [&](const State& s) {
    State rate;
    const Eigen::Vector3d w = s.col(3);
    for (int i = 0; i < 3; ++i) rate.row(i).head<3>() = Eigen::Vector3d(s.row(i).head<3>()).cross(w);
    rate.col(3) = inertia.cwiseProduct(w).cross(w).cwiseQuotient(inertia);
    return rate;
  };
  State s;
  s << Eigen::Matrix3d::Identity(), spin;
  const double h = time / steps;
  for (int n = 0; n < steps; ++n) {
    const State a = slope(s), b = slope(s + h / 2 * a), c = slope(s + h / 2 * b), d = slope(s + h * c);
    s += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return s.leftCols<3>();
}

// The turn of a tumbling box whose start has the step before it, so that BDF2 is of second order from the first step on.
double tumbling_error(double dt) {
  const Eigen::Vector3d spin(5, 1, 3), squares = box_size.cwiseProduct(box_size),
                                       inertia = Eigen::Vector3d::Constant(squares.sum()) - squares;
  ElasticSceneDefinition definition = scene_of_a_box(Deformation::affine, 1e10);
  definition.time_step = dt;
  definition.bodies[0].angular_velocity = {spin[0], spin[1], spin[2]};
  definition.bodies[0].velocity = {0.3, -0.2, 0.1};
  SchemeRun run(definition);
  const Vector3d momentum = linear_momentum(*run.scene.model, run.state);
  run.run(static_cast<int>(std::lround(0.4 / dt)));
  const Vector3d after = linear_momentum(*run.scene.model, run.state);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(after[i], momentum[i], 1e-11 * std::abs(momentum[i]));
  const auto edges = [](const Eigen::VectorXd& x) {
    Eigen::Matrix3d result;
    for (int i = 0; i < 3; ++i) result.col(i) = x.segment<3>(3 * (i + 1)) - x.head<3>();
    return result;
  };
  const Eigen::Matrix3d F = edges(run.state.positions) * edges(run.scene.model->start_positions()).inverse();
  EXPECT_LT((F.transpose() * F - Eigen::Matrix3d::Identity()).norm(), 1e-5);
  return (F - rigid_turn(inertia, spin, 0.4)).norm();
}

TEST(AffineBody, AStiffFreeBoxKeepsItsMomentumAndTumblesAsARigidBody) {
  const double coarse = tumbling_error(2e-3), fine = tumbling_error(1e-3);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(coarse / fine, 3);
  EXPECT_LT(coarse / fine, 5);
}

}  // namespace
}  // namespace holo::test
