// Every format and encoding gives the same mesh. The fixtures come from fixtures/generate_meshes.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "holo/sim/mesh/shapes.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace {

using namespace holo;

const std::filesystem::path fixtures = std::filesystem::path(HOLO_SOURCE_DIR) / "tests/sim/fixtures/meshes";

// What generate_meshes.py writes, built anew: two cells of the Kuhn grid.
TetrahedralMesh reference() {
  TetrahedralMesh mesh;
  for (double z : {0.0, 0.75})
    for (double y : {0.0, 0.5})
      for (double x : {0.0, 0.5, 1.25}) mesh.vertices.push_back({x, y, z});
  const int paths[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  for (int cell = 0; cell < 2; ++cell)
    for (const auto& path : paths) {
      std::array<int, 4> corners{};
      for (int i = 0; i < 4; ++i) corners[i] = cell + (path[i] & 1) + 3 * ((path[i] >> 1 & 1) + 2 * (path[i] >> 2));
      mesh.tetrahedra.push_back(corners);
      mesh.regions.push_back(cell + 1);
    }
  return mesh;
}

double volume(const TetrahedralMesh& mesh) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) sum += signed_volume(mesh, static_cast<int>(i));
  return sum;
}

struct Fixture {
  const char* file;
  std::int64_t first_name;
  bool has_regions;
};

class MeshFixture : public testing::TestWithParam<Fixture> {};

TEST_P(MeshFixture, HoldsTheReferenceMesh) {
  const TetrahedralMesh expected = reference(), mesh = read_tetrahedral_mesh(fixtures / GetParam().file);
  EXPECT_EQ(mesh.vertices, expected.vertices);
  EXPECT_EQ(mesh.tetrahedra, expected.tetrahedra);
  EXPECT_EQ(mesh.regions, GetParam().has_regions ? expected.regions : std::vector<int>());
  EXPECT_EQ(mesh.source, (fixtures / GetParam().file).string());
  ASSERT_EQ(mesh.element_names.size(), expected.tetrahedra.size());
  for (std::size_t i = 0; i < mesh.element_names.size(); ++i)
    EXPECT_EQ(mesh.element_names[i], GetParam().first_name + static_cast<std::int64_t>(i));
  EXPECT_NEAR(volume(mesh), 1.25 * 0.5 * 0.75, 1e-15);
}

TEST_P(MeshFixture, ScaleMultipliesCoordinates) {
  TetrahedralMesh expected = reference();
  for (auto& vertex : expected.vertices)
    for (double& x : vertex) x *= 0.01;
  EXPECT_EQ(read_tetrahedral_mesh(fixtures / GetParam().file, 0.01).vertices, expected.vertices);
}

INSTANTIATE_TEST_SUITE_P(All, MeshFixture,
                         testing::Values(Fixture{"gmsh_22_ascii.msh", 101, true}, Fixture{"gmsh_22_crlf.msh", 101, true},
                                         Fixture{"gmsh_22_binary.msh", 101, true},
                                         Fixture{"gmsh_22_binary_big_endian.msh", 101, true},
                                         Fixture{"gmsh_41_ascii.msh", 101, true}, Fixture{"gmsh_41_binary.msh", 101, true},
                                         Fixture{"gmsh_41_binary_big_endian.msh", 101, true}, Fixture{"medit.mesh", 1, true},
                                         Fixture{"tetgen_from_0.node", 0, true}, Fixture{"tetgen_from_0.ele", 0, true},
                                         Fixture{"tetgen_from_1.node", 1, true}, Fixture{"legacy_30_ascii.vtk", 1, false},
                                         Fixture{"legacy_30_binary.vtk", 1, false}, Fixture{"legacy_51_ascii.vtk", 1, false},
                                         Fixture{"legacy_51_binary.vtk", 1, false}, Fixture{"ascii.vtu", 1, false},
                                         Fixture{"inline.vtu", 1, false}, Fixture{"inline_header_apart.vtu", 1, false},
                                         Fixture{"inline_big_endian.vtu", 1, false}, Fixture{"inline_zlib.vtu", 1, false},
                                         Fixture{"inline_zlib_wide.vtu", 1, false}, Fixture{"appended_raw.vtu", 1, false},
                                         Fixture{"appended_raw_zlib.vtu", 1, false}, Fixture{"appended_base64.vtu", 1, false},
                                         Fixture{"appended_base64_zlib.vtu", 1, false}),
                         [](const auto& fixture) {
                           std::string name = fixture.param.file;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(MeshReaders, EveryFixtureIsTested) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(fixtures)) files.insert(entry.path().filename());
  EXPECT_EQ(files.size(), 27u) << "a fixture was added without a test, or is missing";
}

TEST(MeshReaders, PiecesAreJoined) {
  const TetrahedralMesh expected = reference(), mesh = read_tetrahedral_mesh(fixtures / "two_pieces.vtu");
  ASSERT_EQ(mesh.tetrahedra.size(), expected.tetrahedra.size());
  EXPECT_EQ(mesh.vertices.size(), 16u);  // 8 used of each piece's 12: pieces do not share points
  EXPECT_NEAR(volume(mesh), volume(expected), 1e-15);
  EXPECT_EQ(mesh.element_names.back(), 12);
}

TEST(MeshReaders, FormatIsToldByContentBeforeExtension) {
  const std::filesystem::path copy = std::filesystem::path(testing::TempDir()) / "holo_format_by_content.dat";
  for (const char* file : {"gmsh_41_binary.msh", "medit.mesh", "legacy_51_binary.vtk", "appended_raw.vtu"}) {
    std::filesystem::copy_file(fixtures / file, copy, std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(read_tetrahedral_mesh(copy).tetrahedra, reference().tetrahedra) << file;
  }
  std::filesystem::remove(copy);
}

// ---- binary gmsh sections that are not read
std::string file_bytes(const char* name) {
  std::ifstream stream(fixtures / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string element_data(const std::string& values) {
  EXPECT_EQ(values.size() % 12, 0u);
  return "$ElementData\n1\n\"a field\"\n1\n0\n3\n0\n1\n" + std::to_string(values.size() / 12) + "\n" + values +
         "$EndElementData\n";
}

TEST(MeshReaders, BinaryGmshDataNeedNotEndInANewline) {
  for (const char* file : {"gmsh_22_binary.msh", "gmsh_41_binary.msh"})
    EXPECT_EQ(parse_tetrahedral_mesh("a.msh", file_bytes(file) + element_data(std::string(36, '\x40'))).tetrahedra,
              reference().tetrahedra)
        << file;
}

TEST(MeshReaders, BinaryGmshDataMayHoldTheBytesOfTheirEndsMark) {
  const std::string values = std::string(6, '\x40') + "\n$EndElementData\n$Nodes\n1\n";
  const std::string text = file_bytes("gmsh_22_binary.msh") + element_data(values + std::string(4, '\x40'));
  EXPECT_EQ(parse_tetrahedral_mesh("a.msh", text).tetrahedra, reference().tetrahedra);
}

TEST(MeshReaders, BinaryGmshSectionsOfUnknownContentEndAtTheirMark) {
  const std::string values = std::string(9, '\x40') + "$EndMine, $EndMine \x01";
  const std::string text = file_bytes("gmsh_22_binary.msh") + "$Mine\n" + values + "$EndMine\n$Other\n\x02$EndOther";
  EXPECT_EQ(parse_tetrahedral_mesh("a.msh", text).tetrahedra, reference().tetrahedra);
}

#ifdef HOLO_DATA_DIR

// What the data folder's own account says of each file, found with other readers than ours.
struct PublicMesh {
  const char* file;
  std::size_t vertices, tetrahedra;
  std::array<double, 3> box;  // edges; 0: not given
  double volume;              // 0: not given
};

const PublicMesh public_meshes[] = {
    {"dinosaur.msh", 13270, 49973, {0.395, 0.999, 1.182}, 0.02544},
    {"armadillo_13k.msh", 13230, 54985, {127.066, 151.362, 115.389}, 2.375e5},
    {"bunny_poly.msh", 4670, 19379, {3.11, 3.079, 2.416}, 6.01},
    {"bar_186.msh", 86, 186, {10.0, 0.5, 1.0}, 5},
    {"bar_2523.msh", 886, 2523, {10.0, 0.5, 1.0}, 5},
    {"bar_14114.msh", 3842, 14114, {10.0, 0.5, 1.0}, 5},
    {"sphere_1k.msh", 1760, 6851, {0.998, 0.997, 0.997}, 0.5185},
    {"mat_40x40.msh", 3200, 9126, {1.0, 0.008, 1.0}, 0.008},
    {"sphere_p2_binary41.msh", 80, 30, {1.997, 1.987, 2.0}, 4.1146},
    {"torus.msh", 200, 491, {1.0, 1.0, 0.19}, 0.07265},
    {"chain_link.msh", 233, 673, {1.0, 1.5, 0.19}, 0.102},
    {"cube_6.msh", 8, 6, {1.0, 1.0, 1.0}, 1},
    {"physical_groups_v41.msh", 5, 2, {1.0, 1.0, 2.0}, 0.3333},
    {"armadillo_10k.node", 14779, 54855, {0, 0, 0}, 0},
    {"armadillo_10k.ele", 14779, 54855, {0, 0, 0}, 0},
    {"spot_7k5.msh", 1864, 7548, {0, 0, 0}, 0},
    {"starfish_7k.mesh", 1878, 7368, {0, 0, 0}, 0},
    {"bar_186.vtk", 86, 186, {10.0, 0.5, 1.0}, 5},
    {"bar_186_ascii.vtu", 86, 186, {10.0, 0.5, 1.0}, 5},
    {"bar_186_zlib.vtu", 86, 186, {10.0, 0.5, 1.0}, 5},
};

const std::filesystem::path public_folder = std::filesystem::path(HOLO_DATA_DIR) / "meshes/tet";

TEST(PublicMeshes, AgreeWithTheFiguresOfTheDataFolder) {
  for (const PublicMesh& expected : public_meshes) {
    SCOPED_TRACE(expected.file);
    const TetrahedralMesh mesh = read_tetrahedral_mesh(public_folder / expected.file);
    EXPECT_EQ(mesh.vertices.size(), expected.vertices);
    EXPECT_EQ(mesh.tetrahedra.size(), expected.tetrahedra);
    const BoundingBox box = bounding_box(mesh);
    for (int axis = 0; axis < 3; ++axis)
      if (expected.box[axis] > 0) {
        EXPECT_NEAR(box.maximum[axis] - box.minimum[axis], expected.box[axis], 6e-4);
      }
    if (expected.volume > 0) {
      EXPECT_NEAR(volume(mesh), expected.volume, 6e-4 * expected.volume);
    }
  }
}

TEST(PublicMeshes, EveryFileOfTheFolderIsRead) {
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(public_folder)) {
    EXPECT_NO_THROW(read_tetrahedral_mesh(entry.path())) << entry.path();
    ++read;
  }
  EXPECT_GE(read, std::size(public_meshes));
}

TEST(PublicMeshes, TheBarIsTheSameInEveryFormat) {
  const TetrahedralMesh bar = read_tetrahedral_mesh(public_folder / "bar_186.msh");
  for (const char* file : {"bar_186.vtk", "bar_186_ascii.vtu", "bar_186_zlib.vtu"}) {
    SCOPED_TRACE(file);
    const TetrahedralMesh other = read_tetrahedral_mesh(public_folder / file);
    EXPECT_EQ(other.tetrahedra, bar.tetrahedra);
    ASSERT_EQ(other.vertices.size(), bar.vertices.size());
    for (std::size_t v = 0; v < bar.vertices.size(); ++v)
      for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(other.vertices[v][axis], bar.vertices[v][axis], 1e-10);
  }
}

TEST(PublicMeshes, PhysicalGroupsBecomeRegions) {
  EXPECT_EQ(read_tetrahedral_mesh(public_folder / "physical_groups_v41.msh").regions, (std::vector<int>{41, 42}));
}

#endif

}  // namespace
