#pragma once
// One frame of a controlled motion minimized by several methods, all from the same activations.

#include <vector>

#include "holo/sim/control/frame_control.h"

namespace holo {

// The start of a frame, and what its minimizations have in common.
struct ComparedFrame {
  const ElasticState& state;
  const Eigen::VectorXd& activations;    // of the frame before [activation] [Pa]
  const Eigen::VectorXd& lag_positions;  // of which normal forces are taken [3 * vertex] [m]; empty: of the start
  int warm_start = 3;                    // iterations of gradient descent before
};

// The minimizations by the methods, in their order, to 1e-10 of the gradient or `iterations`. Empty where the step cannot be
// solved with the activations of the frame before. The step has its loss.
std::vector<DenseResult> compare_methods(InverseStep& step, const ComparedFrame& frame, const DenseBounds& bounds,
                                         const std::vector<DenseMethod>& methods, int iterations);

}  // namespace holo
