#include "holo/sim/mechanism/model/mechanism_cut.h"

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/measured_controls.h"

namespace holo {

namespace {

// The assembly with the subassembly's prescribed joints as its only actuators, so that measuring controls measures them. Both
// number their joints in one order.
MechanismModel with_recorders(const MechanismModel& assembly, const MechanismModel& subassembly) {
  std::vector<MechanismJoint> joints = assembly.joints();
  for (MechanismJoint& joint : joints)
    if (joint.role == JointRole::actuator) joint.role = JointRole::passive;
  for (const MechanismJoint& joint : subassembly.joints())
    if (joint.role == JointRole::prescribed) joints[std::size_t(assembly.joint(joint.name))].role = JointRole::actuator;
  return {assembly.bodies(), std::move(joints)};
}

}  // namespace

Eigen::MatrixXd recorded_coordinates(const MechanismLayout& subassembly, const MechanismLayout& assembly,
                                     const Eigen::MatrixXd& states, const Eigen::VectorXd& parameters,
                                     const std::vector<int>& task_beginnings) {
  const MechanismLayout recorders(
      std::make_shared<const MechanismModel>(with_recorders(assembly.model(), subassembly.model())));
  Eigen::MatrixXd coordinates = measured_controls(recorders, states, parameters, task_beginnings);
  for (int i = 0; i < recorders.control_count(); ++i) coordinates.row(i) *= recorders.control_scale(i);
  return coordinates;
}

Eigen::MatrixXd controls_of_subassembly(const MechanismLayout& subassembly, const MechanismLayout& assembly,
                                        const Eigen::MatrixXd& controls) {
  Eigen::MatrixXd result(subassembly.control_count(), controls.cols());
  const std::vector<std::string>& names = assembly.control_names();
  for (int i = 0; i < subassembly.control_count(); ++i)
    result.row(i) =
        controls.row(std::find(names.begin(), names.end(), subassembly.control_names()[std::size_t(i)]) - names.begin());
  return result;
}

}  // namespace holo
