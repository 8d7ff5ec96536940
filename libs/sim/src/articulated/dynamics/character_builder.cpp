#include <fmt/format.h>

#include <algorithm>

#include "holo/core/error.h"
#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/articulated/dynamics/step_memory.h"

namespace holo::articulated {

using Eigen::Isometry3d;

CharacterBuilder::CharacterBuilder(const std::string& name) { model_.name_ = name; }

int CharacterBuilder::add(const std::string& name, int parent, DofKind kind, const Isometry3d& placement,
                          const Eigen::Vector3d& axis) {
  if (!(axis.norm() > 0)) throw Error(Failure::input, fmt::format("the axis of '{}' has length 0; give a direction", name));
  const Eigen::Vector3d unit = axis.normalized();
  DegreeOfFreedom dof;
  dof.parent = parent;
  dof.kind = kind;
  dof.placement = rigid_frame(placement);
  dof.axis = {unit.x(), unit.y(), unit.z()};
  dof.is_length = kind == DofKind::prismatic;
  model_.dofs_.push_back(dof);
  model_.names_.push_back(name);
  model_.rest_.coordinates.push_back(0);
  masses_.emplace_back();
  return int(model_.dofs_.size()) - 1;
}

int CharacterBuilder::add_hinge(const std::string& name, int parent, const Isometry3d& placement, const Eigen::Vector3d& axis) {
  return add_hinge_or_slide(name, parent, DofKind::revolute, placement, axis);
}

int CharacterBuilder::add_slide(const std::string& name, int parent, const Isometry3d& placement, const Eigen::Vector3d& axis) {
  return add_hinge_or_slide(name, parent, DofKind::prismatic, placement, axis);
}

int CharacterBuilder::add_ball(const std::string& name, int parent, const Isometry3d& placement, double cone, double weight) {
  const int chart = int(model_.charts_.size()), first = int(model_.dofs_.size());
  for (int k = 0; k < 3; ++k) {
    const int number = add(name + "_" + "xyz"[k], k == 0 ? parent : first + k - 1, DofKind::rotation_vector,
                           k == 0 ? placement : Isometry3d::Identity(), Eigen::Vector3d::Unit(k));
    dof(number).chart = chart;
    dof(number).component = k;
  }
  model_.charts_.push_back({first, cone, weight});
  model_.rest_.references.push_back(identity3<double>());
  return first + 2;
}

int CharacterBuilder::add_base(const BaseOptions& options) {
  const Isometry3d here = Isometry3d::Identity();
  if (options.chart == BaseChart::fixed) return -1;
  int last = add_slide("base_x", -1, here, Eigen::Vector3d::UnitX());
  if (options.chart == BaseChart::planar) {
    last = add_slide("base_z", last, here, Eigen::Vector3d::UnitZ());
    return add_hinge("base_pitch", last, here, Eigen::Vector3d::UnitY());
  }
  last = add_slide("base_y", last, here, Eigen::Vector3d::UnitY());
  last = add_slide("base_z", last, here, Eigen::Vector3d::UnitZ());
  if (options.chart == BaseChart::rotation_vector) return add_ball("base_rotation", last, here, unlimited, 0);
  std::string sorted = options.order;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != "xyz")
    throw Error(Failure::input, fmt::format("the order of the base's rotations is '{}'; it must have each of x, y and z once, "
                                            "outermost first, such as zyx",
                                            options.order));
  for (const char axis : options.order)
    last = add_hinge(axis == 'x'   ? "base_roll"
                     : axis == 'y' ? "base_pitch"
                                   : "base_yaw",
                     last, here, Eigen::Vector3d::Unit(axis - 'x'));
  return last;
}

void CharacterBuilder::limit(int number, double lower, double upper, double weight) {
  dof(number).lower = lower;
  dof(number).upper = upper;
  dof(number).limit_weight = weight;
}

void CharacterBuilder::actuate(int number) {
  std::vector<int>& list = model_.actuated_;
  const auto place = std::lower_bound(list.begin(), list.end(), number);
  if (place == list.end() || *place != number) list.insert(place, number);
}

void CharacterBuilder::add_springs(double stiffness, double damping) {
  for (const int number : model_.actuated_) {
    if (dof(number).kind == DofKind::rotation_vector) continue;
    dof(number).stiffness += stiffness;
    dof(number).damping += damping;
    dof(number).spring_reference = model_.rest_.coordinates[std::size_t(number)];
  }
}

void CharacterBuilder::set_rest(int number, double coordinate) { model_.rest_.coordinates[std::size_t(number)] = coordinate; }

void CharacterBuilder::set_rest(const std::string& name, double coordinate) {
  for (std::size_t j = 0; j < model_.names_.size(); ++j)
    if (model_.names_[j] == name) model_.rest_.coordinates[j] = coordinate;
}

void CharacterBuilder::add_mass(int dof, const MassProperties& mass, const Isometry3d& pose) {
  if (dof >= 0) masses_[std::size_t(dof)].push_back(transformed(mass, pose));
}

void CharacterBuilder::add_contact_point(int dof, const Eigen::Vector3d& center, double radius, bool rolls) {
  if (dof >= 0) model_.contact_points_.push_back({dof, {center.x(), center.y(), center.z()}, radius, rolls ? radius : 0});
}

void CharacterBuilder::add_body(const std::string& name, int dof, const Isometry3d& pose) {
  model_.bodies_.push_back({name, dof, rigid_frame(pose)});
}

void CharacterBuilder::add_shape(CharacterShape shape) {
  if (shape.dof >= 0) model_.shapes_.push_back(std::move(shape));
}

namespace {

void check_numbers(const std::string& name, const DegreeOfFreedom& dof) {
  const auto fail = [&](const std::string& text) {
    throw Error(Failure::input, "the degree of freedom '" + name + "' " + text);
  };
  if (!(dof.lower <= dof.upper))
    fail(fmt::format("has the limits {} and {}; the lower one must come first", dof.lower, dof.upper));
  for (const double value : {dof.limit_weight, dof.armature, dof.damping, dof.stiffness})
    if (!(value >= 0)) fail(fmt::format("has a weight, armature, damping or stiffness of {}; each must be 0 or more", value));
  const bool has_force = dof.limit_weight + dof.armature + dof.damping + dof.stiffness > 0;
  if (dof.kind == DofKind::rotation_vector && has_force)
    fail(
        "is a coordinate of a rotation vector and has a limit, armature, damping or stiffness; give a cone, or make three "
        "hinges");
}

// Whether the frame carries something that a neighbor in the tree is told by: massless frames of joints with several degrees
// of freedom stand between neighbors.
std::vector<bool> frames_of_bodies(const std::vector<DegreeOfFreedom>& dofs, const std::vector<ContactPoint>& points) {
  std::vector<bool> result(dofs.size(), false);
  for (std::size_t j = 0; j < dofs.size(); ++j) result[j] = dofs[j].has_mass;
  for (const ContactPoint& point : points) result[std::size_t(point.dof)] = true;
  return result;
}

bool are_neighbors(const std::vector<DegreeOfFreedom>& dofs, const std::vector<bool>& bodies, int a, int b) {
  if (a < b) std::swap(a, b);
  if (a == b) return true;
  int above = dofs[std::size_t(a)].parent;
  while (above >= 0 && !bodies[std::size_t(above)]) above = dofs[std::size_t(above)].parent;
  return above == b;
}

std::vector<SpherePair> colliding_pairs(const CharacterModel& model) {
  StateMemory<double> rest(model);
  rest.set(model, model.rest());
  const std::vector<RigidFrame<double>>& frames = rest.frames;
  const std::vector<ContactPoint>& points = model.contact_points();
  const std::vector<bool> bodies = frames_of_bodies(model.dofs(), points);
  std::vector<SpherePair> pairs;
  for (int a = 0; a < int(points.size()); ++a)
    for (int b = a + 1; b < int(points.size()); ++b) {
      const ContactPoint &first = points[std::size_t(a)], &second = points[std::size_t(b)];
      if (are_neighbors(model.dofs(), bodies, first.dof, second.dof)) continue;
      const Vector3<double> offset =
          frames[std::size_t(first.dof)] * first.center - frames[std::size_t(second.dof)] * second.center;
      const double distance = norm(offset);
      if (distance > first.radius + second.radius && first.radius + second.radius > 0)
        pairs.push_back({a, b, offset / distance});
    }
  return pairs;
}

}  // namespace

CharacterModel CharacterBuilder::build(bool self_collision) const {
  check_replacements();
  CharacterModel model = model_;
  std::vector<double> below(model.dofs_.size(), 0.0);  // mass of subtrees
  for (std::size_t j = model.dofs_.size(); j-- > 0;) {
    const MassProperties mass = combined(masses_[j]);
    const std::string problem = physical_problem(mass);
    if (!problem.empty())
      throw Error(Failure::input,
                  fmt::format("the body of the degree of freedom '{}' cannot exist: {}", model.names_[j], problem));
    DegreeOfFreedom& dof = model.dofs_[j];
    check_numbers(model.names_[j], dof);
    dof.has_mass = mass.mass > 0;
    model.moments_.insert(model.moments_.begin(), second_moments(mass));
    below[j] += mass.mass;
    if (!(below[j] > 0) && !(dof.armature > 0))
      throw Error(Failure::input,
                  fmt::format("the degree of freedom '{}' moves no mass; give its body or one below it a mass, or "
                              "give it an armature",
                              model.names_[j]));
    if (dof.parent >= 0) below[std::size_t(dof.parent)] += below[j];
  }
  if (self_collision) model.sphere_pairs_ = colliding_pairs(model);
  return model;
}

}  // namespace holo::articulated
