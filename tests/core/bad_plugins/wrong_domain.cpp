#include "material_table.h"

// Names a domain that there is not.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("wrong_domain");
  material.domain = 9;
  return add(registrar, material, error);
}
