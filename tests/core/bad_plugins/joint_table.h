#pragma once
// A right joint, made by hand: a slider with one parameter. Written against abi.h alone.

#include "holo/core/abi.h"

namespace {

inline void joint_operation(const holo_joint_batch* batch) { batch->output[0] = 1; }

inline int read_joint(const holo_parameter_reader* reader, double* constants, double*, holo_error*) {
  holo_parameter p = {};
  p.size = sizeof p;
  p.kind = HOLO_PARAMETER_NUMBER;
  p.name = "offset";
  p.unit = "m";
  p.documentation = "of the test";
  p.minimum = -1;
  p.maximum = 1;
  double value[3];
  reader->read(reader->self, &p, value, nullptr);
  constants[0] = 10 * value[0];
  return 0;
}

inline holo_joint right_joint(const char* name) {
  static constexpr holo_joint_coordinate coordinates[] = {{"extension", HOLO_COORDINATE_LENGTH}};
  static constexpr unsigned all = (1u << 15) - 1, poses = (1u << 14) - 1;
  static constexpr unsigned jacobian[] = {poses, poses, poses, poses, poses, all};
  static constexpr unsigned hessian[] = {all, all, all, all, all, all, all, all, all, all, all, all, all, all, all};
  holo_joint joint = {};
  joint.stamp = HOLO_STAMP;
  joint.name = name;
  joint.summary = "a joint of the tests";
  joint.documentation = "";
  joint.coordinate_count = 1;
  joint.coordinates = coordinates;
  joint.passive_equation_count = 5;
  joint.passive_axes = 7;
  joint.constant_count = 1;
  joint.read = read_joint;
  joint.jacobian_pattern = jacobian;
  joint.hessian_pattern = hessian;
  for (int i = 0; i < HOLO_JOINT_OPERATION_COUNT; ++i) {
    joint.operations[i] = joint_operation;
    joint.kernels[i] = "hand-written";
  }
  return joint;
}

}  // namespace
