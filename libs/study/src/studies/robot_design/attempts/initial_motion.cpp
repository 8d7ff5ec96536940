#include "studies/robot_design/attempts/initial_motion.h"

#include <algorithm>

#include "holo/core/error.h"
#include "holo/sim/mechanism/kinematics/inverse_kinematics.h"
#include "holo/sim/mechanism/model/mechanism_cut.h"

namespace holo {

namespace {

// Of all of the plan's robot or of the whole that it was cut from: its layout, and the coordinates of its prescribed joints.
InitialMotion move(const RobotDesignPlan& plan, const RobotSignals& signals, const MechanismLayout& layout,
                   const Eigen::VectorXd& design, const Eigen::MatrixXd& prescribed) {
  const Eigen::MatrixXd controls = controls_of_subassembly(layout, *plan.assembly_layout, signals.initial_controls);
  InitialMotion result{{}, {signals.store.values(), controls, design, plan.time_step, plan.motion.task_beginnings}};
  if (plan.starts_at_targets) {
    const auto nearest =
        inverse_kinematics(layout.shared_model(), plan.losses(), result.data, design, prescribed, plan.nearest);
    result.motion = make_motion_of_states(layout.shared_model(), nearest.states, design, prescribed, plan.motion);
    result.data.initial_controls = all_controls(*result.motion.layout, result.motion.states, result.motion.controls);
  } else {
    result.motion = make_motion(layout.shared_model(), controls, design, prescribed, plan.motion);
  }
  return result;
}

// The design of the assembly: parameters that the subassembly has, too, by name, have its values; the others are at rest.
Eigen::VectorXd design_of_assembly(const RobotDesignPlan& plan, const Eigen::VectorXd& design) {
  Eigen::VectorXd result = plan.assembly_layout->rest_parameters();
  const std::vector<std::string>&all = plan.assembly_layout->parameter_names(), &names = plan.layout->parameter_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    result[std::find(all.begin(), all.end(), names[i]) - all.begin()] = design[Eigen::Index(i)];
  return result;
}

}  // namespace

InitialMotion make_initial_motion(const RobotDesignPlan& plan, const RobotSignals& signals, const Eigen::VectorXd& design) {
  const bool is_cut = plan.assembly_layout != plan.layout;
  if (is_cut && plan.starts_at_targets && plan.layout->model().bodies().size() != plan.assembly_layout->model().bodies().size())
    throw Error(
        Failure::input,
        "motion.start is 'targets', but bodies are removed: give the assembly's initial motion by `controls`, or remove none");
  InitialMotion result =
      move(plan, signals, *plan.assembly_layout, design_of_assembly(plan, design), Eigen::MatrixXd(0, plan.knot_count));
  // The assembly moves first. What its cut joints did is then prescribed to the subassembly, which moves again.
  if (is_cut) {
    const MechanismMotion& of_assembly = result.motion;
    result = move(plan, signals, *plan.layout, design,
                  recorded_coordinates(*plan.layout, *plan.assembly_layout, of_assembly.states, plan.motion.task_beginnings));
  }
  if (result.motion.layout->control_count() == 0)
    throw Error(Failure::input, is_cut ? "the prescribed joints determine the robot's motion, so that no actuator remains to "
                                         "optimize; prescribe fewer joints, or remove the bodies that drove them"
                                       : "the robot has no actuator, so that there is no motion to optimize");
  return result;
}

}  // namespace holo
