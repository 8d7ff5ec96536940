#include <algorithm>

#include "studies/markov_regularization/markov_study.h"
#include "studies/studies.h"

namespace holo {

using articulated::MarkovLoss, articulated::MarkovOptions, articulated::PointFrame;

namespace {

int read_markov_count(Configuration& section, const char* key, int standard, const char* documentation,
                      std::int64_t most = 10'000) {
  return int(
      section.integer(key, {.minimum = 1, .maximum = most, .default_value = double(standard), .documentation = documentation}));
}

void read_regularization(Configuration& experiment, MarkovOptions& options) {
  Configuration section = experiment.section("regularization", "the network and the rounds in which both are optimized", false);
  options.weight =
      section.number("weight", {.unit = "1",
                                .minimum = 0,
                                .default_value = options.weight,
                                .documentation = "of the mean squared error of predicted points, in the objective"});
  options.frame =
      section.text("frame", {.choices = {"heading", "world"},
                             .default_value = "heading",
                             .documentation = "in which points are predicted: as changes along the heading, without "
                                              "regard to where the character is; or as they are"}) == "world"
          ? PointFrame::world
          : PointFrame::heading;
  options.rounds = read_markov_count(section, "rounds", options.rounds, "at most");
  options.trajectory_iterations =
      read_markov_count(section, "trajectory_iterations", options.trajectory_iterations, "of each round, at most");
  options.network_iterations =
      read_markov_count(section, "network_iterations", options.network_iterations, "of each round, at most");
  options.tolerance = section.number("tolerance", {.unit = "1",
                                                   .minimum = 0,
                                                   .maximum = 1,
                                                   .default_value = options.tolerance,
                                                   .documentation = "relative change in a round, below which the rounds end"});
}

MarkovRun read_markov_run(Configuration& entry, const std::vector<MarkovRun>& earlier) {
  MarkovRun run;
  run.name = entry.text("name", {.documentation = "of the run in metrics"});
  const std::string network = entry.text(
      "network", {.choices = {"none", "transitions", "rollout"},
                  .default_value = "transitions",
                  .documentation = "what the network is fitted to: single transitions, or the motion that it repeats "
                                   "from the first point; `none`: the trajectory is optimized alone"});
  run.loss = network == "none" ? MarkovLoss::none : network == "rollout" ? MarkovLoss::rollout : MarkovLoss::transitions;
  if (entry.recording() || run.has_network())
    run.hidden_units = read_markov_count(entry, "hidden_units", 128, "of each of the network's three hidden layers", 1024);
  run.reference = entry.text("reference", {.default_value = "", .documentation = "an earlier run, for ratios"});
  if (entry.recording()) return run;
  const auto has_name = [&](const std::string& name) {
    return std::any_of(earlier.begin(), earlier.end(), [&](const MarkovRun& other) { return other.name == name; });
  };
  if (has_name(run.name)) entry.problem(entry.location("name"), "a second run '" + run.name + "'");
  if (!run.reference.empty() && !has_name(run.reference))
    entry.problem(entry.location("reference"), "no run '" + run.reference + "' before this one");
  return run;
}

}  // namespace

MarkovPlan read_markov_plan(Configuration& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins) {
  const TrajectoryKeys keys = {
      .of_stages = false, .recentering = false, .instead = "give `regularization: {trajectory_iterations, rounds}`"};
  MarkovPlan plan{.trajectory = read_trajectory_plan(experiment, *context.plugins, plugins, keys), .options = {}, .runs = {}};
  MarkovOptions& options = plan.options;
  options.segment_length = plan.trajectory.stages.segment_length;
  options.end = plan.trajectory.stages.end;
  options.solver = plan.trajectory.stages.spline_solver;
  options.restoration = plan.trajectory.stages.restoration;
  options.linear_algebra = plan.trajectory.stages.linear_algebra;
  options.seed = context.seed;
  if (options.segment_length < 2 && !experiment.recording())
    experiment.problem(experiment.location("trajectory"), "points of a spline are predicted; `segment_length` is at least 2");
  read_regularization(experiment, options);
  experiment.each(
      "runs", [&](Configuration& entry) { plan.runs.push_back(read_markov_run(entry, plan.runs)); },
      "optimizations of the same motion", 1);
  return plan;
}

namespace {

StudyPlan read_markov_regularization(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  const MarkovPlan plan = read_markov_plan(experiment, context, result.plugins);
  result.metrics = markov_metrics(plan.runs);
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<MarkovRegularization>(plan, frames);
  };
  return result;
}

}  // namespace

StudyKind markov_regularization() {
  return {"a motion of a character with and without a network that has to predict it",
          "The spline of a trajectory is optimized in turns with a network that predicts each of its points from the one "
          "before. The error of the prediction is a part of the objective, so that the motion becomes one that repeats itself.",
          {},
          {},
          read_markov_regularization};
}

}  // namespace holo
