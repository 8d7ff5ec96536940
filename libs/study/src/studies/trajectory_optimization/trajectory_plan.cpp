#include "studies/trajectory_optimization/trajectory_plan.h"

#include <fmt/format.h>

#include "holo/core/name_list.h"
#include "signals/loss_reader.h"
#include "signals/signal_section.h"

namespace holo {

namespace {

using articulated::TrajectoryStagesOptions;

void read_trajectory_end(Configuration& parent, TrajectoryPlan& plan) {
  Configuration section = parent.section("end", "what is given of the motion's end", false);
  TrajectoryEndPlan& end = plan.end;
  end.where = section.location();
  const std::string state = section.text(
      "state", {.choices = {"free", "at_rest", "as_given", "passing"},
                .default_value = "free",
                .documentation = "nothing is given; at rest in a static pose near `pose`, which is searched for; at rest in "
                                 "`pose` itself; in `pose` with any velocity"});
  end.is_static = state == "at_rest";
  if (state == "at_rest" || state == "as_given") plan.stages.end = articulated::TrajectoryEnd::state;
  if (state == "passing") plan.stages.end = articulated::TrajectoryEnd::position;
  end.pose =
      read_joint_values(section, "pose", "coordinates at the end by joint [rad or m]; those of others are as at the start");
  if (section.recording()) return;
  if (state == "free" && !end.pose.empty())
    section.problem(section.location("pose"),
                    "the end has a pose, and its state is free; say by `state` whether it is at_rest near the pose, at rest in "
                    "it as_given, or passing through it");
  const articulated::CharacterModel* model = plan.scene.character.model.get();
  for (const JointValue& each : end.pose)
    if (model != nullptr && !contains(model->dof_names(), each.joint))
      section.problem(each.where, fmt::format("the character '{}' has no degree of freedom '{}'.{}", model->name(), each.joint,
                                              suggestion(each.joint, model->dof_names())));
}

void refuse_keys(Configuration& section, std::initializer_list<const char*> keys, const std::string& reason) {
  for (const char* key : keys)
    if (!section.recording() && section.has(key))
      section.problem(section.location(key), fmt::format("'{}' has no effect in this study; {}", key, reason));
}

void read_trajectory_section(Configuration& experiment, const TrajectoryKeys& keys, TrajectoryPlan& plan) {
  Configuration section = experiment.section("trajectory", "how the motion is described and where it starts", false);
  plan.starts_at_rest =
      section.text("start", {.choices = {"at_rest", "as_given"},
                             .default_value = "at_rest",
                             .documentation = "at rest in a static pose near the scene's, which is searched for; or in the "
                                              "scene's pose with its velocity"}) == "at_rest";
  read_trajectory_end(section, plan);
  plan.stages.segment_length =
      int(section.integer("segment_length", {.minimum = 1,
                                             .maximum = 100'000,
                                             .default_value = 10,
                                             .documentation = "time steps between two points of the spline; 1: no spline"}));
  if (keys.of_stages) {
    plan.stages.polish =
        section.boolean("polish", true, "after the spline, optimize the single states so that every equation of motion holds");
  } else {
    refuse_keys(section, {"polish"}, keys.instead);
  }
  if (keys.recentering) {
    plan.stages.recentering = section.number(
        "recentering", {.unit = "rad",
                        .minimum = 0.1,
                        .maximum = 6,
                        .default_value = 3,
                        .documentation = "length of a rotation vector above which its reference rotation is moved"});
  } else {
    refuse_keys(section, {"recentering"}, "all rotations keep the reference rotations of the start");
  }
}

void read_trajectory_effort(Configuration& experiment, TrajectoryPlan& plan) {
  Configuration section =
      experiment.section("effort", "sum over steps of the mean squared control, part of the objective", false);
  plan.effort_weight = section.number("weight", {.minimum = 0, .default_value = 1e-4});
  plan.effort_is_characteristic =
      section.text("unit", {.choices = {"characteristic", "si"},
                            .default_value = "characteristic",
                            .documentation = "of the controls: the character's weight times its radius of gyration, or N m "
                                             "and N"}) == "characteristic";
}

NumberSpec trajectory_tolerance(const char* unit, double standard, const char* documentation) {
  return {.unit = unit,
          .minimum = 0,
          .maximum = 1,
          .minimum_excluded = true,
          .default_value = standard,
          .documentation = documentation};
}

BlockTridiagonalMethod linear_solver_named(const std::string& name) {
  for (const BlockTridiagonalMethod method :
       {BlockTridiagonalMethod::serial, BlockTridiagonalMethod::two_ended, BlockTridiagonalMethod::cyclic_reduction,
        BlockTridiagonalMethod::partitioned, BlockTridiagonalMethod::sparse_ldlt, BlockTridiagonalMethod::sparse_lu})
    if (to_string(method) == name) return method;
  return BlockTridiagonalMethod::serial;
}

int read_trajectory_iterations(Configuration& section, const char* key, const char* documentation) {
  return int(section.integer(key, {.minimum = 0, .maximum = 1'000'000, .default_value = 500, .documentation = documentation}));
}

// How many iterations a stage has, and how many a step of the run.
void read_iterations_of_stages(Configuration& section, TrajectoryPlan& plan) {
  plan.stages.spline_solver.max_iterations =
      read_trajectory_iterations(section, "spline_iterations", "of the spline's stage, at most");
  plan.stages.polish_solver.max_iterations = read_trajectory_iterations(section, "polish_iterations", "of the polish, at most");
  plan.iterations_per_step =
      int(section.integer("iterations_per_step",
                          {.minimum = 1, .maximum = 10'000, .default_value = 10, .documentation = "between two checkpoints"}));
}

void read_trajectory_solver(Configuration& experiment, const TrajectoryKeys& keys, TrajectoryPlan& plan) {
  Configuration section = experiment.section("solver", "trust-region sequential quadratic programming", false);
  TrajectoryStagesOptions& stages = plan.stages;
  TrustRegionSqpOptions& spline = stages.spline_solver;
  spline.merit =
      section.text("merit", {.choices = {"l2", "paper"},
                             .default_value = "l2",
                             .documentation = "the exact l2 merit function, or that of [Pan2019] algorithm 1"}) == "paper"
          ? TrajectoryMerit::paper
          : TrajectoryMerit::l2;
  spline.metric = section.text("metric", {.choices = {"identity", "hessian_diagonal"},
                                          .default_value = "identity",
                                          .documentation = "in which steps are measured"}) == "identity"
                      ? TrustRegionMetric::identity
                      : TrustRegionMetric::hessian_diagonal;
  spline.constraint_tolerance = section.number(
      "constraint_tolerance", trajectory_tolerance("N or N m", 1e-5, "of the largest violated equation of motion"));
  spline.stationarity_tolerance = section.number(
      "stationarity_tolerance", trajectory_tolerance("1", 1e-5, "of the largest entry of the gradient of the Lagrangian"));
  spline.initial_radius = section.number("initial_radius", {.unit = "1",
                                                            .minimum = 0,
                                                            .minimum_excluded = true,
                                                            .default_value = 1,
                                                            .documentation = "of the trust region, in its metric"});
  stages.polish_solver = spline;
  if (keys.of_stages)
    read_iterations_of_stages(section, plan);
  else
    refuse_keys(section, {"spline_iterations", "polish_iterations", "iterations_per_step"}, keys.instead);
  stages.restoration.metric = spline.metric;
  stages.restoration.tolerance = 1e-3 * spline.constraint_tolerance;
  stages.linear_algebra.method = linear_solver_named(section.text(
      "linear_solver", {.choices = {"serial", "two_ended", "cyclic_reduction", "partitioned", "sparse_ldlt", "sparse_lu"},
                        .default_value = "serial",
                        .documentation = "of the block-tridiagonal systems"}));
}

void resize_scene(const TrajectorySize& size, CharacterScene& scene) {
  if (size.steps > 0) scene.step_count = size.steps;
  if (size.links == 0) return;
  CharacterPlan& character = scene.character;
  character.definition.link_count = size.links;
  character.model = build_character(character.definition);
  character.start = start_of(character.definition, *character.model);
}

}  // namespace

TrajectoryPlan read_trajectory_plan(Configuration& experiment, const PluginHost& host, std::vector<UsedPlugin>& plugins,
                                    const TrajectoryKeys& keys, const TrajectorySize& size) {
  CharacterScene scene = read_character_scene(experiment, host, plugins);
  resize_scene(size, scene);
  const Location where = experiment.location("scene");
  const bool is_known = scene.character.model && !experiment.has_problems() && !experiment.recording();
  const int knots = is_known ? scene.step_count + 1 : 2;
  require_few_knots(experiment, knots);
  TrajectoryPlan plan{.scene = std::move(scene), .signals = SignalPlan(experiment.has_problems() ? 2 : knots), .where = where};
  read_signal_section(experiment, "values over time, which losses call by name", plan.signals);
  std::optional<articulated::ArticulatedNames> names;
  if (is_known) names.emplace(*plan.scene.character.model);
  const LossSources sources = {host, names ? &*names : nullptr, &plan.signals.store};
  experiment.each(
      "losses", [&](Configuration& entry) { read_loss(entry, sources, plugins, plan.losses); },
      "objective of the motion: the sum of losses at all steps, scaled to 1 at the start");
  read_trajectory_section(experiment, keys, plan);
  read_trajectory_effort(experiment, plan);
  read_trajectory_solver(experiment, keys, plan);
  return plan;
}

}  // namespace holo
