#include "material_table.h"

// Built against another version of the interface.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("wrong_abi_version");
  material.stamp.abi_version = HOLO_ABI_VERSION + 6;
  return add(registrar, material, error);
}
