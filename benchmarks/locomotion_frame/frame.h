#pragma once
// The stages of one frame of locomotion: a body on the ground whose muscles are to push its center of mass off.

#include <memory>

#include "bodies.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/opt/newton.h"
#include "holo/sim/control/inverse_step.h"

namespace holo::benchmark {

// Processor times [s] of one thread, each the median of several turns.
struct FrameTimes {
  double simulation = 0;     // a time step from the state before
  double forward = 0;        // a step solved again for other activations, from the accepted one
  double deep = 0;           // exact Newton steps to rounding, the last factor, adjoint and gradient: InverseStep::gradient
  double factorization = 0;  // of the Hessian of the potential, within the former
  double substitutions = 0;  // one for each activation
  double contractions = 0;   // adjoint_hessian: third derivatives of all terms, contracted with adjoint and sensitivities
  double hessian = 0;        // all of InverseStep::hessian, with the last two
  double activation_gradient = 0;  // forces of each activation, within `deep`
  double solve = 0;                // the whole inverse solve by Newton's method
};

struct FrameResult {
  std::string name;
  PaperFrame paper = {};
  int elements = 0, vertices = 0, activations = 0, contacts = 0;
  double fibers_of_an_element = 0;  // activations that pull an element, on average
  std::size_t factor_nonzeros = 0;
  int simulation_iterations = 0, simulation_factorizations = 0;
  int forward_iterations = 0, forward_factorizations = 0;
  int deep_factorizations = 0;
  int inverse_iterations = 0, forward_solves = 0, newton_iterations = 0;  // of the inverse solve
  int factorizations = 0, back_substitutions = 0;                         // of the inverse solve
  FrameTimes times;
};

// `linear_solver`: of the time step and of forward solves.
FrameResult measure_frame(const LocomotionBody& body, const std::shared_ptr<const MaterialPlugin>& material, int repetitions,
                          NewtonLinearSolver linear_solver);

}  // namespace holo::benchmark
