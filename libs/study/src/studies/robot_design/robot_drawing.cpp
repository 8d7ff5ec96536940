#include "studies/robot_design/robot_drawing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace holo {

namespace {

using Points = std::vector<Eigen::Vector3d>;
using Triangles = std::vector<std::array<int, 3>>;

// Two tips, and four corners around the thick place between them.
Points octahedron(const Eigen::Vector3d& tail, const Eigen::Vector3d& middle, const Eigen::Vector3d& tip, double width) {
  const Eigen::Vector3d axis = (tip - tail).normalized(), u = axis.unitOrthogonal(), v = axis.cross(u);
  return {tail, middle + width * u, middle + width * v, middle - width * u, middle - width * v, tip};
}

Points marker(const Eigen::Vector3d& at, double width) {
  return octahedron(at - width * Eigen::Vector3d::UnitZ(), at, at + width * Eigen::Vector3d::UnitZ(), width);
}

Triangles octahedron_triangles() {
  Triangles triangles;
  for (int k = 0; k < 4; ++k) {
    const int here = 1 + k, next = 1 + (k + 1) % 4;
    triangles.push_back({0, next, here});
    triangles.push_back({5, here, next});
  }
  return triangles;
}

constexpr int ring_corners = 12, ring_sides = 4;

// A ring of square section around an axis of length 1.
Points ring(const Eigen::Vector3d& at, const Eigen::Vector3d& axis, double radius, double thickness) {
  const Eigen::Vector3d u = axis.unitOrthogonal(), v = axis.cross(u);
  Points points;
  for (int i = 0; i < ring_corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / ring_corners;
    const Eigen::Vector3d out = std::cos(angle) * u + std::sin(angle) * v;
    for (int k = 0; k < ring_sides; ++k) {
      const double side = std::numbers::pi / 2 * k;
      points.push_back(at + (radius + thickness * std::cos(side)) * out + thickness * std::sin(side) * axis);
    }
  }
  return points;
}

Triangles ring_triangles() {
  Triangles triangles;
  for (int i = 0; i < ring_corners; ++i)
    for (int k = 0; k < ring_sides; ++k) {
      const int here = ring_sides * i, next = ring_sides * ((i + 1) % ring_corners), after = (k + 1) % ring_sides;
      triangles.push_back({here + k, next + k, next + after});
      triangles.push_back({here + k, next + after, here + after});
    }
  return triangles;
}

constexpr int capsule_corners = 12, capsule_rings = 4;

// A tip, a ring at half the height of the cap and one at its foot, the same at the other end, and its tip.
Points capsule_points(const BodyCapsule& capsule) {
  const Eigen::Vector3d way = capsule.to - capsule.from;
  const Eigen::Vector3d axis = way.norm() > 0 ? Eigen::Vector3d(way.normalized()) : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d u = axis.unitOrthogonal(), v = axis.cross(u);
  const double slanted = std::sqrt(0.5);
  Points points = {capsule.from - capsule.radius * axis};
  const auto add_ring = [&](const Eigen::Vector3d& end, double along, double across) {
    for (int i = 0; i < capsule_corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / capsule_corners;
      points.push_back(end + capsule.radius * (along * axis + across * (std::cos(angle) * u + std::sin(angle) * v)));
    }
  };
  add_ring(capsule.from, -slanted, slanted);
  add_ring(capsule.from, 0, 1);
  add_ring(capsule.to, 0, 1);
  add_ring(capsule.to, slanted, slanted);
  points.push_back(capsule.to + capsule.radius * axis);
  return points;
}

// Every second strip: what is inside shows.
Triangles capsule_triangles() {
  Triangles triangles;
  const int last = 1 + capsule_rings * capsule_corners;
  for (int i = 0; i < capsule_corners; i += 2) {
    const int here = 1 + i, next = here + 1;
    triangles.push_back({0, next, here});
    for (int ring = 0; ring + 1 < capsule_rings; ++ring) {
      const int below = ring * capsule_corners, above = below + capsule_corners;
      triangles.push_back({below + here, below + next, above + next});
      triangles.push_back({below + here, above + next, above + here});
    }
    const int top = (capsule_rings - 1) * capsule_corners;
    triangles.push_back({top + here, top + next, last});
  }
  return triangles;
}

}  // namespace

RobotDrawing::RobotDrawing(const MechanismModel& model, const std::vector<int>& dropped_joints,
                           const std::vector<BodyCapsule>& capsules, const std::vector<DrawnTarget>& targets,
                           const Eigen::MatrixXd& motion)
    : model_(model), width_(0.025 * model.length()) {
  layout_.fields = {{"kind",
                     "1",
                     "what is drawn",
                     {{"body", Hue::grey},
                      {"passive joint", Hue::green},
                      {"actuator", Hue::red},
                      {"configurable joint", Hue::blue},
                      {"prescribed joint", Hue::pink},
                      {"rows were dropped", Hue::amber},
                      {"kept apart", Hue::teal},
                      {"target", Hue::violet}}}};
  FrameBody robot;
  for (int j = 0; j < int(model.joints().size()); ++j)
    add_joint(model.joints()[std::size_t(j)], std::count(dropped_joints.begin(), dropped_joints.end(), j) > 0, robot);
  for (const BodyCapsule& capsule : capsules)
    add({Kind::capsule, capsule.body, -1, capsule_points(capsule)}, capsule_triangles(), robot);
  for (int i = 0; i < int(targets.size()); ++i) add_target(targets[std::size_t(i)], i, robot);
  robot.labelled = true;
  for (const char* name : {"initial", "optimized"}) {
    layout_.bodies.push_back(robot);
    layout_.bodies.back().name = name;
  }
  set_offset(motion);
}

void RobotDrawing::add_joint(const MechanismJoint& joint, bool is_dropped, FrameBody& robot) {
  const auto place_in = [&](int body) -> Eigen::Vector3d {
    if (body == world) return joint.point;
    const MechanismBody& in = model_.bodies()[std::size_t(body)];
    return in.axes.transpose() * (joint.point - in.origin);
  };
  const auto axis_in = [&](int body) -> Eigen::Vector3d {
    const Eigen::Vector3d axis = joint.axes.col(0);
    return body == world ? axis : Eigen::Vector3d(model_.bodies()[std::size_t(body)].axes.transpose() * axis);
  };
  for (const int body : {joint.body_a, joint.body_b}) {
    const Eigen::Vector3d to = place_in(body);
    if (body != world && to.norm() > 4 * width_)  // else the marker hides it
      add({Kind::body, body, -1, octahedron(Eigen::Vector3d::Zero(), 0.2 * to, to, width_)}, octahedron_triangles(), robot);
  }
  const int body = joint.body_b != world ? joint.body_b : joint.body_a;
  const Kind kind = joint.role == JointRole::actuator       ? Kind::actuator
                    : joint.role == JointRole::configurable ? Kind::configurable
                    : joint.role == JointRole::prescribed   ? Kind::prescribed
                                                            : Kind::passive;
  add({kind, body, -1, marker(place_in(body), 2.2 * width_)}, octahedron_triangles(), robot);
  if (is_dropped)
    add({Kind::dropped, body, -1, ring(place_in(body), axis_in(body), 3.2 * width_, 0.5 * width_)}, ring_triangles(), robot);
}

void RobotDrawing::add_target(const DrawnTarget& target, int number, FrameBody& robot) {
  // The middle has no triangle, but a trace.
  Part part{Kind::target, world, number, marker(Eigen::Vector3d::Zero(), 1.5 * width_)};
  part.points.push_back(Eigen::Vector3d::Zero());
  add(part, octahedron_triangles(), robot);
  robot.traces.push_back({"path of the target " + target.name, int(robot.vertex_count) - 1, Hue::violet, true});
  for (const BodyPoint& follower : target.followers) {
    add({Kind::body, follower.body, -1, {follower.point}}, {}, robot);
    robot.traces.push_back({"path of the point that follows it", int(robot.vertex_count) - 1, Hue::teal});
  }
}

void RobotDrawing::add(Part part, const Triangles& triangles, FrameBody& robot) {
  const int first = int(robot.vertex_count);
  for (const std::array<int, 3>& t : triangles) robot.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  robot.vertex_count += std::int64_t(part.points.size());
  parts_.push_back(std::move(part));
}

// Beside each other across the longer way that the robot takes.
void RobotDrawing::set_offset(const Eigen::MatrixXd& motion) {
  Eigen::AlignedBox3d box;
  for (Eigen::Index k = 0; k < motion.cols(); ++k)
    for (const Part& part : parts_)
      for (std::size_t i = 0; part.target < 0 && i < part.points.size(); ++i)
        box.extend(part.body == world ? part.points[i] : point_of(model_, motion.col(k), part.body, part.points[i]));
  const Eigen::Vector3d size = box.sizes();
  const int across = size[0] < size[1] ? 0 : 1;
  offset_[across] = size[across] + 0.8 * model_.length();
  layout_.length = (size + offset_).norm();
}

void RobotDrawing::draw_robot(const Eigen::VectorXd& states, const std::vector<Eigen::Vector3d>& targets,
                              const Eigen::Vector3d& offset, std::vector<double>& positions) const {
  for (const Part& part : parts_)
    for (const Eigen::Vector3d& point : part.points) {
      const Eigen::Vector3d place = offset + (part.target >= 0     ? Eigen::Vector3d(targets[std::size_t(part.target)] + point)
                                              : part.body == world ? point
                                                                   : point_of(model_, states, part.body, point));
      positions.insert(positions.end(), place.data(), place.data() + 3);
    }
}

void RobotDrawing::draw(const Eigen::VectorXd& initial, const Eigen::VectorXd& optimized,
                        const std::vector<Eigen::Vector3d>& targets, Frame& frame) const {
  frame.positions.clear();
  draw_robot(initial, targets, Eigen::Vector3d::Zero(), frame.positions);
  draw_robot(optimized, targets, offset_, frame.positions);
  frame.fields.assign(1, {});
  for (int robot = 0; robot < 2; ++robot)
    for (const Part& part : parts_) frame.fields[0].insert(frame.fields[0].end(), part.points.size(), float(part.kind));
}

}  // namespace holo
