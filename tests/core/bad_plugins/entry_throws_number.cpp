#include "material_table.h"

// Its entry throws what is no std::exception.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar*, holo_error*) { throw 42; }
