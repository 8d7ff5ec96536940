// The additive method against known collisions, against roots in 113 bits, and against the interval test.
#include "holo/sim/contact/detection/time_of_impact.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "collision_pairs.h"
#include "collision_scenes.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/contact/detection/interval_path.h"
#include "holo/sim/contact/detection/separation.h"

namespace holo::test {
namespace {

TimeOfImpact impact_of(PairKind kind, const MovingPair& pair, const AdditiveAdvance& advance = {}) {
  return kind == PairKind::points ? point_triangle_time_of_impact(pair.x, pair.p, advance)
                                  : edge_edge_time_of_impact(pair.x, pair.p, advance);
}

double distance_at(PairKind kind, const MovingPair& pair, double time) {
  return exact_distance(kind, columns_at(pair.x, pair.p, time));
}

// A head-on approach keeps a tenth of the distance.
TEST(TimeOfImpact, OfAFallingPointAndOfCrossingEdgesKeepsTheFractionOfTheDistance) {
  for (const double safety : {0.5, 0.9, 0.999}) {
    EXPECT_NEAR(impact_of(PairKind::points, falling_point(0.25, 1), {.safety = safety}).time, 0.25 * safety, 1e-12);
    EXPECT_NEAR(impact_of(PairKind::edges, falling_edge(0.25, 1, 1.5), {.safety = safety}).time, 0.25 * safety, 1e-12);
  }
  EXPECT_EQ(impact_of(PairKind::points, falling_point(1.2, 1)).time, 1) << "it ends 0.2 above the triangle";
}

TEST(TimeOfImpact, OfParallelAndNearlyParallelEdgesIsThatOfTheirApproach) {
  for (const double angle : {0.0, 1e-16, 1e-13, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2})
    for (const double height : {1e-9, 1e-6, 0.25}) {
      MovingPair pair = falling_edge(height, 2 * height, angle);
      const TimeOfImpact impact = impact_of(PairKind::edges, pair);
      EXPECT_NEAR(impact.time, 0.45, 1e-4) << angle << " " << height;
      EXPECT_LE(impact.iterations, 3);
      pair.p *= -1;
      EXPECT_EQ(impact_of(PairKind::edges, pair).time, 1) << angle << " " << height;
    }
}

// Parallel and nearly parallel edges in a general direction: their cross product has errors of the size of the coordinates.
TEST(TimeOfImpact, OfNearlyParallelEdgesInAnyDirectionIsThatOfTheirApproach) {
  for (std::size_t seed = 0; seed < 2000; ++seed) {
    const auto draw = [&](std::size_t i) { return wiggle(100 * seed + i); };
    const Eigen::Vector3d along(draw(0), draw(1), draw(2)), to(draw(3), draw(4), draw(5));
    const Eigen::Vector3d normal = along.cross(to).normalized();
    const double height = std::pow(10, -5 + 4 * draw(6)), angle = seed % 5 == 0 ? 0 : std::pow(10, -9 + 7 * draw(7));
    const Eigen::Vector3d turned = std::cos(angle) * along + std::sin(angle) * normal.cross(along), middle = 0.6 * along;
    MovingPair pair;
    pair.x << height * normal, along + height * normal, middle - 0.7 * turned, middle + 0.7 * turned;
    pair.p << normal, normal, normal, normal;
    pair.p.leftCols(2) *= -height;
    pair.p.rightCols(2) *= height;
    EXPECT_NEAR(impact_of(PairKind::edges, pair).time, 0.45, 1e-3) << seed << " " << height << " " << angle;
  }
}

TEST(TimeOfImpact, SlidingAndCommonMotionsTakeOneStep) {
  for (const double height : {1e-9, 1e-3}) {
    const TimeOfImpact slid = impact_of(PairKind::points, sliding_point(height));
    EXPECT_EQ(slid.time, 1);
    EXPECT_EQ(slid.iterations, 1);
    for (const PairKind kind : {PairKind::points, PairKind::edges}) {
      MovingPair together = kind == PairKind::points ? falling_point(height, 0) : falling_edge(height, 0, 1.5);
      together.p.colwise() = Eigen::Vector3d(3, -100, 20);
      EXPECT_EQ(impact_of(kind, together).time, 1);
      EXPECT_EQ(impact_of(kind, together).iterations, 1);
    }
  }
}

TEST(TimeOfImpact, NothingTunnelsThroughAThinSheet) {
  for (const double fall : {1.0, 1e3, 1e6}) {
    const double time = impact_of(PairKind::points, falling_point(1e-3, fall)).time;
    EXPECT_NEAR(time, 0.9e-3 / fall, 1e-5 / fall);
    EXPECT_LT(impact_of(PairKind::edges, falling_edge(1e-3, fall, 0.3)).time, 1e-3 / fall);
  }
}

TEST(TimeOfImpact, SlackIsKept) {
  for (const double slack : {1e-3, 0.1}) {
    const MovingPair pair = falling_point(0.25, 1);
    const double time = impact_of(PairKind::points, pair, {.slack = slack}).time;
    EXPECT_NEAR(time, 0.9 * (0.25 - slack), 1e-12);
    EXPECT_EQ(impact_of(PairKind::points, falling_point(slack, 1), {.slack = slack}).time, 0);
    EXPECT_EQ(impact_of(PairKind::points, falling_point(0.25, 0.2 - slack), {.slack = slack}).time, 1);
  }
}

// Of random pairs, with their collisions in 113 bits. A pair that stops has lost the promised fraction of its distance, and not
// much more than the same fraction of the rest; it stops before the collision, and before any that the interval test finds.
TEST(TimeOfImpact, IsBeforeTheCollisionAndWithinThePromisedDistanceForRandomPairs) {
  for (const PairKind kind : {PairKind::points, PairKind::edges}) {
    int collisions = 0, most_iterations = 0;
    for (std::size_t seed = 0; seed < 4000; ++seed) {
      const MovingPair pair = random_pair(kind, seed);
      const double safety = seed % 2 == 0 ? 0.9 : 0.99;
      const TimeOfImpact impact = impact_of(kind, pair, {.safety = safety});
      const auto exact = exact_time_of_impact(kind, pair.x, pair.p);
      const PathCheck check =
          kind == PairKind::points ? check_point_triangle_path(pair.x, pair.p) : check_edge_edge_path(pair.x, pair.p);
      const double first = distance_at(kind, pair, 0), kept = distance_at(kind, pair, impact.time);
      ASSERT_GT(impact.time, 0) << seed;
      if (exact) {
        ASSERT_LT(impact.time, static_cast<double>(*exact)) << seed;
      }
      if (!check.is_clear) {
        ASSERT_LE(impact.time, check.first) << seed;
      }
      if (impact.time < 1) {
        ASSERT_LE(kept, (1 - safety) * first * (1 + 1e-9)) << seed;
      }
      ASSERT_GE(kept, 0.999 * (1 - safety) * (1 - safety) * first) << seed;
      collisions += exact.has_value();
      most_iterations = std::max(most_iterations, impact.iterations);
    }
    EXPECT_GT(collisions, 500);
    EXPECT_LE(most_iterations, 150);
  }
}

// With a small rest of the distance the time is that of the collision, unless the pair glances off.
TEST(TimeOfImpact, ApproachesTheTimeOfTheCollision) {
  for (const PairKind kind : {PairKind::points, PairKind::edges}) {
    int collisions = 0, near = 0;
    for (std::size_t seed = 0; seed < 1000; ++seed) {
      const MovingPair pair = random_pair(kind, seed);
      const auto exact = exact_time_of_impact(kind, pair.x, pair.p);
      if (!exact) continue;
      ++collisions;
      near += impact_of(kind, pair, {.safety = 1 - 1e-9}).time > static_cast<double>(*exact) - 1e-6;
    }
    EXPECT_GT(near, 0.99 * collisions);
  }
}

TEST(TimeOfImpact, DegeneratePairsEndWithinTheLimitAndBeforeTheirCollision) {
  for (const auto& [name, kind, pair, collides] : degenerate_pairs()) {
    const TimeOfImpact impact = impact_of(kind, pair);
    EXPECT_TRUE(impact.time >= 0 && impact.time <= 1) << name << impact.time;
    EXPECT_LE(impact.iterations, 10) << name;
    if (collides && distance_at(kind, pair, 0) > 1e-100) {
      EXPECT_LT(distance_at(kind, pair, impact.time), 0.11 * 0.25) << name;
    }
    if (!collides && name != "edges in a line that approach") {
      EXPECT_GT(impact.time, 0.22) << name;
    }
    EXPECT_TRUE(std::isfinite(impact.time)) << name;
  }
}

// Whatever the motion, the iterations are counted, and the time of too few is a valid one.
TEST(TimeOfImpact, IterationsAreLimited) {
  for (std::size_t seed = 0; seed < 200; ++seed) {
    const MovingPair pair = random_pair(PairKind::edges, seed);
    const TimeOfImpact limited = impact_of(PairKind::edges, pair, {.safety = 0.5, .iteration_limit = 2});
    const TimeOfImpact full = impact_of(PairKind::edges, pair, {.safety = 0.5});
    EXPECT_LE(limited.iterations, 2);
    EXPECT_GT(limited.time, 0);
    EXPECT_LE(limited.time, full.time);
  }
}

// Touching pairs and gaps below the rounding errors of their coordinates move nowhere; a gap above moves.
TEST(TimeOfImpact, GapsOfRoundingErrorsCountAsTouching) {
  for (const double height : {0.0, 1e-17}) EXPECT_EQ(impact_of(PairKind::points, falling_point(height, 1)).time, 0);
  for (const double height : {1e-13, 1e-9}) {
    const double time = impact_of(PairKind::points, falling_point(height, 1)).time;
    EXPECT_GT(time, 0.5 * height);
    EXPECT_LT(time, height);
    EXPECT_EQ(impact_of(PairKind::points, falling_point(height, -1)).time, 1);
  }
  EXPECT_EQ(impact_of(PairKind::edges, falling_edge(0, 1, 1.5)).time, 0);
}

TEST(Separation, IsTheDistanceOfPairs) {
  for (const PairKind kind : {PairKind::points, PairKind::edges})
    for (std::size_t seed = 0; seed < 3000; ++seed) {
      const MovingPair pair = random_pair(kind, seed);
      const Separation separation = kind == PairKind::points ? point_triangle_separation(pair.x) : edge_edge_separation(pair.x);
      EXPECT_NEAR(separation.distance, distance_at(kind, pair, 0), 1e-13) << seed;
      EXPECT_NEAR(separation.direction.norm(), 1, 1e-14);
    }
}

// A sliver whose normal is of rounding errors: the point is above its edge, or beside it.
TEST(Separation, OfSliversIsTheDistance) {
  for (const double width : {1e-3, 1e-8, 1e-12, 1e-16, 0.0})
    for (const double height : {1e-9, 1e-3}) {
      PairColumns x;
      x.transpose() << 0.4, 0.3, height, -1, 0.3, 0, 2, 0.3, 0, 0.1, 0.3 + width, 0;
      EXPECT_NEAR(point_triangle_separation(x).distance, height, 1e-6 * height) << width;
      x(1, 0) = 0.3 - height;
      EXPECT_NEAR(point_triangle_separation(x).distance, std::sqrt(2) * height, 1e-5 * height) << width;
    }
}

TEST(PlaneTimeOfImpact, IsExactAlsoOfAMovingPlane) {
  const Plane floor(PlaneDefinition{"floor", {0, 0, 0.5}, {0, 0, 1}, 0, {}});
  const Eigen::Vector3d x(3, 4, 1.5);
  EXPECT_DOUBLE_EQ(plane_time_of_impact(floor, 0, x, {9, 9, -4}), 0.25);
  EXPECT_DOUBLE_EQ(plane_time_of_impact(floor, 1, x, {9, 9, -3}), 0.25) << "the plane comes 1 toward the point";
  EXPECT_DOUBLE_EQ(plane_time_of_impact(floor, 0, x, {9, 9, -4}, 0.2), 0.2) << "0.8 until the slack";
  EXPECT_EQ(plane_time_of_impact(floor, -5, x, {9, 9, -4}), 1) << "the plane flees";
  EXPECT_EQ(plane_time_of_impact(floor, 0, x, {9, 9, 4}), 1);
  EXPECT_EQ(plane_time_of_impact(floor, 0, {0, 0, 0.5}, {0, 0, -1}), 0);
}

// Two spheres approach each other along x, pole to pole, on the way of an obstacle that comes from below.
TEST(LongestStep, IsTheSmallestTimeOfItsPairsForAnyNumberOfThreads) {
  const std::vector<TriangleMesh> bodies = {sphere_surface(10, 1, {0, 0, 0}), sphere_surface(10, 1, {2.5, 0, 0}),
                                            square(4, -1.5)};
  const Eigen::VectorXd x = positions_of(bodies);
  CollisionMesh mesh = collision_mesh_of({bodies[0], bodies[1]}, {true, true});
  add_obstacle(mesh, 2, static_cast<int>(mesh.vertices.size()), bodies[2].triangles);
  const auto step_with = [&](double approach, double rise, int threads) {
    Eigen::VectorXd direction = 0 * x;
    for (int i = 0; i < 4; ++i) direction[x.size() - 12 + 3 * i + 2] = rise;
    for (Eigen::Index i = 0; i < (x.size() - 12) / 2; i += 3) direction[i] = approach;
    ThreadLimit limit(threads);
    CandidateSearch search(std::make_shared<const CollisionMesh>(mesh));
    const CandidatePairs& candidates = search.swept(x, direction, 0);
    const double step = longest_step(mesh, x, direction, candidates);
    EXPECT_TRUE(check_path(mesh, x, direction, candidates, step).is_clear);
    return step;
  };
  EXPECT_EQ(step_with(0, 0, 1), 1);
  EXPECT_EQ(step_with(0.4, 0.4, 1), 1);
  EXPECT_NEAR(step_with(1, 0, 1), 0.45, 1e-9);
  EXPECT_NEAR(step_with(0, 2, 1), 0.225, 1e-9);
  const double step = step_with(1, 2, 1);
  EXPECT_NEAR(step, 0.225, 1e-9);
  EXPECT_EQ(step_with(1, 2, 2), step);
}

// A random motion of close surfaces: the step has no collision, as the interval test finds, and a longer one has.
TEST(LongestStep, IsFreeOfCollisionsForRandomMotions) {
  int shortened = 0;
  for (std::size_t seed = 0; seed < 20; ++seed) {
    const std::vector<TriangleMesh> bodies = {sphere_surface(4, 1, {0, 0, 0}), sphere_surface(4, 1, {2.01, 0.1, 0})};
    const Eigen::VectorXd x = positions_of(bodies), direction = disturbed(0 * x, 0.3, seed);
    const CollisionMesh mesh = collision_mesh_of(bodies, {true, true});
    CandidateSearch search(std::make_shared<const CollisionMesh>(mesh));
    const CandidatePairs& candidates = search.swept(x, direction, 0);
    const double step = longest_step(mesh, x, direction, candidates);
    EXPECT_GT(step, 0);
    EXPECT_TRUE(check_path(mesh, x, direction, candidates, step).is_clear) << seed;
    shortened += step < 1;
  }
  EXPECT_GT(shortened, 10);
}

}  // namespace
}  // namespace holo::test
