#pragma once
// The sections of a gmsh file that name groups and hold fields.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/readers/mesh_data_collector.h"
#include "mesh/readers/mesh_scanner.h"
#include "mesh/readers/node_numbers.h"

namespace holo {

// $PhysicalNames; the scanner stands behind the section's name and is left before its end's mark.
void read_gmsh_physical_names(MeshScanner& scanner, MeshDataCollector& collector);

// $NodeData or $ElementData: a value [component] for each numbered node or element.
struct GmshData {
  std::string name;
  bool of_elements = false;
  int components = 1;
  std::vector<std::int64_t> numbers;  // of nodes or elements, as the file numbers them
  std::vector<double> values;         // [number][component]
  std::size_t position = 0;           // of the section in the file, for messages
};

// The scanner stands behind the section's name and is left before its end's mark. Fails for counts that do not fit.
GmshData read_gmsh_data(MeshScanner& scanner, bool of_elements);

// Makes a field of the data once nodes and elements are known. Rows of elements that are no tetrahedra are left out, and data
// that hold no tetrahedron (or no node) at all are no field. Fails where data are given for a part of the tetrahedra (of the
// nodes of tetrahedra), and where a number is there twice.
void add_gmsh_field(const GmshData& data, const TetrahedralMesh& mesh, const NodeNumbers& nodes, const MeshScanner& scanner,
                    MeshDataCollector& collector);

}  // namespace holo
