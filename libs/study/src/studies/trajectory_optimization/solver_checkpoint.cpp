#include "studies/trajectory_optimization/solver_checkpoint.h"

namespace holo {

void visit_solver(Archive& archive, TrustRegionSqpState& state) {
  archive.visit(state.iteration, 1e9);
  for (double* value : {&state.radius, &state.penalty, &state.shift}) archive.visit(*value);
  archive.visit(state.iterations_with_large_penalty, 1e9);
  archive.visit(state.penalty_resets, 1e9);
  for (Eigen::VectorXd* vector : {&state.multipliers, &state.constraint_scales, &state.metric}) archive.visit_sized(*vector);
}

}  // namespace holo
