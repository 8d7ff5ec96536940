// Wrong input of collision detection is refused, and messages name it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "collision_pairs.h"
#include "collision_scenes.h"
#include "holo/core/error.h"
#include "holo/sim/contact/detection/candidate_pairs.h"
#include "holo/sim/contact/detection/interval_path.h"
#include "holo/sim/contact/detection/time_of_impact.h"

namespace holo::test {
namespace {

TEST(CandidateSearch, BadInputThatIsNotFiniteNamesTheVertex) {
  const std::vector<TriangleMesh> bodies = {triangle_soup(4, 0.3, 0.5, 1)};
  CandidateSearch search(std::make_shared<const CollisionMesh>(collision_mesh_of(bodies, {true})));
  Eigen::VectorXd x = positions_of(bodies), direction = 0 * x;
  direction[3 * 7 + 1] = std::nan("");
  try {
    search.swept(x, direction, 0.1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("vertex 7 "), std::string::npos) << error.what();
  }
  x[3 * 3] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(search.at(x, 0.1), Error);
}

TEST(CollisionMesh, BadInputOfObstaclesAndMasksIsRefused) {
  CollisionMesh mesh = collision_mesh_of({triangle_soup(2, 0.3, 0.5, 1)}, {true});
  EXPECT_THROW(collision_mesh_of({triangle_soup(2, 0.3, 0.5, 1)}, {true, false}), Error);
  EXPECT_THROW(add_obstacle(mesh, 1, 6, ObstacleShape{}), Error);
  EXPECT_THROW(add_obstacle(mesh, 1, 6, {{0, 1, -1}}), Error);
  EXPECT_THROW(add_obstacle(mesh, 1, 6, {{0, 1, 2}, {1, 2, 1}}), Error);
  EXPECT_THROW(add_obstacle(mesh, 1, 5, {{0, 1, 2}}), Error);
  EXPECT_EQ(mesh.body_count, 1);
  EXPECT_EQ(add_obstacle(mesh, 1, 6, {{0, 1, 2}}), 1);
}

constexpr double bad_numbers[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308};

TEST(IntervalPath, BadInputMayCollideFromTheStart) {
  for (const double bad : bad_numbers) {
    MovingPair pair = falling_point(0.25, 1);
    pair.p.col(1).setConstant(bad);
    for (const PathCheck& check : {check_point_triangle_path(pair.x, pair.p), check_edge_edge_path(pair.x, pair.p)}) {
      EXPECT_FALSE(check.is_clear);
      EXPECT_EQ(check.first, 0);
    }
  }
}

TEST(TimeOfImpact, BadInputMovesNowhere) {
  for (const double bad : bad_numbers) {
    MovingPair pair = falling_point(0.25, 1);
    pair.x.col(2).setConstant(bad);
    EXPECT_EQ(point_triangle_time_of_impact(pair.x, pair.p).time, 0);
    EXPECT_EQ(edge_edge_time_of_impact(pair.x, pair.p).time, 0);
    pair = falling_point(0.25, 1);
    pair.p.col(0).setConstant(bad);
    EXPECT_EQ(point_triangle_time_of_impact(pair.x, pair.p).time, 0);
    EXPECT_EQ(edge_edge_time_of_impact(pair.x, pair.p).time, 0);
  }
  EXPECT_EQ(plane_time_of_impact(Plane(PlaneDefinition{}), 0, Eigen::Vector3d::Constant(std::nan("")), {0, 0, 0}), 0);
}

}  // namespace
}  // namespace holo::test
