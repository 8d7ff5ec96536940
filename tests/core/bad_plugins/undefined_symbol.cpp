#include "material_table.h"

// Uses a function that nothing defines.
namespace elsewhere {
int defined_nowhere(int);
}

PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar*, holo_error*) { return elsewhere::defined_nowhere(1); }
