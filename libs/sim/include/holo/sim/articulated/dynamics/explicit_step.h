#pragma once
// A forward time step of a character with all forces at its start, for comparisons with the implicit step of
// articulated_step.h: semi-implicit Euler, as simulators step that compute accelerations of forces.
//
//   M(q0) (v+ - v) / dt + c(q0, v) = forces(q0, v) + controls,   q+ = q0 + dt v+
//
// It solves one linear system and never fails; beyond a length of the step that contact and joints set, the motion gains energy
// without bound.

#include <Eigen/Dense>

#include "holo/sim/articulated/dynamics/step_memory.h"

namespace holo::articulated {

// Owns the memory of steps: step() does not allocate. The model must outlive it.
class ExplicitStepper {
 public:
  explicit ExplicitStepper(const CharacterModel& model);

  // Finds `newest` with the same model of contact, springs and limits as the residual of the implicit step. `controls` has
  // dof_count entries [N or N m]. All three poses have the reference rotations of `current`; throws Error(internal) where
  // `previous` has others. Of StepConstants the rule of inertia has no effect. False where the mass matrix is
  // singular and where the result is not finite.
  bool step(const StepConstants& step, const CharacterPose& previous, const CharacterPose& current,
            const Eigen::VectorXd& controls, CharacterPose& newest);

 private:
  void set_states(const CharacterPose& previous, const CharacterPose& current);
  void find_forces(const StepConstants& step);

  const CharacterModel& model_;
  // q0 + dt v, q0, q0 - dt v, and q0 - 2 dt v, of which only coordinates are read.
  StateMemory<double> ahead_, current_, previous_, before_;
  std::vector<WrenchMatrix<double>> inertial_, applied_;
  std::vector<Matrix<double, 4, 4>> moments_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> mass_;
  Eigen::VectorXd forces_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace holo::articulated
