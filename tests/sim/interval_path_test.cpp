// The interval test of paths against collisions that are known, and against roots in higher precision.
#include "holo/sim/contact/detection/interval_path.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "collision_pairs.h"
#include "collision_scenes.h"
#include "exact_collision.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"

namespace holo::test {
namespace {

PathCheck check_of(PairKind kind, const MovingPair& pair, double end = 1, const IntervalBisection& bisection = {}) {
  return kind == PairKind::points ? check_point_triangle_path(pair.x, pair.p, end, bisection)
                                  : check_edge_edge_path(pair.x, pair.p, end, bisection);
}

TEST(IntervalPath, FindsTheTimeOfAFallingPointAndOfCrossingEdges) {
  for (const auto& [kind, pair] :
       {std::pair{PairKind::points, falling_point(0.25, 1)}, std::pair{PairKind::edges, falling_edge(0.25, 1, 1.5)}}) {
    const PathCheck check = check_of(kind, pair);
    EXPECT_FALSE(check.is_clear);
    EXPECT_NEAR(check.first, 0.25, 1e-13);
    EXPECT_LE(check.first, 0.25);
    EXPECT_GE(check.last, 0.25);
    EXPECT_LT(check.last, 0.25 + 1e-13);
    EXPECT_TRUE(check_of(kind, pair, 0.2499999).is_clear);
    EXPECT_FALSE(check_of(kind, pair, 0.2500001).is_clear);
  }
}

// Parallel motion at the distance 1e-9, and past the corner of the triangle at 1e-9.
TEST(IntervalPath, IsClearForWhatSlidesPast) {
  EXPECT_TRUE(check_of(PairKind::points, sliding_point(1e-9)).is_clear);
  EXPECT_LE(check_of(PairKind::points, sliding_point(1e-9)).boxes, 3u);
  MovingPair past = falling_point(0.25, 1);
  past.x.col(0) = Eigen::Vector3d(-1e-9, 0.3, 0.25);
  EXPECT_TRUE(check_of(PairKind::points, past).is_clear);
  past.x(0, 0) = 1e-9;
  EXPECT_FALSE(check_of(PairKind::points, past).is_clear);
}

// All points of the edges meet at once, so that a box is divided along them as finely as in time until the limit.
TEST(IntervalPath, DecidesParallelEdges) {
  EXPECT_TRUE(check_of(PairKind::edges, falling_edge(1.0001, 1, 0)).is_clear);
  EXPECT_TRUE(check_of(PairKind::edges, falling_edge(0.25, 1, 0), 0.2499).is_clear);
  const PathCheck touching = check_of(PairKind::edges, falling_edge(0.25, 1, 0), 1);
  EXPECT_FALSE(touching.is_clear);
  EXPECT_NEAR(touching.first, 0.25, 1e-3);
  EXPECT_LE(touching.first, 0.25);
}

// Parallel edges in any direction that stay apart are excluded as a whole, however close they are.
TEST(IntervalPath, ExcludesParallelEdgesInFewBoxes) {
  for (std::size_t seed = 0; seed < 200; ++seed) {
    const auto draw = [&](std::size_t i) { return wiggle(100 * seed + i); };
    const Eigen::Vector3d along(draw(0), draw(1), draw(2)), to(draw(3), draw(4), draw(5));
    const Eigen::Vector3d normal = along.cross(to).normalized();
    MovingPair pair;
    pair.x << 1e-6 * normal, along + 1e-6 * normal, 0.3 * along, 1.7 * along;
    pair.p << along, along, to, to;
    pair.p.rightCols(2).colwise() -= to.dot(normal) * normal;
    const PathCheck check = check_of(PairKind::edges, pair);
    EXPECT_TRUE(check.is_clear) << seed;
    EXPECT_LE(check.boxes, 4u) << seed;
  }
}

// Where the collision exists, with its time from the cubic in 113 bits; elsewhere the pair is clear but for rare near misses,
// at most within rounding errors.
TEST(IntervalPath, AgreesWithTheRootsOfTheCubicForRandomPairs) {
  for (const PairKind kind : {PairKind::points, PairKind::edges}) {
    int collisions = 0;
    for (std::size_t seed = 0; seed < 3000; ++seed) {
      const MovingPair pair = random_pair(kind, seed);
      const auto exact = exact_time_of_impact(kind, pair.x, pair.p);
      const PathCheck check = check_of(kind, pair);
      ASSERT_EQ(check.is_clear, !exact.has_value()) << seed;
      if (!exact) continue;
      ++collisions;
      EXPECT_LE(check.first, static_cast<double>(*exact)) << seed;
      EXPECT_GE(check.first, static_cast<double>(*exact) - 1e-9) << seed;
      EXPECT_TRUE(check_of(kind, pair, 0.999 * static_cast<double>(*exact)).is_clear) << seed;
    }
    EXPECT_GT(collisions, 300);
  }
}

// A box too many counts as a collision, never as none.
TEST(IntervalPath, IsNeverClearWhenTheBoxesEnd) {
  for (const int limit : {1, 5, 20}) {
    const PathCheck check = check_of(PairKind::points, falling_point(0.25, 1), 1, {.box_limit = limit});
    EXPECT_FALSE(check.is_clear);
    EXPECT_LE(check.first, 0.25);
    EXPECT_LE(check.boxes, static_cast<std::size_t>(limit));
  }
}

// Far from the origin positions are rounded, and a gap of the rounding's size is no certain one.
TEST(IntervalPath, IsClearOnlyBeyondRoundingErrors) {
  for (const double gap : {1e-9, 1e-4}) {
    MovingPair pair = sliding_point(gap);
    pair.x.array() += 1e6;
    pair.x(2, 0) = pair.x(2, 1) + gap;
    EXPECT_EQ(check_of(PairKind::points, pair).is_clear, gap > 1e-8) << gap;
  }
}

TEST(IntervalPath, DegeneratePrimitivesAreDecided) {
  for (const auto& degenerate : degenerate_pairs()) {
    const PathCheck check = check_of(degenerate.kind, degenerate.pair, 1, {.resolution = 1e-6});
    EXPECT_EQ(check.is_clear, !degenerate.collides) << degenerate.name;
    EXPECT_TRUE(check.first >= 0 && check.last <= 1) << degenerate.name;
  }
}

// Two spheres approach each other along x, pole to pole.
TEST(IntervalPath, OfSurfacesIsTheEarliestOfItsPairs) {
  const std::vector<TriangleMesh> bodies = {sphere_surface(6, 1, {0, 0, 0}), sphere_surface(6, 1, {2.5, 0, 0})};
  const Eigen::VectorXd x = positions_of(bodies);
  Eigen::VectorXd direction = 0 * x;
  for (Eigen::Index i = x.size() / 2; i < x.size(); i += 3) direction[i] = -1;
  const CollisionMesh mesh = collision_mesh_of(bodies, {true, true});
  CandidateSearch search(std::make_shared<const CollisionMesh>(mesh));
  const auto check_until = [&](double end) {
    return check_path(mesh, x, direction, search.swept(x, direction, 0), end, {.resolution = 1e-6});
  };
  const PathCheck check = check_until(1);
  EXPECT_FALSE(check.is_clear);
  EXPECT_NEAR(check.first, 0.5, 1e-5);
  EXPECT_LE(check.first, 0.5);
  EXPECT_TRUE(check_until(0.499).is_clear);
  ThreadLimit one(1);
  const PathCheck serial = check_until(1);
  EXPECT_EQ(serial.first, check.first);
  EXPECT_EQ(serial.last, check.last);
  EXPECT_EQ(serial.boxes, check.boxes);
}

// The poles of two spheres meet at half of the way.
TEST(IntervalPath, AStepThatIsTooLongIsADefectOfDetection) {
  const std::vector<TriangleMesh> bodies = {sphere_surface(4, 1, {0, 0, 0}), sphere_surface(4, 1, {2.5, 0, 0})};
  const Eigen::VectorXd x = positions_of(bodies);
  Eigen::VectorXd direction = 0 * x;
  for (Eigen::Index i = x.size() / 2; i < x.size(); i += 3) direction[i] = -1;
  const CollisionMesh mesh = collision_mesh_of(bodies, {true, true});
  CandidateSearch search(std::make_shared<const CollisionMesh>(mesh));
  const CandidatePairs& candidates = search.swept(x, direction, 0);
  EXPECT_NO_THROW(require_clear_path(mesh, x, direction, candidates, 0.499));
  try {
    require_clear_path(mesh, x, direction, candidates, 0.501);
    FAIL() << "the step goes through";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::internal);
    EXPECT_NE(std::string(error.what()).find("The step 0.501"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("between 0.5 and 0.5 "), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace holo::test
