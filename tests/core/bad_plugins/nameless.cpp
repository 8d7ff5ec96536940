#include "material_table.h"

// Has no name.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("nameless");
  material.name = nullptr;
  return add(registrar, material, error);
}
