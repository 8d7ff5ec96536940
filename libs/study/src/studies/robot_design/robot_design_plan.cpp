#include "studies/robot_design/robot_design_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/model/mechanism_parameters.h"
#include "holo/sim/motion/formula.h"
#include "studies/robot_design/robot_collisions.h"

namespace holo {

namespace {

std::vector<FormulaVariable> with(std::vector<FormulaVariable> variables, const FormulaVariable& last) {
  variables.push_back(last);
  return variables;
}

// A task behind those that there are.
void add_task(RobotDesignPlan& plan, const std::string& name, int count) {
  if (!plan.tasks.empty()) plan.motion.task_beginnings.push_back(plan.instant_count);
  plan.tasks.push_back({name, {plan.instant_count, count}, {}, {}, {}});
  plan.instant_count += count;
  if (plan.names)
    plan.names->add_task(count);
  else if (plan.layout)
    plan.names = std::make_shared<MechanismNames>(plan.layout, count);
}

void read_time(Parameters& entry, const std::string& name, RobotDesignPlan& plan) {
  const std::size_t problems = entry.problem_count();
  const int count =
      int(entry.integer("instants", {.minimum = 2, .maximum = 100'000, .documentation = "first and last included"}));
  const double duration = entry.number(
      "duration", {.unit = "s", .minimum = 0, .minimum_excluded = true, .documentation = "from the first to the last"});
  const double step = entry.problem_count() == problems ? duration / (count - 1) : 0;
  if (step > 0 && plan.time_step > 0 && std::abs(step / plan.time_step - 1) > 1e-9)
    entry.problem(
        entry.location("duration"),
        fmt::format("the task '{}' has time steps of {:.6g} s, those before it have {:.6g} s; all need the same: change "
                    "its instants or its duration",
                    name, step, plan.time_step));
  plan.time_step = plan.tasks.empty() || plan.time_step > 0 ? step : 0;
  add_task(plan, name, std::max(count, 2));
}

// The mapping `let` of the last task; each formula may use those before it.
void read_variables(Parameters& parent, RobotDesignPlan& plan) {
  const auto entries =
      parent.entries("let", "formulas of the time t and the motion's duration T [s], by names that later formulas may use");
  if (plan.time_step <= 0) return;
  const TargetInstants at = plan.instants();
  std::vector<FormulaVariable>& known = plan.tasks.back().variables;
  for (const Parameters::Entry& entry : entries) {
    FormulaVariable variable{entry.name, Eigen::VectorXd::Zero(at.count)};
    try {
      // With itself among the variables a name that cannot be one is refused.
      signal_of_formulas({"0"}, at.time_step, at.count, "1", with(known, variable));
      variable.values = signal_of_formulas({entry.text}, at.time_step, at.count, "1", known).values.row(0);
    } catch (const Error& error) {
      parent.problem(entry.location, error.what());
      continue;
    }
    known.push_back(std::move(variable));
  }
}

// What the last task is about.
void read_contents(Parameters& parent, const StudyContext& context, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins) {
  read_variables(parent, plan);
  parent.each(
      "controls",
      [&](Parameters& entry) { read_control(entry, plan.whole.get(), plan.instants(), plan.tasks.back().controls); },
      "the initial motion; controls that are not named rest");
  parent.each(
      "rigs", [&](Parameters& entry) { read_rig(entry, *context.plugins, plan, plugins); },
      "other mechanisms, whose motions targets are recorded from");
  parent.each(
      "targets", [&](Parameters& entry) { read_target(entry, plan); }, "what the robot shall do");
}

void read_task(Parameters& entry, const StudyContext& context, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins) {
  const std::string name = entry.text("name", {.documentation = "of the task: letters, digits and _"});
  const bool is_word = std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (!is_word && !entry.recording())
    entry.problem(entry.location("name"), fmt::format("the task's name is '{}'; letters, digits and _ are allowed", name));
  for (const PlannedTask& other : plan.tasks)
    if (other.name == name) entry.problem(entry.location("name"), fmt::format("there are two tasks named '{}'", name));
  read_time(entry, name, plan);
  read_contents(entry, context, plan, plugins);
}

void read_motion(Parameters& experiment, const StudyContext& context, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins) {
  Parameters motion = experiment.section("motion", "the time that is looked at");
  const auto read_tasks = [&](Parameters& p) {
    p.each(
        "tasks", [&](Parameters& entry) { read_task(entry, context, plan, plugins); },
        "at its first knot a task is tied to nothing before it; an objective counts in the tasks that have its targets", 1);
  };
  motion.branch_on_key(
      {{"instants", "one motion", [&](Parameters& p) { read_time(p, "", plan); }},
       {"tasks", "several that share one design, each with `controls`, `targets`, ... of its own", read_tasks}},
      "how long it takes");
  if (plan.tasks.empty()) add_task(plan, "", 2);  // for a problem of the file
  const std::string start = motion.text(
      "start", {.choices = {"controls", "targets"},
                .default_value = "controls",
                .documentation =
                    "the initial motion: what `controls` lead to, or the motion of the robot with its actuators let go that "
                    "follows the objectives' bodies best; surplus actuators need the latter"});
  plan.starts_at_targets = start == "targets";
  const std::string initial = motion.text(
      "initial", {.choices = {"start", "optimized"},
                  .default_value = "start",
                  .documentation =
                      "what the best design is held against: the motion that `start` gives, or the best motion of the initial "
                      "design, which is optimized first with the design held"});
  plan.optimizes_initial = initial == "optimized";
  if (motion.has("rate_limit")) {
    plan.nearest.rate_limit = motion.number(
        "rate_limit", {.unit = "rad/s or m/s",
                       .minimum = 0,
                       .minimum_excluded = true,
                       .documentation = "of all controls of the motion that begins at targets: each knot does what can be "
                                        "reached from the one before, and none looks ahead"});
    if (!plan.starts_at_targets && !motion.recording())
      motion.problem(motion.location("rate_limit"), "a rate limit is of a motion that begins at targets; add `start: targets`");
  }
  const std::string surplus = motion.text(
      "surplus_controls",
      {.choices = {"dependent", "free"},
       .default_value = "dependent",
       .documentation = "of actuators that the others imply: follow from these, or are tied to nothing (the paper)"});
  plan.motion.redundant_actuation = surplus == "free" ? RedundantActuation::free : RedundantActuation::dependent;
  const std::vector<std::string> names = plan.layout ? plan.layout->control_names() : std::vector<std::string>{};
  plan.motion.elimination.eliminate_first = motion.texts(
      "surplus_first", 0, 1000,
      {.choices = names, .documentation = "controls that follow from the others before other controls do, in this order"});
}

// "track_position.lamp": the loss, and what it is of. A number tells further ones of the same thing apart.
std::string name_of(const std::string& type, const LossInstance& loss, const MechanismNames& names,
                    const std::vector<MechanismLoss>& others) {
  const holo_loss_description& d = loss.description();
  std::string subject = loss.subject();
  if (subject.empty() && d.observable_count > 0)
    subject = names.names(subject_of(holo_observable_kind(d.observables[0].kind))).at(d.observables[0].subject);
  const std::string first = subject.empty() ? type : type + "." + subject;
  std::string name = first;
  const auto is_taken = [&](const MechanismLoss& other) { return other.name == name; };
  for (int i = 2; std::any_of(others.begin(), others.end(), is_taken); ++i) name = first + "." + std::to_string(i);
  return name;
}

// To `losses`.
void read_objective(Parameters& entry, const PluginHost& host, const RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins,
                    std::vector<MechanismLoss>& losses) {
  if (entry.recording()) {
    std::vector<Parameters::Branch> branches;
    for (const std::string& name : host.losses()) {
      auto plugin = host.loss(name);
      branches.push_back({name, plugin->summary(), [plugin](Parameters& p) {
                            MechanismNames nothing(nullptr, 0);
                            create_losses(plugin, p, nothing);
                          }});
    }
    return entry.branch("type", branches, {}, "the loss plugin's name");
  }
  const std::size_t problems = entry.problem_count();
  const std::string type = entry.text("type", {.documentation = "the loss plugin's name"});
  const auto skip = [&] {
    for (const std::string& key : entry.keys())  // they cannot be judged without the plugin
      if (nearest_name(key, {"type"}).empty()) entry.raw(key);
  };
  if (type.empty() || entry.problem_count() != problems || !plan.names) return skip();
  try {
    const auto plugin = host.loss(type);
    plugins.push_back(plugin);
    for (LossInstance& instance : create_losses(plugin, entry, *plan.names)) {
      const std::string name = name_of(type, instance, *plan.names, losses);
      losses.push_back({name, std::make_shared<const LossInstance>(std::move(instance))});
    }
  } catch (const Error& error) {
    skip();
    entry.problem(entry.location("type"), error.what());
  }
}

void read_objectives(Parameters& experiment, const PluginHost& host, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins) {
  std::vector<MechanismLoss> shared;
  experiment.each(
      "objectives", [&](Parameters& entry) { read_objective(entry, host, plan, plugins, shared); },
      "losses, the sum of which is made smallest; of all stages", 1);
  plan.capsules = read_collisions(experiment, host, plan, plugins, shared);
  const auto read_stage = [&](Parameters& stage) {
    DesignStage next{stage.text("name", {.documentation = "for the report"}), shared};
    stage.each(
        "objectives", [&](Parameters& entry) { read_objective(entry, host, plan, plugins, next.losses); },
        "besides those of all stages", 1);
    plan.stages.push_back(std::move(next));
  };
  experiment.each("stages", read_stage,
                  "optimizations one after the other, each from where the one before ended; what is reported is held against "
                  "the last one's objectives. Without stages there is one optimization");
  if (plan.stages.empty()) plan.stages = {{"design", shared}};
  plan.losses = plan.stages.back().losses;
}

void read_redundancy(Parameters& experiment, RobotDesignPlan& plan) {
  Parameters redundancy = experiment.section("redundancy", "which rows are dropped where others imply them", false);
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

void read_singularity(Parameters& experiment, RobotDesignPlan& plan) {
  if (!experiment.has("singularity") && !experiment.recording()) return;
  Parameters singularity = experiment.section(
      "singularity",
      "keeps the robot away from poses at which its actuators lose hold of it: adds to the objective weight times "
      "the square of what the smallest singular value of all constraint equations lacks, at every knot; steps take longer",
      false);
  plan.singularity.keep_above = singularity.number(
      "keep_above", {.minimum = 0, .maximum = 1, .minimum_excluded = true, .documentation = "each row of length 1"});
  plan.singularity.weight = singularity.number("weight", {.minimum = 0, .default_value = 1.0});
}

void read_solver(Parameters& experiment, RobotDesignPlan& plan) {
  Parameters solver = experiment.section("solver", "sequential quadratic programming", false);
  StagedSqpOptions& to = plan.solver;
  const std::string step = solver.text("step", {.choices = {"arrow", "table8", "sparse_lu"},
                                                .default_value = "arrow",
                                                .documentation = "how a step is found; all give the same"});
  to.step = step == "table8" ? StagedStepKind::table8 : step == "sparse_lu" ? StagedStepKind::sparse_lu : StagedStepKind::arrow;
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

Eigen::MatrixXd RobotDesignPlan::initial_controls() const {
  Eigen::MatrixXd result(whole->control_count(), instant_count);
  for (const PlannedTask& task : tasks)
    result.middleCols(task.at.first, task.at.count) = values_of(task.controls, *whole, {task.at.count, time_step});
  return result;
}

RobotDesignPlan read_robot_design(Parameters& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins) {
  RobotDesignPlan plan;
  const MechanismCut cut = read_mechanism(experiment, *context.plugins);
  plan.model = cut.part;
  if (plan.model) {
    for (const MechanismJoint& joint : cut.whole->joints()) plugins.push_back(joint.type);
    plan.layout = std::make_shared<const MechanismLayout>(plan.model);
    plan.fixed_spins = cut.fixed_spins;
    plan.file_notes = cut.notes;
    plan.whole = cut.is_cut() ? std::make_shared<const MechanismLayout>(cut.whole) : plan.layout;
  }
  read_motion(experiment, context, plan, plugins);
  if (plan.tasks.front().name.empty() || experiment.recording()) read_contents(experiment, context, plan, plugins);
  read_objectives(experiment, *context.plugins, plan, plugins);
  read_redundancy(experiment, plan);
  read_singularity(experiment, plan);
  read_solver(experiment, plan);
  plan.motion.kinematics.time_step = plan.time_step;
  return plan;
}

}  // namespace holo
