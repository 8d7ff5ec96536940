// Meshes of VTK's legacy format, ASCII and binary.
#include "fuzz/targets/mesh_target.h"

namespace holo::fuzz {

const Registration legacy_vtk(mesh_target("legacy_vtk", ".vtk"));

}  // namespace holo::fuzz
