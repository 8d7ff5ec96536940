#pragma once
// A motion in windows [Pan2019, section 8.3]: the next steps are optimized from the present state on, the first of them are
// executed, and the next window starts where these end, from what is left of the one before.
//
//   RecedingHorizon horizon(model, {.window_steps = 40, .executed_steps = 10});
//   while (horizon.advance()) log(horizon.windows().back());
//
// docs/trajectory-optimization.md#receding-horizon tells how windows begin.

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "holo/opt/trajectory/trust_region_sqp.h"
#include "holo/sim/articulated/trajectory/trajectory_problem.h"

namespace holo::articulated {

struct RecedingHorizonOptions {
  int window_steps = 40;    // time steps that are optimized at a time, >= 1
  int executed_steps = 10;  // of these, from 1 to window_steps; a window that reaches the end of the motion is executed whole
  int segment_length = 10;  // L of the windows' splines; 1: single states, which satisfy all equations of motion
  TrustRegionSqpOptions solver = {};  // of each window
  BlockTridiagonalOptions linear_algebra = {};
  double recentering = 3;  // length of a rotation vector [rad] above which its chart is moved, every 10 iterations
  double loss_scale = 1;   // of all windows: E of the motion is the sum of E of its steps
};

struct RecedingHorizonWindow {
  int start = 0;  // the state from which it starts
  int steps = 0, executed_steps = 0;
  TrustRegionSqpStatus status = TrustRegionSqpStatus::converged;
  std::string diagnosis;  // empty when converged
  int iterations = 0;
  TrajectoryValues start_values;  // of the window's problem before its first iteration
  TrajectoryValues values;        // and at its end
  double executed_violation = 0;  // largest |residual| of an unactuated degree of freedom at its executed steps [N or N m]
};

class RecedingHorizon {
 public:
  // The model, which has the whole motion, must outlive it. Throws Error(internal) for options out of range, and as the
  // problems of its windows do.
  RecedingHorizon(const TrajectoryModel& model, const RecedingHorizonOptions& options);

  // Optimizes a window and executes its first steps. False if all steps had been executed.
  bool advance();
  int executed_steps() const { return executed_; }
  // Of these the states -1 ... executed_steps(); the others are the start. Their frames are those of the last advance().
  const TrajectoryStates& states() const { return states_; }
  const std::vector<RecedingHorizonWindow>& windows() const { return windows_; }
  std::int64_t work() const;  // sum over windows of iterations times steps

 private:
  // Where a window ended: states 0 ... steps, their tangents L dt x', of a spline alone.
  struct Plan {
    TrajectoryStates states;
    Eigen::MatrixXd tangents;  // [dof][state]
  };

  TrajectoryModel window_model(int steps) const;
  void continue_plan(TrajectoryProblem& problem) const;
  TrustRegionSqpResult solve(TrajectoryProblem& problem, Eigen::VectorXd& point, int& iterations) const;
  void execute(TrajectoryProblem& problem, const Eigen::VectorXd& point, RecedingHorizonWindow& window);

  const TrajectoryModel& model_;
  RecedingHorizonOptions options_;
  TrajectoryStates states_;
  Plan plan_;  // of the last window
  int executed_ = 0;
  std::vector<RecedingHorizonWindow> windows_;
};

}  // namespace holo::articulated
