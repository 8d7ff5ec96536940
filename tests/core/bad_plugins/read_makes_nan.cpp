#include "material_table.h"

// Its `read` makes a coefficient that is not a number.
namespace {
int read(const holo_parameter_reader* reader, double* c, double* t, holo_error* error) {
  const int status = read_all_kinds(reader, c, t, error);
  c[1] = __builtin_nan("");
  return status;
}
}  // namespace

PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("read_makes_nan");
  material.read = read;
  return add(registrar, material, error);
}
