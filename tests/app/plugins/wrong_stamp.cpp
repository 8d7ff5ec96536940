// Built against another version of the border.
#include "raw_material.h"

HOLO_TEST_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = raw::material("wrong_stamp", raw::read_nothing);
  material.stamp.abi_version = 99;
  return registrar->add_material(registrar->self, &material, error);
}
