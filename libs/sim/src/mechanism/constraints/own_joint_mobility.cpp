#include "mechanism/constraints/own_joint_mobility.h"

#include <algorithm>
#include <limits>

#include "holo/core/plugins/joint_plugin.h"
#include "mechanism/constraints/left_null_space.h"

namespace holo {

namespace {

bool is_of_motion_alone(const MechanismJoint& joint) {
  return joint.role == JointRole::actuator && joint.type->abi().passive_equation_count == 0 && joint.coordinate_count() > 0;
}

// The equations of the passive mechanism, and the controls that are unknowns in them.
struct PassiveSystem {
  std::vector<int> equations, controls;
  std::vector<int> quaternions;  // first controls of those that are unknowns: each has an equation of unit length
};

PassiveSystem passive_system(const MechanismLayout& layout) {
  const auto& joints = layout.model().joints();
  PassiveSystem system;
  for (int equation = 0; equation < int(layout.equations().size()); ++equation) {
    const int joint = layout.equations()[std::size_t(equation)].joint;
    if (!layout.is_actuation(equation) || is_of_motion_alone(joints[std::size_t(joint)])) system.equations.push_back(equation);
  }
  for (int j = 0; j < int(joints.size()); ++j)
    for (int i = 0; is_of_motion_alone(joints[std::size_t(j)]) && i < joints[std::size_t(j)].coordinate_count(); ++i)
      system.controls.push_back(layout.unknowns_of(j)[2 * HOLO_POSE_SIZE + std::size_t(i)].index);
  for (const int first : layout.control_quaternions())
    if (std::count(system.controls.begin(), system.controls.end(), first) > 0) system.quaternions.push_back(first);
  return system;
}

}  // namespace

bool has_actuators_of_motion_alone(const MechanismModel& model) {
  return std::any_of(model.joints().begin(), model.joints().end(), is_of_motion_alone);
}

int mobility_with_own_joints(const ConstraintEquations& equations, const MechanismUnknowns& poses, double rank_tolerance) {
  const MechanismLayout& layout = equations.layout();
  const PassiveSystem system = passive_system(layout);
  // Mobility at each pose: the number of unknowns, which are states and the controls of such actuators, minus the rank of all
  // passive equations and unit lengths. The smallest over the poses is the mechanism's.
  std::vector<int> columns(std::size_t(layout.state_count()));
  for (int i = 0; i < layout.state_count(); ++i) columns[std::size_t(i)] = i;
  for (const int control : system.controls) columns.push_back(layout.state_count() + control);
  int mobility = std::numeric_limits<int>::max();
  for (Eigen::Index k = 0; k < poses.count(); ++k) {
    const Eigen::Index row_count = Eigen::Index(system.equations.size());
    Eigen::MatrixXd jacobian =
        Eigen::MatrixXd::Zero(row_count + Eigen::Index(system.quaternions.size()), Eigen::Index(columns.size()));
    jacobian.topRows(row_count) = equations.dense_jacobian(poses, k)(system.equations, columns);
    for (std::size_t q = 0; q < system.quaternions.size(); ++q)
      for (std::size_t c = 0; c < system.controls.size(); ++c)
        if (const int part = system.controls[c] - system.quaternions[q]; part >= 0 && part < 4)
          jacobian(row_count + Eigen::Index(q), layout.state_count() + Eigen::Index(c)) =
              2 * poses.controls(system.controls[c], k);
    Eigen::SparseMatrix<double> sparse = jacobian.sparseView();
    normalize_rows(sparse);
    mobility = std::min(mobility, int(columns.size()) - left_null_space(sparse, rank_tolerance).rank);
  }
  return mobility;
}

}  // namespace holo
