#pragma once
// The steps of the study `timing_table`.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "holo/comparison/timing_task.h"
#include "holo/sim/elastic/material_choice.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/study/study.h"
#include "studies/metric_kinds.h"

namespace holo {

inline const std::string fastest_yardstick = "fastest_yardstick";

struct TimingTaskDefinition {
  std::string name;
  std::vector<std::string> contestants;
  std::function<comparison::TimingTask()> make;
};

struct TimingMetric {
  std::string name, kind, task, contestant;
  std::string over;  // of a ratio: a contestant, or fastest_yardstick
};

struct TimingTablePlan {
  std::int64_t repetitions = 15;
  bool judges_times = true;  // else times stand in tables and timings.csv, and metrics of times are not measured
  std::vector<TimingTaskDefinition> tasks;
  std::vector<TimingMetric> named_metrics;
};

class TimingTable final : public Study {
 public:
  // Throws Error(input) for a ratio to a yardstick where a task has none.
  explicit TimingTable(TimingTablePlan plan);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  std::vector<std::string> kernels() const override;
  std::int64_t total_steps() const override { return plan_.repetitions; }
  std::int64_t steps_done() const override { return static_cast<std::int64_t>(times_.front().size()); }

  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view state) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  struct Seat {  // one contestant of one task
    std::size_t task, contestant;
  };
  std::string column(const Seat& seat) const;
  const comparison::Contestant& contestant(const Seat& seat) const { return tasks_[seat.task].contestants[seat.contestant]; }
  std::size_t seat_of(const std::string& task, const std::string& contestant) const;
  double time(std::size_t seat) const;  // [s] for one evaluation, median of the repetitions
  std::optional<std::size_t> fastest_yardstick_seat(std::size_t task) const;
  double time_ratio(std::size_t seat, std::size_t over) const;  // median of the ratios in each repetition
  bool is_available(const TimingMetric& metric) const;
  double value(const TimingMetric& metric) const;

  TimingTablePlan plan_;
  std::vector<comparison::TimingTask> tasks_;
  std::vector<Seat> seats_;
  std::vector<std::vector<double>> times_;        // [seat][repetition], s for one evaluation
  std::vector<std::vector<double>> differences_;  // [seat][repetition], relative
};

}  // namespace holo
