#pragma once
// A motion by one optimization of its whole duration, and by windows of a receding horizon [Pan2019, section 8.3].

#include <cstdint>
#include <vector>

#include "holo/sim/articulated/trajectory/receding_horizon.h"
#include "studies/trajectory_optimization/trajectory_study.h"

namespace holo {

// What is compared.
struct HorizonPlan {
  double window = 1;                                     // [s]
  bool executes_single_steps = false;                    // a time step of each window, else a segment of its spline
  bool is_of_spline = true;                              // windows and the whole motion; else of single states
  int window_iterations = 500, whole_iterations = 3000;  // at most
  bool stops_at_small_steps = true;                      // the paper's test; else stationarity
};

struct HorizonResult {
  std::int64_t windows = 0, converged_windows = 0;
  std::int64_t iterations = 0;  // of all windows
  double work = 0;              // sum of iterations times steps
  double violation = 0;         // largest constraint at the end of a window [N or N m]
  double time = 0;              // wall time [s]
  // Of the motion, its steps one by one. E is that of the whole motion, of which losses are 1 at rest.
  articulated::TrajectoryValues values;
  MotionMeasures motion;
};

HorizonResult optimize_whole(const TrajectoryPlan& plan, const HorizonPlan& horizon);
HorizonResult optimize_windows(const TrajectoryPlan& plan, const HorizonPlan& horizon);

}  // namespace holo
