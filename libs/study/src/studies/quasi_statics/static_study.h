#pragma once
// The study `quasi_statics`: equilibria of elastic bodies under growing loads, of several materials and tests side by side.

#include <memory>
#include <vector>

#include "holo/core/numerics/workspace_pool.h"
#include "studies/quasi_statics/static_plan.h"
#include "studies/quasi_statics/static_state.h"

namespace holo {

class QuasiStaticStudy final : public Study {
 public:
  QuasiStaticStudy(StaticPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return frames_per_second_ > 0 ? &scene_ : nullptr; }
  std::vector<std::string> kernels() const override;
  std::vector<std::string> contents() const override;
  std::vector<std::string> notes() const override;
  std::int64_t total_steps() const override { return steps_; }
  std::int64_t steps_done() const override { return steps_done_; }

  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;  // of all runs
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;
  std::vector<Diagnosis> diagnoses() const override;

 private:
  void make_scene();
  void write(StudyOutput& output);
  void write_frame(StudyOutput& output);

  StaticPlan plan_;
  std::vector<StaticRun> runs_;
  std::int64_t steps_ = 0, steps_done_ = 0;
  double frames_per_second_;
  WorkspacePool<NewtonWorkspace> workspaces_;
  std::vector<std::unique_ptr<StaticMotion>> motions_;  // [run]
  Scene scene_;
  SceneFrame frame_;
  ElementFields element_fields_;
  std::vector<PatternDirection> pattern_directions_;
};

// The run of the same material in the test with which that of a run is compared; -1: none.
int reference_of(const StaticPlan& plan, const std::vector<StaticRun>& runs, std::size_t run);

// Of a plan's runs.
std::vector<Quantity> static_metrics(const StaticPlan& plan);
std::vector<Metric> static_results(const StaticPlan& plan, const std::vector<const StaticMotion*>& motions);
// A row for each run.
Table static_table(const StaticPlan& plan, const std::vector<const StaticMotion*>& motions);
// Of a row of metrics.csv.
std::vector<Quantity> static_columns();
std::vector<double> static_row(std::size_t run, const StaticMotion& motion);

}  // namespace holo
