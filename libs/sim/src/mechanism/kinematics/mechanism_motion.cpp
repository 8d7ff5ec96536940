#include "holo/sim/mechanism/kinematics/mechanism_motion.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/measured_controls.h"
#include "holo/sim/motion/motion_tasks.h"
#include "mechanism/constraints/own_joint_mobility.h"
#include "mechanism/kinematics/design_approach.h"
#include "mechanism/losses/rotated_point.h"
#include "mechanism/model/drive_path.h"

namespace holo {

namespace {

void require_size(const std::string& what, Eigen::Index found, Eigen::Index wanted) {
  if (found != wanted)
    throw Error(Failure::input, what + ": " + std::to_string(found) + " given, the mechanism has " + std::to_string(wanted));
}

// The approach to a task: its first knot is reached from rest in this number of equal parts, which keeps the steps small.
constexpr int approach_steps = 8;

Eigen::MatrixXd with_approach(const Eigen::VectorXd& rest, const Eigen::MatrixXd& motion, const MotionTask& task,
                              const std::vector<int>& quaternions) {
  Eigen::MatrixXd all(motion.rows(), task.count + approach_steps);
  for (int k = 0; k < approach_steps; ++k)
    all.col(k) = interpolated(rest, motion.col(task.first), double(k) / approach_steps, quaternions);
  all.rightCols(task.count) = motion.middleCols(task.first, task.count);
  return all;
}

// The states of one task by forward kinematics from rest. Appends warnings of change points to the motion.
Eigen::MatrixXd simulate(const ConstraintEquations& equations, MechanismMotion& motion, const MotionTask& task,
                         const MechanismMotionOptions& options) {
  const MechanismLayout& layout = equations.layout();
  const Eigen::MatrixXd controls = with_approach(layout.rest_controls(), motion.controls, task, layout.control_quaternions());
  const Eigen::MatrixXd prescribed =
      with_approach(layout.rest_prescribed(), motion.prescribed, task, layout.prescribed_quaternions());
  KinematicsOptions kinematics = options.kinematics;
  kinematics.first_knot = -approach_steps;
  Kinematics result = forward_kinematics(equations, layout.rest_state(), controls, motion.parameters, prescribed, kinematics);
  // From the pose at rest, the first step may lead to another branch of a distant design, which is then approached in steps.
  if (result.status != KinematicsStatus::done && motion.parameters != layout.rest_parameters()) {
    const DesignApproach approach = approach_design(equations, motion.parameters, prescribed.leftCols(1));
    if (approach.failed_step == 0)
      result = forward_kinematics(equations, approach.state, controls, motion.parameters, prescribed, kinematics);
  }
  const std::string of_task = options.task_beginnings.empty()
                                  ? std::string()
                                  : " of the task that begins at knot " + std::to_string(task.first) + ", counted from there,";
  if (result.status != KinematicsStatus::done) {
    // An underactuated mechanism moves arbitrarily and may fail anywhere. The elimination at rest detects this and throws the
    // better message.
    const Eigen::MatrixXd rest = layout.rest_state(), rest_controls = layout.rest_controls(), first = prescribed.leftCols(1);
    eliminate_redundant_equations(equations, {rest, rest_controls, layout.rest_parameters(), first}, options.elimination);
    throw Error(Failure::input, "the initial motion" + of_task + " is " + to_string(result.status) + " " + result.diagnosis);
  }
  for (const ChangePoint& point : result.change_points)
    motion.warnings.push_back(
        "the initial motion" + of_task + " passes a change point " + when(point.at, kinematics.time_step) +
        ": motions of the mechanism cross there, and its actuators do not determine which one it follows; it "
        "continues along its tangent");
  return result.states.rightCols(task.count);
}

// Given states must satisfy all equations, redundant ones too: no later step would move them back.
void require_equations(const ConstraintEquations& equations, const MechanismMotion& motion) {
  Eigen::MatrixXd all(Eigen::Index(equations.layout().equations().size()), motion.states.cols());
  equations.all_equations({motion.states, motion.controls, motion.parameters, motion.prescribed}, all);
  Eigen::Index equation = 0, knot = 0;
  const double largest = all.cwiseAbs().maxCoeff(&equation, &knot);
  if (!(largest < 1e-9))
    throw Error(Failure::input, "the states of a motion violate '" + equations.layout().equation_name(int(equation)) + "' by " +
                                    std::to_string(largest) + " at knot " + std::to_string(knot));
}

// The number, in the layout without an elimination, of the only control in an equation of an actuator; -1 if the equation
// contains several controls, or a part of a quaternion.
int control_of_equation(const MechanismLayout& all, int equation) {
  const ConstraintEquation& r = all.equations()[std::size_t(equation)];
  if (r.relation >= 0) return all.drive(r.joint, 0).index;
  const holo_joint& joint = all.model().joints()[std::size_t(r.joint)].type->abi();
  int control = -1;
  for (int i = 0; i < all.model().joints()[std::size_t(r.joint)].coordinate_count(); ++i) {
    if ((joint.jacobian_pattern[r.index] >> (2 * HOLO_POSE_SIZE + unsigned(i)) & 1u) == 0) continue;
    if (control >= 0 || joint.coordinates[i].kind == HOLO_COORDINATE_QUATERNION) return -1;
    control = all.unknowns_of(r.joint)[2 * HOLO_POSE_SIZE + std::size_t(i)].index;
  }
  return control;
}

// Turns redundant equations of actuators into definitions: such an equation remains independent, and its control becomes a
// state that it determines. Equations without a single control of their own are eliminated.
Elimination with_dependent_controls(const MechanismLayout& all, EliminationResult& found) {
  Elimination elimination;
  for (const int equation : found.elimination.redundant) {
    const int control = all.is_actuation(equation) ? control_of_equation(all, equation) : -1;
    auto& controls = elimination.dependent_controls;
    if (control < 0 || std::find(controls.begin(), controls.end(), control) != controls.end()) {
      elimination.redundant.push_back(equation);
      continue;
    }
    controls.push_back(control);
    for (RedundantEquation& redundant : found.redundant)
      if (redundant.equation == equation)
        redundant.reason += "; the control '" + all.control_names()[std::size_t(control)] + "' therefore depends on the others";
  }
  std::sort(elimination.dependent_controls.begin(), elimination.dependent_controls.end());
  return elimination;
}

// Eliminates the redundant equations of a motion and converts its states and controls to the new layout. `besides`: a knot
// whose pose is used in any case; -1: none.
void choose_equations(const std::shared_ptr<const MechanismLayout>& all, MechanismMotion& motion,
                      const MechanismMotionOptions& options, int besides = -1) {
  // The elimination is chosen at poses that are spread evenly over the motion.
  const Eigen::Index count = motion.controls.cols(), even = std::min<Eigen::Index>(count, std::max(options.pose_count, 1));
  const Eigen::Index poses = even + (besides >= 0 ? 1 : 0);
  Eigen::MatrixXd states(motion.states.rows(), poses), sampled(motion.controls.rows(), poses),
      coordinates(motion.prescribed.rows(), poses);
  for (Eigen::Index i = 0; i < poses; ++i) {
    const Eigen::Index k = i == even ? besides : even == 1 ? 0 : i * (count - 1) / (even - 1);
    states.col(i) = motion.states.col(k);
    sampled.col(i) = motion.controls.col(k);
    coordinates.col(i) = motion.prescribed.col(k);
  }
  const ConstraintEquations all_equations(all);
  const MechanismUnknowns at = {states, sampled, motion.parameters, coordinates};
  motion.elimination = eliminate_redundant_equations(all_equations, at, options.elimination);
  if (has_actuators_of_motion_alone(all->model()))
    motion.elimination.mobility = mobility_with_own_joints(all_equations, at, options.elimination.rank_tolerance);
  const Elimination elimination = options.redundant_actuation == RedundantActuation::dependent
                                      ? with_dependent_controls(*all, motion.elimination)
                                      : motion.elimination.elimination;
  motion.layout = std::make_shared<const MechanismLayout>(all->shared_model(), elimination);
  motion.equations = std::make_shared<const ConstraintEquations>(motion.layout);
  rearrange(*all, *motion.layout, motion.states, motion.controls);
}

// A motion with parameters and prescribed coordinates, after a check of their sizes. Parameters are converted from SI units to
// the layout's.
MechanismMotion motion_with(const MechanismLayout& all, const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                            Eigen::Index knots) {
  require_size("design parameters", parameters.size(), all.parameter_count());
  require_size("prescribed coordinates", prescribed.rows(), all.prescribed_count());
  require_size("knots of prescribed coordinates", prescribed.cols(), knots);
  MechanismMotion motion;
  motion.parameters = parameters;
  motion.prescribed = prescribed;
  for (int i = 0; i < all.parameter_count(); ++i) motion.parameters[i] /= all.parameter_scale(i);
  return motion;
}

}  // namespace

void rearrange(const MechanismLayout& from, const MechanismLayout& to, Eigen::MatrixXd& states, Eigen::MatrixXd& controls) {
  const std::vector<int>&gone = from.dependent_states(), &added = to.dependent_states();
  if (gone.empty() && added.empty()) return;
  // States that are no controls keep their order; the loop skips the dependent controls of both layouts. Then each control
  // moves to its place in the new layout, as a control or a state.
  const Eigen::MatrixXd old_states = states, old_controls = controls;
  states.resize(to.state_count(), old_states.cols());
  controls.resize(to.control_count(), old_states.cols());
  for (int i = 0, old = 0; i < to.state_count(); ++i) {
    if (std::binary_search(added.begin(), added.end(), i)) continue;
    while (std::binary_search(gone.begin(), gone.end(), old)) ++old;
    states.row(i) = old_states.row(old++);
  }
  const auto is_state = [](const UnknownIndex& unknown) { return unknown.kind == UnknownIndex::Kind::state; };
  for (std::size_t i = 0; i < to.all_controls().size(); ++i) {
    const UnknownIndex &old = from.all_controls()[i], &unknown = to.all_controls()[i];
    (is_state(unknown) ? states : controls).row(unknown.index) = (is_state(old) ? old_states : old_controls).row(old.index);
  }
}

MechanismMotion with_new_elimination(const MechanismMotion& motion, int knot, const MechanismMotionOptions& options) {
  const auto all = std::make_shared<const MechanismLayout>(motion.layout->shared_model());
  MechanismMotion result = motion;
  rearrange(*motion.layout, *all, result.states, result.controls);
  choose_equations(all, result, options, knot);
  return result;
}

MechanismMotion make_motion(const std::shared_ptr<const MechanismModel>& model, const Eigen::MatrixXd& controls,
                            const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                            const MechanismMotionOptions& options) {
  const auto all = std::make_shared<const MechanismLayout>(model);
  MechanismMotion motion = motion_with(*all, parameters, prescribed, controls.cols());
  require_size("controls", controls.rows(), all->control_count());
  motion.controls = controls;
  for (int i = 0; i < all->control_count(); ++i) motion.controls.row(i) /= all->control_scale(i);
  const ConstraintEquations equations(all);
  motion.states.resize(all->state_count(), controls.cols());
  for (const MotionTask& task : motion_tasks(options.task_beginnings, int(controls.cols())))
    motion.states.middleCols(task.first, task.count) = simulate(equations, motion, task, options);
  choose_equations(all, motion, options);
  return motion;
}

MechanismMotion make_motion_of_states(const std::shared_ptr<const MechanismModel>& model, const Eigen::MatrixXd& states,
                                      const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                                      const MechanismMotionOptions& options) {
  const auto all = std::make_shared<const MechanismLayout>(model);
  MechanismMotion motion = motion_with(*all, parameters, prescribed, states.cols());
  require_size("states", states.rows(), all->state_count());
  motion.states = states;
  motion.controls = measured_controls(*all, states, motion.parameters, options.task_beginnings);
  require_equations(ConstraintEquations(all), motion);
  choose_equations(all, motion, options);
  return motion;
}

Eigen::MatrixXd all_controls(const MechanismLayout& layout, const Eigen::MatrixXd& states, const Eigen::MatrixXd& controls) {
  Eigen::MatrixXd result(Eigen::Index(layout.all_controls().size()), states.cols());
  for (Eigen::Index i = 0; i < result.rows(); ++i) {
    const UnknownIndex& unknown = layout.all_controls()[std::size_t(i)];
    result.row(i) = unknown.scale * (unknown.kind == UnknownIndex::Kind::state ? states : controls).row(unknown.index);
  }
  return result;
}

Eigen::Vector3d point_of(const MechanismModel& model, const Eigen::Ref<const Eigen::VectorXd>& state, int body,
                         const Eigen::Vector3d& point) {
  const MergedBody part = model.observable(body);
  // p_WP = length * (scaled origin) + R(q) (origin and point of the merged body), with R(q) of the unit quaternion q.
  const Eigen::Vector3d inside = part.origin + part.axes * point;
  const auto pose = state.segment<HOLO_POSE_SIZE>(HOLO_POSE_SIZE * part.body);
  return model.length() * pose.head<3>() + rotated_point(pose.tail<4>(), inside);
}

Eigen::Vector4d orientation_of(const MechanismModel& model, const Eigen::Ref<const Eigen::VectorXd>& state, int body) {
  const MergedBody part = model.observable(body);
  const auto q = state.segment<4>(HOLO_POSE_SIZE * part.body + 3);
  const Eigen::Quaterniond turned = Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * Eigen::Quaterniond(part.axes);
  return {turned.w(), turned.x(), turned.y(), turned.z()};
}

}  // namespace holo
