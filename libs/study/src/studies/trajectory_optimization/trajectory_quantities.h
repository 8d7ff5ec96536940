#pragma once
// The columns and the metrics of the study `trajectory_optimization`.

#include <vector>

#include "holo/sim/articulated/dynamics/character_measures.h"
#include "holo/sim/articulated/trajectory/trajectory_stages.h"
#include "holo/study/quantity_table.h"

namespace holo {

// Source of a row of metrics.csv: one iteration, or the end of a stage.
struct TrajectoryRow {
  std::int64_t total = 0;  // iterations of all stages until then
  int stage = 0;
  TrustRegionSqpIteration iteration = {};
};

// What the motion does.
struct MotionMeasures {
  Eigen::Vector3d displacement = Eigen::Vector3d::Zero();  // of the center of mass [m]
  double largest_height = 0;                               // of it above the start [m]
  double final_speed = 0;                                  // of it in the last step [m/s]
  double largest_penetration = 0;                          // [m]
  double mean_penetration = 0, mean_slip_speed = 0;        // means over contacts, weighted with normal forces [m], [m/s]
  double largest_control = 0;                              // [N or N m]
  double largest_friction_ratio = 0;                       // tangential over normal force of a contact
  int airborne_steps = 0;                                  // without contact
  double ballistic_error = 0;                              // of the center of mass in flight, from a parabola [m]
  int footfalls = 0;                                       // of the contact body that touches down least often
  double path_length = 0;                                  // of the center of mass in the horizontal plane [m]
};

// Source of the metrics.
struct TrajectoryOutcome {
  const articulated::TrajectoryModel& model;
  const std::vector<articulated::TrajectoryStageResult>& results;  // of all stages
  MotionMeasures motion = {};
  int recenterings = 0;
};

const QuantityTable<TrajectoryRow>& trajectory_columns();
// Of the stages that the experiment has.
QuantityTable<TrajectoryOutcome> trajectory_metrics(const std::vector<articulated::TrajectoryStage>& stages);

}  // namespace holo
