// Reads the sections `redundancy`, `singularity` and `solver` of a robot design.
#include "studies/robot_design/robot_design_plan.h"

namespace holo {

namespace {

void read_redundancy(Configuration& experiment, RobotDesignPlan& plan) {
  Configuration redundancy = experiment.section("redundancy", "elimination of redundant constraint equations", false);
  const std::string method =
      redundancy.text("method", {.choices = {"pivoted", "paper"},
                                 .default_value = "pivoted",
                                 .documentation = "pivoted: the independent equations that are well conditioned at all poses; "
                                                  "paper: [Maloisel2023] Eq 14, at the first pose"});
  using Method = EliminationOptions::Method;
  plan.motion.elimination.method = method == "paper" ? Method::paper : Method::pivoted;
  plan.motion.pose_count = int(redundancy.integer(
      "poses", {.minimum = 1,
                .maximum = 1000,
                .default_value = plan.motion.pose_count,
                .documentation = "number of poses of the initial motion at which the elimination is chosen"}));
  EliminationMonitorOptions& monitor = plan.monitor;
  monitor.every = int(redundancy.integer(
      "check_every",
      {.minimum = 0,
       .maximum = 100'000,
       .default_value = monitor.every,
       .documentation = "iterations between two checks of the elimination, which are one step of this study; 0: no checks"}));
  monitor.poor = redundancy.number(
      "poor_below",
      {.minimum = 0,
       .maximum = 1,
       .default_value = monitor.poor,
       .documentation = "smallest singular value of the independent equations over that of all equations, below which the "
                        "elimination is renewed"});
  // A renewed elimination has the default method, whatever the method of the first one.
  monitor.motion.redundant_actuation = plan.motion.redundant_actuation;
  monitor.motion.elimination.eliminate_first = plan.motion.elimination.eliminate_first;
}

void read_singularity(Configuration& experiment, RobotDesignPlan& plan) {
  if (!experiment.has("singularity") && !experiment.recording()) return;
  Configuration singularity = experiment.section(
      "singularity",
      "penalty of poses near a singularity, at which the actuators do not determine the robot: adds weight times max(0, "
      "keep_above - smallest singular value of all constraint equations)^2 at every knot; steps take longer",
      false);
  plan.singularity.keep_above = singularity.number(
      "keep_above",
      {.minimum = 0,
       .maximum = 1,
       .minimum_excluded = true,
       .documentation = "smallest singular value without a penalty; each equation's gradient is scaled to length 1"});
  plan.singularity.weight = singularity.number("weight", {.minimum = 0, .default_value = 1.0});
}

void read_solver(Configuration& experiment, RobotDesignPlan& plan) {
  Configuration solver = experiment.section("solver", "sequential quadratic programming", false);
  StagedSqpOptions& to = plan.solver;
  const std::string step = solver.text("step", {.choices = {"arrow", "dense_riccati", "sparse_lu"},
                                                .default_value = "arrow",
                                                .documentation = "method that solves for a step; all give the same step"});
  to.step = step == "dense_riccati" ? StagedStepKind::dense_riccati
            : step == "sparse_lu"   ? StagedStepKind::sparse_lu
                                    : StagedStepKind::arrow;
  const std::string schedule =
      solver.text("regularizer_schedule", {.choices = {"off", "pow2", "every"},
                                           .default_value = "pow2",
                                           .documentation = "when the regularizers' center moves to the current design"});
  to.schedule = schedule == "off"     ? RegularizerSchedule::off
                : schedule == "every" ? RegularizerSchedule::every
                                      : RegularizerSchedule::pow2;
  to.max_iterations =
      int(solver.integer("max_iterations", {.minimum = 1, .maximum = 100'000, .default_value = to.max_iterations}));
  to.tolerance = solver.number(
      "tolerance",
      {.minimum = 0,
       .minimum_excluded = true,
       .default_value = to.tolerance,
       .documentation = "tolerance of stationarity and of the constraint equations; lengths over the robot's size"});
  if (solver.has("design_step_limit"))
    to.parameter_step_limit = solver.number(
        "design_step_limit",
        {.unit = "1",
         .minimum = 0,
         .minimum_excluded = true,
         .documentation = "largest change of a design parameter in one step; longer steps are shortened. Lengths over the "
                          "robot's size"});
  const std::string assembly =
      solver.text("assembly", {.choices = {"constrain", "ignore"},
                               .default_value = "constrain",
                               .documentation = "constrain: designs that cannot be assembled are excluded"});
  plan.assembly = assembly == "ignore" ? AssemblyRule::ignore : AssemblyRule::constrain;
}

}  // namespace

void read_solution(Configuration& experiment, RobotDesignPlan& plan) {
  read_redundancy(experiment, plan);
  read_singularity(experiment, plan);
  read_solver(experiment, plan);
}

}  // namespace holo
