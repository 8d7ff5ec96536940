#include "mesh/readers/vtk/cells.h"

#include <fmt/format.h>

#include <optional>

#include "mesh/readers/tetrahedra.h"

namespace holo {

namespace {

bool is_higher_order_tetrahedron(std::int64_t type) {
  return type == 64 || type == 71 || type == 78;  // higher order, Lagrange, Bezier
}

// The shape of a cell type of any order; none for points, lines and tetrahedra.
std::optional<CellShape> other_shape(std::int64_t type) {
  switch (type) {
    case 5:
    case 6:
    case 22:
    case 34:
    case 61:
    case 69:
    case 76:
      return CellShape::triangle;
    case 7:
    case 8:
    case 9:
    case 23:
    case 28:
    case 30:
    case 36:
    case 62:
    case 63:
    case 70:
    case 77:  // polygons too
      return CellShape::quadrangle;
    case 14:
    case 27:
    case 37:
    case 66:
    case 74:
    case 81:
      return CellShape::pyramid;
    case 13:
    case 26:
    case 31:
    case 32:
    case 65:
    case 73:
    case 80:
      return CellShape::wedge;
    case 11:
    case 12:
    case 25:
    case 29:
    case 33:
    case 67:
    case 72:
    case 79:
      return CellShape::hexahedron;
    case 15:
    case 16:
    case 41:
    case 42:
      return CellShape::polyhedron;
    default:
      return {};
  }
}

}  // namespace

int vtk_read_dimension(std::int64_t cell_type) {
  switch (cell_type) {
    case 1:
      return 0;
    case 3:
    case 21:
      return 1;
    case 5:
    case 22:
      return 2;
    case 10:
    case 24:
      return 3;
    default:
      return -1;
  }
}

std::int64_t vtk_point_count(std::int64_t cell_type) {
  const std::int64_t dimension = vtk_read_dimension(cell_type);
  return cell_type < 20 ? dimension + 1 : (dimension + 1) * (dimension + 2) / 2;
}

void append_tetrahedra(const VtkCells& cells, std::int64_t points, std::int64_t first_point, std::int64_t first_cell,
                       TetrahedralMesh& mesh, const std::function<void(const std::string&)>& fail) {
  std::int64_t begin = 0;
  std::vector<int> vertices_of_cell;
  for (std::size_t i = 0; i < cells.types.size(); ++i) {
    const std::int64_t end = cells.ends[i], name = first_cell + static_cast<std::int64_t>(i);
    if (end < begin || end > static_cast<std::int64_t>(cells.connectivity.size()))
      fail(fmt::format("element {} (counted from 0) ends at {} of the connectivity, allowed are {} to {}", name, end, begin,
                       cells.connectivity.size()));
    if (is_higher_order_tetrahedron(cells.types[i]))
      fail(fmt::format(
          "element {} (counted from 0) is a tetrahedron of higher order (cell type {}); linear ones (cell type 10) and "
          "quadratic ones (cell type 24) are allowed",
          name, cells.types[i]));
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t point = cells.connectivity[static_cast<std::size_t>(k)];
      if (point < 0 || point >= points)
        fail(fmt::format("element {} (counted from 0) names point {}, allowed are 0 to {}", name, point, points - 1));
    }
    if (const auto shape = other_shape(cells.types[i])) mesh.other_cells.add(*shape);
    if (vtk_read_dimension(cells.types[i]) == 3) {
      const std::int64_t count = vtk_point_count(cells.types[i]);
      if (end - begin != count)
        fail(fmt::format("element {} (counted from 0) is a tetrahedron of {} points, {} are required", name, end - begin,
                         count));
      std::vector<int>& vertices = vertices_of_cell;
      vertices.clear();
      for (std::int64_t k = begin; k < end; ++k)
        vertices.push_back(static_cast<int>(first_point + cells.connectivity[static_cast<std::size_t>(k)]));
      if (!has_order_of(mesh, vertices.size()))
        fail(mixed_orders(fmt::format("element {} (counted from 0)", name), vertices.size(),
                          fmt::format("element {}", mesh.element_names[0])));
      append_tetrahedron(mesh, vertices, vtk_edge_order);
      mesh.element_names.push_back(name);
    }
    begin = end;
  }
}

}  // namespace holo
