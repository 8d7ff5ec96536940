#include "studies/timing_table_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/numerics/median.h"
#include "holo/core/numerics/stopwatch.h"

namespace holo {

TimingTable::TimingTable(TimingTablePlan plan) : plan_(std::move(plan)) {
  for (const TimingTaskDefinition& definition : plan_.tasks) {
    tasks_.push_back(definition.make());
    for (std::size_t c = 0; c < tasks_.back().contestants.size(); ++c) seats_.push_back({tasks_.size() - 1, c});
  }
  times_.resize(seats_.size());
  differences_.resize(seats_.size());
  // The contestants are known after the tasks are made.
  for (const TimingMetric& metric : plan_.named_metrics) {
    if (metric.over != fastest_yardstick) continue;
    const std::vector<comparison::Contestant>& all = tasks_[seats_[seat_of(metric.task, metric.contestant)].task].contestants;
    if (std::none_of(all.begin(), all.end(), [](const comparison::Contestant& c) { return c.is_yardstick; }))
      throw Error(Failure::input, fmt::format("metric '{}': the task '{}' has no contestant written by hand; name another one "
                                              "under 'over'",
                                              metric.name, metric.task));
  }
}

std::string TimingTable::column(const Seat& seat) const { return plan_.tasks[seat.task].name + "_" + contestant(seat).name; }

std::vector<Quantity> TimingTable::columns() const {
  std::vector<Quantity> result{{"repetition", "1", "from 1"}};
  for (const Seat& seat : seats_)
    result.push_back({column(seat), "1", "largest relative difference from the task's reference; " + contestant(seat).summary});
  return result;
}

std::vector<Quantity> TimingTable::timing_columns() const {
  std::vector<Quantity> result{{"repetition", "1", "from 1"}};
  for (const Seat& seat : seats_)
    result.push_back(
        {column(seat), "s", fmt::format("time of one {}; {}", tasks_[seat.task].evaluation, contestant(seat).summary)});
  return result;
}

std::vector<ColumnPlot> TimingTable::plots() const {
  std::vector<ColumnPlot> result;
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    ColumnPlot& plot = result.emplace_back();
    plot.title = fmt::format("{}: time of one {}", plan_.tasks[t].name, tasks_[t].evaluation);
    plot.x = "repetition";
    plot.logarithmic = plot.timings = true;
    plot.label = "processor time";
    for (const Seat& seat : seats_)
      if (seat.task == t && contestant(seat).run) {
        plot.y.push_back(column(seat));
        if (contestant(seat).is_yardstick) plot.reference.push_back(column(seat));
      }
  }
  return result;
}

std::vector<std::string> TimingTable::kernels() const {
  std::vector<std::string> result;
  for (const Seat& seat : seats_)
    result.push_back(fmt::format("{}, {}: {}", plan_.tasks[seat.task].name, contestant(seat).name, contestant(seat).summary));
  return result;
}

// The contestants take turns; who begins changes from repetition to repetition. Each runs twice and the second time counts: the
// caches then hold what it leaves there itself.
StepResult TimingTable::step(StudyOutput& output) {
  const std::size_t repetition = times_.front().size(), first = repetition % seats_.size();
  for (std::size_t k = 0; k < seats_.size(); ++k) {
    const std::size_t s = (first + k) % seats_.size();
    if (!contestant(seats_[s]).run) {  // a library that the build lacks
      times_[s].push_back(std::nan(""));
      differences_[s].push_back(std::nan(""));
      continue;
    }
    contestant(seats_[s]).run();
    const double seconds = seconds_of(thread_seconds, [&] { contestant(seats_[s]).run(); });
    times_[s].push_back(seconds / static_cast<double>(tasks_[seats_[s].task].evaluations));
    differences_[s].push_back(contestant(seats_[s]).difference());
  }
  std::vector<double> times{static_cast<double>(repetition + 1)}, differences = times;
  for (std::size_t s = 0; s < seats_.size(); ++s) {
    times.push_back(times_[s].back());
    differences.push_back(differences_[s].back());
  }
  output.row(differences);
  output.timings(times);
  return {};
}

std::string TimingTable::serialize() const {
  std::vector<std::vector<double>> all = times_;
  all.insert(all.end(), differences_.begin(), differences_.end());
  return serialize_columns(all);
}

void TimingTable::deserialize(std::string_view state) {
  std::vector<std::vector<double>> all(2 * seats_.size());
  deserialize_columns(state, all);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(seats_.size());
  times_.assign(all.begin(), middle);
  differences_.assign(middle, all.end());
}

std::size_t TimingTable::seat_of(const std::string& task, const std::string& name) const {
  std::size_t s = 0;
  while (plan_.tasks[seats_[s].task].name != task || contestant(seats_[s]).name != name) ++s;
  return s;
}

double TimingTable::time(std::size_t seat) const { return median(times_[seat]); }

// The ratio within each repetition, and then the median: both contestants had the same machine at nearly the same time.
double TimingTable::time_ratio(std::size_t seat, std::size_t over) const { return median_ratio(times_[seat], times_[over]); }

std::optional<std::size_t> TimingTable::fastest_yardstick_seat(std::size_t task) const {
  std::optional<std::size_t> fastest;
  for (std::size_t s = 0; s < seats_.size(); ++s)
    if (seats_[s].task == task && contestant(seats_[s]).is_yardstick && (!fastest || time(s) < time(*fastest))) fastest = s;
  return fastest;
}

// A metric without its contestant, which the build may lack, is left out, and no condition on it holds.
bool TimingTable::is_available(const TimingMetric& metric) const {
  const auto is_there = [&](const std::string& name) {
    return static_cast<bool>(contestant(seats_[seat_of(metric.task, name)]).run);
  };
  if (!is_there(metric.contestant)) return false;
  if (metric.kind == "largest_difference") return true;
  return plan_.judges_times && (metric.over.empty() || metric.over == fastest_yardstick || is_there(metric.over));
}

double TimingTable::value(const TimingMetric& metric) const {
  const std::size_t seat = seat_of(metric.task, metric.contestant);
  if (metric.kind == "largest_difference") {
    Extremes extremes;
    for (double difference : differences_[seat]) extremes.add(difference, 0);
    return extremes.largest;
  }
  if (metric.kind == "time") return time(seat);
  return time_ratio(seat, metric.over == fastest_yardstick ? fastest_yardstick_seat(seats_[seat].task).value()
                                                           : seat_of(metric.task, metric.over));
}

std::vector<Metric> TimingTable::finish() {
  std::vector<Metric> metrics;
  for (const TimingMetric& metric : plan_.named_metrics)
    if (is_available(metric)) metrics.push_back({metric.name, value(metric)});
  return metrics;
}

std::vector<Table> TimingTable::tables() {
  std::vector<Table> result;
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    Table& table = result.emplace_back();
    table.title =
        fmt::format("{}: median of {} repetitions of {}", plan_.tasks[t].name, plan_.repetitions, tasks_[t].evaluations);
    table.columns = {{"contestant", ""},
                     {"method", ""},
                     {"time", "ns"},
                     {"over the fastest written by hand", ""},
                     {"largest difference", ""}};
    const std::optional<std::size_t> yardstick = fastest_yardstick_seat(t);
    for (std::size_t s = 0; s < seats_.size(); ++s)
      if (seats_[s].task == t && !contestant(seats_[s]).run)
        table.rows.push_back(
            {contestant(seats_[s]).name, contestant(seats_[s]).summary, std::string(), std::string(), std::string()});
      else if (seats_[s].task == t)
        table.rows.push_back({contestant(seats_[s]).name, contestant(seats_[s]).summary, 1e9 * time(s),
                              yardstick ? Cell(time_ratio(s, *yardstick)) : Cell(std::string()),
                              *std::max_element(differences_[s].begin(), differences_[s].end())});
  }
  return result;
}

}  // namespace holo
