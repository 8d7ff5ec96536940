// The kernels in device code: compiled for a device, not run.
#include "kernels.cpp"

__global__ void evaluate_on_device(holo::articulated::CharacterData model, holo::articulated::StepConstants step,
                                   holo::articulated::StepStates<double> states,
                                   holo::articulated::StepWorkspace<double> workspace, double* residual, double* jacobians) {
  const int size = model.dof_count * model.dof_count;
  holo::articulated::evaluate(model, step, states, workspace, residual, jacobians, jacobians + size, jacobians + 2 * size);
}
