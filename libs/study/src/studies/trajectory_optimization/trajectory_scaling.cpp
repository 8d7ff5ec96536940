#include <fmt/format.h>

#include <cmath>

#include "studies/studies.h"
#include "studies/trajectory_optimization/scaling_study.h"

namespace holo {

namespace {

using ScalingKind = ScalingRun::Kind;

constexpr TrajectoryKeys scaling_keys = {.of_stages = false, .instead = "`scaling` has the `iterations`"};

// Whole numbers that grow, at least two of them where there are any.
std::vector<int> read_scaling_sizes(Configuration& section, const char* key, double largest, const char* documentation) {
  if (!section.has(key)) return {};
  const std::vector<double> numbers =
      section.numbers(key, 2, 1000, {.minimum = 1, .maximum = largest, .documentation = documentation});
  std::vector<int> sizes;
  for (const double number : numbers) {
    if (section.recording()) break;
    if (number != std::floor(number) || (!sizes.empty() && number <= sizes.back())) {
      section.problem(section.location(key), fmt::format("'{}' needs whole numbers that grow; found {} after {}", key, number,
                                                         sizes.empty() ? 0 : sizes.back()));
      return {};
    }
    sizes.push_back(int(number));
  }
  return sizes;
}

int read_scaling_iterations(Configuration& section, const char* key, int standard, const char* documentation) {
  return int(
      section.integer(key, {.minimum = 1, .maximum = 1'000'000, .default_value = standard, .documentation = documentation}));
}

HorizonPlan read_horizon(Configuration& experiment, const TrajectoryPlan& plan) {
  Configuration section = experiment.section("receding_horizon", "the same motion in windows", false);
  HorizonPlan horizon;
  horizon.window = section.number(
      "window",
      {.unit = "s", .minimum = 0, .minimum_excluded = true, .default_value = 1, .documentation = "length of a window"});
  horizon.executes_single_steps =
      section.text("advance", {.choices = {"control_point", "time_step"},
                               .default_value = "control_point",
                               .documentation = "what is executed before the next window: the steps of a segment, or one"}) ==
      "time_step";
  horizon.is_of_spline = section.text("unknowns", {.choices = {"spline", "states"},
                                                   .default_value = "spline",
                                                   .documentation = "of windows and of the whole motion: points of a spline "
                                                                    "with its tested equations, or all states"}) == "spline";
  horizon.window_iterations = read_scaling_iterations(section, "iterations", 500, "of a window, at most");
  horizon.whole_iterations = read_scaling_iterations(section, "whole_iterations", 3000, "of the whole duration, at most");
  horizon.stops_at_small_steps =
      section.text("stop", {.choices = {"small_step", "stationarity"},
                            .default_value = "small_step",
                            .documentation = "the test of [Pan2019], or the tolerances of `solver`"}) == "small_step";
  if (!section.recording() && !experiment.has_problems() && std::lround(horizon.window / plan.scene.time_step) < 1)
    section.problem(section.location("window"), fmt::format("a window of {} s has no time step of {} s; give at least one",
                                                            horizon.window, plan.scene.time_step));
  return horizon;
}

// The plan with another size; a problem at the key where there is none.
void add_resized_run(Configuration& experiment, const StudyContext& context, ScalingKind kind, int size, ScalingPlan& scaling) {
  Configuration section = experiment.section("scaling", "", false);
  const bool is_of_links = kind == ScalingKind::links;
  try {
    std::vector<UsedPlugin> known;
    const TrajectorySize other = is_of_links ? TrajectorySize{.links = size} : TrajectorySize{.steps = size};
    scaling.runs.push_back({kind, size, read_trajectory_plan(experiment, *context.plugins, known, scaling_keys, other)});
  } catch (const Error& error) {
    if (error.failure() != Failure::input) throw;
    section.problem(section.location(is_of_links ? "links" : "steps"), fmt::format("with {}: {}", size, error.what()));
  }
}

void read_scaling_section(Configuration& experiment, const StudyContext& context, const TrajectoryPlan& plan,
                          ScalingPlan& scaling) {
  Configuration section = experiment.section("scaling", "what is measured", false);
  scaling.iterations = read_scaling_iterations(section, "iterations", 200, "of each optimization");
  scaling.judges_times =
      section.boolean("judge_times", true, "false: the run is too short for reliable times; metrics of times are not measured");
  const std::vector<int> steps = read_scaling_sizes(section, "steps", 1e6, "numbers of time steps N");
  const std::vector<int> links = read_scaling_sizes(section, "links", 1000, "numbers of links of the character `chain`");
  if (!links.empty() && plan.scene.character.definition.type != "chain")
    section.problem(section.location("links"), fmt::format("the character is '{}'; links are varied of 'chain' alone",
                                                           plan.scene.character.definition.name()));
  if (section.recording())  // for the list of metrics
    for (const ScalingKind kind : {ScalingKind::steps, ScalingKind::links}) scaling.runs.push_back({kind, 1, plan});
  if (section.recording() || experiment.has_problems()) return;
  for (const int size : steps) add_resized_run(experiment, context, ScalingKind::steps, size, scaling);
  for (const int size : links) add_resized_run(experiment, context, ScalingKind::links, size, scaling);
}

StudyPlan read_trajectory_scaling(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  const TrajectoryPlan plan = read_trajectory_plan(experiment, *context.plugins, result.plugins, scaling_keys);
  ScalingPlan scaling;
  scaling.runs.push_back({ScalingKind::motion, 0, plan});
  read_scaling_section(experiment, context, plan, scaling);
  if (experiment.has("receding_horizon")) {
    if (plan.stages.end != articulated::TrajectoryEnd::free)
      experiment.problem(
          experiment.location("receding_horizon"),
          "windows of a receding horizon do not know the given end of the motion; leave `trajectory: {end}` out");
    scaling.horizon = read_horizon(experiment, plan);
    scaling.runs.push_back({ScalingKind::whole, 0, plan});
    scaling.runs.push_back({ScalingKind::receding, 0, plan});
  }
  result.metrics = scaling_metrics(scaling);
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [scaling]() -> std::unique_ptr<Study> { return std::make_unique<TrajectoryScaling>(scaling); };
  return result;
}

}  // namespace

StudyKind trajectory_scaling() {
  return {"times of iterations of a trajectory's optimization by its length and by the character's size",
          "A fixed number of iterations is run from the start on one thread, in processor time: of the motion, of motions of "
          "other numbers of time steps, and of chains with other numbers of links. `receding_horizon` optimizes the motion at "
          "once and in windows, and compares their work.",
          {},
          {},
          read_trajectory_scaling};
}

}  // namespace holo
