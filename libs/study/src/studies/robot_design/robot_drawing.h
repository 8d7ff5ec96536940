#pragma once
// A mechanism as triangles: a bone from each body's origin to each of its joints, a marker at each joint and a ring around it
// where rows of it were dropped; the capsules that are kept apart; a marker at each target; and the paths of the targets and of the points that follow them.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "holo/study/study.h"
#include "studies/robot_design/robot_collisions.h"

namespace holo {

struct BodyPoint {
  int body = world;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // in its coordinates [m]
};

// A path, and the points that are to follow it.
struct DrawnTarget {
  std::string name;
  std::vector<BodyPoint> followers;
};

class RobotDrawing {
 public:
  // The model must live as long as the drawing. `dropped_joints` are numbers of joints. `motion` is states [.][knot] in units
  // of the model's length, which say how much room a robot takes.
  RobotDrawing(const MechanismModel& model, const std::vector<int>& dropped_joints, const std::vector<BodyCapsule>& capsules,
               const std::vector<DrawnTarget>& targets, const Eigen::MatrixXd& motion);

  // Two robots beside each other: as it begins, and as it becomes; and the targets beside each of them.
  const FrameLayout& layout() const { return layout_; }
  // `states` in units of the model's length, `targets` [m].
  void draw(const Eigen::VectorXd& initial, const Eigen::VectorXd& optimized, const std::vector<Eigen::Vector3d>& targets,
            Frame& frame) const;

 private:
  enum class Kind { body, passive, actuator, configurable, prescribed, dropped, capsule, target };
  // Vertices that move together.
  struct Part {
    Kind kind = Kind::body;
    int body = world;                     // that they move with, or
    int target = -1;                      // the target
    std::vector<Eigen::Vector3d> points;  // in its coordinates [m]
  };
  void add_joint(const MechanismJoint& joint, bool is_dropped, FrameBody& robot);
  void add_target(const DrawnTarget& target, int number, FrameBody& robot);
  void add(Part part, const std::vector<std::array<int, 3>>& triangles, FrameBody& robot);
  void set_offset(const Eigen::MatrixXd& motion);
  void draw_robot(const Eigen::VectorXd& states, const std::vector<Eigen::Vector3d>& targets, const Eigen::Vector3d& offset,
                  std::vector<double>& positions) const;

  const MechanismModel& model_;
  double width_;  // of a bone [m]
  std::vector<Part> parts_;
  FrameLayout layout_;
  Eigen::Vector3d offset_ = Eigen::Vector3d::Zero();
};

}  // namespace holo
