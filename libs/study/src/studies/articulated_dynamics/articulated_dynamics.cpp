#include <fmt/format.h>

#include "signals/signal_section.h"
#include "studies/articulated_dynamics/articulated_quantities.h"
#include "studies/studies.h"

namespace holo {

namespace {

articulated::StepOptions read_step_solver(Configuration& experiment) {
  Configuration solver = experiment.section("solver", "solver of each time step", false);
  articulated::StepOptions options;
  options.tolerance = solver.number("tolerance", {.unit = "N or N m",
                                                  .minimum = 0,
                                                  .minimum_excluded = true,
                                                  .default_value = options.tolerance,
                                                  .documentation = "largest residual that ends Newton's iterations"});
  options.max_iterations = int(solver.integer("max_iterations", {.minimum = 1,
                                                                 .maximum = 1'000'000,
                                                                 .default_value = options.max_iterations,
                                                                 .documentation = "limit of the iterations of a time step"}));
  return options;
}

StudyPlan read_articulated_dynamics(Configuration& experiment, const StudyContext& context) {
  ArticulatedSetup setup;
  StudyPlan plan;
  setup.scene = read_character_scene(experiment, *context.plugins, plan.plugins);
  setup.controls = read_joint_controls(experiment, setup.scene.character.model.get());
  SignalPlan signals(setup.scene.step_count + 1);
  read_signal_section(experiment, "values over time, to which controls refer by name", signals);
  find_control_signals(experiment, signals.store, setup.controls);
  setup.options = read_step_solver(experiment);
  setup.frames_per_second = context.frames_per_second;
  plan.metrics = quantities_of(articulated_metrics());
  const auto build = [setup, signals] {
    return std::make_unique<ArticulatedDynamics>(setup, compute_signals(signals, setup.scene.time_step).store);
  };
  plan.build = build;
  plan.preview = [build] { return build()->preview(); };
  return plan;
}

}  // namespace

StudyKind articulated_dynamics() {
  return {
      "an articulated character with contact and controls over time, by implicit steps of position-based dynamics",
      "Each time step finds the pose in which inertia, gravity, contact, springs and limits are in balance with the torques of "
      "the actuators, by Newton's method [Pan2019]. Characters are procedural or read from MJCF and URDF.",
      {},
      {},
      read_articulated_dynamics};
}

}  // namespace holo
