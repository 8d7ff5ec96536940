#pragma once
// Attitude and rise of the controlled body in an `elastic_control` run: columns, and metrics at the end of each phase.

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "holo/core/runs/archive.h"
#include "holo/sim/control/phase_schedule.h"
#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/elastic_state.h"
#include "holo/study/quantity_table.h"

namespace holo {

// Of the first body that has muscles. Its attitude is that of the rotation that fits it best (sim/elastic/fitted_rotation.h).
struct BodyMotionTotals {
  double yaw = 0;           // [rad], counted over full turns
  double tilt = 0;          // [rad]
  double largest_tilt = 0;  // [rad]
  // The sum of the rotations from frame to frame, each as axis times angle [rad]: also of a body that rolls over and over.
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();
  // At the end of each phase that has ended or is the present one; NaN for later ones. `rise`: the largest height of the center
  // of mass in the phase, over that at the start [m].
  std::vector<double> phase_yaw, phase_tilt, phase_rise;
  double start_height = 0;  // of the center of mass [m]
};

// `yaw`, `tilt`, `largest_tilt`, `turn_x`, `turn_y`, `turn_z`; with several phases also "PHASE_yaw", "PHASE_tilt" and
// "PHASE_rise".
QuantityTable<BodyMotionTotals> body_motion_metrics(const std::vector<PhaseDefinition>& phases);

class BodyMotion {
 public:
  BodyMotion(const ElasticModel& model, const std::vector<PhaseDefinition>& phases);

  static std::vector<Quantity> columns();
  static std::vector<ColumnPlot> plots();
  // Appends the columns' values at the end of a frame of a phase, or at the start. Frames come one after the other.
  void observe(const ElasticState& state, std::int64_t phase, std::vector<double>& row);
  std::vector<Metric> metrics() const { return metrics_of(metrics_, totals_); }
  void visit(Archive& archive);

 private:
  double height(const ElasticState& state) const;

  const ElasticModel& model_;  // of the study's scene
  const ElasticBody* body_;
  QuantityTable<BodyMotionTotals> metrics_;
  Eigen::Matrix3d rotation_ = Eigen::Matrix3d::Identity();  // at the end of the frame before
  BodyMotionTotals totals_;
};

}  // namespace holo
