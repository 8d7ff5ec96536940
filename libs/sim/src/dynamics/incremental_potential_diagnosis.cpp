// Terms and advice of the incremental potential for diagnoses.
#include <fmt/format.h>

#include "elastic/element/element_fault.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {

std::vector<NewtonProblem::Term> IncrementalPotential::terms(const Eigen::VectorXd& x) {
  std::vector<Term> result;
  for (const auto& term : terms_)
    for (PotentialTerm::Part& part : term->parts(x)) {
      for (int vertex = 0; vertex < model_->vertex_count(); ++vertex)
        if (prescribed_[vertex]) part.gradient.segment<3>(3 * vertex).setZero();
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

}  // namespace

std::string IncrementalPotential::advice(NewtonStatus status, const Eigen::VectorXd& x) const {
  const bool not_finite = status == NewtonStatus::infeasible_start || status == NewtonStatus::not_finite;
  const auto fault = not_finite ? find_element_fault(*model_, x) : std::nullopt;
  if (fault && fault->is_in_domain) return advice_on(*fault) + elasticity_->singular_obstacles();
  const std::string place = fault ? ": " + to_string(*fault) : "";
  switch (status) {
    case NewtonStatus::infeasible_start:
      return "a smaller scene.time_step, or handles that move more slowly: their motion turns elements inside out within one "
             "step" +
             place;
    case NewtonStatus::iteration_limit:
      return "a smaller scene.time_step or a larger solver.max_iterations";
    case NewtonStatus::line_search_failed:
      return "a smaller scene.time_step or a larger solver.tolerance; if neither helps, compare the material's derivatives "
             "with those of another mode (differentiation.elements)";
    case NewtonStatus::not_positive_definite:
      return "a smaller scene.time_step, which adds inertia to the Hessian";
    case NewtonStatus::not_finite:
      return "a smaller scene.time_step" + place + elasticity_->singular_obstacles();
    case NewtonStatus::converged:
      break;
  }
  return "";
}

}  // namespace holo
