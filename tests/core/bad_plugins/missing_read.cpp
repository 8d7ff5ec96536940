#include "material_table.h"

// Lacks the function that reads its parameters.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("missing_read");
  material.read = nullptr;
  return add(registrar, material, error);
}
