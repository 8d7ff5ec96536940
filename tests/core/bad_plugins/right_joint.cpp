#include "joint_table.h"
#include "material_table.h"

// Nothing is wrong here.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static const holo_joint joint = right_joint("right_joint");
  return registrar->add_joint(registrar->self, &joint, error);
}
