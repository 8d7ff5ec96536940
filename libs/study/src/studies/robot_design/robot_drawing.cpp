#include "studies/robot_design/robot_drawing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/joint_motion.h"
#include "studies/robot_design/robot_meshes.h"

namespace holo {

namespace {

struct JointLook {
  std::string kind;
  Hue hue;
};

JointLook look_of(const MechanismJoint& joint) {
  switch (joint.role) {
    case JointRole::actuator:
      return {"actuator", Hue::red};
    case JointRole::configurable:
      return {"configurable joint", Hue::blue};
    case JointRole::prescribed:
      return {"prescribed joint", Hue::pink};
    default:
      return {joint.is_coupled ? "coupled joint" : "passive joint", Hue::green};
  }
}

}  // namespace

RobotDrawing::RobotDrawing(const MechanismModel& model, const std::vector<int>& redundant_joints,
                           const std::vector<BodyCapsule>& capsules, const std::vector<DrawnTarget>& targets,
                           const Eigen::MatrixXd& motion)
    : model_(model), width_(0.025 * model.length()) {
  for (int b = 0; b < int(model.bodies().size()); ++b) add_rods(b, targets);
  for (const BodyCapsule& capsule : capsules) add_capsule(capsule);
  for (int j = 0; j < int(model.joints().size()); ++j)
    add_joint(j, std::count(redundant_joints.begin(), redundant_joints.end(), j) > 0);
  for (int i = 0; i < int(targets.size()); ++i) add_target(targets[std::size_t(i)], i);
  scene_.groups = {{"initial", {}}, {"optimized", {}}};
  // The second group is a copy of the first.
  const std::vector<SceneBody> bodies = scene_.bodies;
  const std::vector<SceneGlyph> glyphs = scene_.glyphs;
  for (SceneBody body : bodies) {
    body.group = 1;
    scene_.bodies.push_back(std::move(body));
  }
  for (SceneGlyph glyph : glyphs) {
    glyph.group = 1;
    scene_.glyphs.push_back(std::move(glyph));
  }
  set_offset(motion);
}

// The joint's point at rest, in the coordinates of a body.
Eigen::Vector3d RobotDrawing::place_of(const MechanismJoint& joint, int body) const {
  if (body == world) return joint.point;
  const MechanismBody& in = model_.bodies()[std::size_t(body)];
  return in.axes.transpose() * (joint.point - in.origin);
}

Eigen::Vector3d RobotDrawing::place_now(const Eigen::VectorXd& states, int body, const Eigen::Vector3d& point) const {
  return body == world ? point : point_of(model_, states, body, point);
}

// One rod between two joints; from more joints, and from points that follow a target, rods meet in their middle. A body with
// one joint has a rod to its origin.
void RobotDrawing::add_rods(int body, const std::vector<DrawnTarget>& targets) {
  std::vector<Eigen::Vector3d> ends;
  const auto add_end = [&](const Eigen::Vector3d& point) {
    const bool is_new =
        std::none_of(ends.begin(), ends.end(), [&](const auto& end) { return (end - point).norm() < 2 * width_; });
    if (is_new) ends.push_back(point);
  };
  for (const MechanismJoint& joint : model_.joints())
    if (joint.body_a == body || joint.body_b == body) add_end(place_of(joint, body));
  for (const DrawnTarget& target : targets)
    for (const BodyPoint& follower : target.followers)
      if (follower.body == body) add_end(follower.point);
  if (ends.size() < 2) add_end(Eigen::Vector3d::Zero());
  SceneBody drawn{.name = model_.bodies()[std::size_t(body)].name, .kind = "body", .hue = Hue::gray};
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& end : ends) middle += end / double(ends.size());
  if (ends.size() < 3)
    add_capsule_mesh(ends.front(), ends.back(), ends.size() == 2 ? 0.6 * width_ : 0.9 * width_, false, drawn);
  else
    for (const Eigen::Vector3d& end : ends) add_capsule_mesh(middle, end, 0.6 * width_, false, drawn);
  add_body(body, std::move(drawn));
}

void RobotDrawing::add_joint(int number, bool is_redundant) {
  const MechanismJoint& joint = model_.joints()[std::size_t(number)];
  const int body = joint.body_b != world ? joint.body_b : joint.body_a;
  const Eigen::Vector3d place = place_of(joint, body);
  const auto direction = [&](const Eigen::Vector3d& axis) -> Eigen::Vector3d {
    return body == world ? axis : Eigen::Vector3d(model_.bodies()[std::size_t(body)].axes.transpose() * axis);
  };
  const JointLook look = look_of(joint);
  add_glyph({body, -1, {place}}, {.name = joint.name, .kind = look.kind, .hue = look.hue, .size = 1.6 * width_});
  for (const Eigen::Vector3d& axis : axes_of(model_, number)) {
    const Eigen::Vector3d half = 5 * width_ * direction(axis);
    add_glyph({body, -1, {place - half, place + half}},
              {.name = joint.name, .shape = GlyphShape::segment, .kind = look.kind, .hue = look.hue, .size = 0.25 * width_});
  }
  if (is_redundant)
    add_glyph({body, -1, {place, place + 3.2 * width_ * direction(joint.axes.col(0))}},
              {.name = joint.name,
               .shape = GlyphShape::ring,
               .kind = "redundant constraint equations",
               .hue = Hue::amber,
               .size = 0.5 * width_});
}

void RobotDrawing::add_capsule(const BodyCapsule& capsule) {
  SceneBody drawn{.name = capsule.name, .kind = "collision capsule", .hue = Hue::teal};
  add_capsule_mesh(capsule.from, capsule.to, capsule.radius, true, drawn);
  add_body(capsule.body, std::move(drawn));
}

void RobotDrawing::add_target(const DrawnTarget& target, int number) {
  add_glyph({world, number, {Eigen::Vector3d::Zero()}}, {.name = target.name,
                                                         .kind = "target",
                                                         .hue = Hue::violet,
                                                         .size = 1.5 * width_,
                                                         .trace = "path of the target " + target.name,
                                                         .reference = true});
  for (const BodyPoint& follower : target.followers)
    add_glyph({follower.body, -1, {follower.point}},
              {.name = target.name, .hue = Hue::teal, .trace = "path of the point that follows the target"});
}

void RobotDrawing::add_body(int body, SceneBody drawn) {
  drawn.group = 0;
  scene_.bodies.push_back(std::move(drawn));
  mesh_bodies_.push_back(body);
}

void RobotDrawing::add_glyph(Anchors anchors, SceneGlyph glyph) {
  glyph.group = 0;
  scene_.glyphs.push_back(std::move(glyph));
  anchors_.push_back(std::move(anchors));
}

// The groups stand beside each other across the longer way that the robot takes.
void RobotDrawing::set_offset(const Eigen::MatrixXd& motion) {
  Eigen::AlignedBox3d box;
  for (Eigen::Index k = 0; k < motion.cols(); ++k) {
    for (const Anchors& anchors : anchors_)
      for (std::size_t i = 0; anchors.target < 0 && i < anchors.points.size(); ++i)
        box.extend(place_now(motion.col(k), anchors.body, anchors.points[i]));
    for (std::size_t b = 0; b < mesh_bodies_.size(); ++b)
      for (const std::array<double, 3>& point : scene_.bodies[b].points)
        box.extend(place_now(motion.col(k), mesh_bodies_[b], Eigen::Map<const Eigen::Vector3d>(point.data())));
  }
  const Eigen::Vector3d size = box.sizes();
  const int across = size[0] < size[1] ? 0 : 1;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
  offset[across] = size[across] + 0.8 * model_.length();
  scene_.groups[1].beside = {offset[0], offset[1], offset[2]};
  scene_.length = (size + offset).norm();
}

void RobotDrawing::draw_robot(const Eigen::VectorXd& states, const std::vector<Eigen::Vector3d>& targets,
                              SceneFrame& frame) const {
  for (const int body : mesh_bodies_) {
    const Eigen::Vector3d origin = place_now(states, body, Eigen::Vector3d::Zero());
    // The body's rotation, from where its unit vectors are.
    Eigen::Matrix3d axes;
    for (int k = 0; k < 3; ++k) axes.col(k) = place_now(states, body, Eigen::Vector3d::Unit(k)) - origin;
    const Eigen::Quaterniond turn = Eigen::Quaterniond(axes).normalized();
    frame.poses.insert(frame.poses.end(), {origin[0], origin[1], origin[2], turn.w(), turn.x(), turn.y(), turn.z()});
  }
  for (const Anchors& anchors : anchors_)
    for (const Eigen::Vector3d& point : anchors.points) {
      const Eigen::Vector3d place = anchors.target >= 0 ? Eigen::Vector3d(targets[std::size_t(anchors.target)] + point)
                                                        : place_now(states, anchors.body, point);
      frame.points.insert(frame.points.end(), place.data(), place.data() + 3);
    }
}

void RobotDrawing::draw(const Eigen::VectorXd& initial, const Eigen::VectorXd& optimized,
                        const std::vector<Eigen::Vector3d>& targets, SceneFrame& frame) const {
  frame.poses.clear();
  frame.points.clear();
  draw_robot(initial, targets, frame);
  draw_robot(optimized, targets, frame);
}

}  // namespace holo
