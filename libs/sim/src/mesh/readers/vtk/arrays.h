#pragma once
// Arrays of values on the points and cells of both VTK formats, as fields and groups of a mesh.

#include <cstdint>
#include <string>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"
#include "mesh/readers/mesh_scanner.h"
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

// Adds all arrays to the mesh, each as a field. An array of single integers below 2^53 with at most 256 different values makes
// groups too, one for each value: of the tetrahedra, triangles, edges and points that have it (an array of points: of points).
// Throws Error(input) at the array's place for a wrong size, for what makes it no field, and for a group of points that another
// array of its name has made.
void add_vtk_arrays(const std::vector<VtkArray>& arrays, const VtkCells& cells, const MeshScanner& scanner,
                    TetrahedralMesh& mesh);

// "50%25 stiff" of a legacy file is "50% stiff".
std::string decoded_vtk_name(std::string_view name);

}  // namespace holo
