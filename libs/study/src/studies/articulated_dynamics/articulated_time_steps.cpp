#include <fmt/format.h>

#include <cmath>

#include "studies/articulated_dynamics/time_step_study.h"
#include "studies/studies.h"

namespace holo {

namespace {

bool is_multiple(double time_step, double of) {
  const double ratio = time_step / of;
  return ratio > 0.5 && std::abs(ratio - std::round(ratio)) < 1e-9 * ratio;
}

std::vector<double> read_time_steps(Configuration& experiment, const CharacterScene& scene) {
  const std::vector<double> time_steps = experiment.numbers(
      "time_steps", 1, 100,
      {.unit = "s", .minimum = 0, .minimum_excluded = true, .documentation = "lengths, multiples of the scene's time step"});
  if (experiment.recording() || experiment.has_problems()) return time_steps;
  for (const double time_step : time_steps) {
    if (!is_multiple(time_step, scene.time_step))
      experiment.problem(experiment.location("time_steps"),
                         fmt::format("{} s is no multiple of the scene's time step of {} s, with which motions are compared",
                                     time_step, scene.time_step));
    else if (std::lround(time_step / scene.time_step) > scene.step_count)
      experiment.problem(experiment.location("time_steps"),
                         fmt::format("{} s is longer than the motion of {} s", time_step, scene.step_count * scene.time_step));
  }
  return time_steps;
}

StudyPlan read_articulated_time_steps(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  TimeStepPlan plan;
  plan.scene = read_character_scene(experiment, *context.plugins, result.plugins);
  plan.where = experiment.location("scene");
  for (const double time_step : read_time_steps(experiment, plan.scene))
    for (const IntegrationMethod method : {IntegrationMethod::implicit, IntegrationMethod::explicit_forces})
      plan.runs.push_back({method, time_step});
  plan.energy_tolerance = experiment.number(
      "energy_tolerance", {.minimum = 0,
                           .default_value = plan.energy_tolerance,
                           .documentation = "gain of energy, over weight times radius of gyration, above which a motion is not "
                                            "stable"});
  result.metrics = time_step_metrics();
  result.build = [plan]() -> std::unique_ptr<Study> { return std::make_unique<ArticulatedTimeSteps>(plan); };
  return result;
}

}  // namespace

StudyKind articulated_time_steps() {
  return {
      "stability and accuracy of a character's motion by time steps of several lengths",
      "The motion without controls is computed with each time step twice: by the implicit step of position-based dynamics, "
      "and with the same forces at the start of each step, as force-based simulators do. The reference has the time step of "
      "the scene.",
      {},
      {},
      read_articulated_time_steps};
}

}  // namespace holo
