// How a robot's design is optimized: the sections `redundancy`, `singularity` and `solver` of the experiment.
#include "studies/robot_design/robot_design_plan.h"

namespace holo {

namespace {

void read_redundancy(Configuration& experiment, RobotDesignPlan& plan) {
  Configuration redundancy = experiment.section("redundancy", "which rows are dropped where others imply them", false);
  const std::string method = redundancy.text(
      "method",
      {.choices = {"pivoted", "paper"},
       .default_value = "pivoted",
       .documentation = "rows that leave the others best conditioned at all poses; or [Maloisel2023] Eq 14, at the first"});
  using Method = EliminationOptions::Method;
  plan.motion.elimination.method = method == "paper" ? Method::paper : Method::pivoted;
  plan.motion.pose_count = int(redundancy.integer("poses", {.minimum = 1,
                                                            .maximum = 1000,
                                                            .default_value = plan.motion.pose_count,
                                                            .documentation = "of the initial motion, that are looked at"}));
  EliminationMonitorOptions& monitor = plan.monitor;
  monitor.every = int(redundancy.integer(
      "check_every", {.minimum = 0,
                      .maximum = 100'000,
                      .default_value = monitor.every,
                      .documentation = "iterations, which are one step of this study, between checks of the rows. 0: never"}));
  monitor.poor =
      redundancy.number("poor_below", {.minimum = 0,
                                       .maximum = 1,
                                       .default_value = monitor.poor,
                                       .documentation = "smallest singular value of the kept rows over that of all rows, "
                                                        "below which rows are chosen anew"});
  monitor.motion.redundant_actuation =
      plan.motion.redundant_actuation;  // chosen anew as well as can be, whatever the first choice was like
  monitor.motion.elimination.eliminate_first = plan.motion.elimination.eliminate_first;
}

void read_singularity(Configuration& experiment, RobotDesignPlan& plan) {
  if (!experiment.has("singularity") && !experiment.recording()) return;
  Configuration singularity = experiment.section(
      "singularity",
      "keeps the robot away from poses at which its actuators lose hold of it: adds to the objective weight times "
      "the square of what the smallest singular value of all rows lacks, at every knot; steps take longer",
      false);
  plan.singularity.keep_above = singularity.number(
      "keep_above", {.minimum = 0, .maximum = 1, .minimum_excluded = true, .documentation = "each row of length 1"});
  plan.singularity.weight = singularity.number("weight", {.minimum = 0, .default_value = 1.0});
}

void read_solver(Configuration& experiment, RobotDesignPlan& plan) {
  Configuration solver = experiment.section("solver", "sequential quadratic programming", false);
  StagedSqpOptions& to = plan.solver;
  const std::string step = solver.text("step", {.choices = {"arrow", "dense_riccati", "sparse_lu"},
                                                .default_value = "arrow",
                                                .documentation = "how a step is found; all give the same"});
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
  to.tolerance =
      solver.number("tolerance", {.minimum = 0,
                                  .minimum_excluded = true,
                                  .default_value = to.tolerance,
                                  .documentation = "of stationarity and of the rows, lengths over the robot's size"});
  if (solver.has("design_step_limit"))
    to.parameter_step_limit =
        solver.number("design_step_limit", {.unit = "1",
                                            .minimum = 0,
                                            .minimum_excluded = true,
                                            .documentation = "steps are cut to this largest change of a design "
                                                             "parameter, lengths over the robot's size"});
  const std::string assembly =
      solver.text("assembly", {.choices = {"constrain", "ignore"},
                               .default_value = "constrain",
                               .documentation = "whether designs that cannot be assembled are excluded"});
  plan.assembly = assembly == "ignore" ? AssemblyRule::ignore : AssemblyRule::constrain;
}

}  // namespace

void read_solution(Configuration& experiment, RobotDesignPlan& plan) {
  read_redundancy(experiment, plan);
  read_singularity(experiment, plan);
  read_solver(experiment, plan);
}

}  // namespace holo
