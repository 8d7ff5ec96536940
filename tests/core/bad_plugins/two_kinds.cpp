#include "joint_table.h"
#include "material_table.h"

// Registers a joint and a material.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static const holo_joint joint = right_joint("two_kinds");
  static const holo_material material = right_material("two_kinds");
  return registrar->add_joint(registrar->self, &joint, error) + add(registrar, material, error);
}
