#pragma once
// A mechanism as a scene: each body a rigid mesh of rods between its joints; each joint a marker with its axis, and a ring
// where constraint equations of it were dropped; the capsules that are kept apart; a marker at each target; and the paths of
// the targets and of the points that follow them.

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

// A path, and the points that are to follow it.
struct DrawnTarget {
  std::string name;
  std::vector<BodyPoint> followers;
};

class RobotDrawing {
 public:
  // The model must live as long as the drawing. `dropped_joints` are numbers of joints. `motion` is states [.][knot] in units
  // of the model's length, which say how much room a robot takes.
  RobotDrawing(const MechanismModel& model, const std::vector<int>& redundant_joints, const std::vector<BodyCapsule>& capsules,
               const std::vector<DrawnTarget>& targets, const Eigen::MatrixXd& motion);

  // Two groups, "initial" and "optimized", which hold the same bodies and glyphs.
  const Scene& scene() const { return scene_; }
  // `states` in units of the model's length, `targets` [m].
  void draw(const Eigen::VectorXd& initial, const Eigen::VectorXd& optimized, const std::vector<Eigen::Vector3d>& targets,
            SceneFrame& frame) const;

 private:
  // Points that a glyph is drawn at: fixed in a body, or those of a target.
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
