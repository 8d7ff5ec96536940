// All kernels of articulated dynamics, over double and the complex step: compiled without exceptions and run-time types, and
// for a device (kernels.cu), not run.
#include "holo/diff/scalars/complex.h"
#include "holo/sim/articulated/dynamics/step_jacobians.h"

namespace holo::articulated {

using ComplexStep = Complex<double>;

HOLO_FN void evaluate(const CharacterData& model, const StepConstants& step, const StepStates<double>& states,
                      const StepWorkspace<double>& workspace, double* residual, double* D0, double* D1, double* D2) {
  for (const StepState<double>* state : {&states.newest, &states.current, &states.previous})
    character_kinematics(model, state->state, state->kinematics);
  step_residual(model, step, states, workspace, residual);
  step_jacobians(model, step, states, workspace, D0, D1, D2);
  residual[0] = limit_energy(model, states.newest.state.coordinates) + self_collision_energy(model, step, states);
}

HOLO_FN void evaluate(const CharacterData& model, const StepConstants& step, const StepStates<ComplexStep>& states,
                      const StepWorkspace<ComplexStep>& workspace, ComplexStep* residual) {
  character_kinematics(model, states.newest.state, states.newest.kinematics);
  step_residual(model, step, states, workspace, residual);
  residual[0] = limit_energy(model, states.newest.state.coordinates) + self_collision_energy(model, step, states);
}

}  // namespace holo::articulated
