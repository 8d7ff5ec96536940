#pragma once
// A mechanism as triangles: a bone from each body's origin to each of its joints, a marker at each joint, one for each target.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/mechanism/mechanism_motion.h"
#include "holo/study/study.h"

namespace holo {

class RobotDrawing {
 public:
  // The model must live as long.
  RobotDrawing(const MechanismModel& model, int target_count);

  // Two robots beside each other: as it begins, and as it becomes; and the targets beside each of them.
  const FrameLayout& layout() const { return layout_; }
  // `states` in units of the model's length, `targets` [m].
  void draw(const Eigen::VectorXd& initial, const Eigen::VectorXd& optimized, const std::vector<Eigen::Vector3d>& targets,
            Frame& frame) const;

 private:
  struct Piece {
    int body = world;                                                              // that it moves with
    Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  // in its coordinates
    float role = 0;
    int target = -1;
  };
  void add(const Piece& piece, FrameBody& to);
  void draw_robot(const Eigen::VectorXd& states, const std::vector<Eigen::Vector3d>& targets, const Eigen::Vector3d& offset,
                  std::vector<double>& positions) const;

  const MechanismModel& model_;
  double length_;
  std::vector<Piece> pieces_;
  FrameLayout layout_;
  Eigen::Vector3d offset_;
};

}  // namespace holo
