#include "sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "holo/core/runs/run_folder.h"
#include "runs/csv_table.h"
#include "runs/run_description.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// A cell of a CSV file [RFC 4180]. A text in YAML's quotes is written without them.
std::string csv_cell(std::string text) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// "" where the run has none.
std::string metric_cell(const SweptResult& run, const std::string& name) {
  if (!run.result) return {};
  const std::vector<Metric>& metrics = run.result->metrics;
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? std::string() : number_text(found->value);
}

std::string run_name(const SweepPlan& plan, std::size_t run) { return fs::path(plan.runs[run].folder).filename().string(); }

}  // namespace

Verdict SweptResult::verdict() const {
  switch (record.progress) {
    case RunProgress::finished:
      return result && result->accepted() ? Verdict::accepted : Verdict::missed;
    case RunProgress::failed:
      return Verdict::failed;
    case RunProgress::stopped:
      return Verdict::interrupted;
    case RunProgress::waiting:
      return Verdict::not_attempted;
  }
  return Verdict::none;
}

double metric_of(const SweptResult& run, const std::string& name) {
  if (run.result)
    for (const Metric& metric : run.result->metrics)
      if (metric.name == name) return metric.value;
  return std::nan("");
}

SweepResults read_results(const fs::path& folder, const SweepPlan& plan) {
  SweepResults results;
  std::set<std::string> known;
  for (std::size_t run = 0; run < plan.runs.size(); ++run) {
    SweptResult& each = results.runs.emplace_back();
    each.record = state_of(folder, plan, run);
    const fs::path own = folder / plan.runs[run].folder;
    if (!fs::exists(own / "result.json")) continue;
    each.result = result_from_json(own / "result.json");
    const bool all_known = std::all_of(each.result->metrics.begin(), each.result->metrics.end(),
                                       [&](const Metric& metric) { return known.count(metric.name) != 0; });
    if (all_known) continue;
    const std::vector<Quantity> described = run_description(own / "study.json").metrics;
    for (const Metric& metric : each.result->metrics) {
      if (!known.insert(metric.name).second) continue;
      const auto found =
          std::find_if(described.begin(), described.end(), [&](const Quantity& q) { return q.name == metric.name; });
      results.metrics.push_back(found == described.end() ? Quantity{metric.name, "1", ""} : *found);
    }
  }
  return results;
}

void write_tables(const fs::path& folder, const SweepPlan& plan, const SweepResults& results) {
  std::string table = "run", timings = "run,attempts,wall_time,processor_time,resident_bytes";
  for (const PlannedParameter& parameter : plan.parameters) table += "," + csv_cell(parameter.name);
  table += ",verdict";
  for (const Quantity& metric : results.metrics) (metric.by_clock ? timings : table) += "," + metric.name;
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    const SweptResult& run = results.runs[i];
    table += "\n" + csv_cell(run_name(plan, i));
    for (const std::string& value : plan.runs[i].values) table += "," + csv_cell(value);
    table += "," + to_string(run.verdict());
    timings += fmt::format("\n{},{},{:.4f},{:.4f},{}", csv_cell(run_name(plan, i)), run.record.attempts, run.record.wall_time,
                           run.record.processor_time, run.record.resident_bytes);
    for (const Quantity& metric : results.metrics) (metric.by_clock ? timings : table) += "," + metric_cell(run, metric.name);
  }
  write_whole_file(folder / "table.csv", table + "\n");
  write_whole_file(folder / "timings.csv", timings + "\n");
}

}  // namespace holo
