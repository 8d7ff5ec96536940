#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/comparison/function_curve.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {

namespace {

using comparison::FunctionCurve;

struct DrawnCurve {
  std::string name, function;
  int derivative = 0;
};

struct DrawnMetric {
  std::string name, kind, curve, other;
  double from = 0, to = 0, at = 0;
};

struct FunctionCurvesPlan {
  double first = 0, last = 1;
  std::int64_t count = 2;
  std::vector<DrawnCurve> curves;
  std::vector<DrawnMetric> named_metrics;
};

const std::vector<Quantity>& curve_metrics() {
  static const std::vector<Quantity> kinds{{"crossing", "1", "where the two cross"},
                                           {"ratio", "1", "the first over the second at a point"},
                                           {"largest_difference", "1", "largest relative difference from the closed form"}};
  return kinds;
}

class FunctionCurves final : public Study {
 public:
  explicit FunctionCurves(FunctionCurvesPlan plan) : plan_(std::move(plan)), differences_(plan_.curves.size()) {
    for (const DrawnCurve& curve : plan_.curves) {
      curves_.push_back(comparison::function_curve(curve.function, curve.derivative));
      exact_.push_back(comparison::exact_function_curve(curve.function, curve.derivative));
    }
  }

  std::vector<Quantity> columns() const override {
    std::vector<Quantity> result{{"x", "1", "argument of the functions"}};
    for (const DrawnCurve& curve : plan_.curves)
      result.push_back({curve.name, "1", fmt::format("{}, derivative {}", curve.function, curve.derivative)});
    return result;
  }
  std::vector<ColumnPlot> plots() const override {
    std::vector<ColumnPlot> result;
    for (int derivative : {0, 1}) {
      ColumnPlot plot{derivative == 0 ? "Functions" : "First derivatives", "x", {}};
      for (const DrawnCurve& curve : plan_.curves)
        if (curve.derivative == derivative) plot.y.push_back(curve.name);
      plot.label = derivative == 0 ? "function" : "derivative";
      if (!plot.y.empty()) result.push_back(plot);
    }
    return result;
  }
  std::int64_t total_steps() const override { return plan_.count; }
  std::int64_t steps_done() const override { return static_cast<std::int64_t>(differences_.front().size()); }

  StepResult step(StudyOutput& output) override {
    const double part = static_cast<double>(steps_done()) / static_cast<double>(plan_.count - 1);
    const double x = plan_.first + part * (plan_.last - plan_.first);
    std::vector<double> row{x};
    for (std::size_t c = 0; c < curves_.size(); ++c) {
      row.push_back(curves_[c](x));
      const double exact = exact_[c](x);
      // Equal values differ by nothing, also where both are 0 or infinite.
      differences_[c].push_back(row.back() == exact ? 0 : std::abs(row.back() - exact) / std::abs(exact));
    }
    output.row(row);
    return {};
  }

  std::string serialize() const override { return serialize_columns(differences_); }
  void deserialize(std::string_view state) override { deserialize_columns(state, differences_); }

  std::vector<Metric> finish() override {
    std::vector<Metric> metrics;
    for (const DrawnMetric& metric : plan_.named_metrics) metrics.push_back({metric.name, value(metric)});
    return metrics;
  }

 private:
  std::size_t index(const std::string& name) const {
    std::size_t c = 0;
    while (plan_.curves[c].name != name) ++c;
    return c;
  }
  double value(const DrawnMetric& metric) const {
    const std::size_t c = index(metric.curve);
    if (metric.kind == "largest_difference") {
      Extremes extremes;
      for (double difference : differences_[c]) extremes.add(difference, 0);
      return extremes.largest;
    }
    const FunctionCurve &a = curves_[c], &b = curves_[index(metric.other)];
    return metric.kind == "ratio" ? a(metric.at) / b(metric.at) : comparison::crossing(a, b, metric.from, metric.to);
  }

  FunctionCurvesPlan plan_;
  std::vector<FunctionCurve> curves_, exact_;
  std::vector<std::vector<double>> differences_;  // [curve][row], relative
};

void read_points(Configuration& experiment, FunctionCurvesPlan& plan) {
  Configuration points = experiment.section("points", "points at which the functions are evaluated");
  plan.first = points.number("first", {.documentation = "smallest of the points"});
  plan.last = points.number("last", {.documentation = "largest of the points"});
  plan.count = points.integer(
      "count", {.minimum = 2, .maximum = 1'000'000, .default_value = 101, .documentation = "number of evenly spaced points"});
  if (!(plan.first < plan.last) && !points.recording() && !points.has_problems())
    points.problem(points.location("last"), fmt::format("'last' {} must be above 'first' {}", plan.last, plan.first));
}

void read_curve(Configuration& entry, FunctionCurvesPlan& plan) {
  DrawnCurve curve;
  std::vector<std::string> functions;
  for (const comparison::DrawnFunction& function : comparison::drawn_functions()) functions.push_back(function.name);
  curve.name = entry.text("name", {.documentation = "name of the column"});
  curve.function = entry.text("function", {.choices = functions, .documentation = "function of the curve"});
  curve.derivative = static_cast<int>(entry.integer(
      "derivative",
      {.minimum = 0, .maximum = 1, .default_value = 0, .documentation = "order of the derivative; 0: the function itself"}));
  auto same = [&](const DrawnCurve& other) { return other.name == curve.name; };
  if (!entry.recording() && std::any_of(plan.curves.begin(), plan.curves.end(), same))
    entry.problem(entry.location("name"), fmt::format("two curves are named '{}'", curve.name));
  for (const comparison::DrawnFunction& function : comparison::drawn_functions())
    if (!entry.recording() && !entry.has_problems() && function.name == curve.function &&
        !(function.low < plan.first && plan.last < function.high))
      entry.problem(entry.location("function"), fmt::format("{} is defined between {} and {}; the points go from {} to {}",
                                                            function.name, function.low, function.high, plan.first, plan.last));
  plan.curves.push_back(curve);
}

// The open interval in which all functions are defined.
std::pair<double, double> common_domain() {
  double low = -HUGE_VAL, high = HUGE_VAL;
  for (const comparison::DrawnFunction& function : comparison::drawn_functions()) {
    low = std::max(low, function.low);
    high = std::min(high, function.high);
  }
  return {low, high};
}

void read_metric(Configuration& entry, FunctionCurvesPlan& plan, std::vector<Quantity>& metrics) {
  DrawnMetric metric;
  std::vector<std::string> curves;
  for (const DrawnCurve& curve : plan.curves) curves.push_back(curve.name);
  if (entry.recording()) curves.clear();
  auto [low, high] = common_domain();
  auto point = [low = low, high = high](Configuration& p, const char* key, const char* documentation) {
    return p.number(
        key,
        {.minimum = low, .maximum = high, .minimum_excluded = true, .maximum_excluded = true, .documentation = documentation});
  };
  metric.name = read_metric_name(entry, metrics);
  metric.curve = entry.text("curve", {.choices = curves, .documentation = "column from which the metric is computed"});
  metric.kind = read_metric_kind(entry, curve_metrics(), [&](Configuration& p, const std::string& kind) {
    if (kind == "largest_difference") return;
    metric.other = p.text("other", {.choices = curves, .documentation = "column with which the curve is compared"});
    if (kind == "ratio") {
      metric.at = point(p, "at", "point at which the ratio is taken");
    } else {
      metric.from = point(p, "from", "start of the interval with the crossing");
      metric.to = point(p, "to", "end of that interval");
    }
  });
  metrics.push_back(measured(metric.name, metric.kind, curve_metrics(),
                             metric.other.empty() ? metric.curve : metric.curve + " and " + metric.other));
  plan.named_metrics.push_back(metric);
}

StudyPlan read_function_curves(Configuration& experiment, const StudyContext&) {
  StudyPlan result;
  FunctionCurvesPlan plan;
  const std::size_t problems = experiment.problem_count();
  read_points(experiment, plan);
  experiment.each(
      "curves", [&](Configuration& entry) { read_curve(entry, plan); }, "functions and derivatives, one column each", 1);
  experiment.each(
      "metrics", [&](Configuration& entry) { read_metric(entry, plan, result.metrics); }, "the study's metrics", 1);
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan]() -> std::unique_ptr<Study> { return std::make_unique<FunctionCurves>(plan); };
  return result;
}

}  // namespace

StudyKind function_curves() {
  return {"functions of one number and their derivatives over an interval",
          "Derivatives are by the complex step, and are compared with the closed forms. The experiment names its metrics in "
          "`metrics`: the crossing of two curves, their ratio at a point, the largest difference from the closed form.",
          {},
          {},
          read_function_curves};
}

}  // namespace holo
