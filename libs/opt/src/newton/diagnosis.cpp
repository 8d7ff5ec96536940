#include "newton/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace holo {
namespace {

std::string happened(const NewtonOptions& options, const NewtonResult& result) {
  const double step = result.iterations.empty() ? 0 : result.iterations.back().step_size;
  switch (result.status) {
    case NewtonStatus::converged:
      break;
    case NewtonStatus::iteration_limit:
      return fmt::format("after {} iterations the step is still {:.3g}, the tolerance is {:.3g}", options.max_iterations, step,
                         options.tolerance);
    case NewtonStatus::line_search_failed:
      return fmt::format("iteration {} found no decrease of the energy along its direction (step {:.3g}, tolerance {:.3g})",
                         result.iterations.size(), step, options.tolerance);
    case NewtonStatus::not_positive_definite:
      return "the Hessian is not positive definite, even with the largest diagonal shift";
    case NewtonStatus::infeasible_start:
      return "the energy is not finite at the starting point";
    case NewtonStatus::not_finite:
      return fmt::format("iteration {} met a gradient or Hessian entry that is not finite", result.iterations.size() + 1);
  }
  return "";
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.3g}", value) : "not finite"; }

}  // namespace

std::string diagnosis_of(NewtonProblem& problem, const Eigen::VectorXd& x, const std::string& method,
                         const NewtonOptions& options, const NewtonResult& result) {
  auto terms = problem.terms(x);
  auto rank = [](const NewtonProblem::Term& term) {  // what is not finite comes first
    return std::isfinite(term.gradient_norm) && std::isfinite(term.energy) ? term.gradient_norm
                                                                           : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(terms.begin(), terms.end(), [&](const auto& a, const auto& b) { return rank(a) > rank(b); });
  std::string text = method + ": " + happened(options, result) + ".";
  for (std::size_t i = 0; i < terms.size(); ++i)
    text += fmt::format("{} {} (energy {}, gradient {})",
                        i == 0   ? " The largest term is"
                        : i == 1 ? "; then"
                                 : ",",
                        terms[i].name, number(terms[i].energy), number(terms[i].gradient_norm));
  if (!terms.empty()) text += ".";
  const std::string advice = problem.advice(result.status, x);
  return advice.empty() ? text : text + " Try " + advice + ".";
}

}  // namespace holo
