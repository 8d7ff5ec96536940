#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "holo/comparison/error_curve.h"
#include "holo/study/quantity_table.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {

namespace {

using comparison::CurveChoice;
using comparison::ErrorCurve;

struct NamedCurve {
  std::string name;  // a column
  CurveChoice choice;
};

// A metric of one curve: of the rows whose step's exponent is between `from` and `to`.
struct CurveMetric {
  std::string name, kind, curve;
  std::int64_t from = 0, to = 0;
  double power = 2;
};

struct ErrorCurvesPlan {
  std::string function;
  double point = 0;
  std::uint64_t seed = 0;
  std::int64_t first = -2, last = -127;  // exponents of 2
  std::vector<NamedCurve> curves;
  std::vector<CurveMetric> named_metrics;
};

// Of a curve within a range of steps; a slope is the log2 of the ratio of two errors whose steps differ by a factor 2.
struct MeasuredCurve {
  Extremes errors, slopes, coefficients;
};

const QuantityTable<MeasuredCurve>& metric_kinds() {
  using C = const MeasuredCurve&;
  static const QuantityTable<MeasuredCurve> kinds{
      {{"largest_error", "1", "largest relative error of the curve"}, [](C c) { return c.errors.largest; }},
      {{"smallest_error", "1", "smallest relative error of the curve"}, [](C c) { return c.errors.smallest; }},
      {{"exponent_of_smallest_error", "1", "log2 of the step at which the curve's error is smallest"},
       [](C c) { return c.errors.place_of_smallest; }},
      {{"smallest_slope", "1", "smallest log2 of the ratio of two errors whose steps differ by a factor 2"},
       [](C c) { return c.slopes.smallest; }},
      {{"largest_slope", "1", "largest log2 of such a ratio"}, [](C c) { return c.slopes.largest; }},
      {{"smallest_coefficient", "1", "smallest error over step^power"}, [](C c) { return c.coefficients.smallest; }},
      {{"largest_coefficient", "1", "largest error over step^power"}, [](C c) { return c.coefficients.largest; }}};
  return kinds;
}

class ErrorCurves final : public Study {
 public:
  explicit ErrorCurves(ErrorCurvesPlan plan) : plan_(std::move(plan)) {
    for (const NamedCurve& curve : plan_.curves) {
      curves_.push_back(comparison::error_curve(curve.choice, plan_.point, plan_.seed));
      errors_.emplace_back();
    }
  }

  std::vector<Quantity> columns() const override {
    std::vector<Quantity> result{{"step_exponent", "1", "log2 of the step"}, {"step", "1", "step of the derivative"}};
    for (const NamedCurve& curve : plan_.curves)
      result.push_back({curve.name, "1",
                        fmt::format("relative error of derivative {} by {}{}", curve.choice.order, curve.choice.method,
                                    curve.choice.long_double ? ", long double" : "")});
    return result;
  }
  std::vector<ColumnPlot> plots() const override {
    ColumnPlot plot{"Relative error against the step", "step", {}, true, false, true};
    for (const NamedCurve& curve : plan_.curves) plot.y.push_back(curve.name);
    plot.label = "relative error";
    return {plot};
  }
  std::vector<std::string> kernels() const override {
    for (const comparison::CurveFunction& function : comparison::curve_functions())
      if (function.name == plan_.function)
        return {function.has_point ? fmt::format("{}: {} at {}", function.name, function.formula, plan_.point)
                                   : fmt::format("{}: {}, seed {}", function.name, function.formula, plan_.seed)};
    return {};
  }
  std::int64_t total_steps() const override { return plan_.first - plan_.last + 1; }
  std::int64_t steps_done() const override { return static_cast<std::int64_t>(errors_.front().size()); }

  StepResult step(StudyOutput& output) override {
    const auto exponent = static_cast<int>(plan_.first - steps_done());
    const double h = std::ldexp(1.0, exponent);
    std::vector<double> row{static_cast<double>(exponent), h};
    for (std::size_t c = 0; c < curves_.size(); ++c) {
      errors_[c].push_back(curves_[c](h));
      row.push_back(errors_[c].back());
    }
    output.row(row);
    return {};
  }

  std::string serialize() const override { return serialize_columns(errors_); }
  void deserialize(std::string_view state) override { deserialize_columns(state, errors_); }

  std::vector<Metric> finish() override {
    std::vector<Metric> metrics;
    for (const CurveMetric& metric : plan_.named_metrics) metrics.push_back({metric.name, value(metric)});
    return metrics;
  }

 private:
  double value(const CurveMetric& metric) const;

  ErrorCurvesPlan plan_;
  std::vector<ErrorCurve> curves_;
  std::vector<std::vector<double>> errors_;  // [curve][row]
};

// Rows are steps 2^first, 2^(first - 1), ...: the exponents from `from` down to `to` are neighboring rows. A slope is between a
// row and the one before it, whose step is twice as large.
double ErrorCurves::value(const CurveMetric& metric) const {
  std::size_t c = 0;
  while (plan_.curves[c].name != metric.curve) ++c;
  const auto begin = static_cast<std::size_t>(plan_.first - metric.from),
             end = static_cast<std::size_t>(plan_.first - metric.to);
  const std::vector<double>& errors = errors_[c];
  MeasuredCurve within;
  for (std::size_t row = begin; row <= end; ++row) {
    const int exponent = static_cast<int>(plan_.first) - static_cast<int>(row);
    within.errors.add(errors[row], exponent);
    within.coefficients.add(errors[row] / std::exp2(metric.power * exponent), exponent);
    if (row > begin) within.slopes.add(std::log2(errors[row - 1] / errors[row]), exponent);
  }
  std::size_t kind = 0;
  while (metric_kinds()[kind].quantity.name != metric.kind) ++kind;
  return metric_kinds()[kind].value(within);
}

void read_function(Configuration& experiment, ErrorCurvesPlan& plan) {
  std::vector<std::string> names;
  for (const comparison::CurveFunction& function : comparison::curve_functions()) names.push_back(function.name);
  plan.function = experiment.text("function", {.choices = names, .documentation = "function that is differentiated"});
  for (const comparison::CurveFunction& function : comparison::curve_functions()) {
    if (function.name != plan.function && !experiment.recording()) continue;
    if (function.has_point)
      plan.point =
          experiment.number("point", {.default_value = function.point,
                                      .documentation = "point of the derivative; a function of a random argument has none"});
  }
}

void read_steps(Configuration& experiment, ErrorCurvesPlan& plan) {
  Configuration steps = experiment.section("steps", "powers of two, from the largest to the smallest", false);
  plan.first = steps.integer(
      "first_exponent", {.minimum = -1000, .maximum = 0, .default_value = -2, .documentation = "log2 of the largest step"});
  plan.last = steps.integer(
      "last_exponent", {.minimum = -1000, .maximum = 0, .default_value = -127, .documentation = "log2 of the smallest step"});
  if (plan.last > plan.first && !steps.recording())
    steps.problem(
        steps.location("last_exponent"),
        fmt::format("the steps decrease: last_exponent {} may not be above first_exponent {}", plan.last, plan.first));
}

NamedCurve read_curve(Configuration& entry, const std::string& function) {
  NamedCurve curve;
  std::vector<std::string> names;
  for (const comparison::CurveMethod& method : comparison::curve_methods()) names.push_back(method.name);
  curve.choice.function = function;
  curve.choice.method = entry.text("method", {.choices = names, .documentation = "method of differentiation"});
  curve.choice.order = static_cast<int>(
      entry.integer("order", {.minimum = 1, .maximum = 3, .default_value = 1, .documentation = "order of the derivative"}));
  curve.choice.long_double =
      entry.text("precision", {.choices = {"double", "long_double"},
                               .default_value = "double",
                               .documentation = "precision of the arithmetic: 53 or 64 bits of mantissa"}) == "long_double";
  curve.name = curve.choice.method + (curve.choice.order > 1 ? fmt::format("_{}", curve.choice.order) : "") +
               (curve.choice.long_double ? "_long_double" : "");
  if (entry.recording() || entry.has_problems()) return curve;
  const std::string problem = comparison::curve_problem(curve.choice);
  if (!problem.empty()) entry.problem(entry.location("method"), problem);
  return curve;
}

void read_curves(Configuration& experiment, ErrorCurvesPlan& plan) {
  experiment.each(
      "curves",
      [&](Configuration& entry) {
        NamedCurve curve = read_curve(entry, plan.function);
        auto same = [&](const NamedCurve& other) { return other.name == curve.name; };
        if (std::any_of(plan.curves.begin(), plan.curves.end(), same) && !entry.recording())
          entry.problem(entry.location("method"), fmt::format("two curves are '{}'", curve.name));
        else
          plan.curves.push_back(curve);
      },
      "methods that are compared; their columns are METHOD[_ORDER][_long_double]", 1);
}

void read_exponent(Configuration& entry, const char* key, std::int64_t& exponent, const ErrorCurvesPlan& plan,
                   std::int64_t default_value, const char* documentation) {
  exponent = entry.integer(key, {.minimum = std::min(plan.last, plan.first),
                                 .maximum = plan.first,
                                 .default_value = default_value,
                                 .documentation = documentation});
}

void read_metrics(Configuration& experiment, ErrorCurvesPlan& plan, std::vector<Quantity>& metrics) {
  std::vector<std::string> curves;
  for (const NamedCurve& curve : plan.curves) curves.push_back(curve.name);
  if (experiment.recording()) curves.clear();  // any text: the file's own names
  experiment.each(
      "metrics",
      [&](Configuration& entry) {
        CurveMetric metric;
        metric.name = read_metric_name(entry, metrics);
        metric.kind = read_metric_kind(entry, quantities_of(metric_kinds()));
        metric.curve = entry.text("curve", {.choices = curves, .documentation = "column that the metric is of"});
        read_exponent(entry, "from", metric.from, plan, plan.first, "log2 of the largest step of the range");
        read_exponent(entry, "to", metric.to, plan, plan.last, "log2 of the smallest step of the range");
        metric.power = entry.number(
            "power",
            {.minimum = 0, .maximum = 8, .default_value = 2.0, .documentation = "power of the step in error / step^power"});
        if (metric.to > metric.from && !entry.recording())
          entry.problem(entry.location("to"), fmt::format("'to' {} may not be above 'from' {}", metric.to, metric.from));
        metrics.push_back(measured(metric.name, metric.kind, quantities_of(metric_kinds()), metric.curve));
        plan.named_metrics.push_back(metric);
      },
      "the study's metrics");
}

StudyPlan read_error_curves(Configuration& experiment, const StudyContext& context) {
  ErrorCurvesPlan plan;
  plan.seed = context.seed;
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  read_function(experiment, plan);
  read_steps(experiment, plan);
  read_curves(experiment, plan);
  read_metrics(experiment, plan, result.metrics);
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan]() -> std::unique_ptr<Study> { return std::make_unique<ErrorCurves>(plan); };
  return result;
}

}  // namespace

StudyKind error_curves() {
  return {"relative errors of derivatives by several methods over decreasing steps",
          "One row for each power of two. The experiment names its metrics in `metrics`: extremes of a curve, of its slope, "
          "and of its error over a power of the step, within a range of steps.",
          {},
          {},
          read_error_curves};
}

}  // namespace holo
