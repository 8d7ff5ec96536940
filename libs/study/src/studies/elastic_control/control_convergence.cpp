// The study `control_convergence`: how fast several methods minimize the same frames of controlled motions, as [Shen2024]
// Fig 5.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "studies/elastic_control/motion_frames.h"
#include "studies/metric_kinds.h"
#include "studies/studies.h"

namespace holo {
namespace {

// Excess of the objective over the smallest that any method found, relative to that at the common start.
constexpr double reached_excess[] = {1e-2, 1e-4, 1e-6};
constexpr double least_shown = 1e-16;  // of the logarithmic axis

struct ConvergencePlan {
  std::vector<MotionFrame> frames;
  std::vector<DenseMethod> methods;
  int iterations = 0;       // of each method, at most
  int fast_iterations = 0;  // in which a method that is fast reaches the last of the excesses
};

using Curve = std::vector<double>;  // the objective at the start and after each iteration

Curve curve_of(const DenseResult& result) {
  Curve curve;
  for (const DenseIteration& iteration : result.iterations) curve.push_back(iteration.value);
  if (curve.empty() || result.value != curve.back()) curve.push_back(result.value);
  return curve;
}

// The number of values of the objective, each with a solved step, that the iterations until then needed.
Curve evaluations_of(const DenseResult& result) {
  Curve evaluations{0};
  for (const DenseIteration& iteration : result.iterations) evaluations.push_back(evaluations.back() + iteration.evaluations);
  return evaluations;
}

// The number of iterations after which an excess, relative to the first, stays below `share`; infinity: never.
double iterations_to(const Curve& curve, double least, double share) {
  const double bound = least + share * (curve.front() - least);
  for (std::size_t i = 0; i < curve.size(); ++i)
    if (curve[i] <= bound) return static_cast<double>(i);
  return std::numeric_limits<double>::infinity();
}

// One step is one frame: the motion until it, then its minimizations.
class ControlConvergence final : public Study {
 public:
  explicit ControlConvergence(ConvergencePlan plan) : plan_(std::move(plan)) {}

  std::vector<Quantity> columns() const override {
    std::vector<Quantity> result{{"iteration", "1", "of each method"}};
    for (const std::string& name : curve_names())
      result.push_back({name, "1", "excess of the objective over the smallest, relative to the start"});
    return result;
  }
  std::vector<ColumnPlot> plots() const override;
  std::int64_t total_steps() const override { return static_cast<std::int64_t>(plan_.frames.size()); }
  std::int64_t steps_done() const override { return static_cast<std::int64_t>(curves_.size() / columns_per_motion()); }
  StepResult step(StudyOutput& output) override;

  // One column for each curve; those of frames that are still to come are empty.
  std::string serialize() const override {
    std::vector<Curve> all = curves_;
    all.resize(plan_.frames.size() * columns_per_motion());
    return serialize_columns(all);
  }
  void deserialize(std::string_view state) override {
    curves_.assign(plan_.frames.size() * columns_per_motion(), {});
    deserialize_columns(state, curves_);
    while (!curves_.empty() && curves_.back().empty()) curves_.pop_back();
    if (curves_.size() % columns_per_motion() != 0) throw Error(Failure::input, "the checkpoint is not one of this experiment");
  }

  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  std::vector<std::string> curve_names() const {
    std::vector<std::string> names;
    for (const MotionFrame& frame : plan_.frames)
      for (const DenseMethod method : plan_.methods) names.push_back(frame.motion.name + "_" + to_string(method));
    return names;
  }
  std::size_t columns_per_motion() const { return 2 * plan_.methods.size(); }
  const Curve& curve(std::size_t motion, std::size_t method) const {
    return curves_[motion * columns_per_motion() + 2 * method];
  }
  // Values of the objective until an excess of this share of the first; infinity: never.
  double evaluations_to(std::size_t motion, std::size_t method, double share) const {
    const double iterations = iterations_to(curve(motion, method), least_of(motion), share);
    if (!std::isfinite(iterations)) return iterations;
    return curves_[motion * columns_per_motion() + 2 * method + 1][static_cast<std::size_t>(iterations)];
  }
  double least_of(std::size_t motion) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < plan_.methods.size(); ++m)
      least = std::min(least, *std::min_element(curve(motion, m).begin(), curve(motion, m).end()));
    return least;
  }
  void write_rows(StudyOutput& output) const;

  ConvergencePlan plan_;
  std::vector<Curve> curves_;  // [motion][method][objective, evaluations until then]
};

std::vector<ColumnPlot> ControlConvergence::plots() const {
  std::vector<ColumnPlot> plots;
  for (const MotionFrame& frame : plan_.frames) {
    ColumnPlot& plot = plots.emplace_back();
    plot.title = fmt::format("Objective of a frame of {}", frame.motion.name);
    plot.x = "iteration";
    for (const DenseMethod method : plan_.methods) plot.y.push_back(frame.motion.name + "_" + to_string(method));
    plot.logarithmic = true;
    plot.label = "excess of the objective";
  }
  return plots;
}

StepResult ControlConvergence::step(StudyOutput& output) {
  const MotionFrame& frame = plan_.frames[static_cast<std::size_t>(steps_done())];
  std::string diagnosis;
  const std::unique_ptr<ElasticControl> control = run_until(frame, output, diagnosis);
  if (!control) return {true, diagnosis};
  const std::vector<DenseResult> results = control->compare_methods(plan_.methods, plan_.iterations);
  if (results.empty()) return {true, no_activations(frame)};
  for (const DenseResult& result : results) {
    curves_.push_back(curve_of(result));
    curves_.push_back(evaluations_of(result));
  }
  if (steps_done() == total_steps()) write_rows(output);
  return {};
}

// One row for each iteration, with NaN where a method has ended.
void ControlConvergence::write_rows(StudyOutput& output) const {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < curves_.size(); i += 2) longest = std::max(longest, curves_[i].size());
  for (std::size_t i = 0; i < longest; ++i) {
    std::vector<double> row{static_cast<double>(i)};
    for (std::size_t motion = 0; motion < plan_.frames.size(); ++motion)
      for (std::size_t m = 0; m < plan_.methods.size(); ++m) {
        const Curve& values = curve(motion, m);
        const double least = least_of(motion);
        row.push_back(i < values.size() ? std::max((values[i] - least) / (values.front() - least), least_shown) : std::nan(""));
      }
    output.row(row);
  }
}

std::vector<Metric> ControlConvergence::finish() {
  std::vector<Metric> metrics;
  std::vector<double> fast(plan_.methods.size(), 0);
  for (std::size_t motion = 0; motion < plan_.frames.size(); ++motion)
    for (std::size_t m = 0; m < plan_.methods.size(); ++m) {
      const double iterations = iterations_to(curve(motion, m), least_of(motion), std::end(reached_excess)[-1]);
      fast[m] += iterations <= plan_.fast_iterations;
      const std::string name = curve_names()[motion * plan_.methods.size() + m];
      metrics.push_back({name + "_iterations", iterations});
      metrics.push_back({name + "_evaluations", evaluations_to(motion, m, std::end(reached_excess)[-1])});
    }
  for (std::size_t m = 0; m < plan_.methods.size(); ++m)
    metrics.push_back({to_string(plan_.methods[m]) + "_fast_frames", fast[m]});
  return metrics;
}

std::vector<Table> ControlConvergence::tables() {
  Table table{
      "Iterations until the excess of the objective is a share of that at the start",
      "The excess is over the smallest objective that any of the methods found. An iteration of Newton's method has one "
      "Hessian and some values of the objective, each with a solved step and a gradient; one of the others has a "
      "gradient.",
      {{"frame", ""}, {"experiment", ""}, {"method", ""}},
      {}};
  for (const double share : reached_excess) table.columns.push_back({fmt::format("to {:.0e}", share), ""});
  table.columns.push_back({fmt::format("values to {:.0e}", std::end(reached_excess)[-1]), ""});
  table.columns.push_back({"start", ""});
  table.columns.push_back({"end", ""});
  for (std::size_t motion = 0; motion < plan_.frames.size(); ++motion)
    for (std::size_t m = 0; m < plan_.methods.size(); ++m) {
      std::vector<Cell>& row = table.rows.emplace_back();
      row = {fmt::format("{}, frame {}", plan_.frames[motion].motion.name, plan_.frames[motion].frame),
             plan_.frames[motion].motion.label, to_string(plan_.methods[m])};
      for (const double share : reached_excess) row.push_back(iterations_to(curve(motion, m), least_of(motion), share));
      row.push_back(evaluations_to(motion, m, std::end(reached_excess)[-1]));
      row.push_back(curve(motion, m).front());
      row.push_back(curve(motion, m).back());
    }
  return {table};
}

void read_methods(Configuration& experiment, ConvergencePlan& plan) {
  const std::vector<DenseMethod> all{DenseMethod::newton, DenseMethod::gauss_newton, DenseMethod::l_bfgs,
                                     DenseMethod::gradient_descent};
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const DenseMethod method : all) names.push_back(to_string(method));
  for (const std::string& name :
       experiment.texts("methods", 1, all.size(), {.choices = names, .documentation = "methods that are compared"})) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;  // a problem, or a recording
    const DenseMethod method = all[static_cast<std::size_t>(found - names.begin())];
    if (std::find(plan.methods.begin(), plan.methods.end(), method) != plan.methods.end())
      experiment.problem(experiment.location("methods"), fmt::format("'{}' is named twice", name));
    else
      plan.methods.push_back(method);
  }
  plan.iterations = static_cast<int>(experiment.integer(
      "iterations", {.minimum = 1, .maximum = 100'000, .default_value = 200, .documentation = "of each method, at most"}));
  plan.fast_iterations = static_cast<int>(experiment.integer(
      "fast_iterations",
      {.minimum = 1,
       .maximum = 100'000,
       .default_value = 12,
       .documentation = "in which a method reaches 1e-6 of the first excess to be called fast (METHOD_fast_frames)"}));
}

StudyPlan read_control_convergence(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  ConvergencePlan plan;
  const std::size_t problems = experiment.problem_count();
  read_methods(experiment, plan);
  plan.frames = read_motion_frames(experiment, context, result.plugins);
  for (const MotionFrame& frame : plan.frames)
    for (const DenseMethod method : plan.methods) {
      const std::string name = frame.motion.name + "_" + to_string(method);
      result.metrics.push_back(
          {name + "_iterations", "1", "until the excess of the objective is 1e-6 of that at the start; infinity: never"});
      result.metrics.push_back({name + "_evaluations", "1", "values of the objective until then; infinity: never"});
    }
  for (const DenseMethod method : plan.methods)
    result.metrics.push_back({to_string(method) + "_fast_frames", "1", "frames in which it took at most fast_iterations"});
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan]() -> std::unique_ptr<Study> {
    require_frames(plan.frames);
    return std::make_unique<ControlConvergence>(plan);
  };
  return result;
}

}  // namespace

StudyKind control_convergence() {
  return {"objectives of single frames of controlled elastic motions over the iterations of several methods",
          "Each motion runs until the frame before. The methods begin with the same activations, found by the motion's warm "
          "start, and with the normal forces at the end of the frame as the motion finds it. An objective's excess is over the "
          "smallest that any method found.",
          {},
          {},
          read_control_convergence};
}

}  // namespace holo
