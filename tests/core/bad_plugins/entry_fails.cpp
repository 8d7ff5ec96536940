#include <cstring>

#include "material_table.h"

// Its entry fails with a message that fills its array without an end.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar*, holo_error* error) {
  std::memset(error->message, 'x', sizeof error->message);
  std::memcpy(error->message, "no license\n", 11);
  return 3;
}
