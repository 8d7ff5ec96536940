// Medit .mesh, ASCII: keywords, each with a count and its rows. Rows end with a reference: a tetrahedron's is its region, and
// cells that share one other than 0 are a group.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include "mesh/readers/mesh_data_collector.h"
#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/mesh_scanner.h"
#include "mesh/readers/tetrahedra.h"

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
    if (sections_of_tetrahedra_.empty() && mesh_.other_cells.empty())
      scanner_.fail("there is no section 'Tetrahedra' or 'TetrahedraP2'; a mesh of tetrahedra is required");
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
    else if (keyword == "Tetrahedra" || keyword == "TetrahedraP2")
      read_tetrahedra(keyword, keyword == "Tetrahedra" ? 4 : 10);
    else if (keyword == "EdgesP2Ordering" || keyword == "TrianglesP2Ordering" || keyword == "TetrahedraP2Ordering")
      read_ordering(keyword, keyword[0] == 'E' ? 1 : keyword[1] == 'r' ? 2 : 3);
    else if (keyword.starts_with("TetrahedraP") && !keyword.ends_with("Ordering"))
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

  void read_tetrahedra(const std::string& keyword, std::size_t nodes) {
    if (!sections_of_tetrahedra_.insert(keyword).second)
      scanner_.fail(fmt::format("a second section '{}'; one is allowed", keyword));
    if (!has_vertices_) scanner_.fail(fmt::format("'{}' before 'Vertices'", keyword));
    const std::int64_t count = scanner_.integer("the count of tetrahedra", 0, largest_index);
    if (count > 0 && !has_order_of(mesh_, nodes))
      scanner_.fail(mixed_orders(fmt::format("element 1 of '{}'", keyword), nodes,
                                 fmt::format("element 1 of '{}'", nodes == 4 ? "TetrahedraP2" : "Tetrahedra")));
    scanner_.expect_bytes(count, 2 * (nodes + 1), "tetrahedra");
    std::vector<int> vertices(nodes);
    for (std::int64_t i = 0; i < count; ++i) {
      read_vertices_of(vertices, "a vertex of a tetrahedron");
      append_tetrahedron(mesh_, vertices, vtk_edge_order);
      mesh_.regions.push_back(static_cast<int>(scanner_.integer("a tetrahedron's reference", -largest_index, largest_index)));
      mesh_.element_names.push_back(i + 1);
      add_to_group(3, vertices, mesh_.regions.back(), static_cast<int>(i));
    }
  }

  // Edges and triangles are no part of the simulated mesh; their groups are.
  void read_other_cells(int dimension, std::size_t nodes, std::int64_t count) {
    if (!has_vertices_) return skip_numbers();
    std::vector<int> vertices(nodes);
    for (std::int64_t i = 0; i < count; ++i) {
      read_vertices_of(vertices, "a vertex of a cell");
      add_to_group(dimension, vertices, scanner_.any_number("a cell's reference"));
    }
  }

  void read_vertices_of(std::vector<int>& cell, const char* what) {
    const auto last = static_cast<std::int64_t>(mesh_.vertices.size());
    for (int& vertex : cell) vertex = static_cast<int>(scanner_.integer(what, 1, last)) - 1;
  }

  // libMeshb's order of a cell's vertices: of each its barycentric coordinates, times 2. Corners and edges must stand in the
  // order in which cells without such a section have them.
  void read_ordering(const std::string& keyword, int dimension) {
    const int corners = dimension + 1, nodes = corners * (corners + 1) / 2;
    scanner_.integer("the count of an ordering's rows", nodes, nodes);
    for (int node = 0; node < nodes; ++node) {
      const auto [a, b] = node < corners
                              ? std::pair(node, node)
                              : std::pair(tetrahedron_edges[node - corners][0], tetrahedron_edges[node - corners][1]);
      for (int corner = 0; corner < corners; ++corner)
        if (scanner_.integer("a barycentric coordinate", 0, 2) != (corner == a) + (corner == b))
          scanner_.fail(fmt::format(
              "'{}' has another order of vertices in its row {} than the corners and then the edges {}, which is required",
              keyword, node + 1,
              dimension == 1   ? "12"
              : dimension == 2 ? "12 23 31"
                               : "12 23 31 14 24 34"));
    }
  }

  // References of vertices are written as real numbers by some programs.
  void add_to_group(int dimension, std::span<const int> vertices, double reference, int element = -1) {
    const bool is_tag = reference == std::floor(reference) && std::abs(reference) < static_cast<double>(largest_index);
    if (is_tag && reference != 0) collector_.add_cell("", dimension, static_cast<std::int64_t>(reference), vertices, element);
  }

  void refuse_curved(const std::string& keyword) {
    if (scanner_.integer("the count of elements", 0, largest_index) > 0)
      scanner_.fail(
          fmt::format("element 1 of {}: a tetrahedron of higher order; linear ones ('Tetrahedra') and quadratic ones "
                      "('TetrahedraP2') are allowed",
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
        if (keyword == "Triangles") return read_other_cells(2, 3, count);
        if (keyword == "TrianglesP2") return read_other_cells(2, 6, count);
      }
    if (keyword == "Edges" || keyword == "EdgesP2")
      return read_other_cells(1, keyword == "Edges" ? 2 : 3, scanner_.integer("the count of edges", 0, largest_index));
    skip_numbers();
  }

  void skip_numbers() {
    while (!scanner_.at_end() && !std::isalpha(static_cast<unsigned char>(scanner_.peek_word()[0]))) scanner_.word("a number");
  }

  MeshScanner scanner_;
  TetrahedralMesh mesh_;
  MeshDataCollector collector_;
  std::int64_t dimension_ = 0;
  bool has_vertices_ = false;
  std::set<std::string> sections_of_tetrahedra_;
};

}  // namespace

TetrahedralMesh read_medit(const std::string& file, std::string_view bytes) { return MeditReader(file, bytes).read(); }

}  // namespace holo
