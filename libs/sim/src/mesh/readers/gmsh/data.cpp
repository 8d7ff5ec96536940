#include "mesh/readers/gmsh/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "mesh/readers/mesh_readers.h"

namespace holo {

namespace {

// The text between quotes in the rest of the line.
std::string quoted_name(MeshScanner& scanner, const char* what) {
  const std::size_t start = scanner.position();
  const std::string_view line = scanner.rest_of_line();
  const std::size_t first = line.find('"'), last = line.rfind('"');
  if (first == std::string_view::npos || last == first)
    scanner.fail_in_column(start, fmt::format("{} is {}, a text in quotes is required", what, shown(line)));
  return std::string(line.substr(first + 1, last - first - 1));
}

void skip_real_tags(MeshScanner& scanner) {
  const std::int64_t count = scanner.integer("the count of real tags", 0, 1000);
  for (std::int64_t i = 0; i < count; ++i) scanner.any_number("a real tag");
}

// Time step, components, rows, perhaps a partition. Returns the count of rows.
std::int64_t read_integer_tags(MeshScanner& scanner, int& components) {
  const std::int64_t count = scanner.integer("the count of integer tags", 3, 1000);
  scanner.any_number("the time step");
  components = static_cast<int>(scanner.integer("the count of components", 1, 1000));
  const std::int64_t rows = scanner.integer("the count of rows", 0, largest_index);
  for (std::int64_t i = 3; i < count; ++i) scanner.any_number("an integer tag");
  return rows;
}

// Index of each tetrahedron's number.
NodeNumbers element_numbers(const TetrahedralMesh& mesh, const MeshScanner& scanner) {
  NodeNumbers numbers;
  for (const std::int64_t name : mesh.element_names) numbers.add(name);
  if (const auto repeated = numbers.finish()) scanner.fail(fmt::format("element {} is there twice", *repeated));
  return numbers;
}

std::vector<bool> nodes_of_tetrahedra(const TetrahedralMesh& mesh) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const auto& corners : mesh.tetrahedra)
    for (const int corner : corners) used[static_cast<std::size_t>(corner)] = true;
  for (const auto& on_edges : mesh.edge_vertices)
    for (const int vertex : on_edges) used[static_cast<std::size_t>(vertex)] = true;
  return used;
}

}  // namespace

void read_gmsh_physical_names(MeshScanner& scanner, MeshDataCollector& collector) {
  const std::int64_t count = scanner.integer("the count of physical names", 0, largest_index);
  scanner.expect_bytes(count, 7, "physical names");
  for (std::int64_t i = 0; i < count; ++i) {
    const auto dimension = static_cast<int>(scanner.integer("a physical group's dimension", 0, 3));
    const std::size_t start = scanner.last();
    const std::int64_t tag = scanner.integer("a physical group's number", -largest_index, largest_index);
    const std::string name = quoted_name(scanner, "a physical group's name");
    if (const std::string wrong = collector.name_group(dimension, std::abs(tag), name); !wrong.empty())
      scanner.fail_in_column(start, wrong);
  }
}

GmshData read_gmsh_data(MeshScanner& scanner, bool of_elements) {
  GmshData data;
  data.of_elements = of_elements;
  data.position = scanner.last();
  const std::int64_t strings = scanner.integer("the count of string tags", 1, 1000);
  scanner.rest_of_line();
  data.name = quoted_name(scanner, "a field's name");
  for (std::int64_t i = 1; i < strings; ++i) scanner.rest_of_line();
  skip_real_tags(scanner);
  const std::int64_t rows = read_integer_tags(scanner, data.components);
  const bool binary = scanner.binary();
  if (binary) scanner.rest_of_line();
  const auto components = static_cast<std::uint64_t>(data.components);
  scanner.expect_bytes(rows, binary ? 4 + 8 * components : 2 * components + 1, "rows of a field");
  for (std::int64_t row = 0; row < rows; ++row) {
    data.numbers.push_back(binary ? scanner.value<std::int32_t>("a row's number")
                                  : scanner.integer("a row's number", 0, std::numeric_limits<std::int64_t>::max()));
    for (int i = 0; i < data.components; ++i)
      data.values.push_back(binary ? scanner.value<double>("a value") : scanner.any_number("a value"));
  }
  return data;
}

void add_gmsh_field(const GmshData& data, const TetrahedralMesh& mesh, const NodeNumbers& nodes, const MeshScanner& scanner,
                    MeshDataCollector& collector) {
  const auto fail = [&](const std::string& text) { scanner.fail_in_column(data.position, text); };
  const NodeNumbers elements = data.of_elements ? element_numbers(mesh, scanner) : NodeNumbers();
  const std::size_t count = data.of_elements ? mesh.tetrahedra.size() : mesh.vertices.size();
  const char* things = data.of_elements ? "tetrahedra" : "nodes of tetrahedra";
  std::vector<bool> needed = data.of_elements ? std::vector<bool>(count, true) : nodes_of_tetrahedra(mesh);
  const auto missing_before = std::count(needed.begin(), needed.end(), true);
  const auto components = static_cast<std::size_t>(data.components);
  std::vector<double> values(count * components, 0.0);
  std::vector<bool> given(count, false);
  for (std::size_t row = 0; row < data.numbers.size(); ++row) {
    const int index = data.of_elements ? elements.index(data.numbers[row]) : nodes.index(data.numbers[row]);
    if (index < 0) continue;
    const auto at = static_cast<std::size_t>(index);
    if (given[at]) fail(fmt::format("the field {} has two values for number {}", shown(data.name), data.numbers[row]));
    given[at] = true;
    needed[at] = false;
    std::copy_n(data.values.begin() + static_cast<std::ptrdiff_t>(row * components), components,
                values.begin() + static_cast<std::ptrdiff_t>(at * components));
  }
  const auto missing = std::count(needed.begin(), needed.end(), true);
  if (missing == missing_before) return;
  if (missing > 0)
    fail(fmt::format("the field {} has values for {} of the {} {}; all of them are required", shown(data.name),
                     missing_before - missing, missing_before, things));
  const auto support = data.of_elements ? MeshField::Support::elements : MeshField::Support::vertices;
  const std::string wrong = collector.add_field({data.name, support, data.components, std::move(values)});
  if (!wrong.empty()) fail(wrong);
}

}  // namespace holo
