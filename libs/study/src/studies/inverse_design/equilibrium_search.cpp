#include "studies/inverse_design/equilibrium_search.h"

#include "holo/core/runs/archive.h"
#include "studies/inverse_design/hessian_certificate.h"

namespace holo {

namespace {

constexpr double most_of_a_search = 0x1p53;

void visit(Archive& archive, EquilibriumSearch& search) {
  for (std::int64_t* count : {&search.steps_done, &search.iterations, &search.evaluations, &search.factorizations})
    archive.visit(*count, most_of_a_search);
  for (double* number : {&search.objective, &search.hessian_difference, &search.distance}) archive.visit(*number);
  archive.visit_sized(search.found);
}

}  // namespace

DenseResult EquilibriumSearch::run(EquilibriumProblem& problem, const DenseBounds& bounds, const DenseOptions& options,
                                   StudyOutput& output) {
  hessian_difference = holo::hessian_difference(problem, found);
  const int before = problem.factorizations();
  DenseWorkspace workspace;
  DenseResult result = minimize(problem, bounds, found, options, workspace);
  factorizations = problem.factorizations() - before;
  iterations = std::int64_t(result.iterations.size());
  for (const DenseIteration& iteration : result.iterations) {
    evaluations += iteration.evaluations;
    output.row({double(iteration.iteration), iteration.value, iteration.projected_gradient, double(iteration.evaluations)});
  }
  objective = result.value;
  return result;
}

std::string EquilibriumSearch::serialize(std::string_view kind) const {
  Archive archive(kind, 1);
  EquilibriumSearch copy = *this;
  visit(archive, copy);
  return archive.take_bytes();
}

void EquilibriumSearch::deserialize(std::string_view kind, std::string_view bytes) {
  Archive archive(kind, 1, bytes);
  const Eigen::Index count = found.size();
  visit(archive, *this);
  archive.require_end();
  if (found.size() != count) Archive::refuse("it has another number of parameters");
}

std::vector<Quantity> EquilibriumSearch::columns(std::string objective, std::string projected_gradient) {
  return {{"iteration", "1", "of Newton's method"},
          {"objective", "1", std::move(objective)},
          {"projected_gradient", "1", std::move(projected_gradient)},
          {"evaluations", "1", "of the objective, each an equilibrium"}};
}

std::vector<ColumnPlot> EquilibriumSearch::plots() {
  return {{"Objective by iteration", "iteration", {"objective"}, true},
          {"Gradient by iteration", "iteration", {"projected_gradient"}, true}};
}

std::vector<Quantity> EquilibriumSearch::metric_quantities() {
  return {{"iterations", "1", "of Newton's method"},
          {"evaluations", "1", "of the objective, each an equilibrium"},
          {"factorizations", "1", "of all equilibria and derivatives"},
          {"objective", "1", "at the end"},
          {"hessian_difference", "1",
           "largest difference of the exact Hessian from differences of the gradient, at the start, over the largest entry"}};
}

std::vector<Metric> EquilibriumSearch::metrics() const {
  return {{"iterations", double(iterations)},
          {"evaluations", double(evaluations)},
          {"factorizations", double(factorizations)},
          {"objective", objective},
          {"hessian_difference", hessian_difference}};
}

}  // namespace holo
