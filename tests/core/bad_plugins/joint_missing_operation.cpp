#include "joint_table.h"
#include "material_table.h"

// Lacks a required operation.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_joint joint = right_joint("joint_missing_operation");
  joint.operations[HOLO_JOINT_MOTION_HESSIAN] = nullptr;
  return registrar->add_joint(registrar->self, &joint, error);
}
