#include "material_table.h"

// Registers a null pointer.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  return registrar->add_material(registrar->self, nullptr, error);
}
