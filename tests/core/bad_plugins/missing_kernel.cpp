#include "material_table.h"

// Offers an operation, but not what runs for it.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("missing_kernel");
  material.kernels[HOLO_MATERIAL_STRESS] = nullptr;
  return add(registrar, material, error);
}
