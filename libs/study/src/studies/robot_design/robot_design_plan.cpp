#include "studies/robot_design/robot_design_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/model/mechanism_parameters.h"
#include "signals/loss_reader.h"
#include "studies/robot_design/robot_collisions.h"

namespace holo {

namespace {

// A task behind those that there are.
void add_task(RobotDesignPlan& plan, const std::string& name, int count) {
  if (!plan.tasks.empty()) plan.motion.task_beginnings.push_back(plan.knot_count);
  plan.tasks.push_back({name, {plan.knot_count, count}, {}, {}});
  plan.knot_count += count;
  if (plan.signals)
    plan.signals->add_task(count);
  else
    plan.signals.emplace(count);
}

void read_time(Configuration& entry, const std::string& name, RobotDesignPlan& plan) {
  const std::size_t problems = entry.problem_count();
  const int count = int(entry.integer(
      "knots", {.minimum = 2, .maximum = 100'000, .documentation = "number of knots, the first and the last included"}));
  const double duration = entry.number(
      "duration",
      {.unit = "s", .minimum = 0, .minimum_excluded = true, .documentation = "time from the first to the last knot"});
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

// What the last task is about.
void read_contents(Configuration& parent, const StudyContext& context, RobotDesignPlan& plan,
                   std::vector<UsedPlugin>& plugins) {
  PlannedTask& task = plan.tasks.back();
  plan.signals->variables.back() = read_variables(parent);
  const std::vector<std::string> names = names_in_formulas(plan.signals->variables.back());
  parent.each(
      "controls", [&](Configuration& entry) { read_control(entry, plan.assembly_layout.get(), names, task.controls); },
      "motions of the controls in the initial motion; other controls stay at rest");
  parent.each(
      "rigs", [&](Configuration& entry) { read_rig(entry, *context.plugins, plan, plugins); },
      "other mechanisms, from whose motions signals are recorded");
  read_robot_signals(parent, plan);
  find_signals(parent, *plan.signals, task.controls);
  for (Rig& rig : task.rigs) find_signals(parent, *plan.signals, rig.controls);
}

void read_task(Configuration& entry, const StudyContext& context, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins) {
  const std::string name = entry.text("name", {.documentation = "name of the task: letters, digits and _"});
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
  Configuration motion = experiment.section("motion", "time, tasks and initial motion of the robot");
  const auto read_tasks = [&](Configuration& p) {
    p.each(
        "tasks", [&](Configuration& entry) { read_task(entry, context, plan, plugins); },
        "motions with one common design. No term connects a task with the task before; an objective counts in the tasks that "
        "have its targets",
        1);
  };
  motion.branch_on_key(
      {{"knots", "one motion", [&](Configuration& p) { read_time(p, "", plan); }},
       {"tasks", "several motions with one common design, each with its own `controls`, `signals`, ...", read_tasks}},
      "duration of the motion");
  if (plan.tasks.empty()) add_task(plan, "", 2);  // for a problem of the file
  const std::string start = motion.text(
      "start", {.choices = {"controls", "targets"},
                .default_value = "controls",
                .documentation =
                    "the initial motion: the motion under `controls`, or the motion of the robot with passive actuators that "
                    "fits the objectives best; redundant actuators need the latter"});
  plan.starts_at_targets = start == "targets";
  const std::string initial = motion.text(
      "initial", {.choices = {"start", "optimized"},
                  .default_value = "start",
                  .documentation =
                      "the motion with which the optimized one is compared: that of `start`, or the best motion of the initial "
                      "design, which is optimized first with the design fixed"});
  plan.optimizes_initial = initial == "optimized";
  if (motion.has("rate_limit")) {
    plan.nearest.rate_limit = motion.number(
        "rate_limit",
        {.unit = "rad/s or m/s",
         .minimum = 0,
         .minimum_excluded = true,
         .documentation = "limit of the rates of all controls in the initial motion of `start: targets`: the pose "
                          "of a knot is limited by the knot before and does not depend on later knots"});
    if (!plan.starts_at_targets && !motion.recording())
      motion.problem(motion.location("rate_limit"),
                     "a rate limit applies only to a motion that starts at targets; add `start: targets`");
  }
  const std::string actuation = motion.text(
      "redundant_actuation",
      {.choices = {"dependent", "free"},
       .default_value = "dependent",
       .documentation = "redundant actuators: their controls depend on the other controls, or are free, as in the paper"});
  plan.motion.redundant_actuation = actuation == "free" ? RedundantActuation::free : RedundantActuation::dependent;
  const std::vector<std::string> names = plan.layout ? plan.layout->control_names() : std::vector<std::string>{};
  plan.motion.elimination.eliminate_first = motion.texts(
      "dependent_first", 0, 1000,
      {.choices = names,
       .documentation = "redundant controls that are chosen first as those that depend on the others, in this order"});
}

void read_objectives(Configuration& experiment, const PluginHost& host, RobotDesignPlan& plan,
                     std::vector<UsedPlugin>& plugins) {
  const MechanismObservables names(plan.layout);
  const LossSources sources = {host, plan.layout ? &names : nullptr, &plan.signals->store};
  std::vector<NamedLoss> shared;
  experiment.each(
      "objectives", [&](Configuration& entry) { read_loss(entry, sources, plugins, shared); },
      "losses of all phases; the optimization minimizes their sum", 1);
  plan.collisions = read_collisions(experiment, host, plan.model.get(), plan.signals->store, plugins);
  plan.shared_count = shared.size();
  const auto read_phase = [&](Configuration& phase) {
    DesignPhase next{phase.text("name", {.documentation = "name of the phase in the report"}), shared};
    phase.each(
        "objectives", [&](Configuration& entry) { read_loss(entry, sources, plugins, next.losses); },
        "losses of this phase, in addition to those of all phases", 1);
    plan.phases.push_back(std::move(next));
  };
  experiment.each(
      "phases", read_phase,
      "successive optimizations, each from the result of the one before; the metrics use the last one's objectives. "
      "Without phases there is one optimization");
  if (plan.phases.empty()) plan.phases = {{"design", shared}};
}

}  // namespace

void RobotDesignPlan::add_losses_of_collisions() {
  if (!collisions) return;
  const std::vector<NamedLoss> added = losses_of(*collisions, *model);
  for (DesignPhase& phase : phases)
    phase.losses.insert(phase.losses.begin() + std::ptrdiff_t(shared_count), added.begin(), added.end());
}

Eigen::MatrixXd RobotDesignPlan::initial_controls(const ComputedSignals& computed) const {
  Eigen::MatrixXd result(assembly_layout->control_count(), knot_count);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    result.middleCols(tasks[i].at.first, tasks[i].at.count) = values_of(tasks[i].controls, *assembly_layout, computed, i);
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
