#include "material_table.h"

// Its `read` throws what is no std::exception.
namespace {
int read(const holo_parameter_reader*, double*, double*, holo_error*) { throw 42; }
}  // namespace

PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("read_throws_number");
  material.read = read;
  return add(registrar, material, error);
}
