// Terms and advice of the incremental potential for diagnoses.
#include <fmt/format.h>

#include <algorithm>

#include "elastic/element/element_fault.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "holo/sim/dynamics/inertia.h"

namespace holo {

std::vector<NewtonProblem::Term> IncrementalPotential::terms(const Eigen::VectorXd& x) {
  std::vector<Term> result;
  for (const auto& term : terms_)
    for (PotentialTerm::Part& part : term->parts(x)) {
      clear_prescribed(part.gradient);
      result.push_back({part.name, part.energy, part.gradient.norm()});
    }
  return result;
}

namespace {

// Advice on an energy that is not finite although its domain allows the deformation: an error of the material, not of a handle.
std::string advice_on(const ElementFault& fault) {
  return fmt::format(
      "other parameters of the material '{0}', or an energy that is finite there: {1}, which its domain allows "
      "(`holo describe {0}` prints the formula)",
      fault.body->material->name, to_string(fault));
}

std::string advice_on_time_step(NewtonStatus status) {
  switch (status) {
    case NewtonStatus::infeasible_start:
      return "a smaller scene.time_step, or handles that move more slowly: their motion turns elements inside out within one "
             "step";
    case NewtonStatus::iteration_limit:
      return "a smaller scene.time_step or a larger solver.max_iterations";
    case NewtonStatus::line_search_failed:
      return "a smaller scene.time_step or a larger solver.tolerance; if neither helps, compare the material's derivatives "
             "with those of another mode (differentiation.elements)";
    case NewtonStatus::not_positive_definite:
      return "a smaller scene.time_step, which adds inertia to the Hessian";
    case NewtonStatus::not_finite:
      return "a smaller scene.time_step";
    case NewtonStatus::converged:
      break;
  }
  return "";
}

std::string advice_on_equilibrium(NewtonStatus status) {
  switch (status) {
    case NewtonStatus::infeasible_start:
      return "smaller steps of the loads and handles: their motion turns elements inside out within one step";
    case NewtonStatus::iteration_limit:
      return "smaller steps of the loads and handles, or more iterations";
    case NewtonStatus::line_search_failed:
      return "smaller steps of the loads and handles, or a larger tolerance";
    case NewtonStatus::not_positive_definite:
      return "handles that hold every body: without inertia nothing else resists a rigid motion";
    case NewtonStatus::not_finite:
      return "smaller steps of the loads and handles";
    case NewtonStatus::converged:
      break;
  }
  return "";
}

}  // namespace

std::string IncrementalPotential::advice(NewtonStatus status, const Eigen::VectorXd& x) const {
  const bool not_finite = status == NewtonStatus::infeasible_start || status == NewtonStatus::not_finite;
  const auto fault = not_finite ? find_element_fault(elasticity_->model(), x) : std::nullopt;
  if (fault && fault->is_in_domain) return advice_on(*fault) + elasticity_->singular_obstacles();
  const std::string place = fault ? ": " + to_string(*fault) : "";
  const std::string obstacle = status == NewtonStatus::not_finite ? elasticity_->singular_obstacles() : "";
  const bool has_inertia = std::any_of(terms_.begin(), terms_.end(),
                                       [](const auto& term) { return dynamic_cast<const Inertia*>(term.get()) != nullptr; });
  return (has_inertia ? advice_on_time_step(status) : advice_on_equilibrium(status)) + place + obstacle;
}

}  // namespace holo
