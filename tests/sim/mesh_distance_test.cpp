// Distances of points from closed surfaces: all triangles one by one, signs by the winding number, boxes in closed form.
#include "holo/sim/contact/mesh_distance.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "refusal_message.h"
#include "surface_samples.h"

namespace holo::test {
namespace mesh_distance_tests {

Eigen::Vector3d place(const SurfaceMesh& mesh, std::size_t triangle, std::size_t corner) {
  return Eigen::Map<const Eigen::Vector3d>(mesh.vertices[std::size_t(mesh.triangles[triangle][corner])].data());
}

// A point of a triangle that is nearest to p: in its plane if the foot of the perpendicular is in the triangle, else on the
// nearest edge, by the ends of segments.
double distance_to_triangle(const Eigen::Vector3d& p, const std::array<Eigen::Vector3d, 3>& corners) {
  const Eigen::Vector3d n = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  const Eigen::Vector3d foot = p - n.dot(p - corners[0]) * n;
  bool inside = true;
  double least = 1e300;
  for (std::size_t k = 0; k < 3; ++k) {
    const Eigen::Vector3d a = corners[k], edge = corners[(k + 1) % 3] - a;
    inside = inside && edge.cross(foot - a).dot(n) > 0;
    const double along = std::clamp((p - a).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (p - a - along * edge).norm());
  }
  return inside ? (p - foot).norm() : least;
}

double distance_to_all(const SurfaceMesh& mesh, const Eigen::Vector3d& p) {
  double least = 1e300;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    least = std::min(least, distance_to_triangle(p, {place(mesh, t, 0), place(mesh, t, 1), place(mesh, t, 2)}));
  return least;
}

// How often the surface winds around a point: 1 inside, 0 outside. Solid angles of triangles by [VanOosterom1983].
double winding_number(const SurfaceMesh& mesh, const Eigen::Vector3d& p) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Eigen::Vector3d a = place(mesh, t, 0) - p, b = place(mesh, t, 1) - p, c = place(mesh, t, 2) - p;
    const double x = a.norm(), y = b.norm(), z = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
  }
  return sum / (4 * std::numbers::pi);
}

// A ball with spikes and dents of all sizes.
SurfaceMesh spiky_ball(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(0.2, 1.5);
  return star_surface(4, [&](int) { return draw(random); });
}

std::vector<SurfaceMesh> sample_surfaces() {
  std::vector<SurfaceMesh> meshes{box_surface({0.5, 0.3, 0.4}), torus_surface(1, 0.3, 30, 12), spiky_ball(1), spiky_ball(2)};
#ifdef HOLO_DATA_DIR
  meshes.push_back(read_surface_mesh(std::string(HOLO_DATA_DIR) + "/meshes/surface/spot.obj"));
#endif
  return meshes;
}

TEST(MeshDistance, IsThatOfTheNearestOfAllTrianglesWithTheSignOfTheWindingNumber) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> draw(-1.3, 1.3);
  for (const SurfaceMesh& mesh : sample_surfaces()) {
    const MeshDistance distance(mesh);
    int inside = 0, outside = 0;
    std::array<int, 4> strata{};
    for (int sample = 0; sample < (mesh.triangles.size() > 1000 ? 100 : 1000); ++sample) {
      const Eigen::Vector3d p(draw(random), draw(random), draw(random));
      const ClosestPoint found = distance.closest(p);
      EXPECT_NEAR(std::abs(found.distance), distance_to_all(mesh, p), 1e-14) << mesh.source;
      EXPECT_EQ(found.distance<0, winding_number(mesh, p)> 0.5) << mesh.source;
      EXPECT_LT((p - found.point - found.distance * found.direction).norm(), 1e-14);
      EXPECT_NEAR(found.direction.norm(), 1, 1e-14);
      ++(found.distance < 0 ? inside : outside);
      ++strata[std::size_t(found.stratum)];
    }
    EXPECT_GT(std::min(inside, outside), 1) << mesh.source;
    EXPECT_GT(strata[std::size_t(Stratum::point_triangle)] + strata[std::size_t(Stratum::point_edge)], 0) << mesh.source;
  }
}

// Points that are closest to vertices and edges: where the normals of their faces alone have both signs.
TEST(MeshDistance, HasTheRightSignBesideVerticesAndEdges) {
  std::mt19937 random(6);
  std::normal_distribution<double> draw(0, 0.02);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const SurfaceMesh mesh = spiky_ball(seed);
    const MeshDistance distance(mesh);
    int at_vertices = 0, at_edges = 0, inside = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (const double along : {0.0, 0.0, 0.0, 0.0, 0.3}) {
        const Eigen::Vector3d edge = place(mesh, t, 1) - place(mesh, t, 0);
        const Eigen::Vector3d p = place(mesh, t, 0) + along * edge + Eigen::Vector3d(draw(random), draw(random), draw(random));
        const ClosestPoint found = distance.closest(p);
        EXPECT_EQ(found.distance<0, winding_number(mesh, p)> 0.5);
        at_vertices += found.stratum == Stratum::point_point;
        at_edges += found.stratum == Stratum::point_edge;
        inside += found.distance < 0;
      }
    EXPECT_GT(at_vertices, 20);
    EXPECT_GT(at_edges, 20);
    EXPECT_GT(inside, 20);
  }
}

TEST(MeshDistance, OfABoxIsItsClosedForm) {
  const Eigen::Vector3d half(0.5, 0.3, 0.4);
  const MeshDistance distance(box_surface(half));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> draw(-0.8, 0.8);
  for (int sample = 0; sample < 500; ++sample) {
    const Eigen::Vector3d p(draw(random), draw(random), draw(random)), beyond = p.cwiseAbs() - half;
    const double exact = beyond.cwiseMax(0).norm() + std::min(beyond.maxCoeff(), 0.0);
    EXPECT_NEAR(distance.distance(p), exact, 1e-15);
  }
  for (const Eigen::Vector3d& p : {half, Eigen::Vector3d(0.5, 0.3, 0.1), Eigen::Vector3d(0.5, 0.1, -0.1)}) {
    const ClosestPoint on_surface = distance.closest(p);
    EXPECT_NEAR(on_surface.distance, 0, 1e-16);
    EXPECT_NEAR(on_surface.direction.norm(), 1, 1e-15);
    EXPECT_GT(on_surface.direction.x(), 0.3);
  }
}

TEST(MeshDistanceBadInput, NamesWhatIsNoClosedSurface) {
  const auto said = [](const SurfaceMesh& mesh) { return message([&] { MeshDistance distance(mesh); }); };
  EXPECT_EQ(said({{}, {}, "part.obj"}), "part.obj: the surface has no triangles");
  SurfaceMesh box = box_surface({1, 1, 1});
  box.triangles.pop_back();
  EXPECT_NE(said(box).find("has one triangle, so that the surface is open there"), std::string::npos);
  box = box_surface({1, 1, 1});
  std::swap(box.triangles[3][0], box.triangles[3][1]);
  EXPECT_NE(said(box).find("has two triangles with opposite orientations"), std::string::npos);
  box = box_surface({1, 1, 1});
  box.triangles[2][1] = 8;
  EXPECT_EQ(said(box), "box: the triangle 3 has the vertex 9; there are 8");
  box = box_surface({1, 1, 1});
  box.vertices[3][1] = std::nan("");
  EXPECT_EQ(said(box), "box: the triangle 1 has a corner whose coordinates are not finite numbers");
}

TEST(MeshDistanceBadInput, NamesTrianglesAndVerticesWithoutNormals) {
  SurfaceMesh box = box_surface({1, 1, 1});
  box.vertices[2] = box.vertices[0];
  EXPECT_EQ(message([&] { MeshDistance distance(box); }),
            "box: the triangle 1 near [-1, -1, -1] has no area, so that it has no normal: collapse it");
  // two boxes that have one corner in common
  SurfaceMesh two = box_surface({1, 1, 1});
  const SurfaceMesh second = box_surface({1, 1, 1});
  const auto number = [](int vertex) { return vertex == 0 ? 7 : 7 + vertex; };  // its corner 0 is the first one's corner 7
  for (std::size_t v = 1; v < 8; ++v)
    two.vertices.push_back({second.vertices[v][0] + 2, second.vertices[v][1] + 2, second.vertices[v][2] + 2});
  for (const std::array<int, 3>& triangle : second.triangles)
    two.triangles.push_back({number(triangle[0]), number(triangle[1]), number(triangle[2])});
  EXPECT_EQ(
      message([&] { MeshDistance distance(two); }),
      "box: at the vertex 8 at [1, 1, 1] parts of the surface meet that have no common edge there; give each part a vertex "
      "of its own, moved apart");
}

}  // namespace mesh_distance_tests
}  // namespace holo::test
