#pragma once
// Arrays of values on the points and cells of both VTK formats, as fields and groups of a mesh.

#include <cstdint>
#include <string>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"
#include "mesh/readers/mesh_data_collector.h"
#include "mesh/readers/vtk/cells.h"

namespace holo {

struct VtkArray {
  std::string name;
  bool of_cells = true;
  bool of_integers = false;
  int components = 1;
  std::vector<double> values;  // [cell or point of the file][component]
  std::size_t position = 0;    // in the file, for messages
};

// Adds the field. An array of single integers below 2^53 with at most 256 different values makes groups too, one for each
// value: of the tetrahedra, triangles, edges and points that have it (an array of points: of points). Returns what is wrong, ""
// for nothing: the array's size, what makes it no field, or a group of points that another array of this name has made.
std::string add_vtk_array(const VtkArray& array, const VtkCells& cells, const TetrahedralMesh& mesh,
                          MeshDataCollector& collector);

// "50%25 stiff" of a legacy file is "50% stiff".
std::string decoded_vtk_name(std::string_view name);

}  // namespace holo
