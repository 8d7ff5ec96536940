#include "robot_design/robot_drawing.h"

#include <Eigen/Geometry>

namespace holo {

namespace {

constexpr int corners = 6;  // of an octahedron: two tips, and four around its thick end

using Octahedron = std::array<Eigen::Vector3d, corners>;

// A marker where the ends coincide.
Octahedron octahedron(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double width) {
  const double length = (to - from).norm();
  const bool is_bone = length > 4 * width;
  const Eigen::Vector3d axis = is_bone ? Eigen::Vector3d((to - from) / length) : Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d u = axis.unitOrthogonal(), v = axis.cross(u);
  const Eigen::Vector3d middle = is_bone ? Eigen::Vector3d(from + 0.2 * (to - from)) : to;
  const Eigen::Vector3d tip = is_bone ? to : Eigen::Vector3d(to + width * axis),
                        tail = is_bone ? from : Eigen::Vector3d(to - width * axis);
  return {tail, middle + width * u, middle + width * v, middle - width * u, middle - width * v, tip};
}

}  // namespace

RobotDrawing::RobotDrawing(const MechanismModel& model, int target_count) : model_(model), length_(model.length()) {
  offset_ = Eigen::Vector3d(0, -2.4 * length_, 0);
  layout_.length = 4 * length_;
  layout_.fields = {{"role", "1", "0 body, 1 passive joint, 2 actuator, 3 configurable joint, 4 target"}};
  FrameBody robot;
  for (const MechanismJoint& joint : model.joints()) {
    for (const int body : {joint.body_a, joint.body_b})
      if (body != world)
        add({body, Eigen::Vector3d::Zero(), joint.point - model.bodies()[std::size_t(body)].origin, 0, -1}, robot);
    const int body = joint.body_b != world ? joint.body_b : joint.body_a;
    const Eigen::Vector3d place = joint.point - model.bodies()[std::size_t(body)].origin;
    const float role = joint.role == JointRole::actuator ? 2.0f : joint.role == JointRole::configurable ? 3.0f : 1.0f;
    add({body, place, place, role, -1}, robot);
  }
  for (int i = 0; i < target_count; ++i) add({world, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 4.0f, i}, robot);
  for (const char* name : {"initial", "optimized"}) {
    layout_.bodies.push_back(robot);
    layout_.bodies.back().name = name;
  }
}

void RobotDrawing::add(const Piece& piece, FrameBody& to) {
  pieces_.push_back(piece);
  const int first = int(to.vertex_count);
  to.vertex_count += corners;
  for (int k = 0; k < 4; ++k) {
    const int here = first + 1 + k, next = first + 1 + (k + 1) % 4;
    to.triangles.push_back({first, next, here});
    to.triangles.push_back({first + 5, here, next});
  }
}

void RobotDrawing::draw_robot(const Eigen::VectorXd& states, const std::vector<Eigen::Vector3d>& targets,
                              const Eigen::Vector3d& offset, std::vector<double>& positions) const {
  const double width = 0.015 * length_;
  for (const Piece& piece : pieces_) {
    const Eigen::Vector3d shift = piece.target >= 0 ? Eigen::Vector3d(offset + targets[std::size_t(piece.target)]) : offset;
    const bool is_body = piece.role == 0;
    for (const Eigen::Vector3d& corner : octahedron(piece.from, piece.to, is_body ? width : 1.6 * width)) {
      const Eigen::Vector3d place = shift + (piece.body == world ? corner : point_of(model_, states, piece.body, corner));
      positions.insert(positions.end(), place.data(), place.data() + 3);
    }
  }
}

void RobotDrawing::draw(const Eigen::VectorXd& initial, const Eigen::VectorXd& optimized,
                        const std::vector<Eigen::Vector3d>& targets, Frame& frame) const {
  frame.positions.clear();
  draw_robot(initial, targets, Eigen::Vector3d::Zero(), frame.positions);
  draw_robot(optimized, targets, offset_, frame.positions);
  frame.fields.assign(1, {});
  for (int robot = 0; robot < 2; ++robot)
    for (const Piece& piece : pieces_) frame.fields[0].insert(frame.fields[0].end(), corners, piece.role);
}

}  // namespace holo
