// The terms of contact and friction between surfaces, each by itself: their derivatives against differences. The other terms
// are in potential_term_test.cpp.
#include <gtest/gtest.h>

#include <set>

#include "algebra/symmetric.h"
#include "contact/active_pairs.h"
#include "dynamics/contact/embedded_term.h"
#include "dynamics/contact/mesh_barrier.h"
#include "dynamics/contact/mesh_friction.h"
#include "term_checks.h"

namespace holo::test {
namespace {

constexpr double mesh_time_step = 0.02;  // s

// Two flat blocks with meshes that do not match, the one 0.03 m above the other, and an obstacle as far below.
// The obstacle moves and turns by less than its gap in a time step. The last bodies are affine.
ElasticSceneDefinition stacked_blocks(BarrierShape shape, FrictionLaw law, double stick_speed, bool moves,
                                      std::size_t affine_bodies, int bristled_body) {
  ElasticSceneDefinition definition;
  definition.time_step = mesh_time_step;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({0.5, 0.4, 0.2}, 48)),
                       hand_body(HandEnergy::stable, box_source({0.31, 0.35, 0.2}, 24))};
  definition.bodies[0].name = "lower";
  definition.bodies[0].friction = 0.5;
  definition.bodies[1].name = "upper";
  definition.bodies[1].friction = 0.32;
  definition.bodies[1].translation = {0.07, 0.011, 0.23};
  definition.bodies[1].rotation_angle = 0.02;
  if (bristled_body >= 0) {
    BristlesDefinition& bristles = definition.bodies[std::size_t(bristled_body)].bristles.emplace();
    bristles.direction = {0.64, 0.48, 0.6};
    bristles.forward = 0.6;
    bristles.backward = 1.7;
    bristles.lateral = 1.3;
  }
  for (std::size_t b = 2 - affine_bodies; b < 2; ++b) definition.bodies[b].deformation = Deformation::affine;
  ContactDefinition& contact = definition.contact;
  contact.between_bodies = true;
  contact.activation_distance = 0.05;
  contact.stiffness = 1e6;
  contact.shape = shape;
  contact.friction_law = law;
  contact.stick_speed = stick_speed;
  MeshObstacleDefinition floor;
  floor.name = "floor";
  floor.mesh = box_source({0.9, 0.8, 0.1}, 24);
  floor.translation = {-0.21, -0.17, -0.13};
  floor.friction = 0.7;
  if (moves) {
    floor.motion.kind = MotionDefinition::Kind::keyframes;
    floor.motion.axis = {0, 0, 1};
    floor.motion.keyframes = {{0, {}, 0}, {mesh_time_step, {0.006, -0.004, 0.005}, 0.07}};
  }
  contact.meshes = {floor};
  return definition;
}

struct MeshTermCase {
  const char* name;
  bool is_friction;
  BarrierShape shape;
  FrictionLaw law;
  double stick_speed;  // m/s
  bool moves = false;
  std::size_t affine_bodies = 0;
  int bristled_body = -1;
};

const MeshTermCase mesh_term_cases[] = {
    {"Barrier", false, BarrierShape::logarithmic, FrictionLaw::quintic, 1},
    {"SmoothBarrier", false, BarrierShape::smooth, FrictionLaw::quintic, 1},
    {"FrictionThatSticks", true, BarrierShape::smooth, FrictionLaw::quintic, 10},
    {"FrictionThatSlips", true, BarrierShape::smooth, FrictionLaw::quintic, 0.01},
    {"QuadraticFriction", true, BarrierShape::logarithmic, FrictionLaw::quadratic, 10},
    {"BarrierOfAMovingObstacle", false, BarrierShape::smooth, FrictionLaw::quintic, 1, true},
    {"FrictionOfAMovingObstacle", true, BarrierShape::smooth, FrictionLaw::quintic, 10, true},
    {"BarrierOfAnAffineBody", false, BarrierShape::logarithmic, FrictionLaw::quintic, 1, false, 1},
    {"FrictionOfAnAffineBody", true, BarrierShape::smooth, FrictionLaw::quintic, 0.01, false, 1},
    {"BarrierOfAffineBodies", false, BarrierShape::smooth, FrictionLaw::quintic, 1, true, 2},
    {"FrictionOfAffineBodies", true, BarrierShape::logarithmic, FrictionLaw::quadratic, 10, true, 2},
    {"BristlesThatStick", true, BarrierShape::smooth, FrictionLaw::quintic, 10, false, 0, 0},
    {"BristlesThatStickAndSlipBelow", true, BarrierShape::smooth, FrictionLaw::quintic, 0.15, false, 0, 0},
    {"BristlesThatStickAndSlipAbove", true, BarrierShape::smooth, FrictionLaw::quintic, 0.15, false, 0, 1},
    {"BristlesOnAMovingObstacle", true, BarrierShape::smooth, FrictionLaw::quadratic, 10, true, 0, 0},
    {"BristlesOfAnAffineBody", true, BarrierShape::smooth, FrictionLaw::quintic, 10, false, 1, 1}};

class MeshContactTerm : public testing::TestWithParam<MeshTermCase> {
 protected:
  MeshContactTerm()
      : elastic(stacked_blocks(GetParam().shape, GetParam().law, GetParam().stick_speed, GetParam().moves,
                               GetParam().affine_bodies, GetParam().bristled_body)) {
    PotentialTerms terms = implicit_euler_terms(elastic);
    term = std::move(GetParam().is_friction ? terms.back() : terms[terms.size() - 2]);
    const ElasticState state = initial_state(model);
    const double amplitude = GetParam().affine_bodies > 0 ? 0.0025 : 0.004;  // weights of points are up to 1.6
    at.lagged_at = at.start_positions = disturbed(state.positions, amplitude, 1);
    at.start_velocities = disturbed(state.velocities, 1, 2);
    at.x = disturbed(at.start_positions, amplitude, 3);
    at.parameters = term->parameters();
    at.apply(*term, mesh_time_step);
  }
  Eigen::VectorXd direction(std::size_t seed) const { return random_columns(at.x.size(), 1, seed); }
  bool is_friction() const { return GetParam().is_friction; }

  // Of differences [m]: small against the distances at which nearly parallel edges change their closest points.
  static constexpr double step = 1e-6;
  ElasticScene elastic;
  const ElasticModel& model = *elastic.model;
  std::unique_ptr<PotentialTerm> term;
  TermPoint at;
};

TEST_P(MeshContactTerm, PairsOfAllKindsAndAllSurfacesAreActive) {
  ActivePairs pairs(elastic.contact.mesh, elastic.contact.barrier.distance);
  pairs.begin_step(0, mesh_time_step);
  std::set<Stratum> strata;
  std::set<std::array<int, 2>> bodies;
  for (const ActivePair& pair : pairs.at(elastic.contact.surface->points(at.x))) {
    strata.insert(pair.features.stratum);
    bodies.insert({std::min(pair.bodies[0], pair.bodies[1]), std::max(pair.bodies[0], pair.bodies[1])});
  }
  EXPECT_GE(strata.size(), 3u);
  EXPECT_TRUE(strata.count(Stratum::point_triangle) && strata.count(Stratum::edge_edge) && strata.count(Stratum::point_edge));
  EXPECT_EQ(bodies, (std::set<std::array<int, 2>>{{0, 1}, {0, 2}}));
  EXPECT_EQ(term->name(), is_friction() ? "friction of surfaces" : "contact of surfaces");
}

// Energy and normal forces by the formulas, over all pairs of primitives whether they are near or not.
struct PairSums {
  double energy = 0, normal_force = 0;
};

PairSums sums_over_all_pairs(const SceneContact& contact, const Eigen::VectorXd& x) {
  const MeshContact& surfaces = *contact.mesh;
  const CollisionMesh& mesh = *surfaces.mesh;
  const Eigen::VectorXd all = surfaces.with_obstacles(contact.surface->points(x), mesh_time_step);
  PairSums sums;
  const auto add = [&](PairKind kind, const std::array<int, 4>& nodes, double area, double threshold) {
    PairVector positions;
    for (int i = 0; i < 4; ++i) positions.segment<3>(3 * i) = all.segment<3>(3 * nodes[std::size_t(i)]);
    const double d = pair_distance(closest_features(kind, positions), positions);
    if (d >= contact.barrier.distance) return;
    const double weight = area * edge_mollifier(threshold, positions);
    const ScalarDerivatives B = barrier_energy(contact.barrier, d);
    sums.energy += weight * B.value;
    sums.normal_force -= weight * B.first;
  };
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      if (mesh.may_collide(mesh.vertex_bodies[v], mesh.triangle_bodies[t])) {
        const auto& corners = mesh.triangles[t];
        add(PairKind::point_triangle, {mesh.vertices[v], corners[0], corners[1], corners[2]}, surfaces.vertex_areas[v] / 4, 0);
      }
  for (std::size_t i = 0; i < mesh.edges.size(); ++i)
    for (std::size_t j = i + 1; j < mesh.edges.size(); ++j)
      if (mesh.may_collide(mesh.edge_bodies[i], mesh.edge_bodies[j])) {
        const double lengths = surfaces.edge_lengths[i] * surfaces.edge_lengths[j];
        add(PairKind::edge_edge, {mesh.edges[i][0], mesh.edges[i][1], mesh.edges[j][0], mesh.edges[j][1]},
            (surfaces.edge_areas[i] + surfaces.edge_areas[j]) / 4, lengths * lengths / 1000);
      }
  return sums;
}

TEST_P(MeshContactTerm, EnergyAndNormalForcesAreSumsOverAllPairsOfPrimitives) {
  if (is_friction()) {
    const double expected = sums_over_all_pairs(elastic.contact, at.lagged_at).normal_force;
    const auto* embedded = dynamic_cast<const EmbeddedTerm*>(term.get());
    const PotentialTerm& of_points = embedded ? embedded->of_points() : *term;
    EXPECT_NEAR(dynamic_cast<const MeshFriction&>(of_points).normal_force(), expected, 1e-12 * expected);
  } else {
    const double expected = sums_over_all_pairs(elastic.contact, at.x).energy;
    EXPECT_NEAR(term->energy(at.x), expected, 1e-12 * expected);
  }
}

TEST_P(MeshContactTerm, GradientIsTheDerivativeOfTheEnergy) {
  const Eigen::VectorXd gradient = gradient_of(*term, at.x);
  ASSERT_GT(gradient.norm(), 0);
  for (std::size_t seed = 10; seed < 13; ++seed) {
    const Eigen::VectorXd d = direction(seed);
    const double slope = difference([&](double t) { return term->energy(at.x + t * d); }, 10 * step);  // rounding of E over it
    EXPECT_NEAR(gradient.dot(d), slope, 1e-9 * gradient.norm() * d.norm());
  }
}

TEST_P(MeshContactTerm, HessianIsTheDerivativeOfTheGradient) {
  for (std::size_t seed = 13; seed < 16; ++seed) {
    const Eigen::VectorXd d = direction(seed);
    const Eigen::VectorXd slope = difference([&](double t) { return gradient_of(*term, at.x + t * d); }, step);
    const Eigen::VectorXd product = hessian_of(*term, model, at.x, Curvature::exact) * d;
    EXPECT_LT((product - slope).norm(), 1e-9 * product.norm());
  }
}

TEST_P(MeshContactTerm, ProjectedHessianHasNoNegativeEigenvalueAndOnlyAdds) {
  const Eigen::MatrixXd projected = hessian_of(*term, model, at.x, Curvature::projected);
  const Eigen::MatrixXd exact = hessian_of(*term, model, at.x, Curvature::exact);
  EXPECT_GT(symmetric_eigenvalues(projected)[0], -1e-10 * projected.norm());
  EXPECT_GT(symmetric_eigenvalues(projected - exact)[0], -1e-10 * projected.norm());
}

TEST_P(MeshContactTerm, ParameterGradientIsTheDerivativeOfTheGradient) {
  ASSERT_EQ(term->parameter_count(), is_friction() ? 3 : 1);
  const Eigen::MatrixXd columns = parameter_gradient_of(*term, at.x);
  for (Eigen::Index k = 0; k < at.parameters.size(); ++k) {
    const Eigen::VectorXd slope = difference(
        [&](double t) {
          term->set_parameters(at.parameters + t * Eigen::VectorXd::Unit(at.parameters.size(), k));
          return gradient_of(*term, at.x);
        },
        0.01 * at.parameters[k]);
    EXPECT_LT((columns.col(k) - slope).norm(), 1e-11 * gradient_of(*term, at.x).norm() / at.parameters[k]) << k;
  }
}

TEST_P(MeshContactTerm, LagDerivativeIsThatOfTheGradientInThePositionsOfTheLag) {
  ASSERT_EQ(term->lag_count() > 0, is_friction());
  const DerivativeCheck check = check_lag_derivative(*term, at, mesh_time_step, step);
  EXPECT_EQ(check.size > 0.1, is_friction());
  EXPECT_LE(check.error, 1e-8 * check.size);
}

TEST_P(MeshContactTerm, StartGradientIsTheDerivativeOfTheGradient) {
  const DerivativeCheck check = check_start_gradient(*term, at, mesh_time_step, step);
  EXPECT_EQ(check.size > 0, is_friction());
  EXPECT_LE(check.error, 1e-9 * check.size);
}

TEST_P(MeshContactTerm, AdjointHessianIsTheSecondDerivativeOfTheResidual) {
  EXPECT_LT(adjoint_hessian_error(*term, model, at, mesh_time_step, step), 1e-8);
}

TEST_P(MeshContactTerm, LagCurvatureIsTheSecondDerivativeOfTheLag) {
  for (const DerivativeCheck& check : check_lag_curvature(*term, at, mesh_time_step, step)) {
    EXPECT_LE(check.error, 1e-7 * check.size);
    EXPECT_EQ(check.size > 0, is_friction());
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, MeshContactTerm, testing::ValuesIn(mesh_term_cases),
                         [](const auto& term_case) { return std::string(term_case.param.name); });

}  // namespace
}  // namespace holo::test
