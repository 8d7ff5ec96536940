#pragma once
// Scene of a mechanism: each body is a rigid mesh of rods between its joints; each joint a marker with its axis, and a ring if
// it has redundant constraint equations; the collision capsules; a marker at each target; and the paths of the targets and of
// the points that follow them.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/sim/mechanism/kinematics/capsule_reach.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "holo/study/scene.h"

namespace holo {

struct BodyPoint {
  int body = world;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // in its coordinates [m]
};

// A target, and the points that follow it.
struct DrawnTarget {
  std::string name;
  std::vector<BodyPoint> followers;
};

class RobotDrawing {
 public:
  // The model must live as long as the drawing. `redundant_joints` are numbers of joints. `motion` is states
  // [state_count][knot] in the layout's units, from which the extent of the robot follows.
  RobotDrawing(const MechanismModel& model, const std::vector<int>& redundant_joints, const std::vector<BodyCapsule>& capsules,
               const std::vector<DrawnTarget>& targets, const Eigen::MatrixXd& motion);

  // Two groups, "initial" and "optimized", with the same bodies and glyphs.
  const Scene& scene() const { return scene_; }
  // Fills a frame. `initial` and `optimized` are states in the layout's units, `targets` positions [m].
  void draw(const Eigen::VectorXd& initial, const Eigen::VectorXd& optimized, const std::vector<Eigen::Vector3d>& targets,
            SceneFrame& frame) const;

 private:
  // The points of a glyph: fixed in a body, or relative to a target.
  struct Anchors {
    int body = world;
    int target = -1;
    std::vector<Eigen::Vector3d> points;  // in the body's coordinates; from the target [m]
  };
  void add_rods(int body, const std::vector<DrawnTarget>& targets);
  void add_joint(int number, bool is_redundant);
  void add_capsule(const BodyCapsule& capsule);
  void add_target(const DrawnTarget& target, int number);
  void add_body(int body, SceneBody drawn);
  void add_glyph(Anchors anchors, SceneGlyph glyph);
  void set_offset(const Eigen::MatrixXd& motion);
  Eigen::Vector3d place_of(const MechanismJoint& joint, int body) const;
  Eigen::Vector3d place_now(const Eigen::VectorXd& states, int body, const Eigen::Vector3d& point) const;
  void draw_robot(const Eigen::VectorXd& states, const std::vector<Eigen::Vector3d>& targets, SceneFrame& frame) const;

  const MechanismModel& model_;
  double width_;  // of a rod [m]
  Scene scene_;
  std::vector<int> mesh_bodies_;  // [rigid body of a group] the body of the model that it moves with
  std::vector<Anchors> anchors_;  // [glyph of a group]
};

}  // namespace holo
