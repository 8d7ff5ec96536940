#include "holo/sim/mechanism/model/mechanism_cut.h"

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/measured_controls.h"

namespace holo {

Eigen::MatrixXd recorded_coordinates(const MechanismLayout& subassembly, const MechanismLayout& assembly,
                                     const Eigen::MatrixXd& states, const std::vector<int>& task_beginnings) {
  // Both mechanisms number their joints in one order.
  std::vector<int> recorded;
  for (const MechanismJoint& joint : subassembly.model().joints())
    if (joint.role == JointRole::prescribed) recorded.push_back(assembly.model().joint(joint.name));
  return measured_coordinates(assembly.model(), recorded, states, task_beginnings);
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
