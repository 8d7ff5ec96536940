#include "material_table.h"

// Built against a header with another material struct.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("wrong_struct_size");
  material.stamp.material_size += 8;
  return add(registrar, material, error);
}
