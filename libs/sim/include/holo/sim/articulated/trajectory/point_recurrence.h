#pragma once
// The recurrence by which a network continues a motion point by point: the states are normalized points (x, tau) of a spline,
// and with the frame `heading` neither where the character is nor where it heads matters.
// docs/trajectory-optimization.md#repeatable-motions has the formulas.

#include <Eigen/Core>
#include <vector>

#include "holo/opt/network/network_losses.h"
#include "holo/sim/articulated/trajectory/trajectory_model.h"

namespace holo::articulated {

enum class PointFrame {
  heading,  // features without horizontal position and yaw; the output is the change, as seen along the heading
  world     // all of the point; the output is the next point
};

class PointRecurrence final : public NetworkRecurrence {
 public:
  // Points are normalized with the model's start, in which the character does not move, and with half the range of a limited
  // joint, the character's radius of gyration for other lengths, and 1 rad else. Throws Error(input) for the frame
  // `heading` and a base whose rotation has no yaw of its own.
  PointRecurrence(const TrajectoryModel& model, PointFrame frame);

  PointFrame frame() const { return frame_; }
  int state_size() const { return int(scale_.size()); }  // 2 dof
  int feature_count() const { return int(kept_.size()); }
  // Normalized points [2 dof][point], and how much a change of a point changes them [2 dof].
  Eigen::MatrixXd normalized(const Eigen::MatrixXd& points) const;
  Eigen::VectorXd normalization() const { return scale_.cwiseInverse(); }

  void features(const ConstVector& state, Vector features) const override;
  void next(const ConstVector& state, const ConstVector& output, Vector next) const override;
  void pull_features(const ConstVector& state, const ConstVector& adjoint, Vector state_adjoint) const override;
  void pull_next(const ConstVector& state, const ConstVector& output, const ConstVector& adjoint, Vector state_adjoint,
                 Vector output_adjoint) const override;
  // The output that leads to a next state.
  void output_between(const ConstVector& state, const ConstVector& next, Vector output) const;

 private:
  struct Heading;
  void find_heading(const CharacterModel& model);
  Heading heading(const ConstVector& state) const;

  PointFrame frame_;
  Eigen::VectorXd start_, scale_;                  // [2 dof]
  int x_ = -1, y_ = -1, yaw_ = -1;                 // degrees of freedom; -1: the base has none
  std::vector<int> kept_;                          // entries of the state that are features
  int feature_along_x_ = 0, feature_along_y_ = 0;  // features that are seen along the heading: tangents of x and y
};

}  // namespace holo::articulated
