#pragma once
// The `solver:` section of experiments with elastic bodies.

#include <string>

#include "holo/core/configuration.h"
#include "holo/sim/dynamics/step_solver.h"
#include "holo/sim/elastic/elastic_scene_definition.h"

namespace holo {

// Reads `tolerance` and `max_iterations`, of `what` ("a time step"); the options have the defaults.
void read_newton_limits(Configuration& solver, const std::string& what, NewtonOptions& options);

// Reads the section of `parent`:
//
//   solver:
//     type: newton                    # default; or newton_pcg, gradient_descent
//     tolerance: 1.0e-8               # largest full step that ends the iterations, over the scene's length
//     max_iterations: 100             # of a time step
//     at_iteration_limit: fail        # default; or accept
//     linear_solver: reuse            # newton alone
//     linear_tolerance: 1.0e-6        # newton_pcg alone, with the next one
//     max_linear_iterations: 2000
//
// newton_pcg with a mode of differentiation that offers no products of a body's Hessian is reported with the modes that do.
StepSolver read_step_solver(Configuration& parent, const ElasticModelDefinition& scene, ElementDifferentiation mode);

}  // namespace holo
