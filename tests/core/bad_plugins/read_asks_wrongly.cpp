#include "material_table.h"

// Its `read` asks for a parameter of a kind that there is not.
namespace {
int read(const holo_parameter_reader* reader, double* c, double*, holo_error*) {
  const holo_parameter p = request(77, "strange", "1", 0, 1);
  reader->read(reader->self, &p, c, nullptr);
  return 0;
}
}  // namespace

PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("read_asks_wrongly");
  material.read = read;
  return add(registrar, material, error);
}
