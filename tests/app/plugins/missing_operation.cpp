// Lacks a required operation.
#include "raw_material.h"

HOLO_TEST_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = raw::material("missing_operation", raw::read_nothing);
  material.operations[HOLO_MATERIAL_HESSIAN] = nullptr;
  return registrar->add_material(registrar->self, &material, error);
}
