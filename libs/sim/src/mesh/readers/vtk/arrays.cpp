#include "mesh/readers/vtk/arrays.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>

#include "mesh/readers/mesh_data_collector.h"

namespace holo {

namespace {

constexpr std::size_t most_groups = 256;  // beyond, the integers are numbers of things and not of regions

// The dimension of the groups that hold this cell; -1: none does.
int group_dimension(const VtkCells& cells, std::size_t cell) {
  const int dimension = vtk_read_dimension(cells.types[cell]);
  const std::int64_t begin = cell == 0 ? 0 : cells.ends[cell - 1];
  return dimension >= 0 && cells.ends[cell] - begin == vtk_point_count(cells.types[cell]) ? dimension : -1;
}

// Integers that are exact as floating-point numbers, and few different ones.
bool are_group_numbers(const std::vector<double>& values) {
  std::set<double> found;
  for (const double value : values) {
    if (!(std::abs(value) < 0x1p53) || value != std::trunc(value)) return false;
    if (found.insert(value).second && found.size() > most_groups) return false;
  }
  return true;
}

// Vertex cells make groups of points as points do. Returns what is wrong, "" for nothing.
std::string refuse_shared_groups(const VtkArray& array, const VtkCells& cells, const MeshDataCollector& collector) {
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    if (array.of_cells && group_dimension(cells, i) != 0) continue;
    const auto tag = static_cast<std::int64_t>(array.values[i]);
    if (collector.has_group(array.name, 0, tag))
      return fmt::format(
          "the arrays {} of cells and of points both make a group of points with the number {}; names must differ",
          shown(array.name), tag);
  }
  return "";
}

void add_point_groups(const VtkArray& array, MeshDataCollector& collector) {
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const int vertex = static_cast<int>(i);
    collector.add_cell(array.name, 0, static_cast<std::int64_t>(array.values[i]), {&vertex, 1});
  }
}

void add_cell_groups(const VtkArray& array, const VtkCells& cells, MeshDataCollector& collector) {
  int element = 0;
  std::vector<int> vertices;
  for (std::size_t cell = 0; cell < cells.types.size(); ++cell) {
    const int dimension = group_dimension(cells, cell);
    if (dimension < 0) continue;
    const std::int64_t end = cells.ends[cell];
    const std::int64_t begin = cell == 0 ? 0 : cells.ends[cell - 1];
    vertices.assign(cells.connectivity.begin() + begin, cells.connectivity.begin() + end);
    collector.add_cell(array.name, dimension, static_cast<std::int64_t>(array.values[cell]), vertices,
                       dimension == 3 ? element++ : -1);
  }
}

// The fault of the array, or "".
std::string add_vtk_array(const VtkArray& array, const VtkCells& cells, const TetrahedralMesh& mesh,
                          MeshDataCollector& collector) {
  const std::size_t count = array.of_cells ? cells.types.size() : mesh.vertices.size();
  if (array.values.size() != static_cast<std::size_t>(array.components) * count)
    return fmt::format("the array {} has {} numbers; {} for each of the {} {} are required", shown(array.name),
                       array.values.size(), array.components, count, array.of_cells ? "cells" : "points");
  std::string wrong = collector.add_field(
      {array.name, array.of_cells ? MeshField::Support::elements : MeshField::Support::vertices, array.components,
       array.of_cells ? values_of_elements(array.values, array.components, mesh.element_names) : array.values});
  if (!wrong.empty() || !array.of_integers || array.components != 1 || !are_group_numbers(array.values)) return wrong;
  wrong = refuse_shared_groups(array, cells, collector);
  if (!wrong.empty()) return wrong;
  array.of_cells ? add_cell_groups(array, cells, collector) : add_point_groups(array, collector);
  return "";
}

}  // namespace

void add_vtk_arrays(const std::vector<VtkArray>& arrays, const VtkCells& cells, const MeshScanner& scanner,
                    TetrahedralMesh& mesh) {
  MeshDataCollector collector;
  for (const VtkArray& array : arrays) {
    const std::string wrong = add_vtk_array(array, cells, mesh, collector);
    if (!wrong.empty()) scanner.fail_in_column(array.position, wrong);
  }
  collector.finish(mesh);
}

std::string decoded_vtk_name(std::string_view name) {
  std::string decoded;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned code = 0;
    const char* digits = name.data() + i + 1;
    if (name[i] == '%' && i + 2 < name.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      decoded += static_cast<char>(code);
      i += 2;
    } else {
      decoded += name[i];
    }
  }
  return decoded;
}

}  // namespace holo
