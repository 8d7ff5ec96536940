// TetGen's pair of files: NAME.node (points) and NAME.ele (tetrahedra, of 4 or 10 nodes). Numbers start at 0 or 1, as the first
// point says. Attributes become the fields `attribute_1`, `attribute_2`, ... of vertices and of elements; points that share a
// boundary marker and tetrahedra that share a region, other than 0, become groups.

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"
#include "mesh/readers/mesh_data_collector.h"
#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/mesh_scanner.h"
#include "mesh/readers/tetrahedra.h"

namespace holo {

namespace {

// TetGen leaves out the last fields of a header where they are zero.
std::int64_t optional_count(MeshScanner& scanner, const char* what, std::int64_t maximum) {
  return scanner.more_on_line() ? scanner.integer(what, 0, maximum) : 0;
}

bool is_tag(double value) { return std::abs(value) < static_cast<double>(largest_index) && value == std::floor(value); }

double attribute_value(MeshScanner& scanner, const char* what) {
  const double value = scanner.any_number(what);
  if (!std::isfinite(value))
    scanner.fail_in_column(scanner.last(), fmt::format("{} is {}, a finite number is required", what, value));
  return value;
}

// Values [thing][attribute] of every attribute, one field each.
void add_attributes(MeshScanner& scanner, MeshDataCollector& collector, MeshField::Support support, std::int64_t attributes,
                    const std::vector<double>& values) {
  const auto stride = static_cast<std::size_t>(attributes);
  for (std::size_t a = 0; a < stride; ++a) {
    MeshField field{fmt::format("attribute_{}", a + 1), support, 1, {}};
    for (std::size_t i = a; i < values.size(); i += stride) field.values.push_back(values[i]);
    if (const std::string wrong = collector.add_field(std::move(field)); !wrong.empty())
      scanner.fail_in_column(scanner.last(), wrong);
  }
}

// Returns the number of the first point.
std::int64_t read_points(MeshScanner& scanner, TetrahedralMesh& mesh, MeshDataCollector& collector) {
  const std::int64_t count = scanner.integer("the count of points", 1, largest_index);
  scanner.integer("the dimension", 3, 3);
  const std::int64_t attributes = optional_count(scanner, "the count of attributes", 1000);
  const std::int64_t markers = optional_count(scanner, "the count of boundary markers", 1);
  scanner.expect_bytes(count, static_cast<std::uint64_t>(2 * (4 + attributes + markers) - 1), "points");
  mesh.vertices.resize(static_cast<std::size_t>(count));
  std::int64_t first = 0;
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = scanner.integer("a point's number", 0, largest_index);
    if (i == 0) first = number;
    if (first > 1) scanner.fail(fmt::format("the first point has the number {}, allowed are 0 and 1", first));
    if (number != first + i) scanner.fail(fmt::format("a point has the number {}, {} is expected here", number, first + i));
    for (double& x : mesh.vertices[static_cast<std::size_t>(i)]) x = scanner.number("a coordinate");
    for (std::int64_t a = 0; a < attributes; ++a) values.push_back(attribute_value(scanner, "a point's attribute"));
    const double marker = markers > 0 ? scanner.any_number("a point's marker") : 0;
    const int vertex = static_cast<int>(i);
    if (is_tag(marker) && marker != 0) collector.add_cell("", 0, static_cast<std::int64_t>(marker), {&vertex, 1});
  }
  add_attributes(scanner, collector, MeshField::Support::vertices, attributes, values);
  if (!scanner.at_end()) scanner.fail(fmt::format("{} follows the last of the {} points", shown(scanner.peek_word()), count));
  return first;
}

// The nodes of a tetrahedron: 4, or 10 as TetGen's switch -o2 writes them.
std::int64_t read_node_count(MeshScanner& scanner, std::int64_t count, std::int64_t first) {
  const std::int64_t nodes = scanner.integer("the count of nodes of a tetrahedron", 4, 10);
  if (nodes == 4 || nodes == 10) return nodes;
  scanner.rest_of_line();
  const std::int64_t element = count > 0 ? scanner.integer("a tetrahedron's number", 0, largest_index) : first;
  scanner.fail(fmt::format("element {} has {} nodes; tetrahedra of 4 and of 10 nodes are allowed", element, nodes));
}

// The first attribute is the region's, a real number; where one is no integer, the attributes are data and not tags, and the
// mesh has no regions.
void read_elements(MeshScanner& scanner, TetrahedralMesh& mesh, std::int64_t first, MeshDataCollector& collector) {
  const std::int64_t count = scanner.integer("the count of tetrahedra", 0, largest_index);
  const std::int64_t nodes = read_node_count(scanner, count, first);
  const std::int64_t attributes = optional_count(scanner, "the count of attributes", 1000);
  scanner.expect_bytes(count, static_cast<std::uint64_t>(2 * (1 + nodes + attributes) - 1), "tetrahedra");
  const std::int64_t last = first + static_cast<std::int64_t>(mesh.vertices.size()) - 1;
  bool tagged = attributes > 0;
  std::vector<double> values;
  std::vector<int> vertices(static_cast<std::size_t>(nodes));
  for (std::int64_t element = 0; element < count; ++element) {
    mesh.element_names.push_back(scanner.integer("a tetrahedron's number", 0, largest_index));
    for (int& vertex : vertices) vertex = static_cast<int>(scanner.integer("a vertex of a tetrahedron", first, last) - first);
    append_tetrahedron(mesh, vertices, tetgen_edge_order);
    for (std::int64_t i = 0; i < attributes; ++i) {
      const double attribute = attribute_value(scanner, "a tetrahedron's attribute");
      values.push_back(attribute);
      if (i > 0) continue;
      tagged = tagged && is_tag(attribute);
      mesh.regions.push_back(tagged ? static_cast<int>(attribute) : 0);
    }
  }
  if (!tagged) mesh.regions.clear();
  for (std::size_t i = 0; i < mesh.regions.size(); ++i)
    if (mesh.regions[i] != 0) collector.add_cell("", 3, mesh.regions[i], vertices_of_tetrahedron(mesh, i), static_cast<int>(i));
  add_attributes(scanner, collector, MeshField::Support::elements, attributes, values);
  if (!scanner.at_end())
    scanner.fail(fmt::format("{} follows the last of the {} tetrahedra", shown(scanner.peek_word()), count));
}

}  // namespace

TetrahedralMesh read_tetgen(const std::filesystem::path& path) {
  std::filesystem::path node_path = path, element_path = path;
  node_path.replace_extension(".node");
  element_path.replace_extension(".ele");
  for (const auto& [part, other] : {std::pair{node_path, element_path}, std::pair{element_path, node_path}})
    if (!std::filesystem::exists(part))
      throw Error(Failure::input,
                  fmt::format("{}: this file is missing; a TetGen mesh needs it beside {}", part.string(), other.string()));
  TetrahedralMesh mesh;
  const std::string nodes = load_mesh_file(node_path), elements = load_mesh_file(element_path);
  MeshScanner node_scanner(node_path.string(), nodes), element_scanner(element_path.string(), elements);
  node_scanner.set_comment('#');
  element_scanner.set_comment('#');
  MeshDataCollector collector;
  const std::int64_t first = read_points(node_scanner, mesh, collector);
  read_elements(element_scanner, mesh, first, collector);
  collector.finish(mesh);
  return mesh;
}

}  // namespace holo
