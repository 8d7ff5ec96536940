#pragma once
// A forward time step of a character: the newest state whose residual is the controls, by Newton's method.
//
//   ArticulatedStepper stepper(character);
//   CharacterPose previous = character.rest(), current = previous, newest;
//   const StepResult result = stepper.step(step, previous, current, controls, newest);
//   if (!result.solved()) log(describe(character, result));

#include <Eigen/Dense>
#include <string>

#include "holo/sim/articulated/dynamics/step_memory.h"

namespace holo::articulated {

struct StepOptions {
  double tolerance = 1e-9;   // largest residual [N or N m]
  int max_iterations = 200;  // of Newton's method; of each share of friction, where the step follows these
};

enum class StepStatus {
  converged,        // the residual is below the tolerance
  rounding,         // the residual is above the tolerance, and as small as rounding errors let it be
  iteration_limit,  // max_iterations did not suffice
  stalled,          // no step along Newton's direction reduced the residual
  singular,         // dFD/dx+ is singular
  not_finite,       // the residual of the first guess is not finite
};

struct StepResult {
  StepStatus status = StepStatus::converged;
  int iterations = 0;
  double residual = 0;  // largest entry of |FD - controls| [N or N m]
  int dof = 0;          // whose entry this is
  bool solved() const { return status == StepStatus::converged || status == StepStatus::rounding; }
};

// "did not converge in 200 iterations: the residual of 'knee' is 0.3; ...", with what to try.
std::string describe(const CharacterModel& model, const StepResult& result);

// Owns the memory of steps: step() does not allocate after the first call. The model must outlive it.
class ArticulatedStepper {
 public:
  explicit ArticulatedStepper(const CharacterModel& model);

  // Finds `newest` with FD(newest, current, previous) = controls, which has dof_count entries, 0 for passive degrees of
  // freedom, by Newton's method; where that fails and there is friction, along growing shares of it from a step without. Its
  // reference rotations are those of `current`. On failure `newest` is the best state found.
  StepResult step(const StepConstants& step, const CharacterPose& previous, const CharacterPose& current,
                  const Eigen::VectorXd& controls, CharacterPose& newest, const StepOptions& options = {});

 private:
  double evaluate(const StepConstants& step, const Eigen::VectorXd& coordinates, const Eigen::VectorXd& controls);
  void choose_guess(const StepConstants& step, const CharacterPose& previous, const CharacterPose& current,
                    const Eigen::VectorXd& controls);
  StepResult iterate(const StepConstants& step, const Eigen::VectorXd& controls, const StepOptions& options);
  StepResult follow_friction(const StepConstants& step, const Eigen::VectorXd& controls, const StepOptions& options,
                             const StepResult& failed);
  bool search(const StepConstants& step, const Eigen::VectorXd& controls);
  double rounding_error(const StepConstants& step) const;

  const CharacterModel& model_;
  StepMemory<double> memory_;
  Eigen::VectorXd coordinates_, residual_, direction_, trial_;
  Eigen::VectorXd guess_, followed_,
      best_;  // the first guess; the last solution of a share of friction; the state of a failure
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> jacobians_[3];
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  double norm_ = 0;  // of the residual at coordinates_
};

}  // namespace holo::articulated
