#include "material_table.h"

// Built against a header with another stamp.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("wrong_stamp_size");
  material.stamp.size = 12;
  return add(registrar, material, error);
}
