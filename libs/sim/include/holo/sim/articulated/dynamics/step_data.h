#pragma once
// Arguments of the residual of a time step as plain data: constants of the step, three states, and scratch memory
// of the caller.

#include "holo/sim/articulated/dynamics/character_data.h"
#include "holo/sim/articulated/dynamics/obstacle.h"

namespace holo::articulated {

// Where inertia and gravity are projected on the degrees of freedom.
enum class InertiaRule : int {
  end,  // at the newest state [Pan2019, Eq 5]: of first order, damps rotations
  mid,  // at the current state: of second order, conserves momenta
};

struct StepConstants {
  double time_step = 0.025;                 // [s]
  Vector3<double> gravity = {0, 0, -9.81};  // [m/s^2]
  InertiaRule inertia = InertiaRule::end;
  double normal_weight = 0;          // w_n of contact [N/m^2]
  double tangential_weight = 0;      // w_t of contact [N s/m^3]
  double self_collision_weight = 0;  // w of w (overlap)^3 [J/m^3]
  const Obstacle* obstacles = nullptr;
  int obstacle_count = 0;
};

// A state with its frames and twists.
template <class S>
struct StepState {
  CharacterState<S> state;
  CharacterKinematics<S> kinematics;
};

// x+, x0 and x-: the states after, before, and one step before the time step. Their kinematics are computed by the caller, once
// for the three steps that share a state.
template <class S>
struct StepStates {
  StepState<S> newest, current, previous;
};

// sum of f [P; 1]^T over forces f at points P of the world: moments and forces of a body [N m, N].
template <class S>
using WrenchMatrix = Matrix<S, 3, 4>;

// Arrays of dof_count entries.
template <class S>
struct StepWorkspace {
  WrenchMatrix<S>* inertial = nullptr;  // inertia less gravity, at the points of the state at which InertiaRule projects
  WrenchMatrix<S>* applied = nullptr;   // contact and self-collision, at the points of the newest state
  // T_test E T^T of the newest, the current and the previous state, summed over subtrees; used by Jacobians only.
  Matrix<S, 4, 4>*moments_newest = nullptr, *moments_current = nullptr, *moments_previous = nullptr;
};

template <class S>
HOLO_FN constexpr const StepState<S>& test_state(const StepConstants& step, const StepStates<S>& states) {
  return step.inertia == InertiaRule::end ? states.newest : states.current;
}

}  // namespace holo::articulated
