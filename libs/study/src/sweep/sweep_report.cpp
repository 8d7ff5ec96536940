#include "sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "holo/core/name_list.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/provenance.h"
#include "runs/run_description.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_plots = 30;
constexpr std::size_t most_series = 8;  // of a plot, as many as can be told apart by color

// A parameter of the plan with its values in all runs.
struct Swept {
  PlannedParameter parameter;
  std::vector<std::string> texts;
  std::vector<double> numbers;        // NaN where the value is none
  std::vector<std::string> distinct;  // in the order of the runs

  bool varies() const { return distinct.size() > 1; }
  bool is_numeric() const {
    return std::none_of(numbers.begin(), numbers.end(), [](double value) { return std::isnan(value); });
  }
  bool is_a_series() const { return varies() && distinct.size() <= most_series; }
};

double number_or_nan(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nan("") : value;
}

std::vector<Swept> swept_parameters(const SweepPlan& plan) {
  std::vector<Swept> all;
  for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
    Swept& swept = all.emplace_back();
    swept.parameter = plan.parameters[p];
    for (const PlannedRun& run : plan.runs) {
      swept.texts.push_back(run.values[p]);
      swept.numbers.push_back(number_or_nan(run.values[p]));
      if (swept.distinct.size() <= most_series && !contains(swept.distinct, run.values[p]))
        swept.distinct.push_back(run.values[p]);
    }
  }
  return all;
}

std::string with_spaces(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// Equal ratios between most neighbors, as of a logarithmic range: such values are readable on a logarithmic axis alone.
bool spans_decades(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (values.empty() || !(*low > 0)) return false;
  std::vector<double> sorted(values);
  std::sort(sorted.begin(), sorted.end());
  return *high / *low >= 50 && sorted[sorted.size() / 2] < 0.35 * *high;
}

// The runs in order of x. Equal x several times, as of repetitions or of other parameters, cannot be joined by a line.
Series series_of(const std::string& name, std::vector<std::pair<double, double>> points, bool joined) {
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Series series;
  series.name = name;
  for (const auto& [x, y] : points) {
    joined = joined && (series.x.empty() || series.x.back() < x);
    series.x.push_back(x);
    series.y.push_back(y);
  }
  series.style = joined && points.size() > 1 ? SeriesStyle::line : SeriesStyle::points;
  return series;
}

// The other parameter whose values are the plot's series: the one with the most values that can be told apart.
const Swept* series_parameter(const std::vector<Swept>& all, const Swept& x) {
  const Swept* chosen = nullptr;
  for (const Swept& each : all)
    if (&each != &x && each.is_a_series() && each.parameter.path != "seed" &&
        (chosen == nullptr || each.distinct.size() > chosen->distinct.size()))
      chosen = &each;
  return chosen;
}

// "youngs modulus = 1.778e+06 Pa"
std::string series_name(const Swept& by, const std::string& value) {
  const double number = number_or_nan(value);
  return fmt::format("{} = {}{}{}", with_spaces(by.parameter.name), std::isnan(number) ? value : fmt::format("{:.4g}", number),
                     by.parameter.unit.empty() ? "" : " ", by.parameter.unit);
}

// Whether runs of one series differ in x alone: points of others, as of samples, are no curve.
bool is_curve(const std::vector<Swept>& all, const Swept& x, const Swept* by) {
  return std::none_of(all.begin(), all.end(), [&](const Swept& each) { return each.varies() && &each != &x && &each != by; });
}

Plot plot_of(const Quantity& metric, const std::vector<Swept>& all, const Swept& x, const SweepResults& results) {
  Plot plot;
  const Swept* by = series_parameter(all, x);
  const bool joined = is_curve(all, x, by);
  plot.title = fmt::format("{} over {}", with_spaces(metric.name), with_spaces(x.parameter.name));
  plot.x = {with_spaces(x.parameter.name), x.parameter.unit, x.parameter.logarithmic || spans_decades(x.numbers)};
  std::vector<double> values;
  std::map<std::string, std::vector<std::pair<double, double>>> points;
  for (std::size_t run = 0; run < results.runs.size(); ++run) {
    const double y = metric_of(results.runs[run], metric.name);
    if (!std::isfinite(y)) continue;
    values.push_back(y);
    points[by == nullptr ? std::string() : by->texts[run]].emplace_back(x.numbers[run], y);
  }
  plot.y = {with_spaces(metric.name), metric.unit == "1" ? "" : metric.unit, spans_decades(values)};
  plot.caption = metric.documentation;
  if (by == nullptr) plot.series.push_back(series_of(with_spaces(metric.name), points[""], joined));
  for (std::size_t i = 0; by != nullptr && i < by->distinct.size(); ++i)
    plot.series.push_back(series_of(series_name(*by, by->distinct[i]), points[by->distinct[i]], joined));
  return plot;
}

bool differs_between_runs(const Quantity& metric, const SweepResults& results) {
  std::set<double> values;
  for (const SweptResult& run : results.runs)
    if (const double value = metric_of(run, metric.name); std::isfinite(value)) values.insert(value);
  return values.size() > 1;
}

// Those that the sweep names, in its order; else those that differ between runs.
std::vector<Quantity> shown_metrics(const SweepPlan& plan, const SweepResults& results) {
  std::vector<Quantity> shown;
  for (const std::string& name : plan.metrics)
    for (const Quantity& metric : results.metrics)
      if (metric.name == name) shown.push_back(metric);
  for (const Quantity& metric : results.metrics)
    if (plan.metrics.empty() && !metric.by_clock && differs_between_runs(metric, results)) shown.push_back(metric);
  return shown;
}

void add_plots(ReportData& report, const SweepPlan& plan, const SweepResults& results) {
  const std::vector<Swept> all = swept_parameters(plan);
  std::size_t left_out = 0;
  for (const Quantity& metric : shown_metrics(plan, results))
    for (const Swept& x : all) {
      if (!x.varies() || !x.is_numeric()) continue;
      if (report.plots.size() < most_plots)
        report.plots.push_back(plot_of(metric, all, x, results));
      else
        ++left_out;
    }
  if (left_out > 0)
    report.notes.push_back(fmt::format("{} more plots are left out: name the metrics to plot under sweep.metrics", left_out));
}

Cell value_cell(const Swept& swept, std::size_t run) {
  return std::isnan(swept.numbers[run]) ? Cell(swept.texts[run]) : Cell(swept.numbers[run]);
}

// Metrics that are not shown are in table.csv.
Table runs_table(const fs::path& folder, const SweepPlan& plan, const SweepResults& results) {
  const std::vector<Swept> all = swept_parameters(plan);
  Table table{
      "Runs", "table.csv has these rows with all metrics and digits, timings.csv the times and the memory.", {{"run", ""}}, {}};
  for (const Swept& swept : all) table.columns.push_back({with_spaces(swept.parameter.name), swept.parameter.unit});
  table.columns.push_back({"verdict", ""});
  const std::vector<Quantity> shown = shown_metrics(plan, results);
  for (const Quantity& metric : shown)
    table.columns.push_back({with_spaces(metric.name), metric.unit == "1" ? std::string() : metric.unit});
  for (std::size_t run = 0; run < results.runs.size(); ++run) {
    std::vector<Cell>& row = table.rows.emplace_back();
    const std::string page = plan.runs[run].folder + "/report.html";
    row.push_back(fs::exists(folder / page) ? Cell(PageLink{plan.number(run), page}) : Cell(plan.number(run)));
    for (const Swept& swept : all) row.push_back(value_cell(swept, run));
    row.push_back(results.runs[run].verdict());
    for (const Quantity& metric : shown) {
      const bool has_result = results.runs[run].record.progress == RunProgress::finished;
      row.push_back(has_result ? Cell(metric_of(results.runs[run], metric.name)) : Cell(std::string("-")));
    }
  }
  return table;
}

Table failures_table(const SweepPlan& plan, const SweepResults& results) {
  Table table{
      "Runs without a result", "logs/NUMBER.txt has what a run printed.", {{"run", ""}, {"verdict", ""}, {"reason", ""}}, {}};
  for (std::size_t run = 0; run < results.runs.size(); ++run)
    if (const RunRecord& record = results.runs[run].record; !record.message.empty())
      table.rows.push_back({plan.number(run), results.runs[run].verdict(), record.message});
  return table;
}

void add_status(ReportData& report, const SweepResults& results) {
  std::map<Verdict, std::size_t> counts;
  for (const SweptResult& run : results.runs) ++counts[run.verdict()];
  report.status = fmt::format("{} runs: {} accepted", results.runs.size(), counts[Verdict::accepted]);
  const std::vector<std::pair<Verdict, const char*>> others{{Verdict::missed, "missed their acceptance"},
                                                            {Verdict::failed, "failed"},
                                                            {Verdict::interrupted, "stopped before their ends"},
                                                            {Verdict::not_attempted, "not begun"}};
  report.verdict = Verdict::accepted;
  for (const auto& [verdict, text] : others)
    if (counts[verdict] > 0) report.status += fmt::format(", {} {}", counts[verdict], text);
  for (const Verdict verdict : {Verdict::missed, Verdict::not_attempted, Verdict::interrupted, Verdict::failed})
    if (counts[verdict] > 0) report.verdict = verdict == Verdict::not_attempted ? Verdict::interrupted : verdict;
}

}  // namespace

ReportData report_of_sweep(const fs::path& folder, const SweepPlan& plan, const SweepResults& results) {
  ReportData report;
  report.title = plan.name + ", sweep";
  report.study = plan.study;
  report.description = head_comment(plan.yaml);
  add_status(report, results);
  add_plots(report, plan, results);
  if (Table failures = failures_table(plan, results); !failures.rows.empty()) report.tables.push_back(std::move(failures));
  report.tables.push_back(runs_table(folder, plan, results));
  report.provenance = {
      {"experiment", plan.experiment.filename().string() + (plan.variant.empty() ? "" : ", variant " + plan.variant)},
      {"version", version_text()},
      {"program", plan.program}};
  for (const PlannedParameter& parameter : plan.parameters) report.provenance.emplace_back(parameter.name, parameter.path);
  return report;
}

fs::path write_sweep_report(const fs::path& folder, const SweepPlan& plan, const SweepResults& results) {
  const std::string page_template = find_report_template();
  if (page_template.empty()) return {};
  write_whole_file(folder / "report.html",
                   render_report(report_of_sweep(folder, plan, results), read_whole_file(page_template)));
  return folder / "report.html";
}

}  // namespace holo
