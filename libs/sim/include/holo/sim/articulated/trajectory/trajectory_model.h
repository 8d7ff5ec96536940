#pragma once
// The data of a trajectory's optimization: a character, obstacles, the start, losses and the effort of the controls.

#include <memory>
#include <vector>

#include "holo/sim/articulated/trajectory/articulated_observables.h"

namespace holo::articulated {

// Immutable after construction; problems share it.
class TrajectoryModel {
 public:
  struct Definition {
    std::shared_ptr<const CharacterModel> character;
    StepConstants step;               // its obstacles are replaced by those below
    std::vector<Obstacle> obstacles;  // arrays that they point to are the owner's
    int steps = 1;                    // N >= 1, the states x_1 ... x_N are sought
    CharacterPose start, before;      // x_0 and x_-1
    // x_N of a given end; a spline rests there if its velocity is given, too. Without coordinates: the start. Its reference
    // rotations are those of the start.
    CharacterPose end = {};
    std::vector<NamedLoss> losses;  // at the states 1 ... N
    // Signals at the states 0 ... N. The model sets the time step to that of `step`, and initial controls, where there are
    // none, to those of a character that stays in the start.
    LossData data;
    // Of E_effort = weight sum over steps of the mean over the actuated degrees of freedom of (u / unit)^2.
    double effort_weight = 1e-4;
    double effort_unit = 1;  // [N or N m]
  };
  // Throws Error(input) for a loss whose observables a character lacks, Error(internal) for sizes that do not fit, a time step
  // that is not above 0 and weights that are negative.
  explicit TrajectoryModel(Definition definition);
  TrajectoryModel(TrajectoryModel&&) = default;  // a copy would point to the obstacles of the original

  const CharacterModel& character() const { return *definition_.character; }
  const StepConstants& step() const { return step_; }
  const Definition& definition() const { return definition_; }
  int steps() const { return definition_.steps; }
  const LossSum<ArticulatedObservables>& losses() const { return losses_; }
  const LossData& data() const { return definition_.data; }
  const std::vector<int>& unactuated() const { return unactuated_; }
  double effort_factor() const { return effort_factor_; }  // of |u_i|^2 in E
  double weight() const;                                   // mass times gravity [N]
  const CharacterPose& end() const { return definition_.end.coordinates.empty() ? definition_.start : definition_.end; }

 private:
  Definition definition_;
  StepConstants step_;
  std::vector<int> unactuated_;
  LossSum<ArticulatedObservables> losses_;
  double effort_factor_ = 0;
};

// Mass times gravity times the radius of gyration about the center of mass in this pose [N m]: a unit for the controls of a
// character, as TrajectoryModel::Definition::effort_unit takes it.
double characteristic_torque(const CharacterModel& model, const CharacterPose& pose, double gravity);

}  // namespace holo::articulated
