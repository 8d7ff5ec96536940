#pragma once
// The cells of both VTK formats.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

struct VtkCells {
  std::vector<std::int64_t> ends;          // of each cell in the connectivity
  std::vector<std::int64_t> connectivity;  // point indices from 0
  std::vector<std::int64_t> types;         // VTK's cell type
};

// The dimension of a cell that is read, a point, edge, triangle or tetrahedron of order 1 or 2; -1: of every other type.
int vtk_read_dimension(std::int64_t cell_type);
// Points of a cell that is read.
std::int64_t vtk_point_count(std::int64_t cell_type);

// Appends the tetrahedra, named by the cell's index in the file (from `first_cell`); their points are indexed from
// `first_point`. Other cells are counted; tetrahedra of orders above 2 and of two orders go to `fail`, as do numbers that do
// not fit, such as a point of any cell that is not one of the `points`.
void append_tetrahedra(const VtkCells& cells, std::int64_t points, std::int64_t first_point, std::int64_t first_cell,
                       TetrahedralMesh& mesh, const std::function<void(const std::string&)>& fail);

}  // namespace holo
