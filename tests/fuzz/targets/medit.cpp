// Meshes of Medit.
#include "fuzz/targets/mesh_target.h"

namespace holo::fuzz {

const Registration medit(mesh_target("medit", ".mesh"));

}  // namespace holo::fuzz
