#include "mesh/readers/vtk/arrays.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace holo {

namespace {

constexpr std::size_t most_groups = 256;  // beyond, the integers are numbers of things and not of regions

// -1: groups hold no such cells.
int group_dimension(std::int64_t cell_type) {
  switch (cell_type) {
    case 1:
      return 0;
    case 3:
      return 1;
    case 5:
      return 2;
    case 10:
      return 3;
    default:
      return -1;
  }
}

bool has_few_values(const std::vector<double>& values) {
  std::set<double> found;
  for (const double value : values)
    if (found.insert(value).second && found.size() > most_groups) return false;
  return true;
}

void add_cell_groups(const VtkArray& array, const VtkCells& cells, MeshDataCollector& collector) {
  int element = 0;
  std::vector<int> vertices;
  for (std::size_t cell = 0; cell < cells.types.size(); ++cell) {
    const int dimension = group_dimension(cells.types[cell]);
    const std::int64_t begin = cell == 0 ? 0 : cells.ends[cell - 1], end = cells.ends[cell];
    if (dimension < 0 || end - begin != dimension + 1) continue;
    vertices.assign(cells.connectivity.begin() + begin, cells.connectivity.begin() + end);
    collector.add_cell(array.name, dimension, static_cast<std::int64_t>(array.values[cell]), vertices,
                       dimension == 3 ? element++ : -1);
  }
}

}  // namespace

std::string add_vtk_array(VtkArray array, const VtkCells& cells, const TetrahedralMesh& mesh, MeshDataCollector& collector) {
  const bool makes_groups = array.of_integers && array.components == 1 && has_few_values(array.values);
  if (!array.of_cells) {
    for (std::size_t i = 0; makes_groups && i < array.values.size(); ++i) {
      const int vertex = static_cast<int>(i);
      collector.add_cell(array.name, 0, static_cast<std::int64_t>(array.values[i]), {&vertex, 1});
    }
    return collector.add_field({array.name, MeshField::Support::vertices, array.components, std::move(array.values)});
  }
  if (makes_groups) add_cell_groups(array, cells, collector);
  return collector.add_field({array.name, MeshField::Support::elements, array.components,
                              values_of_elements(array.values, array.components, mesh.element_names)});
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
