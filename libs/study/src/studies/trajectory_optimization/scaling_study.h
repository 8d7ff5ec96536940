#pragma once
// The study `trajectory_scaling`: what iterations of a trajectory's optimization cost by its length and by the character's
// size, and what a receding horizon costs.

#include <optional>
#include <string>
#include <vector>

#include "studies/trajectory_optimization/horizon_comparison.h"
#include "studies/trajectory_optimization/iteration_times.h"

namespace holo {

// A step of the study.
struct ScalingRun {
  enum class Kind { motion, steps, links, whole, receding };

  Kind kind = Kind::motion;
  int size = 0;  // of `steps` N, of `links` their number
  TrajectoryPlan plan;

  bool is_of_horizon() const { return kind == Kind::whole || kind == Kind::receding; }
  std::string name() const;  // "400 steps"
};

struct ScalingPlan {
  int iterations = 200;
  bool judges_times = true;  // else times stand in tables and timings.csv alone, and metrics of them are not measured
  std::vector<ScalingRun> runs;
  std::optional<HorizonPlan> horizon;
};

class TrajectoryScaling final : public Study {
 public:
  // Throws Error(input) as make_trajectory_model does for each of the runs.
  explicit TrajectoryScaling(ScalingPlan plan);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  std::int64_t total_steps() const override { return std::int64_t(plan_.runs.size()); }
  std::int64_t steps_done() const override { return std::int64_t(results_.size()); }
  StepResult step(StudyOutput& output) override;  // a run
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

  // One of the two, by the run's kind.
  struct Result {
    IterationTimes times;
    HorizonResult horizon;
  };

 private:
  const Result* result_of(ScalingRun::Kind kind) const;
  double exponent(ScalingRun::Kind kind, double IterationTimes::*time, int IterationTimes::*size) const;
  void write(const ScalingRun& run, const Result& result, StudyOutput& output) const;
  Table times_table() const;
  Table horizon_table() const;

  ScalingPlan plan_;
  std::vector<Result> results_;  // a checkpoint's state
};

// Of a plan with these runs, those of times too.
std::vector<Quantity> scaling_metrics(const ScalingPlan& plan);

}  // namespace holo
