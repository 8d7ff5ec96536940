#include <stdexcept>

#include "material_table.h"

// Its entry throws.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar*, holo_error*) {
  throw std::runtime_error("the entry has had enough");
}
