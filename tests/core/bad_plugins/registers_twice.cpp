#include "material_table.h"

// Registers its material twice.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static const holo_material material = right_material("registers_twice");
  return add(registrar, material, error) + add(registrar, material, error);
}
