#include "material_table.h"

namespace {
int read(const holo_parameter_reader* reader, double*, double*, holo_error*) {
  const holo_parameter p = request(HOLO_PARAMETER_SUBJECT, "body", "1", -1, 1);
  double value[3];
  reader->read(reader->self, &p, value, nullptr);
  return 0;
}
}  // namespace

// Only a loss may name something in a simulation.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("material_asks_for_a_body");
  material.read = read;
  return add(registrar, material, error);
}
