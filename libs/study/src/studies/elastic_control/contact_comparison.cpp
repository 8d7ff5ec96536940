#include "studies/elastic_control/contact_comparison.h"

#include <limits>

#include "studies/elastic_control/frame_clock.h"

namespace holo {

double objective_at(InverseStep& step, const ComparedFrame& frame, const Eigen::VectorXd& u) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (!step.begin(frame.state, frame.activations)) return none;
  if (frame.lag_positions.size() > 0 && !step.update_lag(frame.lag_positions)) return none;
  return step.value(u);
}

ComplementarityFrame solve_by_complementarity(const comparison::FrameToLinearize& frame, int contacts,
                                              const ComplementarityOptions& options) {
  ComplementarityFrame result;
  FrameClock clock;
  const auto linear = comparison::linearize_frame(frame, contacts);
  result.linearization_time = clock.restart();
  if (!linear) return result;
  const comparison::ContactProblem& problem = linear->problem;
  result.contacts = static_cast<int>(problem.contacts());
  result.forces = comparison::solve_contact_forces(problem, linear->start_activations, options.forces);
  result.forces_time = clock.restart();
  result.search = comparison::search_branches(problem, linear->start_activations, result.forces.forces, options.search);
  result.search_time = clock.restart();
  const Eigen::VectorXd &u = result.search.activations, &f = result.search.forces;
  result.residual = comparison::complementarity_residual(problem, f, comparison::contact_displacements(problem, u, f));
  result.end = linear->end(u, f);
  result.penetration = comparison::deepest_penetration(frame.scene, result.end);
  return result;
}

}  // namespace holo
