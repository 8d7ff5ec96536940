#include "holo/sim/articulated/dynamics/unsupported_elements.h"

#include <fmt/format.h>

#include <algorithm>

namespace holo::articulated {

namespace {

using ElementShape = CollisionShape::Kind;

std::string at_source(const FileSource& source, const std::string& text) {
  return fmt::format("{}: {}: {}", to_string(source.location), source.element, text);
}

bool body_moves(const ArticulatedModel& robot, int body) {
  for (; body != ArticulatedModel::world; body = robot.bodies[std::size_t(body)].parent)
    if (robot.bodies[std::size_t(body)].joint.type != "fixed") return true;
  return false;
}

// A body that stays and carries nothing that moves is an obstacle: a floor or a table, but not the pedestal of an arm.
bool stands_apart(const ArticulatedModel& robot, int body) {
  if (body == ArticulatedModel::world) return true;
  if (body_moves(robot, body)) return false;
  std::vector<bool> carried(robot.bodies.size(), false);
  for (int i = body; i < int(robot.bodies.size()); ++i) {
    const int parent = robot.bodies[std::size_t(i)].parent;
    carried[std::size_t(i)] = i == body || (parent >= body && carried[std::size_t(parent)]);
    if (carried[std::size_t(i)] && robot.bodies[std::size_t(i)].joint.type != "fixed") return false;
  }
  return true;
}

// The reason why a shape touches nothing, or "".
std::string problem_of(const ArticulatedModel& robot, const CollisionShape& shape) {
  if (stands_apart(robot, shape.body)) return "it does not move, so it is no part of the character; give it as an obstacle";
  if (shape.kind == ElementShape::ellipsoid || shape.kind == ElementShape::plane || shape.kind == ElementShape::mesh)
    return fmt::format("its shape is {}, which touches no obstacles; spheres, capsules, cylinders and boxes do",
                       shape.kind == ElementShape::ellipsoid ? "an ellipsoid"
                       : shape.kind == ElementShape::plane   ? "a plane"
                                                             : "a mesh");
  return "";
}

void add_joint_elements(const ArticulatedJoint& joint, std::vector<UnsupportedElement>& elements) {
  if (joint.friction > 0)
    elements.push_back({"friction", joint.name, at_source(joint.source, "its dry friction is not modeled")});
  if (!joint.has_position() && joint.type != "fixed" && joint.damping + joint.stiffness + joint.armature > 0)
    elements.push_back(
        {"spring", joint.name,
         at_source(joint.source, "the spring, damping and armature of a joint with several axes are not modeled")});
}

bool is_named_by(const std::vector<std::string>& names_or_kinds, const std::string& kind, const std::string& name) {
  const UnsupportedElement element{kind, name, ""};
  return std::any_of(names_or_kinds.begin(), names_or_kinds.end(), [&](const std::string& each) { return element.is(each); });
}

}  // namespace

std::vector<UnsupportedElement> unsupported_elements(const ArticulatedModel& robot) {
  std::vector<UnsupportedElement> elements;
  for (const FileNote& note : robot.notes)
    if (!note.element.empty()) elements.push_back({note.element, "", to_string(note.location) + ": " + note.text});
  for (const ArticulatedLoop& loop : robot.loops)
    if (loop.body_a != ArticulatedModel::world || loop.body_b != ArticulatedModel::world)
      elements.push_back({"loop", loop.name, at_source(loop.source, "it closes a loop, and a character is a tree")});
  for (const JointCoupling& coupling : robot.couplings)
    elements.push_back({"coupling", coupling.name,
                        at_source(coupling.source, "it couples joints, and the joints of a character are independent")});
  for (const ArticulatedBody& body : robot.bodies) add_joint_elements(body.joint, elements);
  for (const CollisionShape& shape : robot.shapes)
    if (const std::string problem = shape.collides ? problem_of(robot, shape) : ""; !problem.empty())
      elements.push_back({"shape", shape.name, at_source(shape.source, problem)});
  for (const ArticulatedActuator& actuator : robot.actuators)
    if (actuator.joint == no_body)
      elements.push_back({"actuator", actuator.name, at_source(actuator.source, "it drives no joint")});
  return elements;
}

ArticulatedModel without_elements(ArticulatedModel robot, const std::vector<std::string>& names_or_kinds) {
  std::erase_if(robot.loops, [&](const ArticulatedLoop& loop) { return is_named_by(names_or_kinds, "loop", loop.name); });
  std::erase_if(robot.couplings,
                [&](const JointCoupling& coupling) { return is_named_by(names_or_kinds, "coupling", coupling.name); });
  return robot;
}

void add_free_base(ArticulatedModel& robot) {
  std::vector<std::string> roots;
  for (const ArticulatedBody& body : robot.bodies)
    if (body.parent == ArticulatedModel::world) roots.push_back(body.name);
  if (roots.size() != 1)
    throw Error(Failure::input, fmt::format("{} has {} bodies on the world; a free base needs one", robot.file, roots.size()));
  ArticulatedJoint& joint = robot.bodies.front().joint;
  if (joint.type != "fixed")
    throw Error(Failure::input,
                fmt::format("{} has a joint of type '{}' at its root '{}' already; only a root that is fixed to the world can "
                            "get a free base",
                            robot.file, joint.type, roots.front()));
  joint.type = "free";
}

}  // namespace holo::articulated
