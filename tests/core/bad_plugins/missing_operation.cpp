#include "material_table.h"

// Lacks a required operation.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("missing_operation");
  material.operations[HOLO_MATERIAL_HESSIAN] = nullptr;
  return add(registrar, material, error);
}
