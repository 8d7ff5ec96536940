#include "mesh/readers/vtk/cells.h"

#include <fmt/format.h>

#include <optional>

namespace holo {

namespace {

constexpr std::int64_t linear_tetrahedron = 10;

bool is_higher_order_tetrahedron(std::int64_t type) {
  return type == 24 || type == 64 || type == 71 || type == 78;  // quadratic, higher order, Lagrange, Bezier
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

void append_linear_tetrahedra(const VtkCells& cells, std::int64_t points, std::int64_t first_point, std::int64_t first_cell,
                              TetrahedralMesh& mesh, const std::function<void(const std::string&)>& fail) {
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < cells.types.size(); ++i) {
    const std::int64_t end = cells.ends[i], name = first_cell + static_cast<std::int64_t>(i);
    if (end < begin || end > static_cast<std::int64_t>(cells.connectivity.size()))
      fail(fmt::format("element {} (counted from 0) ends at {} of the connectivity, allowed are {} to {}", name, end, begin,
                       cells.connectivity.size()));
    if (is_higher_order_tetrahedron(cells.types[i]))
      fail(fmt::format(
          "element {} (counted from 0) is a tetrahedron of higher order, such as a quadratic one (cell type {}); only "
          "linear ones (cell type 10) are allowed",
          name, cells.types[i]));
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t point = cells.connectivity[static_cast<std::size_t>(k)];
      if (point < 0 || point >= points)
        fail(fmt::format("element {} (counted from 0) names point {}, allowed are 0 to {}", name, point, points - 1));
    }
    if (const auto shape = other_shape(cells.types[i])) mesh.other_cells.add(*shape);
    if (cells.types[i] == linear_tetrahedron) {
      if (end - begin != 4)
        fail(fmt::format("element {} (counted from 0) is a tetrahedron of {} points, 4 are required", name, end - begin));
      std::array<int, 4> corners{};
      for (int corner = 0; corner < 4; ++corner) {
        const std::int64_t point = cells.connectivity[static_cast<std::size_t>(begin + corner)];
        corners[static_cast<std::size_t>(corner)] = static_cast<int>(first_point + point);
      }
      mesh.tetrahedra.push_back(corners);
      mesh.element_names.push_back(name);
    }
    begin = end;
  }
}

}  // namespace holo
