#include "robot_design/robot_design_targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/sim/motion/orientation_signal.h"
#include "robot_design/robot_design_plan.h"
#include "robot_design/target_sources.h"

namespace holo {

namespace {

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return int(std::find(names.begin(), names.end(), name) - names.begin());
}

void read_design(Parameters& entry, const RobotDesignPlan& plan, RecordedMotion& recorded) {
  const auto given = entry.entries("design", "design parameters of the recorded motion: name and value; the others are 0");
  if (!plan.layout) return;
  const std::vector<std::string>& names = plan.layout->parameter_names();
  recorded.design = plan.layout->rest_parameters();
  for (const Parameters::Entry& each : given) {
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

RecordedMotion read_recorded(Parameters& entry, const RobotDesignPlan& plan, TargetQuantity& quantity) {
  RecordedMotion recorded;
  std::vector<std::string> bodies;
  if (plan.model)
    for (const MechanismBody& body : plan.model->bodies()) bodies.push_back(body.name);
  const std::string body = entry.text("body", {.choices = bodies, .documentation = "which is recorded"});
  recorded.body = index_of(bodies, body);
  const auto read_point = [&](Parameters& p) {
    recorded.point = vector_of(p.vector3(
        "point", {.unit = "m", .default_value = std::array<double, 3>{}, .documentation = "in the body's coordinates"}));
  };
  quantity = read_quantity(entry, {{TargetQuantity::position, "of a point of the body", read_point},
                                   {TargetQuantity::orientation, "of the body", [](Parameters&) {}}});
  read_design(entry, plan, recorded);
  return recorded;
}

std::optional<MotionSignal> read_source(Parameters& entry, RobotDesignPlan& plan, RobotTarget& target) {
  const TargetInstants instants{plan.instant_count, plan.time_step};
  std::optional<MotionSignal> signal;
  entry.branch(
      "type",
      {{"recorded", "what the robot does with another design",
        [&](Parameters& p) { target.recorded = read_recorded(p, plan, target.quantity); }},
       {"formula", "closed formulas of the time",
        [&](Parameters& p) { signal = read_formula_target(p, instants, target.quantity); }},
       {"spline", "a curve through keys", [&](Parameters& p) { signal = read_spline_target(p, instants, target.quantity); }},
       {"bvh", "motion capture", [&](Parameters& p) { signal = read_bvh_target(p, instants, target.quantity); }}},
      "recorded", "where it comes from");
  return signal;
}

MotionSignal recorded(const RobotTarget& target, const MechanismMotion& motion, const RobotDesignPlan& plan) {
  const int body = target.recorded->body;
  if (target.quantity == TargetQuantity::orientation)  // of a body's pose: the origin, then the quaternion
    return continuous_orientations({motion.states.middleRows(HOLO_POSE_SIZE * body + 3, 4), plan.time_step, "1"});
  Eigen::Matrix3Xd path(3, plan.instant_count);  // three rows at compile time: GCC 12 sees danger in others
  for (int k = 0; k < plan.instant_count; ++k)
    path.col(k) = point_of(*plan.model, motion.states.col(k), body, target.recorded->point);
  return {path, plan.time_step, "m"};
}

}  // namespace

void read_target(Parameters& entry, RobotDesignPlan& plan) {
  RobotTarget target;
  const std::string name = entry.text("name", {.documentation = "by which objectives call it"});
  std::optional<MotionSignal> signal = read_source(entry, plan, target);
  const std::size_t problems = entry.problem_count();
  target.edits = read_target_edits(entry, target.quantity);
  if (signal && entry.problem_count() == problems)
    if (const auto refusal = make_edits(*signal, target.edits)) entry.problem(refusal->where, refusal->text);
  if (!plan.names || entry.recording()) return;
  try {
    target.signal = plan.names->add_signal(name, std::size_t(component_count(target.quantity)));
    if (signal) plan.names->set_signal(target.signal, signal->values);
    plan.targets.push_back(std::move(target));
  } catch (const Error& error) {
    entry.problem(entry.location("name"), error.what());
  }
}

void record_targets(const RobotDesignPlan& plan, const Eigen::MatrixXd& controls) {
  const Eigen::MatrixXd prescribed(plan.layout->prescribed_count(), plan.instant_count);
  std::optional<MechanismMotion> motion;
  const Eigen::VectorXd* design = nullptr;  // of that motion
  for (const RobotTarget& target : plan.targets) {
    if (!target.recorded) continue;
    if (design == nullptr || *design != target.recorded->design)
      motion = make_motion(plan.model, controls, target.recorded->design, prescribed, plan.motion);
    design = &target.recorded->design;
    MotionSignal signal = recorded(target, *motion, plan);
    if (const auto refusal = make_edits(signal, target.edits)) throw_input_error(refusal->where, refusal->text);
    plan.names->set_signal(target.signal, signal.values);
  }
}

std::vector<int> points_among(const std::vector<RobotTarget>& targets) {
  std::vector<int> signals;
  for (const RobotTarget& target : targets)
    if (target.quantity == TargetQuantity::position) signals.push_back(target.signal);
  return signals;
}

}  // namespace holo
