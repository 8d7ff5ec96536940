#include <cstring>

#include "plugins/plugin_tables.h"

namespace holo {

namespace {

constexpr const char* joint_operation_names[HOLO_JOINT_OPERATION_COUNT] = {
    "constraint_equations", "jacobian", "hessian", "motion", "motion_jacobian", "motion_hessian", "coordinates"};

bool is_required_of_joint(int operation, std::uint32_t coordinate_count) {
  switch (operation) {
    case HOLO_JOINT_MOTION_JACOBIAN:
    case HOLO_JOINT_MOTION_HESSIAN:
      return coordinate_count > 0;
    case HOLO_JOINT_COORDINATES:
      return false;
    default:
      return true;
  }
}

bool is_quaternion(const holo_joint_coordinate& coordinate) { return coordinate.kind == HOLO_COORDINATE_QUATERNION; }

// Returns how many degrees of freedom the coordinates are.
std::uint32_t check_coordinates(const holo_joint& joint) {
  const std::uint32_t count = joint.coordinate_count;
  require(count <= HOLO_JOINT_COORDINATE_MAXIMUM, "it has " + std::to_string(count) + " coordinates; at most " +
                                                      std::to_string(HOLO_JOINT_COORDINATE_MAXIMUM) + " are allowed");
  require(count == 0 || joint.coordinates != nullptr, "its coordinates are a null pointer");
  std::uint32_t freedom = 0;
  for (std::uint32_t i = 0; i < count; ++freedom) {
    const holo_joint_coordinate& first = joint.coordinates[i];
    require(first.name != nullptr, "the name of its coordinate " + std::to_string(i) + " is a null pointer");
    require(first.kind <= HOLO_COORDINATE_QUATERNION, "its coordinate " + std::to_string(i) + " is of the unknown kind " +
                                                          std::to_string(first.kind) +
                                                          "; allowed are 0 (length), 1 (angle) and 2 (quaternion)");
    if (!is_quaternion(first)) {
      ++i;
      continue;
    }
    for (std::uint32_t k = 1; k < 4; ++k) {
      const bool whole = i + k < count && is_quaternion(joint.coordinates[i + k]) && joint.coordinates[i + k].name != nullptr &&
                         std::strcmp(joint.coordinates[i + k].name, first.name) == 0;
      require(whole, "its quaternion '" + std::string(first.name) + "' does not stand four times in a row");
    }
    i += 4;
    freedom += 2;
  }
  return freedom;
}

void check_equations(const holo_joint& joint, std::uint32_t freedom) {
  const std::uint32_t passive = joint.passive_equation_count;
  require(passive <= HOLO_JOINT_EQUATION_COUNT,
          "it has " + std::to_string(passive) + " passive equations; it has six constraint equations in all");
  require(freedom <= HOLO_JOINT_EQUATION_COUNT,
          "its coordinates are " + std::to_string(freedom) + " degrees of freedom; a body has six");
  require(passive == 0 || passive + freedom == HOLO_JOINT_EQUATION_COUNT,
          "its " + std::to_string(passive) + " passive equations leave " + std::to_string(HOLO_JOINT_EQUATION_COUNT - passive) +
              " degrees of freedom, but its coordinates are " + std::to_string(freedom));
  require(joint.passive_axes < 8, "its passive axes are " + std::to_string(joint.passive_axes) + "; allowed are bits 0 to 2");
  require(joint.constant_count <= 1000,
          "it has " + std::to_string(joint.constant_count) + " constants; at most 1000 are allowed");
}

void check_patterns(const holo_joint& joint) {
  require(joint.jacobian_pattern != nullptr && joint.hessian_pattern != nullptr, "one of its patterns is a null pointer");
  const std::uint32_t n = 2 * HOLO_POSE_SIZE + joint.coordinate_count, poses = (1u << (2 * HOLO_POSE_SIZE)) - 1;
  for (std::uint32_t i = 0; i < HOLO_JOINT_EQUATION_COUNT; ++i) {
    const std::uint32_t unknowns = joint.jacobian_pattern[i];
    require(unknowns >> n == 0,
            "the pattern of its constraint equation " + std::to_string(i) + " has more than " + std::to_string(n) + " entries");
    require(i >= joint.passive_equation_count || (unknowns & ~poses) == 0,
            "its constraint equation " + std::to_string(i) +
                " contains the joint's coordinates, but is one of the passive equations");
  }
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t k = 0; k < 32; ++k) {
      const bool set = (joint.hessian_pattern[i] >> k & 1) != 0;
      require(!set || (k < n && (joint.hessian_pattern[k] >> i & 1) != 0), "the pattern of its Hessian is not symmetric");
    }
}

}  // namespace

void check(const holo_joint& joint, const std::string& name) {
  require_same_stamp(joint.stamp);
  require_name(joint.name, name);
  require_texts(joint.summary, joint.documentation);
  check_equations(joint, check_coordinates(joint));
  check_patterns(joint);
  require_function(joint.read != nullptr, "read");
  for (int i = 0; i < HOLO_JOINT_OPERATION_COUNT; ++i)
    require_operation(joint.operations[i] != nullptr, is_required_of_joint(i, joint.coordinate_count), joint.kernels[i],
                      joint_operation_names[i]);
}

void check(const holo_joint_reference& reference, const std::string& name) {
  require_same_stamp(reference.stamp);
  require_name(reference.name, name);
  const bool derivatives =
      reference.coordinate_count == 0 || (reference.motion_jacobian != nullptr && reference.motion_hessian != nullptr);
  require(reference.constraint_equations != nullptr && reference.jacobian != nullptr && reference.hessian != nullptr &&
              reference.motion != nullptr && derivatives,
          "a required function of its reference table is missing");
}

}  // namespace holo
