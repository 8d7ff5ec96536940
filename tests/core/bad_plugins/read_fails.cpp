#include <cstring>

#include "material_table.h"

// Its `read` fails as it should: with a status and a message.
namespace {
int read(const holo_parameter_reader*, double*, double*, holo_error* error) {
  std::strcpy(error->message, "the moduli do not fit together");
  return 1;
}
}  // namespace

PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("read_fails");
  material.read = read;
  return add(registrar, material, error);
}
