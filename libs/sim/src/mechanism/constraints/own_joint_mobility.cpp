#include "mechanism/constraints/own_joint_mobility.h"

#include <algorithm>
#include <limits>

#include "holo/core/plugins/joint_plugin.h"
#include "mechanism/constraints/left_null_space.h"

namespace holo {

namespace {

bool is_of_motion_alone(const MechanismJoint& joint) {
  return joint.role == JointRole::actuator && joint.type->abi().passive_equation_count == 0 && joint.coordinate_count() > 0 &&
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
      system.controls.push_back(layout.unknowns_of(j)[2 * HOLO_POSE_SIZE + std::size_t(i)].index);
  for (const int first : layout.control_quaternions())
    if (std::count(system.controls.begin(), system.controls.end(), first) > 0) system.quaternions.push_back(first);
  return system;
}

// The Jacobian of the passive equations, and below them of the unit lengths of the controls' quaternions, in the states and
// these controls. `by_states`, `by_controls`: values of the equations' patterns; `at`: the controls themselves.
Eigen::SparseMatrix<double> passive_jacobian(const ConstraintEquations& equations, const PassiveSystem& system,
                                             const Eigen::VectorXd& by_states, const Eigen::VectorXd& by_controls,
                                             const Eigen::VectorXd& at) {
  const MechanismLayout& layout = equations.layout();
  const int rows = int(layout.equations().size()), columns = layout.state_count() + int(system.controls.size());
  std::vector<int> column_of_control(std::size_t(layout.control_count()), -1), chosen = system.equations;
  for (std::size_t c = 0; c < system.controls.size(); ++c)
    column_of_control[std::size_t(system.controls[c])] = layout.state_count() + int(c);
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const Eigen::SparseMatrix<double>& pattern, const Eigen::VectorXd& values, const auto& column_of) {
    for (int column = 0, value = 0; column < int(pattern.cols()); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(pattern, column); it; ++it, ++value)
        if (column_of(column) >= 0) entries.emplace_back(int(it.row()), column_of(column), values[value]);
  };
  add(equations.patterns().states, by_states, [](int column) { return column; });
  add(equations.patterns().controls, by_controls, [&](int column) { return column_of_control[std::size_t(column)]; });
  for (std::size_t q = 0; q < system.quaternions.size(); ++q) {
    chosen.push_back(rows + int(q));
    for (int control = system.quaternions[q]; control < system.quaternions[q] + 4; ++control)
      if (const int column = column_of_control[std::size_t(control)]; column >= 0)
        entries.emplace_back(rows + int(q), column, 2 * at[control]);
  }
  Eigen::SparseMatrix<double> all(rows + Eigen::Index(system.quaternions.size()), columns);
  all.setFromTriplets(entries.begin(), entries.end());
  return chosen_rows(all, chosen);
}

}  // namespace

bool has_actuators_of_motion_alone(const MechanismModel& model) {
  return std::any_of(model.joints().begin(), model.joints().end(), is_of_motion_alone);
}

int mobility_with_own_joints(const ConstraintEquations& equations, const MechanismUnknowns& poses, double rank_tolerance) {
  const EquationPatterns& patterns = equations.patterns();
  const PassiveSystem system = passive_system(equations.layout());
  Eigen::MatrixXd states(patterns.states.nonZeros(), poses.count()), controls(patterns.controls.nonZeros(), poses.count()),
      parameters(patterns.parameters.nonZeros(), poses.count());
  equations.jacobians(poses, {states, controls, parameters});
  int mobility = std::numeric_limits<int>::max();
  for (Eigen::Index k = 0; k < poses.count(); ++k) {
    Eigen::SparseMatrix<double> jacobian =
        passive_jacobian(equations, system, states.col(k), controls.col(k), poses.controls.col(k));
    normalize_rows(jacobian);
    mobility = std::min(mobility, int(jacobian.cols()) - left_null_space(jacobian, rank_tolerance).rank);
  }
  return mobility;
}

}  // namespace holo
