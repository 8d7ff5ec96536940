// What meshio writes, in every format and encoding that we read, arrives: vertices, tetrahedra of both orders, fields and
// groups. Registered where Python has the module.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "holo/core/error.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

#ifdef HOLO_PYTHON_MESHIO

namespace {

using namespace holo;

// Relative difference that a file of so many digits may have; beyond 16 none.
double tolerance_of(int digits) { return digits >= 17 ? 0 : std::pow(10.0, 1 - digits); }

class MeshioFile {
 public:
  MeshioFile(const std::filesystem::path& path, int digits)
      : tolerance_(tolerance_of(digits)), mesh_(read_tetrahedral_mesh(path)) {}

  void expect_vertices(std::istream& in) {
    std::size_t count = 0;
    in >> count;
    ASSERT_EQ(mesh_.vertices.size(), count);
    for (const auto& vertex : mesh_.vertices)
      for (const double x : vertex) expect_number(in, x);
  }
  void expect_tetrahedra(std::istream& in) {
    std::size_t count = 0;
    in >> count;
    ASSERT_EQ(mesh_.tetrahedra.size(), count);
    for (const auto& corners : mesh_.tetrahedra)
      for (const int corner : corners) {
        int expected = -1;
        in >> expected;
        EXPECT_EQ(corner, expected);
      }
  }
  void expect_edges(std::istream& in) {
    std::size_t count = 0;
    in >> count;
    ASSERT_EQ(mesh_.edge_vertices.size(), count);
    for (const auto& on_edges : mesh_.edge_vertices)
      for (const int vertex : on_edges) {
        int expected = -1;
        in >> expected;
        EXPECT_EQ(vertex, expected);
      }
  }
  void expect_field(std::istream& in) {
    std::string name, support;
    int components = 0;
    std::size_t count = 0;
    in >> name >> support >> components >> count;
    const MeshField* found = nullptr;
    for (const MeshField& field : mesh_.fields)
      if (field.name == name && support_name(field.support) == support) found = &field;
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->components, components) << name;
    ASSERT_EQ(found->values.size(), count) << name;
    for (const double value : found->values) expect_number(in, value);
  }
  void expect_group(std::istream& in) {
    std::string name;
    std::size_t count = 0;
    in >> name >> count;
    std::replace(name.begin(), name.end(), '_', ' ');
    const MeshGroup& group = find_group(mesh_, name, 3);
    ASSERT_EQ(group.elements.size(), count) << name;
    for (const int element : group.elements) {
      int expected = -1;
      in >> expected;
      EXPECT_EQ(element, expected) << name;
    }
  }

 private:
  void expect_number(std::istream& in, double found) const {
    std::string text;
    in >> text;
    const double expected = std::strtod(text.c_str(), nullptr);
    EXPECT_LE(std::abs(found - expected), tolerance_ * std::abs(expected)) << found << " where meshio has " << text;
  }

  double tolerance_;
  TetrahedralMesh mesh_;
};

TEST(MeshReaders, ReadWhatMeshioWrites) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("holo_meshio_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string command = std::string(HOLO_PYTHON_MESHIO) + " '" + HOLO_SOURCE_DIR +
                              "/tests/sim/fixtures/write_meshio_meshes.py' '" + folder.string() + "' >/dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream in(folder / "expected.txt");
  std::unique_ptr<MeshioFile> file;
  int files = 0, quadratic = 0, fields = 0, groups = 0;
  std::string name;
  for (std::string word; in >> word && word != "end";) {
    SCOPED_TRACE(name);
    if (word == "file") {
      int digits = 0;
      in >> name >> digits;
      file = std::make_unique<MeshioFile>(folder / name, digits);
      ++files;
    } else if (word == "vertices") {
      file->expect_vertices(in);
    } else if (word == "tetrahedra") {
      file->expect_tetrahedra(in);
    } else if (word == "edges") {
      file->expect_edges(in), ++quadratic;
    } else if (word == "field") {
      file->expect_field(in), ++fields;
    } else if (word == "group") {
      file->expect_group(in), ++groups;
    } else {
      FAIL() << "'" << word << "' in expected.txt, after " << files << " files";
    }
    ASSERT_FALSE(HasFatalFailure()) << name;
  }
  EXPECT_EQ(files, 23);
  EXPECT_EQ(quadratic, 10);
  EXPECT_GT(fields, 80);
  EXPECT_GT(groups, 30);
  std::filesystem::remove_all(folder);
}

}  // namespace

#endif
