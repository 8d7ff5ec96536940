#include "studies/robot_design/recorded_signals.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/model/mechanism_parameters.h"
#include "holo/sim/motion/orientation_signal.h"
#include "signals/signal_reader.h"
#include "signals/signal_sources.h"
#include "studies/robot_design/robot_design_plan.h"

namespace holo {

namespace {

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return int(std::find(names.begin(), names.end(), name) - names.begin());
}

// Null after a problem of the file.
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
  for (const Rig& rig : plan.tasks.back().rigs) names.push_back(rig.name);
  const int rig = index_of(names, name);
  if (rig < int(names.size())) return rig;
  entry.problem(entry.location("robot"),
                names.empty() ? fmt::format("no rig is named '{}'; there are no `rigs`", name)
                              : fmt::format("no rig is named '{}'; there are: {}", name, fmt::join(names, ", ")));
  return {};
}

RecordedMotion read_recorded(Configuration& entry, const RobotDesignPlan& plan, SignalQuantity& quantity) {
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
  quantity = read_quantity(entry, {{SignalQuantity::position, "position of a point of the body", read_point},
                                   {SignalQuantity::orientation, "orientation of the body", [](Configuration&) {}}});
  read_design(entry, layout, recorded);
  return recorded;
}

MotionSignal recorded(const RecordedMotion& from, SignalQuantity quantity, const MechanismMotion& motion, double time_step) {
  if (quantity == SignalQuantity::orientation) {
    Eigen::Matrix4Xd turns(4, motion.states.cols());
    for (int k = 0; k < int(turns.cols()); ++k)
      turns.col(k) = orientation_of(motion.layout->model(), motion.states.col(k), from.body);
    return continuous_orientations({turns, time_step, "1"});
  }
  Eigen::Matrix3Xd path(3, motion.states.cols());  // three rows at compile time: GCC 12 sees danger in others
  for (int k = 0; k < int(path.cols()); ++k)
    path.col(k) = point_of(motion.layout->model(), motion.states.col(k), from.body, from.point);
  return {path, time_step, "m"};
}

MechanismMotion motion_of(const RecordedMotion& recorded, std::size_t number, const RobotDesignPlan& plan,
                          const Eigen::MatrixXd& controls, const ComputedSignals& signals) {
  const PlannedTask& task = plan.tasks[number];
  if (recorded.rig < 0) {
    MechanismMotionOptions options = plan.motion;
    options.task_beginnings.clear();
    return make_motion(plan.assembly_layout->shared_model(), controls.middleCols(task.at.first, task.at.count), recorded.design,
                       Eigen::MatrixXd(0, task.at.count), options);
  }
  const Rig& rig = task.rigs[std::size_t(recorded.rig)];
  const Eigen::MatrixXd rig_controls = values_of(rig.controls, *rig.layout, signals, number);
  try {
    return make_motion(rig.model, rig_controls, recorded.design, Eigen::MatrixXd(0, task.at.count));
  } catch (const Error& error) {
    throw_input_error(rig.where, fmt::format("the rig '{}' cannot follow its controls: {}", rig.name, error.what()));
  }
}

}  // namespace

void read_rig(Configuration& entry, const PluginHost& host, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins) {
  Rig rig;
  std::vector<Rig>& rigs = plan.tasks.back().rigs;
  rig.name = entry.text("name", {.documentation = "name by which recorded signals refer to the rig"});
  rig.where = entry.location("name");
  const bool is_known = std::any_of(rigs.begin(), rigs.end(), [&](const Rig& other) { return other.name == rig.name; });
  if (is_known && !entry.recording()) entry.problem(rig.where, fmt::format("there are two rigs named '{}'", rig.name));
  rig.model = read_mechanism(entry, host).subassembly;
  if (rig.model) {
    for (const MechanismJoint& joint : rig.model->joints()) plugins.push_back(joint.type);
    rig.layout = std::make_shared<const MechanismLayout>(rig.model);
    if (rig.layout->prescribed_count() > 0)
      entry.problem(entry.location("robot"),
                    fmt::format("a rig moves by its controls, and '{}' has prescribed joints; make them actuators", rig.name));
  }
  const std::vector<std::string> names = names_in_formulas(plan.signals->variables.back());
  entry.each(
      "controls", [&](Configuration& control) { read_control(control, rig.layout.get(), names, rig.controls); },
      "motions of the rig's controls; other controls stay at rest");
  if (!entry.recording()) rigs.push_back(std::move(rig));
}

void read_robot_signals(Configuration& parent, RobotDesignPlan& plan) {
  std::optional<RecordedMotion> recorded;  // of the entry that is read
  std::vector<SignalSource> sources = common_signal_sources(names_in_formulas(plan.signals->variables.back()));
  sources.insert(sources.begin(), {"recorded", "recorded motion of a rig, or of the robot with another design",
                                   [&](Configuration& p, SignalQuantity& quantity) {
                                     recorded = read_recorded(p, plan, quantity);
                                     return SignalComputation();
                                   }});
  const auto take = [&](SignalDefinition signal) {
    const Location where = signal.where;
    try {
      plan.signals->add(std::move(signal));
      if (recorded) plan.recorded.push_back({plan.signals->signals.size() - 1, *recorded});
    } catch (const Error& error) {
      parent.problem(where, error.what());
    }
    recorded.reset();
  };
  read_signals(parent, sources, "values over time, to which objectives and controls refer by name", take);
}

void record_signals(const RobotDesignPlan& plan, const Eigen::MatrixXd& controls, ComputedSignals& signals) {
  struct Done {
    std::size_t task;
    const RecordedMotion* of;
    MechanismMotion motion;
  };
  std::vector<Done> motions;  // each of them once
  for (const RecordedSignal& each : plan.recorded) {
    const PlannedSignal& signal = plan.signals->signals[each.signal];
    auto done = std::find_if(motions.begin(), motions.end(), [&](const Done& other) {
      return other.task == signal.task && other.of->rig == each.motion.rig && other.of->design == each.motion.design;
    });
    if (done == motions.end())
      done = motions.insert(done, {signal.task, &each.motion, motion_of(each.motion, signal.task, plan, controls, signals)});
    const SignalDefinition& definition = signal.definition;
    const MotionSignal values =
        edited(recorded(each.motion, definition.quantity, done->motion, plan.time_step), definition.edits);
    signals.store.set_signal(signal.number, values.values, signal.task);
  }
}

std::vector<int> points_among(const SignalPlan& plan) {
  std::vector<int> signals;
  for (const PlannedSignal& signal : plan.signals)
    if (signal.definition.quantity == SignalQuantity::position &&
        std::count(signals.begin(), signals.end(), signal.number) == 0)
      signals.push_back(signal.number);
  return signals;
}

}  // namespace holo
