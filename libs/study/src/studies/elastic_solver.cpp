#include "studies/elastic_solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace holo {

namespace {

void read_newton(Configuration& solver, StepSolver& result) {
  const std::string linear_solver =
      solver.text("linear_solver", {.choices = {"reuse", "factorize"},
                                    .default_value = "reuse",
                                    .documentation = "of each direction after the first of a step: conjugate gradients with "
                                                     "the last factorization, or a factorization"});
  result.newton.linear_solver = linear_solver == "reuse" ? NewtonLinearSolver::reuse : NewtonLinearSolver::factorize;
}

void read_conjugate_gradients(Configuration& solver, StepSolver& result) {
  result.method = StepMethod::newton_pcg;
  result.linear_tolerance =
      solver.number("linear_tolerance", {.minimum = 0,
                                         .maximum = 1,
                                         .minimum_excluded = true,
                                         .maximum_excluded = true,
                                         .default_value = result.linear_tolerance,
                                         .documentation = "of a direction: its residual over the gradient, both in the norm of "
                                                          "the preconditioner's inverse"});
  result.max_linear_iterations =
      static_cast<int>(solver.integer("max_linear_iterations", {.minimum = 1,
                                                                .maximum = 1'000'000,
                                                                .default_value = result.max_linear_iterations,
                                                                .documentation = "limit of the products of a direction"}));
}

// The bodies whose material gives no products in this mode.
void require_products(Configuration& solver, const ElasticModelDefinition& scene, ElementDifferentiation mode) {
  for (const ElasticBodyDefinition& body : scene.bodies) {
    if (!body.material) continue;
    const std::vector<std::string> modes = modes_with_stress_differential(*body.material);
    if (std::find(modes.begin(), modes.end(), to_string(mode)) != modes.end()) continue;
    solver.problem(solver.location("type"),
                   fmt::format("newton_pcg needs products of the Hessian with a vector, which the material '{}' of '{}' does "
                               "not give in the mode {} of differentiation; it gives them in: {}",
                               body.material->name, body.name, to_string(mode), fmt::join(modes, ", ")));
  }
}

}  // namespace

void read_newton_limits(Configuration& solver, const std::string& what, NewtonOptions& options) {
  options.tolerance =
      solver.number("tolerance", {.minimum = 0,
                                  .minimum_excluded = true,
                                  .default_value = options.tolerance,
                                  .documentation = "largest full step that ends the iterations, over the scene's length"});
  options.max_iterations =
      static_cast<int>(solver.integer("max_iterations", {.minimum = 1,
                                                         .maximum = 1'000'000,
                                                         .default_value = options.max_iterations,
                                                         .documentation = "limit of the iterations of " + what}));
}

StepSolver read_step_solver(Configuration& parent, const ElasticModelDefinition& scene, ElementDifferentiation mode) {
  Configuration solver = parent.section("solver", "solver of each time step", false);
  StepSolver result;
  read_newton_limits(solver, "a time step", result.newton);
  result.accepts_iteration_limit =
      solver.text("at_iteration_limit",
                  {.choices = {"fail", "accept"},
                   .default_value = "fail",
                   .documentation = "a step that used up its iterations ends the run, or ends at the best point found"}) ==
      "accept";
  solver.branch("type",
                {{"newton", "line-search Newton with factorizations", [&](Configuration& p) { read_newton(p, result); }},
                 {"newton_pcg", "line-search Newton with conjugate gradients and products of the Hessian, without a matrix",
                  [&](Configuration& p) { read_conjugate_gradients(p, result); }},
                 {"gradient_descent", "preconditioned gradient descent",
                  [&](Configuration&) { result.method = StepMethod::gradient_descent; }}},
                "newton", "minimizer of each time step");
  if (result.method == StepMethod::newton_pcg && !solver.recording()) require_products(solver, scene, mode);
  return result;
}

}  // namespace holo
