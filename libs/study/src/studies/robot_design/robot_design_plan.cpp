#include "studies/robot_design/robot_design_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/model/mechanism_parameters.h"
#include "holo/sim/motion/formula.h"
#include "signals/loss_reader.h"
#include "studies/robot_design/robot_collisions.h"

namespace holo {

namespace {

std::vector<FormulaVariable> with(std::vector<FormulaVariable> variables, const FormulaVariable& last) {
  variables.push_back(last);
  return variables;
}

// A task behind those that there are.
void add_task(RobotDesignPlan& plan, const std::string& name, int count) {
  if (!plan.tasks.empty()) plan.motion.task_beginnings.push_back(plan.knot_count);
  plan.tasks.push_back({name, {plan.knot_count, count}, {}, {}, {}});
  plan.knot_count += count;
  if (plan.signals)
    plan.signals->add_task(count);
  else if (plan.layout)
    plan.signals = std::make_shared<SignalStore>(count);
}

void read_time(Configuration& entry, const std::string& name, RobotDesignPlan& plan) {
  const std::size_t problems = entry.problem_count();
  const int count = int(entry.integer("knots", {.minimum = 2, .maximum = 100'000, .documentation = "first and last included"}));
  const double duration = entry.number(
      "duration", {.unit = "s", .minimum = 0, .minimum_excluded = true, .documentation = "from the first to the last"});
  const double step = entry.problem_count() == problems ? duration / (count - 1) : 0;
  if (step > 0 && plan.time_step > 0 && std::abs(step / plan.time_step - 1) > 1e-9)
    entry.problem(
        entry.location("duration"),
        fmt::format("the task '{}' has time steps of {:.6g} s, those before it have {:.6g} s; all need the same: change "
                    "its knots or its duration",
                    name, step, plan.time_step));
  plan.time_step = plan.tasks.empty() || plan.time_step > 0 ? step : 0;
  add_task(plan, name, std::max(count, 2));
}

// The mapping `let` of the last task; each formula may use those before it.
void read_variables(Configuration& parent, RobotDesignPlan& plan) {
  const auto entries =
      parent.entries("let", "formulas of the time t and the motion's duration T [s], by names that later formulas may use");
  if (plan.time_step <= 0) return;
  const SampleTimes at = plan.knots();
  std::vector<FormulaVariable>& known = plan.tasks.back().variables;
  for (const Configuration::Entry& entry : entries) {
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
void read_contents(Configuration& parent, const StudyContext& context, RobotDesignPlan& plan,
                   std::vector<UsedPlugin>& plugins) {
  read_variables(parent, plan);
  parent.each(
      "controls",
      [&](Configuration& entry) { read_control(entry, plan.assembly_layout.get(), plan.knots(), plan.tasks.back().controls); },
      "the initial motion; controls that are not named rest");
  parent.each(
      "rigs", [&](Configuration& entry) { read_rig(entry, *context.plugins, plan, plugins); },
      "other mechanisms, whose motions targets are recorded from");
  parent.each(
      "targets", [&](Configuration& entry) { read_target(entry, plan); }, "what the robot shall do");
}

void read_task(Configuration& entry, const StudyContext& context, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins) {
  const std::string name = entry.text("name", {.documentation = "of the task: letters, digits and _"});
  const bool is_word = std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (!is_word && !entry.recording())
    entry.problem(entry.location("name"), fmt::format("the task's name is '{}'; letters, digits and _ are allowed", name));
  for (const PlannedTask& other : plan.tasks)
    if (other.name == name) entry.problem(entry.location("name"), fmt::format("there are two tasks named '{}'", name));
  read_time(entry, name, plan);
  read_contents(entry, context, plan, plugins);
}

void read_motion(Configuration& experiment, const StudyContext& context, RobotDesignPlan& plan,
                 std::vector<UsedPlugin>& plugins) {
  Configuration motion = experiment.section("motion", "the time that is looked at");
  const auto read_tasks = [&](Configuration& p) {
    p.each(
        "tasks", [&](Configuration& entry) { read_task(entry, context, plan, plugins); },
        "at its first knot a task is tied to nothing before it; an objective counts in the tasks that have its targets", 1);
  };
  motion.branch_on_key(
      {{"knots", "one motion", [&](Configuration& p) { read_time(p, "", plan); }},
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
      "redundant_actuation",
      {.choices = {"dependent", "free"},
       .default_value = "dependent",
       .documentation = "of actuators that the others imply: follow from these, or are tied to nothing (the paper)"});
  plan.motion.redundant_actuation = surplus == "free" ? RedundantActuation::free : RedundantActuation::dependent;
  const std::vector<std::string> names = plan.layout ? plan.layout->control_names() : std::vector<std::string>{};
  plan.motion.elimination.eliminate_first = motion.texts(
      "dependent_first", 0, 1000,
      {.choices = names, .documentation = "controls that follow from the others before other controls do, in this order"});
}

void read_objectives(Configuration& experiment, const PluginHost& host, RobotDesignPlan& plan,
                     std::vector<UsedPlugin>& plugins) {
  const MechanismObservables names(plan.layout);
  const LossSources sources = {host, plan.signals ? &names : nullptr, plan.signals.get()};
  std::vector<NamedLoss> shared;
  experiment.each(
      "objectives", [&](Configuration& entry) { read_loss(entry, sources, plugins, shared); },
      "losses, the sum of which is made smallest; of all phases", 1);
  plan.capsules = read_collisions(experiment, host, plan, plugins, shared);
  const auto read_phase = [&](Configuration& phase) {
    DesignPhase next{phase.text("name", {.documentation = "for the report"}), shared};
    phase.each(
        "objectives", [&](Configuration& entry) { read_loss(entry, sources, plugins, next.losses); },
        "besides those of all phases", 1);
    plan.phases.push_back(std::move(next));
  };
  experiment.each("phases", read_phase,
                  "optimizations one after the other, each from where the one before ended; what is reported is held against "
                  "the last one's objectives. Without phases there is one optimization");
  if (plan.phases.empty()) plan.phases = {{"design", shared}};
  plan.losses = plan.phases.back().losses;
}

}  // namespace

Eigen::MatrixXd RobotDesignPlan::initial_controls() const {
  Eigen::MatrixXd result(assembly_layout->control_count(), knot_count);
  for (const PlannedTask& task : tasks)
    result.middleCols(task.at.first, task.at.count) = values_of(task.controls, *assembly_layout, {task.at.count, time_step});
  return result;
}

RobotDesignPlan read_robot_design(Configuration& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins) {
  RobotDesignPlan plan;
  const MechanismCut cut = read_mechanism(experiment, *context.plugins);
  plan.model = cut.subassembly;
  if (plan.model) {
    for (const MechanismJoint& joint : cut.assembly->joints()) plugins.push_back(joint.type);
    plan.layout = std::make_shared<const MechanismLayout>(plan.model);
    plan.fixed_spins = cut.fixed_spins;
    plan.file_notes = cut.notes;
    plan.assembly_layout = cut.is_cut() ? std::make_shared<const MechanismLayout>(cut.assembly) : plan.layout;
  }
  read_motion(experiment, context, plan, plugins);
  if (plan.tasks.front().name.empty() || experiment.recording()) read_contents(experiment, context, plan, plugins);
  read_objectives(experiment, *context.plugins, plan, plugins);
  read_solution(experiment, plan);
  read_design_section(experiment, context, plan);
  plan.motion.kinematics.time_step = plan.time_step;
  return plan;
}

}  // namespace holo
