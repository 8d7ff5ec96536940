#include "mechanism/constraints/own_joint_mobility.h"

#include <algorithm>
#include <limits>

#include "holo/core/plugins/joint_plugin.h"
#include "mechanism/constraints/left_null_space.h"

namespace holo {

namespace {

bool is_of_motion_alone(const MechanismJoint& joint) {
  return joint.role == JointRole::actuator && joint.type->abi().passive_row_count == 0 && joint.coordinate_count() > 0 &&
         !joint.is_coupled;  // else its coordinate is a state
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
      system.controls.push_back(layout.places(j)[2 * HOLO_POSE_SIZE + std::size_t(i)].index);
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
  const EquationPatterns& patterns = equations.patterns();
  const int columns = layout.state_count() + int(system.controls.size()), row_count = int(system.equations.size());
  std::vector<int> column_of_control(std::size_t(layout.control_count()), -1);
  for (std::size_t c = 0; c < system.controls.size(); ++c)
    column_of_control[std::size_t(system.controls[c])] = layout.state_count() + int(c);
  Eigen::MatrixXd states(patterns.states.nonZeros(), poses.count()), controls(patterns.controls.nonZeros(), poses.count()),
      parameters(patterns.parameters.nonZeros(), poses.count());
  equations.jacobians(poses, {states, controls, parameters});
  int mobility = std::numeric_limits<int>::max();
  for (Eigen::Index k = 0; k < poses.count(); ++k) {
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](const Eigen::SparseMatrix<double>& pattern, const auto& values, const auto& column_of) {
      for (int column = 0, value = 0; column < int(pattern.cols()); ++column)
        for (Eigen::SparseMatrix<double>::InnerIterator it(pattern, column); it; ++it, ++value)
          if (column_of(column) >= 0) entries.emplace_back(int(it.row()), column_of(column), values[value]);
    };
    add(patterns.states, states.col(k), [](int column) { return column; });
    add(patterns.controls, controls.col(k), [&](int column) { return column_of_control[std::size_t(column)]; });
    Eigen::SparseMatrix<double> all(Eigen::Index(layout.equations().size()), columns);
    all.setFromTriplets(entries.begin(), entries.end());
    // The passive equations, and below them the unit lengths of the quaternions among the controls.
    Eigen::SparseMatrix<double> jacobian = chosen_rows(all, system.equations);
    jacobian.conservativeResize(row_count + Eigen::Index(system.quaternions.size()), columns);
    for (std::size_t q = 0; q < system.quaternions.size(); ++q)
      for (int part = 0; part < 4; ++part)
        if (const int control = system.quaternions[q] + part, column = column_of_control[std::size_t(control)]; column >= 0)
          jacobian.coeffRef(row_count + int(q), column) = 2 * poses.controls(control, k);
    normalize_rows(jacobian);
    mobility = std::min(mobility, columns - left_null_space(jacobian, rank_tolerance).rank);
  }
  return mobility;
}

}  // namespace holo
