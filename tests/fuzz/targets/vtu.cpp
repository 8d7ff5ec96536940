// Meshes of VTK's XML format: ASCII, base64, appended, compressed.
#include "fuzz/targets/mesh_target.h"

namespace holo::fuzz {

const Registration vtu(mesh_target("vtu", ".vtu"));

}  // namespace holo::fuzz
