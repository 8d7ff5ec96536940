// Medit .mesh, ASCII: keywords, each with a count and its rows. Rows end with a reference: a tetrahedron's is its region, and
// cells that share one other than 0 are a group.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>

#include "mesh/readers/mesh_data_collector.h"
#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/mesh_scanner.h"

namespace holo {

namespace {

class MeditReader {
 public:
  MeditReader(const std::string& file, std::string_view bytes) : scanner_(file, bytes) { scanner_.set_comment('#'); }

  TetrahedralMesh read() {
    while (!scanner_.at_end()) {
      const std::string keyword(scanner_.word("a keyword"));
      if (keyword == "End") break;
      read_section(keyword);
    }
    if (!has_vertices_) scanner_.fail("there is no section 'Vertices'");
    if (!has_tetrahedra_ && mesh_.other_cells.empty())
      scanner_.fail("there is no section 'Tetrahedra'; a mesh of linear tetrahedra is required");
    collector_.finish(mesh_);
    return std::move(mesh_);
  }

 private:
  void read_section(const std::string& keyword) {
    if (keyword == "MeshVersionFormatted")
      scanner_.integer("the version", 0, 4);
    else if (keyword == "Dimension")
      dimension_ = scanner_.integer("the dimension", 3, 3);
    else if (keyword == "Vertices")
      read_vertices();
    else if (keyword == "Tetrahedra")
      read_tetrahedra();
    else if (keyword.starts_with("TetrahedraP"))
      refuse_curved(keyword);
    else if (std::isalpha(static_cast<unsigned char>(keyword[0])))
      skip_section(keyword);
    else
      scanner_.fail(shown(keyword) + " stands where a keyword is expected, such as 'Vertices', 'Tetrahedra' or 'End'");
  }

  void read_vertices() {
    if (has_vertices_) scanner_.fail("a second section 'Vertices'; one is allowed");
    if (dimension_ != 3) scanner_.fail("'Vertices' before 'Dimension 3'");
    has_vertices_ = true;
    const std::int64_t count = scanner_.integer("the count of vertices", 0, largest_index);
    scanner_.expect_bytes(count, 8, "vertices");
    mesh_.vertices.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < mesh_.vertices.size(); ++i) {
      for (double& x : mesh_.vertices[i]) x = scanner_.number("a coordinate");
      const int vertex = static_cast<int>(i);
      add_to_group(0, {&vertex, 1}, scanner_.any_number("a vertex's reference"));
    }
  }

  void read_tetrahedra() {
    if (has_tetrahedra_) scanner_.fail("a second section 'Tetrahedra'; one is allowed");
    if (!has_vertices_) scanner_.fail("'Tetrahedra' before 'Vertices'");
    has_tetrahedra_ = true;
    const std::int64_t count = scanner_.integer("the count of tetrahedra", 0, largest_index);
    scanner_.expect_bytes(count, 10, "tetrahedra");
    const auto vertices = static_cast<std::int64_t>(mesh_.vertices.size());
    mesh_.tetrahedra.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < mesh_.tetrahedra.size(); ++i) {
      for (int& corner : mesh_.tetrahedra[i])
        corner = static_cast<int>(scanner_.integer("a vertex of a tetrahedron", 1, vertices)) - 1;
      mesh_.regions.push_back(static_cast<int>(scanner_.integer("a tetrahedron's reference", -largest_index, largest_index)));
      mesh_.element_names.push_back(static_cast<std::int64_t>(i) + 1);
      add_to_group(3, mesh_.tetrahedra[i], mesh_.regions.back(), static_cast<int>(i));
    }
  }

  // Edges and triangles are no part of the simulated mesh; their groups are.
  void read_other_cells(int dimension, std::int64_t count) {
    if (!has_vertices_) return skip_numbers();
    const auto vertices = static_cast<std::int64_t>(mesh_.vertices.size());
    for (std::int64_t i = 0; i < count; ++i) {
      std::array<int, 3> corners{};
      const std::span<int> used(corners.data(), static_cast<std::size_t>(dimension) + 1);
      for (int& corner : used) corner = static_cast<int>(scanner_.integer("a vertex of a cell", 1, vertices)) - 1;
      add_to_group(dimension, used, scanner_.any_number("a cell's reference"));
    }
  }

  // References of vertices are written as real numbers by some programs.
  void add_to_group(int dimension, std::span<const int> vertices, double reference, int element = -1) {
    const bool is_tag = reference == std::floor(reference) && std::abs(reference) < static_cast<double>(largest_index);
    if (is_tag && reference != 0) collector_.add_cell("", dimension, static_cast<std::int64_t>(reference), vertices, element);
  }

  void refuse_curved(const std::string& keyword) {
    if (scanner_.integer("the count of elements", 0, largest_index) > 0)
      scanner_.fail(fmt::format("element 1 of {}: a tetrahedron of higher order; only linear ones ('Tetrahedra') are allowed",
                                shown(keyword)));
  }

  // "HexahedraQ2" counts as "Hexahedra": the order does not matter.
  void skip_section(const std::string& keyword) {
    constexpr std::pair<std::string_view, CellShape> shapes[] = {
        {"Triangles", CellShape::triangle}, {"Quadrilaterals", CellShape::quadrangle},
        {"Pyramids", CellShape::pyramid},   {"Prisms", CellShape::wedge},
        {"Wedges", CellShape::wedge},       {"Hexahedra", CellShape::hexahedron},
        {"Hexaedra", CellShape::hexahedron}};
    std::string_view linear = keyword;
    if (const auto order = linear.find_last_of("PQ"); order != 0 && order + 2 == linear.size())
      linear = linear.substr(0, order);
    for (const auto& [name, shape] : shapes)
      if (linear == name) {
        const std::int64_t count = scanner_.integer("the count of cells", 0, largest_index);
        mesh_.other_cells.add(shape, count);
        if (keyword == "Triangles") return read_other_cells(2, count);
      }
    if (keyword == "Edges") return read_other_cells(1, scanner_.integer("the count of edges", 0, largest_index));
    skip_numbers();
  }

  void skip_numbers() {
    while (!scanner_.at_end() && !std::isalpha(static_cast<unsigned char>(scanner_.peek_word()[0]))) scanner_.word("a number");
  }

  MeshScanner scanner_;
  TetrahedralMesh mesh_;
  MeshDataCollector collector_;
  std::int64_t dimension_ = 0;
  bool has_vertices_ = false, has_tetrahedra_ = false;
};

}  // namespace

TetrahedralMesh read_medit(const std::string& file, std::string_view bytes) { return MeditReader(file, bytes).read(); }

}  // namespace holo
