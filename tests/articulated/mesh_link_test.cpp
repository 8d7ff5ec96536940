// Links that are given as meshes: masses, contact points, forces and Jacobians are those of the shape.
#include "holo/sim/articulated/dynamics/mesh_link.h"

#include <gtest/gtest.h>

#include "character_motion.h"
#include "holo/sim/articulated/dynamics/contact_weights.h"
#include "holo/sim/articulated/dynamics/signed_distance_grid.h"
#include "holo/sim/articulated/mesh_mass.h"
#include "refusal_message.h"
#include "surface_samples.h"

namespace holo::articulated::mesh_link_tests {

using namespace test;
using holo::test::box_surface;
using holo::test::message;
using holo::test::star_surface;
using holo::test::torus_surface;

double reach(const SurfaceMesh& mesh, const std::vector<int>& vertices, const Eigen::Vector3d& direction) {
  double most = -1e300;
  for (const int vertex : vertices)
    most = std::max(most, direction.dot(Eigen::Map<const Eigen::Vector3d>(mesh.vertices[std::size_t(vertex)].data())));
  return most;
}

std::vector<int> all_vertices(const SurfaceMesh& mesh) {
  std::vector<int> numbers(mesh.vertices.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = int(i);
  return numbers;
}

double diameter(const SurfaceMesh& mesh) {
  double largest = 0;
  for (const auto& a : mesh.vertices)
    for (const auto& b : mesh.vertices) largest = std::max(largest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  return largest;
}

// sin(t) times the diameter is the bound, with the largest angle t of a direction from the nearest of the 26: cos(t) is
// 1 / |(1, sqrt(2) - 1, sqrt(3) - sqrt(2))|. A ball misses 1 - cos(t) of its radius.
TEST(MeshLink, ExtremeVerticesReachAsFarAsTheMeshWithinTheirBound) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> radius(0.2, 1.5);
  std::normal_distribution<double> draw(0, 1);
  const SurfaceMesh star = star_surface(4, [&](int) { return radius(random); });
  SurfaceMesh ball = star_surface(6,  // has a vertex in each of the 26 directions
                                  [](int) { return 1; });
  ball.source = "ball";
  const double cosine = 1 / Eigen::Vector3d(1, std::sqrt(2.0) - 1, std::sqrt(3.0) - std::sqrt(2.0)).norm();
  for (const SurfaceMesh& mesh : {ball, star, torus_surface(1, 0.3, 24, 12)}) {
    const std::vector<int> chosen = extreme_vertices(mesh), all = all_vertices(mesh);
    EXPECT_LE(chosen.size(), 26u);
    EXPECT_GE(chosen.size(), 6u);
    double largest = 0;
    for (int sample = 0; sample < 2000; ++sample) {
      const Eigen::Vector3d direction = Eigen::Vector3d(draw(random), draw(random), draw(random)).normalized();
      largest = std::max(largest, reach(mesh, all, direction) - reach(mesh, chosen, direction));
    }
    EXPECT_LT(largest, std::sqrt(1 - cosine * cosine) * diameter(mesh)) << mesh.source;
    EXPECT_GT(largest, 0);
    if (mesh.source == "ball") {
      EXPECT_LT(largest, 1 - cosine);
    }
  }
  EXPECT_LT(std::sqrt(1 - cosine * cosine), 0.47);
  EXPECT_LT((1 - cosine) / 2, 0.06);
  EXPECT_EQ(extreme_vertices(box_surface({1, 2, 3})).size(), 8u);
}

// Two boxes at a hinge, as primitives and as meshes.
CharacterModel two_boxes(bool meshes) {
  CharacterBuilder builder("boxes");
  int parent = builder.add_base({});
  for (const Eigen::Vector3d& half : {Eigen::Vector3d(0.2, 0.1, 0.15), Eigen::Vector3d(0.1, 0.12, 0.2)}) {
    const Eigen::Isometry3d pose =
        Eigen::Translation3d(0.05, -0.1, 0.02) * Eigen::AngleAxisd(0.4, Eigen::Vector3d(1, 2, 2).normalized());
    if (meshes) {
      add_mesh_link(builder, parent, box_surface(half), 700, pose);
    } else {
      builder.add_mass(parent, box_mass(half, 700), pose);
      for (const auto& corner : box_surface(half).vertices)
        builder.add_contact_point(parent, pose * Eigen::Vector3d(corner[0], corner[1], corner[2]), 0);
    }
    if (builder.dof_count() == 6)
      parent = builder.add_hinge("hinge", parent, Eigen::Isometry3d(Eigen::Translation3d(0.2, 0, 0)), {0, 1, 0});
  }
  return builder.build();
}

TEST(MeshLink, HasTheForcesOfThePrimitive) {
  const CharacterModel primitive = two_boxes(false), mesh = two_boxes(true);
  ASSERT_EQ(mesh.dof_count(), 7);
  ASSERT_EQ(mesh.contact_points().size(), 16u);
  StepConstants step;
  step.normal_weight = 2e4;
  step.tangential_weight = 2e5;
  const Obstacle floor = floor_at(0.1);
  step.obstacles = &floor;
  step.obstacle_count = 1;
  const ThreePoses poses = three_poses(primitive, 1, 0.3, 0.05, false);
  const Eigen::VectorXd expected = residual(primitive, step, poses);
  EXPECT_LT((residual(mesh, step, poses) - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
}

// A character of meshes with all of its vertices on an obstacle that is a mesh.
TEST(MeshLink, HasJacobiansInContactWithMeshes) {
  CharacterBuilder builder("ring and star");
  const int ring = builder.add_base({});
  add_mesh_link(builder, ring, torus_surface(0.4, 0.15, 16, 8), 500, Eigen::Isometry3d::Identity(), MeshContact::all_vertices);
  const int hinge = builder.add_hinge("hinge", ring, Eigen::Isometry3d(Eigen::Translation3d(0.4, 0, 0.2)), {0, 1, 0});
  add_mesh_link(builder, hinge, star_surface(2, [](int i) { return 0.1 + 0.01 * (i % 5); }), 500);
  const CharacterModel model = builder.build();
  EXPECT_GT(model.contact_points().size(), 16u * 8 + 5);
  const SignedDistanceGrid block = bake_signed_distance(box_surface({0.5, 0.4, 0.3}), 0.1, 0.1);
  const Obstacle obstacle = block.obstacle(Eigen::Isometry3d(Eigen::Translation3d(0.1, 0.05, -0.35)));
  StepConstants step;
  step.normal_weight = 2e4;
  step.tangential_weight = 2e5;
  const ThreePoses poses = three_poses(model, 2, 0.05, 0.02, false);
  const Eigen::VectorXd in_the_air = residual(model, step, poses);
  step.obstacles = &obstacle;
  step.obstacle_count = 1;
  EXPECT_GT((residual(model, step, poses) - in_the_air).norm(), 1);
  const ThreeJacobians closed = closed_form(model, step, poses), complex = by_complex_step(model, step, poses);
  for (int s = 0; s < 3; ++s) EXPECT_LT(relative_difference(closed.D[s], complex.D[s]), 1e-12);
}

// A ring that falls flat on a block: it rests on the vertices below it as deep as its weights say.
TEST(MeshLink, RestsAsDeepAsItsWeightsSay) {
  CharacterBuilder builder("ring");
  const int ring = builder.add_base({});
  const int around = 16;
  add_mesh_link(builder, ring, torus_surface(0.4, 0.15, around, 8), 500, Eigen::Isometry3d::Identity(),
                MeshContact::all_vertices);
  builder.set_rest("base_z", 0.15);
  const CharacterModel model = builder.build();
  const SignedDistanceGrid block = bake_signed_distance(box_surface({0.9, 0.9, 0.4}), 0.05, 0.05);
  const Obstacle obstacle = block.obstacle(Eigen::Isometry3d(Eigen::Translation3d(0, 0, -0.4)));
  StepConstants step;
  step.obstacles = &obstacle;
  step.obstacle_count = 1;
  const ContactWeights weights = contact_weights(model.total_mass() * 9.81, around);
  step.normal_weight = weights.normal;
  step.tangential_weight = weights.tangential;
  const CharacterPose last = simulate(model, step, model.rest(), model.rest(), 150, [](const CharacterPose&) {});
  EXPECT_NEAR(0.15 - last.coordinates[2], 0.02, 1e-6);
}

TEST(MeshLinkBadInput, NamesMeshesWithoutTrianglesAndOpenOnes) {
  EXPECT_EQ(message([] {
              extreme_vertices({{{0, 0, 0}}, {}, "part.obj"});
            }),
            "part.obj: the mesh has no triangles, so that nothing can touch it");
  CharacterBuilder builder("open");
  const int base = builder.add_base({});
  SurfaceMesh open = box_surface({1, 1, 1});
  open.triangles.pop_back();
  EXPECT_NE(message([&] { add_mesh_link(builder, base, open, 1000); }).find("so that the surface is open there"),
            std::string::npos);
}

}  // namespace holo::articulated::mesh_link_tests
