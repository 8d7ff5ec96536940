#pragma once
// The study `articulated_time_steps`: which lengths of time steps are stable, and how accurate they are.

#include <string>
#include <vector>

#include "holo/study/study.h"
#include "studies/articulated_dynamics/time_step_runs.h"

namespace holo {

struct TimeStepPlan {
  CharacterScene scene;  // with the time step of the reference
  Location where;        // of the scene
  std::vector<TimeStepRun> runs;
  double energy_tolerance = 0.05;  // of the energy unit: a motion that gains more is not stable
};

class ArticulatedTimeSteps final : public Study {
 public:
  explicit ArticulatedTimeSteps(TimeStepPlan plan);

  std::vector<Quantity> columns() const override;
  std::vector<ColumnPlot> plots() const override;
  std::int64_t total_steps() const override { return std::int64_t(plan_.runs.size()); }
  std::int64_t steps_done() const override { return std::int64_t(results_.size()); }
  StepResult step(StudyOutput& output) override;  // a run
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  bool is_stable(const TimeStepResult& result) const;
  double largest_stable_step(IntegrationMethod method) const;
  double error_exponent(IntegrationMethod method) const;

  TimeStepPlan plan_;
  ReferenceMotion reference_;
  std::vector<TimeStepResult> results_;  // a checkpoint's state
};

const std::vector<Quantity>& time_step_metrics();

}  // namespace holo
