// Meshes of gmsh 2.2 and 4.1, ASCII and binary.
#include "fuzz/targets/mesh_target.h"

namespace holo::fuzz {

const Registration gmsh(mesh_target("gmsh", ".msh"));

}  // namespace holo::fuzz
