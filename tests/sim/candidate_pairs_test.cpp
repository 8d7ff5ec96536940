// The broad phase against all pairs, one by one.
#include "holo/sim/contact/detection/candidate_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "../allocation_count.h"
#include "collision_scenes.h"
#include "holo/core/numerics/parallel.h"

namespace holo::test {
namespace {

// Bounds of the given vertices at the start and the end of a motion.
template <std::size_t corners>
std::pair<Eigen::Vector3d, Eigen::Vector3d> bounds_of(const std::array<int, corners>& vertices, const Eigen::VectorXd& x,
                                                      const Eigen::VectorXd& direction) {
  Eigen::Vector3d lower = x.segment<3>(3 * vertices[0]), upper = lower;
  for (const int v : vertices)
    for (const Eigen::Vector3d& place : {x.segment<3>(3 * v).eval(), (x + direction).segment<3>(3 * v).eval()}) {
      lower = lower.cwiseMin(place);
      upper = upper.cwiseMax(place);
    }
  return {lower, upper};
}

template <std::size_t a_corners, std::size_t b_corners>
bool is_candidate(const std::array<int, a_corners>& a, const std::array<int, b_corners>& b, const Eigen::VectorXd& x,
                  const Eigen::VectorXd& direction, double distance) {
  for (const int v : a)
    if (std::find(b.begin(), b.end(), v) != b.end()) return false;
  const auto [a_lower, a_upper] = bounds_of(a, x, direction);
  const auto [b_lower, b_upper] = bounds_of(b, x, direction);
  return ((a_lower - b_upper).array() <= distance).all() && ((b_lower - a_upper).array() <= distance).all();
}

CandidatePairs all_pairs(const CollisionMesh& mesh, const Eigen::VectorXd& x, const Eigen::VectorXd& direction,
                         double distance) {
  CandidatePairs pairs;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      if (mesh.may_collide(mesh.vertex_bodies[v], mesh.triangle_bodies[t]) &&
          is_candidate(std::array{mesh.vertices[v]}, mesh.triangles[t], x, direction, distance))
        pairs.point_triangle.push_back({static_cast<int>(v), static_cast<int>(t)});
  for (std::size_t a = 0; a < mesh.edges.size(); ++a)
    for (std::size_t b = a + 1; b < mesh.edges.size(); ++b)
      if (mesh.may_collide(mesh.edge_bodies[a], mesh.edge_bodies[b]) &&
          is_candidate(mesh.edges[a], mesh.edges[b], x, direction, distance))
        pairs.edge_edge.push_back({static_cast<int>(a), static_cast<int>(b)});
  return pairs;
}

// Returns the number of pairs during the motion.
std::size_t expect_all_pairs(const CollisionMesh& mesh, const Eigen::VectorXd& x, const Eigen::VectorXd& direction,
                             double distance) {
  CandidateSearch search(std::make_shared<const CollisionMesh>(mesh));
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(x.size());
  const CandidatePairs still = all_pairs(mesh, x, at_rest, distance), moved = all_pairs(mesh, x, direction, distance);
  for (int repeat = 0; repeat < 2; ++repeat) {  // the second time in the memory of the first
    EXPECT_EQ(search.at(x, distance).point_triangle, still.point_triangle);
    EXPECT_EQ(search.at(x, distance).edge_edge, still.edge_edge);
    EXPECT_EQ(search.swept(x, direction, distance).point_triangle, moved.point_triangle);
    EXPECT_EQ(search.swept(x, direction, distance).edge_edge, moved.edge_edge);
  }
  return std::min(moved.point_triangle.size(), moved.edge_edge.size());
}

// Sizes over three orders of magnitude fill ten levels of the grid.
TEST(CandidateSearch, FindsAllPairsOfPrimitivesOfVeryDifferentSizes) {
  const std::vector<TriangleMesh> bodies = {triangle_soup(100, 1e-3, 1, 1), triangle_soup(70, 0.05, 0.1, 2)};
  const Eigen::VectorXd x = positions_of(bodies), direction = disturbed(0 * x, 0.03, 7);
  for (const double distance : {0.0, 1e-3, 0.05}) {
    EXPECT_GT(expect_all_pairs(collision_mesh_of(bodies, {true, true}), x, direction, distance), 0u);
    EXPECT_GT(expect_all_pairs(collision_mesh_of(bodies, {true, false}), x, direction, distance), 0u);
    EXPECT_GT(expect_all_pairs(collision_mesh_of(bodies, {false, false}), x, direction, distance), 0u);
  }
}

// Displacements from 0 to the size of the scene make the boxes of vertices as different as those of triangles.
TEST(CandidateSearch, FindsAllPairsOfMotionsOfVeryDifferentLengths) {
  const std::vector<TriangleMesh> bodies = {triangle_soup(150, 0.02, 0.04, 3), triangle_soup(100, 0.02, 0.04, 4)};
  const Eigen::VectorXd x = positions_of(bodies);
  Eigen::VectorXd direction = disturbed(0 * x, 1, 9);
  direction = direction.array().cube().cube();
  EXPECT_GT(expect_all_pairs(collision_mesh_of(bodies, {true, true}), x, direction, 1e-3), 0u);
}

// Small tables of cells, in which rows of cells share places and reach over the end.
TEST(CandidateSearch, FindsAllPairsOfFewPrimitives) {
  std::size_t count = 0;
  for (std::size_t seed = 0; seed < 500; ++seed) {
    const std::vector<TriangleMesh> bodies = {triangle_soup(7, 0.05, 0.3, seed), triangle_soup(7, 0.05, 0.3, seed + 1000)};
    const Eigen::VectorXd x = positions_of(bodies);
    count += expect_all_pairs(collision_mesh_of(bodies, {true, true}), x, disturbed(0 * x, 0.1, seed), 0.01);
  }
  EXPECT_GT(count, 1000u);
}

// Far from the origin, where a cell is near the spacing of numbers, and with all vertices at one point.
TEST(CandidateSearch, FindsAllPairsFarFromTheOriginAndAtOnePoint) {
  const std::vector<TriangleMesh> bodies = {triangle_soup(60, 1e-6, 1e-5, 5)};
  const CollisionMesh mesh = collision_mesh_of(bodies, {true});
  const Eigen::VectorXd near = 1e-5 * positions_of(bodies);
  const Eigen::VectorXd far = near.array() + 1e8, still = 0 * near;
  EXPECT_GT(expect_all_pairs(mesh, near, disturbed(still, 1e-5), 1e-7), 0u);
  EXPECT_GT(expect_all_pairs(mesh, far, disturbed(still, 1), 1e-3), 0u);
  EXPECT_GT(expect_all_pairs(mesh, still.array() + 0.3, still, 0), 0u);
}

// A table of two triangles, 300 times as large as the edges of the body above it.
TEST(CandidateSearch, FindsALargeTableBelowASmallBody) {
  std::vector<TriangleMesh> bodies = {sphere_surface(8, 0.1, {0.03, 0.02, 0.1005}), square(5, 0)};
  const Eigen::VectorXd x = positions_of(bodies);
  CollisionMesh mesh = collision_mesh_of({bodies[0]}, {false});
  const int table = add_obstacle(mesh, 1, static_cast<int>(mesh.vertices.size()), bodies[1].triangles);
  EXPECT_EQ(table, 1);
  const Eigen::VectorXd direction = disturbed(0 * x, 0.02);
  EXPECT_GT(expect_all_pairs(mesh, x, direction, 1e-3), 0u);
  CandidateSearch search(std::make_shared<const CollisionMesh>(mesh));
  EXPECT_LT(search.at(x, 1e-3).edge_edge.size(), 40u) << "only those at the bottom of the body";
  EXPECT_EQ(search.at(x, 1e-4).edge_edge.size(), 0u);
}

TEST(CandidateSearch, ObstaclesCollideWithBodiesAlone) {
  const TriangleMesh body = triangle_soup(20, 0.3, 0.5, 1), wall = triangle_soup(10, 0.3, 0.5, 2);
  const std::vector<TriangleMesh> all = {body, wall, wall};
  CollisionMesh mesh = collision_mesh_of({body}, {false});
  const int wall_vertices = static_cast<int>(wall.positions.size() / 3), first = static_cast<int>(mesh.vertices.size());
  add_obstacle(mesh, 1, first, wall.triangles);
  add_obstacle(mesh, 1, first + wall_vertices, wall.triangles);
  const Eigen::VectorXd x = positions_of(all);
  EXPECT_GT(expect_all_pairs(mesh, x, disturbed(0 * x, 0.1), 0.01), 0u);
  CandidateSearch search(std::make_shared<const CollisionMesh>(mesh));
  for (const auto& [vertex, triangle] : search.at(x, 0.01).point_triangle)
    EXPECT_TRUE((mesh.vertex_bodies[static_cast<std::size_t>(vertex)] == 0) !=
                (mesh.triangle_bodies[static_cast<std::size_t>(triangle)] == 0));
  mesh.set_may_collide(0, 1, false);
  CandidateSearch masked(std::make_shared<const CollisionMesh>(mesh));
  for (const auto& [vertex, triangle] : masked.at(x, 0.01).point_triangle) {
    EXPECT_NE(mesh.vertex_bodies[static_cast<std::size_t>(vertex)], 1);
    EXPECT_NE(mesh.triangle_bodies[static_cast<std::size_t>(triangle)], 1);
  }
  EXPECT_GT(masked.at(x, 0.01).point_triangle.size(), 0u);
}

// Motions from a thousandth of an edge to ten edges, in random order: some calls lie within the boxes of the search before.
TEST(CandidateSearch, PairsAreThoseOfANewSearchWhateverWasSearchedBefore) {
  std::vector<TriangleMesh> bodies = {triangle_soup(40, 0.03, 0.05, 1), triangle_soup(40, 0.03, 0.05, 2), square(0.5, 0)};
  CollisionMesh mesh = collision_mesh_of({bodies[0], bodies[1]}, {true, false});
  add_obstacle(mesh, 2, static_cast<int>(mesh.vertices.size()), bodies[2].triangles);
  CandidateSearch search(std::make_shared<const CollisionMesh>(mesh));
  Eigen::VectorXd x = positions_of(bodies);
  std::size_t count = 0;
  constexpr int steps = 60;
  for (int step = 0; step < steps; ++step) {
    const auto seed = static_cast<std::size_t>(step);
    const double length = 0.04 * std::pow(10, -1 + 2 * wiggle(seed)), distance = step % 3 == 0 ? 0 : 1e-3;
    const Eigen::VectorXd direction = disturbed(0 * x, length, seed), at_rest = 0 * x;
    const CandidatePairs swept = search.swept(x, direction, distance), moved = all_pairs(mesh, x, direction, distance);
    EXPECT_EQ(swept.point_triangle, moved.point_triangle) << step;
    EXPECT_EQ(swept.edge_edge, moved.edge_edge) << step;
    x += std::min(1.0, 0.01 / length) * direction;
    const CandidatePairs here = search.at(x, 1e-3), all = all_pairs(mesh, x, at_rest, 1e-3);
    EXPECT_EQ(here.point_triangle, all.point_triangle) << step;
    EXPECT_EQ(here.edge_edge, all.edge_edge) << step;
    count += std::min(all.point_triangle.size(), all.edge_edge.size());
  }
  EXPECT_GT(count, 0u);
  EXPECT_GT(search.searches(), steps / 4);
  EXPECT_LT(search.searches(), 3 * steps / 2);
}

// The steps of a minimization that converges.
TEST(CandidateSearch, ShortMotionsNeedNoNewSearch) {
  const std::vector<TriangleMesh> bodies = {sphere_surface(10, 1, {0, 0, 0}), sphere_surface(10, 1, {2, 0, 0})};
  Eigen::VectorXd x = positions_of(bodies);
  CandidateSearch search(std::make_shared<const CollisionMesh>(collision_mesh_of(bodies, {true, false})));
  const Eigen::VectorXd direction = disturbed(0 * x, 0.01);
  search.at(x, 0.01);
  EXPECT_EQ(search.searches(), 1);
  for (double length = 0.4; length > 1e-6; length /= 2) {
    search.swept(x, length * direction, 0);
    x += length * direction;
    search.at(x, 0.01);
  }
  EXPECT_EQ(search.searches(), 1);
  search.at(x + 10 * direction, 0.01);
  EXPECT_EQ(search.searches(), 2);
}

TEST(CandidateSearch, ResultDoesNotDependOnThreads) {
  const std::vector<TriangleMesh> bodies = {sphere_surface(20, 1, {0, 0, 0})};
  const Eigen::VectorXd x = positions_of(bodies), direction = disturbed(0 * x, 0.1);
  const auto mesh = std::make_shared<const CollisionMesh>(collision_mesh_of(bodies, {true}));
  const auto pairs_with = [&](int threads) {
    ThreadLimit limit(threads);
    return CandidateSearch(mesh).swept(x, direction, 0.01);
  };
  const CandidatePairs serial = pairs_with(1), parallel = pairs_with(2);
  EXPECT_GT(serial.edge_edge.size(), 1000u);
  EXPECT_EQ(serial.point_triangle, parallel.point_triangle);
  EXPECT_EQ(serial.edge_edge, parallel.edge_edge);
}

TEST(CandidateSearch, AllocatesNothingWhenItIsCalledAgain) {
  if (!counts_allocations) GTEST_SKIP() << "the sanitizers bring their own allocator";
  const std::vector<TriangleMesh> bodies = {sphere_surface(10, 1, {0, 0, 0}), sphere_surface(10, 1, {2, 0, 0})};
  const Eigen::VectorXd x = positions_of(bodies), direction = disturbed(0 * x, 0.1), shorter = 0.99 * direction;
  CandidateSearch search(std::make_shared<const CollisionMesh>(collision_mesh_of(bodies, {true, true})));
  ThreadLimit limit(1);
  for (int i = 0; i < 2; ++i) search.swept(x, direction, 0.01), search.at(x, 0.01);
  const long before = allocation_count.load();
  search.at(x, 0.01);
  search.swept(x, shorter, 0.01);
  search.swept(x, direction, 0.01);
  EXPECT_EQ(allocation_count.load() - before, 0);
  EXPECT_TRUE(an_allocation_counts());
}

TEST(CandidateSearch, WithoutBodiesThereAreNoPairs) {
  CandidateSearch search(std::make_shared<const CollisionMesh>(collision_mesh_of({}, {})));
  EXPECT_TRUE(search.at(Eigen::VectorXd(), 0.1).edge_edge.empty());
}

}  // namespace
}  // namespace holo::test
