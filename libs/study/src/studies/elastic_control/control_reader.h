#pragma once
// Reader of the sections of an `elastic_control` experiment beside those that all elastic scenes have.
//
//   control:
//     method: newton                # default; gauss_newton, l_bfgs, gradient_descent
//     warm_start: 3                 # iterations of gradient descent before it
//     max_iterations: 15
//     tolerance: 1.0e-4             # of the gradient, in the losses' unit over that of the activations, the shear modulus
//     least_decrease: 1.0e-4        # relative; an iteration that gains less is the last one
//     lag_passes: 3                 # minimizations, each with the normal forces of the one before
//     least_volume: 0.05            # of an element over that at rest, at which activations are refused
//     regularization: {magnitude: 1.0e-2, change: 1.0e-3}
//   losses: [...]                   # of all frames
//   phases:                         # default: one phase with these losses
//     - {name: crouch, frames: 10, losses: [...]}
//     - {name: push, until: airborne, frames: 12, losses: [...]}
//     - {name: land, until: 60, losses: [...]}             # a frame of the scene
//     - {name: rest, losses: [...]}                        # until the end of the scene
//
// In the signals of all losses t counts from the beginning of the phase.

#include <vector>

#include "holo/sim/control/frame_control.h"
#include "holo/sim/control/phase_schedule.h"
#include "studies/elastic_losses.h"

namespace holo {

struct ControlDefinition {
  FrameControlOptions frame;                                         // without bounds
  NewtonLinearSolver linear_solver = NewtonLinearSolver::factorize;  // of forward solves
  double least_volume = 0.05;  // of an element over that at rest: activations that crush one further are refused
  bool certificate = true;     // whether derivatives are compared with differences at the end
};

struct ControlPlan {
  ControlDefinition control;
  ElasticLossPlan common;  // signals, and losses of all frames
  // Losses of all frames that choose among activations of the same effect: `control.regularization`, by the plugins
  // activation_energy and activation_change. They are reported as one number.
  std::vector<NamedLoss> regularization = {};
  std::vector<PhaseDefinition> phases = {};
  std::vector<std::vector<NamedLoss>> phase_losses = {};  // [phase], named "PHASE.LOSS"

  std::vector<NamedLoss> all_losses() const;  // the common ones first
};

// Problems are reported through the configuration file: bodies without muscles, or with muscles that follow a signal; losses
// that are unknown; no loss at all; phases of one name, without an end, or whose end comes before they can begin.
ControlPlan read_control(Configuration& experiment, const PluginHost& host, const ElasticSceneDefinition& scene,
                         std::vector<UsedPlugin>& plugins);

}  // namespace holo
