#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "studies/inner_experiment.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {

namespace {

constexpr const char* kind_name = "gathered_metrics";

// One step is one experiment.
class GatheredMetrics final : public Study {
 public:
  GatheredMetrics(std::vector<InnerExperiment> experiments, std::vector<Quantity> metrics)
      : experiments_(std::move(experiments)), metrics_(std::move(metrics)) {}

  std::vector<Quantity> columns() const override {
    std::vector<Quantity> result{{"experiment", "1", "its number in the file, from 0"}};
    result.insert(result.end(), metrics_.begin(), metrics_.end());
    return result;
  }
  std::vector<Quantity> timing_columns() const override {
    return {{"experiment", "1", "its number in the file, from 0"}, {"duration", "s", "of all of it, by the clock"}};
  }
  std::int64_t total_steps() const override { return std::int64_t(experiments_.size()); }
  std::int64_t steps_done() const override { return std::int64_t(values_.size()); }
  StepResult step(StudyOutput& output) override;

  // One column for each experiment; those that have not run are empty.
  std::string serialize() const override {
    std::vector<std::vector<double>> all = values_;
    all.resize(experiments_.size());
    return serialize_columns(all);
  }
  void deserialize(std::string_view state) override {
    values_.assign(experiments_.size(), {});
    deserialize_columns(state, values_);
    while (!values_.empty() && values_.back().empty()) values_.pop_back();
    for (const std::vector<double>& values : values_)
      if (values.size() != metrics_.size()) throw Error(Failure::input, "the checkpoint is not one of this experiment");
  }

  std::vector<Metric> finish() override {
    std::vector<Metric> result;
    for (std::size_t i = 0; i < values_.size(); ++i)
      for (std::size_t j = 0; j < metrics_.size(); ++j)
        result.push_back({experiments_[i].name + "_" + metrics_[j].name, values_[i][j]});
    return result;
  }

  std::vector<Table> tables() override {
    Table table{"Metrics of the experiments", "", {{"", ""}, {"experiment", ""}}, {}};
    for (const Quantity& metric : metrics_) table.columns.push_back({metric.name, metric.unit == "1" ? "" : metric.unit});
    for (std::size_t i = 0; i < values_.size(); ++i) {
      table.rows.push_back({experiments_[i].name, experiments_[i].label});
      table.rows.back().insert(table.rows.back().end(), values_[i].begin(), values_[i].end());
    }
    return {table};
  }

 private:
  std::vector<InnerExperiment> experiments_;
  std::vector<Quantity> metrics_;
  std::vector<std::vector<double>> values_;  // [experiment][metric]
};

StepResult GatheredMetrics::step(StudyOutput& output) {
  const InnerExperiment& experiment = experiments_[values_.size()];
  const auto start = std::chrono::steady_clock::now();
  output.log("experiment", {{"name", experiment.name}, {"file", experiment.label}});
  InnerOutput log(output);
  // The experiment is built when its turn comes and freed afterwards: one of them is in memory at a time.
  const std::unique_ptr<Study> study = experiment.plan.build();
  study->begin(log);
  while (study->steps_done() < study->total_steps()) {
    const StepResult result = study->step(log);
    if (result.failed) return {true, experiment.name + ": " + result.diagnosis};
  }
  const double number = double(values_.size());
  std::vector<double> values, row{number};
  const std::vector<Metric> found = study->finish();
  for (const Quantity& wanted : metrics_) {
    const auto metric = std::find_if(found.begin(), found.end(), [&](const Metric& m) { return m.name == wanted.name; });
    values.push_back(metric == found.end() ? std::nan("") : metric->value);
  }
  row.insert(row.end(), values.begin(), values.end());
  values_.push_back(values);
  output.row(row);
  output.timings({number, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
  return {};
}

std::string objection_to(const std::string& study) { return study == kind_name ? "gathers metrics itself" : ""; }

void read_experiment_entry(Configuration& entry, const StudyContext& context, std::vector<Quantity>& wanted,
                           std::vector<InnerExperiment>& experiments, StudyPlan& plan) {
  std::vector<std::string> others, names;
  for (const InnerExperiment& other : experiments) others.push_back(other.name);
  const std::optional<InnerExperiment> inner = read_inner_experiment(entry, context, others, objection_to, plan.plugins);
  if (!inner) return;
  for (const Quantity& metric : inner->plan.metrics) names.push_back(metric.name);
  for (Quantity& metric : wanted) {
    const auto found = std::find(names.begin(), names.end(), metric.name);
    if (found == names.end()) {
      entry.problem(entry.location("file"),
                    fmt::format("it has no metric '{}'.{}", metric.name, suggestion(metric.name, names)));
      continue;
    }
    const Quantity& theirs = inner->plan.metrics[std::size_t(found - names.begin())];
    metric = theirs;
    plan.metrics.push_back(
        {inner->name + "_" + theirs.name, theirs.unit, inner->label + ": " + theirs.documentation, theirs.by_clock});
  }
  experiments.push_back(*inner);
}

StudyPlan read_gathered_metrics(Configuration& experiment, const StudyContext& context) {
  StudyPlan plan;
  std::vector<Quantity> metrics;
  for (const std::string& name :
       experiment.texts("metrics", 1, 100, {.documentation = "metrics that all of the experiments have"}))
    metrics.push_back({name, "1", ""});
  std::vector<InnerExperiment> experiments;
  experiment.each(
      "experiments", [&](Configuration& entry) { read_experiment_entry(entry, context, metrics, experiments, plan); },
      "experiments that are run, one after another", 1);
  plan.build = [experiments, metrics]() -> std::unique_ptr<Study> {
    return std::make_unique<GatheredMetrics>(experiments, metrics);
  };
  return plan;
}

}  // namespace

StudyKind gathered_metrics() {
  return {"other experiments, one after another, and their metrics in one table",
          "Each experiment is run as its file states, or in one of its variants. It writes no run folder, and its own "
          "acceptance is not checked.",
          {},
          {},
          read_gathered_metrics};
}

}  // namespace holo
