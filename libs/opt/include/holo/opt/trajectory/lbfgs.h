#pragma once
// L-BFGS for functions of many unknowns without constraints, with a line search for the strong Wolfe conditions
// [Nocedal2006, algorithms 7.5, 3.5 and 3.6].
//
//   const UnconstrainedResult result = Lbfgs(function, {}).solve(point);

#include <Eigen/Core>
#include <memory>

#include "holo/opt/trajectory/smooth_function.h"
#include "holo/opt/trajectory/unconstrained_result.h"

namespace holo {

struct LbfgsOptions {
  int history = 20;  // pairs of steps and changes of the gradient
  int max_iterations = 1000;
  double stationarity_tolerance = 1e-5;  // of the largest entry of the gradient
  double sufficient_decrease = 1e-4;     // c1, over what the slope predicts
  double curvature = 0.9;                // c2: largest slope of a taken step over that at its start; c1 < c2 < 1
  double first_step = 1;                 // largest change of an unknown at the first trial
  int max_evaluations = 30;              // of a line search
};

// Between two iterations, without the point: plain numbers for a checkpoint.
struct LbfgsState {
  int iteration = 0;                        // done so far
  int unseen_steps = 0;                     // in a row, whose predicted decrease was below the rounding of F
  Eigen::MatrixXd steps, gradient_changes;  // [unknown][pair], the oldest first
};

// The solver. It keeps its memory between solves; the function must outlive it and keep its size.
class Lbfgs {
 public:
  // Throws Error(internal) for options out of range.
  Lbfgs(SmoothFunction& function, const LbfgsOptions& options);
  ~Lbfgs();

  // Improves the point [unknown]; on failure it is the best one found. Throws Error(internal) for another size; never for a
  // numerical reason.
  UnconstrainedResult solve(Eigen::VectorXd& point);

  // Solving in parts, as TrustRegionSqp does: bit for bit, also by a new solver.
  LbfgsState begin() const;
  // Throws Error(internal) for a point or state of other sizes.
  UnconstrainedResult advance(Eigen::VectorXd& point, LbfgsState& state, int iterations);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace holo
