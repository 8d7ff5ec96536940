#include <cstdlib>

#include "material_table.h"

// Nothing is wrong here: what the others are compared with. It tells when it is unloaded.
namespace {
__attribute__((destructor)) void tell() { setenv("HOLO_TEST_UNLOADED", "1", 1); }
}  // namespace

PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static const holo_material material = right_material("right_material");
  return add(registrar, material, error);
}
