#pragma once
// The minimization of a loss of an equilibrium over a few parameters, the one step of a study, and what its checkpoint keeps.

#include "holo/sim/control/equilibrium_problem.h"
#include "holo/study/study.h"

namespace holo {

struct EquilibriumSearch {
  std::int64_t steps_done = 0, iterations = 0, evaluations = 0, factorizations = 0;
  double objective = 0;
  double hessian_difference = 0;  // hessian_certificate.h, at the start
  double distance = 0;            // of the equilibrium found from a recorded one, over a length of the study
  Eigen::VectorXd found;          // unknowns

  // Certifies the Hessian at `found`, where the problem has begun, and minimizes from there. Writes a row of each iteration.
  DenseResult run(EquilibriumProblem& problem, const DenseBounds& bounds, const DenseOptions& options, StudyOutput& output);

  std::string serialize(std::string_view kind) const;
  void deserialize(std::string_view kind, std::string_view bytes);  // refuses another number of unknowns

  static std::vector<Quantity> columns(std::string objective, std::string projected_gradient);
  static std::vector<ColumnPlot> plots();
  static std::vector<Quantity> metric_quantities();
  std::vector<Metric> metrics() const;  // of these quantities: of all but `distance`
};

}  // namespace holo
