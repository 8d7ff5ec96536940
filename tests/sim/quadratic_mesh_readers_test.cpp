// Files of quadratic tetrahedra: every format gives the same mesh, whatever its order of the vertices on edges. The fixtures
// come from fixtures/generate_quadratic_meshes.py.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "holo/sim/mesh/mesh_description.h"
#include "holo/sim/mesh/subset.h"
#include "mesh_refusals.h"

namespace holo {
namespace quadratic_mesh_readers_tests {

using namespace mesh_refusals;
using Point = std::array<double, 3>;

const std::filesystem::path quadratic_fixtures = fixtures.parent_path() / "quadratic_meshes";

// ---- the mesh of the fixtures, before and after y + x z / 4, which quadratic elements follow exactly and which keeps volumes
constexpr int paths[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

Point corner(int i) { return {0.5 * (i & 1), 0.5 * (i >> 1 & 1), 0.75 * (i >> 2)}; }
Point between(const Point& a, const Point& b) { return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}; }
Point bent(const Point& at) { return {at[0], at[1] + at[0] * at[2] / 4, at[2]}; }

struct File {
  const char* name;
  std::int64_t first_name;
  const char *region, *triangles, *edges;  // names of groups; "": none
};

class QuadraticMeshFixture : public testing::TestWithParam<File> {
 protected:
  const TetrahedralMesh mesh_ = read_tetrahedral_mesh(quadratic_fixtures / GetParam().name);
  std::vector<Point> points_of(const std::vector<int>& vertices) const {
    std::vector<Point> points;
    for (const int v : vertices) points.push_back(mesh_.vertices[static_cast<std::size_t>(v)]);
    return points;
  }
};

TEST_P(QuadraticMeshFixture, HasEachVertexOnItsEdge) {
  ASSERT_EQ(mesh_.tetrahedra.size(), 6u);
  ASSERT_EQ(mesh_.edge_vertices.size(), 6u);
  EXPECT_EQ(mesh_.vertices.size(), 27u);
  for (std::size_t e = 0; e < 6; ++e) {
    SCOPED_TRACE(e);
    EXPECT_EQ(mesh_.element_names[e], GetParam().first_name + static_cast<std::int64_t>(e));
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(mesh_.vertices[static_cast<std::size_t>(mesh_.tetrahedra[e][i])], bent(corner(paths[e][i])));
    for (std::size_t i = 0; i < 6; ++i) {
      const auto& [a, b] = tetrahedron_edges[i];
      EXPECT_EQ(mesh_.vertices[static_cast<std::size_t>(mesh_.edge_vertices[e][i])],
                bent(between(corner(paths[e][a]), corner(paths[e][b]))));
    }
  }
  EXPECT_NEAR(total_volume(mesh_), 0.5 * 0.5 * 0.75, 1e-15);
  EXPECT_NE(describe_mesh(mesh_).find("6 (quadratic)\n"), std::string::npos);
}

TEST_P(QuadraticMeshFixture, GroupsHaveTheVerticesOnEdges) {
  const MeshGroup& region = find_group(mesh_, GetParam().region, 3);
  EXPECT_EQ(region.elements, (std::vector<int>{0, 1, 2}));
  std::set<int> vertices;
  for (const std::size_t e : {0u, 1u, 2u}) {
    vertices.insert(mesh_.tetrahedra[e].begin(), mesh_.tetrahedra[e].end());
    vertices.insert(mesh_.edge_vertices[e].begin(), mesh_.edge_vertices[e].end());
  }
  EXPECT_EQ(region.vertices, std::vector<int>(vertices.begin(), vertices.end()));
  if (*GetParam().edges == 0) return;
  const Point a = corner(0), b = corner(1), c = corner(3), ab = between(a, b), bc = between(b, c), ca = between(c, a);
  std::vector<Point> edge = points_of(find_group(mesh_, GetParam().edges, 1).vertices);
  std::sort(edge.begin(), edge.end());
  EXPECT_EQ(edge, (std::vector<Point>{a, ab, b}));
  const MeshGroup& face = find_group(mesh_, GetParam().triangles, 2);
  EXPECT_EQ(face.vertices.size(), 6u);
  std::vector<std::vector<Point>> triangles;
  for (const auto& triangle : face.triangles) triangles.push_back(points_of({triangle.begin(), triangle.end()}));
  EXPECT_EQ(triangles, (std::vector<std::vector<Point>>{{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}));
}

// So that loads act on them: the face of a group is one of the surface, with as many triangles.
TEST_P(QuadraticMeshFixture, SubsetsOfGroupsHaveTheirTrianglesAndElements) {
  SubsetDefinition subset;
  subset.kind = SubsetDefinition::Kind::group;
  subset.of = SubsetDefinition::Of::elements;
  subset.group = GetParam().region;
  subset.dimension = 3;
  EXPECT_EQ(select_elements(subset, mesh_), (std::vector<int>{0, 1, 2}));
  if (*GetParam().triangles == 0) return;
  const auto sorted = [](std::vector<std::array<int, 3>> triangles) {
    for (auto& triangle : triangles) std::sort(triangle.begin(), triangle.end());
    std::sort(triangles.begin(), triangles.end());
    return triangles;
  };
  subset.of = SubsetDefinition::Of::surface;
  subset.group = GetParam().triangles;
  subset.dimension = 2;
  EXPECT_EQ(sorted(select_triangles(subset, mesh_)), sorted(find_group(mesh_, GetParam().triangles, 2).triangles));
  EXPECT_EQ(select_vertices(subset, mesh_), find_group(mesh_, GetParam().triangles, 2).vertices);
}

INSTANTIATE_TEST_SUITE_P(All, QuadraticMeshFixture,
                         testing::Values(File{"gmsh_22.msh", 101, "tetrahedra 1", "triangles 9", "edges 4"},
                                         File{"gmsh_41_binary.msh", 101, "tetrahedra 1", "triangles 9", "edges 4"},
                                         File{"medit.mesh", 1, "tetrahedra 1", "triangles 9", "edges 4"},
                                         File{"tetgen.ele", 1, "tetrahedra 1", "", ""},
                                         File{"tetgen.node", 1, "tetrahedra 1", "", ""},
                                         File{"legacy_30.vtk", 2, "region 1", "region 9", "region 4"},
                                         File{"ascii.vtu", 2, "region 1", "region 9", "region 4"}),
                         [](const auto& file) {
                           std::string name = file.param.name;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(QuadraticMeshReaders, EveryFixtureIsTested) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(quadratic_fixtures)) files.insert(entry.path().filename());
  EXPECT_EQ(files.size(), 7u) << "a fixture was added without a test, or is missing";
}

// One tetrahedron, straight, with edges of length 2 along the axes, as TetGen 1.5.0 wrote it from its corners with -o2.
TEST(QuadraticMeshReaders, TetGensOwnOutputIsRead) {
  const Scratch scratch;
  scratch.write(
      "one.1.node",
      "10  3  0  0\n   1    0  0  0\n   2    2  0  0\n   3    0  2  0\n   4    0  0  2\n   5    1  0  1\n   6    1  0  "
      "0\n   7    0  1  0\n   8    0  1  1\n   9    1  1  0\n  10    0  0  1\n# Generated by tetgen -o2 one.node\n");
  const TetrahedralMesh mesh = read_tetrahedral_mesh(
      scratch.write("one.1.ele",
                    "1  10  0\n    1       1     3     4     2      5     6     7     8     9    10\n# Generated by tetgen -o2 "
                    "one.node\n"));
  for (std::size_t i = 0; i < 6; ++i) {
    const auto corner_at = [&](int c) {
      return mesh.vertices[static_cast<std::size_t>(mesh.tetrahedra[0][static_cast<std::size_t>(c)])];
    };
    EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(mesh.edge_vertices[0][i])],
              between(corner_at(tetrahedron_edges[i][0]), corner_at(tetrahedron_edges[i][1])));
  }
}

// A reader with another order than the file's cannot go unnoticed: elements would be folded, or neighbors would not share the
// vertices of their edges.
TEST(QuadraticMeshReaders, EveryOtherOrderOfTheVerticesOnEdgesIsRefused) {
  const TetrahedralMesh mesh = read_tetrahedral_mesh(quadratic_fixtures / "medit.mesh");
  std::array<std::size_t, 6> order = {0, 1, 2, 3, 4, 5};
  int accepted = 0;
  do {
    TetrahedralMesh other = mesh;
    for (std::size_t e = 0; e < 6; ++e)
      for (std::size_t i = 0; i < 6; ++i) other.edge_vertices[e][i] = mesh.edge_vertices[e][order[i]];
    try {
      validate(other);
      ++accepted;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input) << error.what();
    }
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(accepted, 1);
}

// ---- one straight tetrahedron
// Nodes 1 to 4 are the corners; 5 to 10 lie on the edges in gmsh's order.
const std::string ten_nodes =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n5 1 0 0\n6 1 1 0\n7 0 1 0\n8 0 0 1\n"
    "9 0 1 1\n10 1 0 1\n$EndNodes\n";
std::string with_elements(const std::string& elements) { return ten_nodes + "$Elements\n" + elements + "\n$EndElements\n"; }
const std::string one_element = with_elements("1\n7 11 2 1 1 1 2 3 4 5 6 7 8 9 10");

TEST(QuadraticMeshReaders, DataOfNodesCoverThoseOnEdges) {
  std::string rows = "$NodeData\n1\n\"u\"\n1\n0.0\n3\n0\n1\n10\n";
  std::vector<double> expected;
  for (int node = 1; node <= 10; ++node) {
    rows += fmt::format("{} {}\n", node, 10 + node);
    expected.push_back(10 + node);
  }
  EXPECT_EQ(parse_tetrahedral_mesh("a.msh", one_element + rows + "$EndNodeData\n").fields[0].values, expected);
  EXPECT_HAS(refusal("a.msh", one_element + "$NodeData\n1\n\"u\"\n1\n0.0\n3\n0\n1\n4\n1 0\n2 0\n3 0\n4 0\n$EndNodeData\n"),
             "the field 'u' has values for 4 of the 10 nodes of tetrahedra; all of them are required");
}

TEST(QuadraticMeshReaders, TetrahedraWithoutAVertexOnAnEdgeAreRefused) {
  EXPECT_HAS(refusal("a.msh", with_elements("1\n7 11 2 1 1 1 2 3 4 5 6 7 8 9 9")), ": element 7 has vertex 8 twice, ten");
  EXPECT_HAS(refusal("a.msh", with_elements("1\n7 11 2 1 1 1 2 3 4 5 6 7 8 9 77")),
             ":19: element 7 names node 77, which '$Nodes' does not hold");
}

#ifdef HOLO_DATA_DIR
TEST(PublicMeshes, TheQuadraticSphereHasTheVolumeOfItsCurvedElements) {
  const TetrahedralMesh mesh =
      read_tetrahedral_mesh(std::filesystem::path(HOLO_DATA_DIR) / "meshes/tet/sphere_p2_binary41.msh");
  EXPECT_EQ(mesh.tetrahedra.size(), 30u);
  EXPECT_EQ(mesh.edge_vertices.size(), 30u);
  // By Gauss's formula of 125 points in each element, in Python, from the file's bytes; the corners alone have 2.862.
  EXPECT_NEAR(total_volume(mesh), 4.114568567474758, 1e-13);
}
#endif

}  // namespace quadratic_mesh_readers_tests
}  // namespace holo
