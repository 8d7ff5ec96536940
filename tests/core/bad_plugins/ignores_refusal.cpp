#include "material_table.h"

// Goes on as if its material had not been refused.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("ignores_refusal");
  material.operations[HOLO_MATERIAL_STRESS] = nullptr;
  add(registrar, material, error);
  return 0;
}
