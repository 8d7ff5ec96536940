#include "studies/robot_design/robot_design_targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/sim/motion/orientation_signal.h"
#include "signals/target_sources.h"
#include "studies/robot_design/robot_design_plan.h"

namespace holo {

namespace {

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return int(std::find(names.begin(), names.end(), name) - names.begin());
}

// The layout of the recorded mechanism; null after a problem of the file.
const MechanismLayout* layout_of(const RobotDesignPlan& plan, const RecordedMotion& recorded) {
  return (recorded.rig < 0 ? plan.assembly_layout : plan.tasks.back().rigs[std::size_t(recorded.rig)].layout).get();
}

void read_design(Configuration& entry, const MechanismLayout* layout, RecordedMotion& recorded) {
  const auto given = entry.entries("design", "design parameters of the recorded motion by name; the others are 0");
  if (layout == nullptr) return;
  const std::vector<std::string>& names = layout->parameter_names();
  recorded.design = layout->rest_parameters();
  for (const Configuration::Entry& each : given) {
    const int i = index_of(names, each.name);
    if (i == int(names.size()))
      entry.problem(each.location,
                    fmt::format("no design parameter is named '{}'; there are: {}", each.name, fmt::join(names, ", ")));
    else if (!each.number)
      entry.problem(each.location, fmt::format("'{}' is no number", each.text));
    else
      recorded.design[i] = *each.number;
  }
}

// The number of the rig, or -1 for the robot itself; none after a problem.
std::optional<int> read_source_robot(Configuration& entry, const RobotDesignPlan& plan) {
  if (!entry.has("robot")) return -1;
  const std::string name = entry.text("robot", {.documentation = "name of one of `rigs`; by default the robot itself"});
  if (entry.recording()) return -1;
  std::vector<std::string> names;
  for (const TargetRig& rig : plan.tasks.back().rigs) names.push_back(rig.name);
  const int rig = index_of(names, name);
  if (rig < int(names.size())) return rig;
  entry.problem(entry.location("robot"),
                names.empty() ? fmt::format("no rig is named '{}'; there are no `rigs`", name)
                              : fmt::format("no rig is named '{}'; there are: {}", name, fmt::join(names, ", ")));
  return {};
}

RecordedMotion read_recorded(Configuration& entry, const RobotDesignPlan& plan, TargetQuantity& quantity) {
  RecordedMotion recorded;
  const std::optional<int> rig = read_source_robot(entry, plan);
  recorded.rig = rig.value_or(-1);
  const MechanismLayout* layout = rig ? layout_of(plan, recorded) : nullptr;
  const std::vector<std::string> bodies = layout != nullptr ? layout->model().observable_names() : std::vector<std::string>{};
  const std::string body = entry.text("body", {.choices = bodies, .documentation = "body whose motion is recorded"});
  recorded.body = index_of(bodies, body);
  const auto read_point = [&](Configuration& p) {
    recorded.point = vector_of(p.vector3(
        "point", {.unit = "m", .default_value = std::array<double, 3>{}, .documentation = "point in the body's coordinates"}));
  };
  quantity = read_quantity(entry, {{TargetQuantity::position, "position of a point of the body", read_point},
                                   {TargetQuantity::orientation, "orientation of the body", [](Configuration&) {}}});
  read_design(entry, layout, recorded);
  return recorded;
}

std::optional<MotionSignal> read_source(Configuration& entry, RobotDesignPlan& plan, RobotTarget& target) {
  const SampleTimes knots = plan.knots();
  std::optional<MotionSignal> signal;
  entry.branch(
      "type",
      {{"recorded", "recorded motion of a rig, or of the robot with another design",
        [&](Configuration& p) { target.recorded = read_recorded(p, plan, target.quantity); }},
       {"formula", "formulas of the time", [&](Configuration& p) { signal = read_formula_target(p, knots, target.quantity); }},
       {"spline", "spline through keys", [&](Configuration& p) { signal = read_spline_target(p, knots, target.quantity); }},
       {"bvh", "motion capture", [&](Configuration& p) { signal = read_bvh_target(p, knots, target.quantity); }}},
      "recorded", "source of the target");
  return signal;
}

MotionSignal recorded(const RobotTarget& target, const MechanismMotion& motion, const RobotDesignPlan& plan) {
  const int body = target.recorded->body;
  if (target.quantity == TargetQuantity::orientation) {
    Eigen::Matrix4Xd turns(4, motion.states.cols());
    for (int k = 0; k < int(turns.cols()); ++k)
      turns.col(k) = orientation_of(motion.layout->model(), motion.states.col(k), body);
    return continuous_orientations({turns, plan.time_step, "1"});
  }
  Eigen::Matrix3Xd path(3, motion.states.cols());  // three rows at compile time: GCC 12 sees danger in others
  for (int k = 0; k < int(path.cols()); ++k)
    path.col(k) = point_of(motion.layout->model(), motion.states.col(k), body, target.recorded->point);
  return {path, plan.time_step, "m"};
}

MechanismMotion motion_of(const RobotTarget& target, const RobotDesignPlan& plan, const Eigen::MatrixXd& controls) {
  const RecordedMotion& recorded = *target.recorded;
  const PlannedTask& task = plan.tasks[target.task];
  if (recorded.rig < 0) {
    MechanismMotionOptions options = plan.motion;
    options.task_beginnings.clear();
    return make_motion(plan.assembly_layout->shared_model(), controls.middleCols(task.at.first, task.at.count), recorded.design,
                       Eigen::MatrixXd(0, task.at.count), options);
  }
  const TargetRig& rig = task.rigs[std::size_t(recorded.rig)];
  try {
    return make_motion(rig.model, rig.controls, recorded.design, Eigen::MatrixXd(0, task.at.count));
  } catch (const Error& error) {
    throw_input_error(rig.where, fmt::format("the rig '{}' cannot follow its controls: {}", rig.name, error.what()));
  }
}

// Tasks may have targets of one name, which are one signal.
int signal_of(const std::string& name, RobotTarget& target, RobotDesignPlan& plan) {
  const std::size_t components = std::size_t(component_count(target.quantity));
  target.task = plan.tasks.size() - 1;
  for (const SignalNames::Signal& signal : plan.signals->signals()) {
    if (signal.name != name) continue;
    for (const RobotTarget& other : plan.targets)
      if (other.signal == signal.number && other.task == target.task)
        throw Error(Failure::input, "there are two targets named '" + name + "'");
    if (signal.component_count != components)
      throw Error(Failure::input, fmt::format("the target '{}' has {} numbers, and {} in another task", name, components,
                                              signal.component_count));
    return signal.number;
  }
  return plan.signals->add_signal(name, components);
}

}  // namespace

void read_target(Configuration& entry, RobotDesignPlan& plan) {
  RobotTarget target;
  const std::string name = entry.text("name", {.documentation = "name by which objectives refer to the target"});
  std::optional<MotionSignal> signal = read_source(entry, plan, target);
  const std::size_t problems = entry.problem_count();
  target.edits = read_target_edits(entry, target.quantity);
  if (signal && entry.problem_count() == problems)
    if (const auto refusal = make_edits(*signal, target.edits)) entry.problem(refusal->where, refusal->text);
  if (!plan.signals || entry.recording()) return;
  try {
    target.signal = signal_of(name, target, plan);
    if (signal) plan.signals->set_signal(target.signal, signal->values, target.task);
    plan.targets.push_back(std::move(target));
  } catch (const Error& error) {
    entry.problem(entry.location("name"), error.what());
  }
}

void record_targets(const RobotDesignPlan& plan, const Eigen::MatrixXd& controls) {
  struct Done {
    const RobotTarget* of;
    MechanismMotion motion;
  };
  std::vector<Done> motions;  // each of them once
  for (const RobotTarget& target : plan.targets) {
    if (!target.recorded) continue;
    auto done = std::find_if(motions.begin(), motions.end(), [&](const Done& each) {
      const RecordedMotion &one = *each.of->recorded, &other = *target.recorded;
      return each.of->task == target.task && one.rig == other.rig && one.design == other.design;
    });
    if (done == motions.end()) done = motions.insert(done, {&target, motion_of(target, plan, controls)});
    MotionSignal signal = recorded(target, done->motion, plan);
    if (const auto refusal = make_edits(signal, target.edits)) throw_input_error(refusal->where, refusal->text);
    plan.signals->set_signal(target.signal, signal.values, target.task);
  }
}

std::vector<int> points_among(const std::vector<RobotTarget>& targets) {
  std::vector<int> signals;
  for (const RobotTarget& target : targets)
    if (target.quantity == TargetQuantity::position && std::count(signals.begin(), signals.end(), target.signal) == 0)
      signals.push_back(target.signal);
  return signals;
}

}  // namespace holo
