#include "material_table.h"

// Registers another name than its file's.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("wrong_name");
  material.name = "some_other_name";
  return add(registrar, material, error);
}
