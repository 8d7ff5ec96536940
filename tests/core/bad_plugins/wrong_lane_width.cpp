#include "material_table.h"

// Built for another instruction set.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("wrong_lane_width");
  material.stamp.lane_width = 3;
  return add(registrar, material, error);
}
