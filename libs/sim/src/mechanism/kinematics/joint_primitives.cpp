#include "mechanism/kinematics/joint_primitives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"

namespace holo {

namespace {

using Eigen::Isometry3d, Eigen::Vector3d;

// Values of each knot, angles by whole turns next to those of the knot before.
template <class Value>
std::vector<double> values_of(const std::vector<Isometry3d>& motions, bool is_angle, const Value& value) {
  std::vector<double> values;
  for (const Isometry3d& motion : motions) {
    constexpr double turn = 2 * std::numbers::pi;
    double next = value(motion);
    if (is_angle && !values.empty()) next -= turn * std::round((next - values.back()) / turn);
    values.push_back(next);
  }
  return values;
}

double angle_about_x(const Isometry3d& motion) {
  const Eigen::Quaterniond q(motion.linear());
  return 2 * std::atan2(q.x(), q.w());
}

}  // namespace

// As the plugins' motion() has them. Backwards the primitives come in reverse, along opposite axes: the inverse of a turn or
// shift by q along an axis is that by q along the opposite one.
std::vector<JointPrimitive> joint_primitives(const MechanismJoint& joint, bool is_reversed,
                                             const std::vector<Isometry3d>& motions) {
  const std::string type = joint.type->name();
  std::vector<JointPrimitive> chain;
  const auto slide = [&](const char* suffix, int axis) {
    chain.push_back({"prismatic", suffix, Vector3d::Unit(axis),
                     values_of(motions, false, [&](const Isometry3d& m) { return m.translation()[axis]; })});
  };
  const auto hinge = [&](const char* suffix, int axis, const auto& angle) {
    chain.push_back({"revolute", suffix, Vector3d::Unit(axis), values_of(motions, true, angle)});
  };
  if (joint.role == JointRole::configurable || type == "fixed") return {{"fixed", "", Vector3d::UnitX(), {}}};
  if (type == "spherical" || type == "free") return {{type, "", Vector3d::UnitX(), {}}};
  if (type == "prismatic") slide("", 0);
  if (type == "revolute") hinge("", 0, angle_about_x);
  if (type == "cylindrical") {
    slide("_extension", 0);
    hinge("_angle", 0, angle_about_x);
  }
  if (type == "universal") {
    hinge("_first_angle", 0, [](const Isometry3d& m) { return std::atan2(m(2, 1), m(1, 1)); });
    hinge("_second_angle", 1, [](const Isometry3d& m) { return std::atan2(m(0, 2), m(0, 0)); });
  }
  if (type == "cartesian") {
    slide("_x", 0);
    slide("_y", 1);
    slide("_z", 2);
  }
  if (chain.empty())
    throw Error(Failure::input, fmt::format("the joint '{}' is of the type '{}', which robots' files cannot express; they have "
                                            "fixed, revolute, prismatic, cylindrical, universal, cartesian, spherical and free",
                                            joint.name, type));
  if (!is_reversed) return chain;
  std::reverse(chain.begin(), chain.end());
  for (JointPrimitive& primitive : chain) primitive.axis = -primitive.axis;
  return chain;
}

Isometry3d primitive_motion(const JointPrimitive& primitive, double value) {
  Isometry3d motion = Isometry3d::Identity();
  if (primitive.type == "revolute") motion.linear() = Eigen::AngleAxisd(value, primitive.axis).toRotationMatrix();
  if (primitive.type == "prismatic") motion.translation() = value * primitive.axis;
  return motion;
}

}  // namespace holo
