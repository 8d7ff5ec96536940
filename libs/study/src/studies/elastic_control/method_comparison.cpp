#include "studies/elastic_control/method_comparison.h"

#include <cmath>

namespace holo {

std::vector<DenseResult> compare_methods(InverseStep& step, const ComparedFrame& frame, const DenseBounds& bounds,
                                         const std::vector<DenseMethod>& methods, int iterations) {
  std::vector<DenseResult> results;
  DenseWorkspace workspace;
  for (const DenseMethod method : methods) {
    // Each method begins with a step that knows nothing of the one before, and comes to the same point by the warm start.
    if (!step.begin(frame.state, frame.activations)) return {};
    if (frame.lag_positions.size() > 0 && !step.update_lag(frame.lag_positions)) return {};
    Eigen::VectorXd u = frame.activations / step.options().unit;
    if (!std::isfinite(step.value(u))) return {};
    if (frame.warm_start > 0)
      minimize(step, bounds, u, {.method = DenseMethod::gradient_descent, .max_iterations = frame.warm_start}, workspace);
    const DenseOptions options{
        .method = method, .tolerance = 1e-10, .trust_radius = InverseStep::trust_radius, .max_iterations = iterations};
    results.push_back(minimize(step, bounds, u, options, workspace));
  }
  return results;
}

}  // namespace holo
