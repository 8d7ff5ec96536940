#pragma once
// The states of a trajectory with their frames and twists, in flat arrays.

#include <vector>

#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/articulated/dynamics/plugin_motions.h"
#include "holo/sim/articulated/dynamics/step_data.h"

namespace holo::articulated {

// States -1, 0, ..., N of a character: coordinates, reference rotations of the charts, and what kinematics makes of them. The
// model must outlive it.
class TrajectoryStates {
 public:
  // All states are `pose`.
  TrajectoryStates(const CharacterModel& model, int steps, const CharacterPose& pose);

  const CharacterModel& model() const { return *model_; }
  int steps() const { return steps_; }  // N
  double* coordinates(int state) { return coordinates_.data() + offset(state) * dofs(); }
  const double* coordinates(int state) const { return coordinates_.data() + offset(state) * dofs(); }
  Matrix3<double>* references(int state) { return references_.data() + offset(state) * charts(); }
  const Matrix3<double>* references(int state) const { return references_.data() + offset(state) * charts(); }
  CharacterPose pose(int state) const;
  void set_pose(int state, const CharacterPose& pose);

  // Frames and twists of the states first ... last, in parallel.
  void update(int first, int last);
  // With their coordinates and references. Kernels read the arrays of these views alone.
  StepState<double> view(int state) const;
  // x_i, x_i-1, x_i-2 of a time step 1 ... N.
  StepStates<double> step_states(int step) const { return {view(step), view(step - 1), view(step - 2)}; }

 private:
  std::size_t offset(int state) const { return std::size_t(state + 1); }
  std::size_t dofs() const { return std::size_t(model_->dof_count()); }
  std::size_t charts() const { return model_->rest().references.size(); }

  const CharacterModel* model_;
  int steps_;
  std::vector<double> coordinates_;
  std::vector<Matrix3<double>> references_;
  // Views have pointers to memory that may change, since kernels write and read frames through the same type.
  mutable std::vector<RigidFrame<double>> frames_;
  mutable std::vector<Twist<double>> twists_;
  PluginMotionMemory<double> motions_;
};

}  // namespace holo::articulated
