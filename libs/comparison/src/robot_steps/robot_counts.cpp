// The numbers of bodies, joints and equations of robots: [Maloisel2023] Table 5.
#include <algorithm>

#include "holo/comparison/robot_example.h"
#include "holo/comparison/robot_table.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "holo/sim/mechanism/model/robot_file.h"

namespace holo::comparison {

namespace {

// Joints of a type and role; the joints that tie a body to the world are counted apart.
double joints(const MechanismModel& model, const std::string& type, JointRole role) {
  return double(std::count_if(model.joints().begin(), model.joints().end(), [&](const MechanismJoint& joint) {
    return joint.type->name() == type && joint.role == role && joint.body_a != world;
  }));
}

double driven(const MechanismModel& model) {
  return double(std::count_if(model.joints().begin(), model.joints().end(),
                              [](const MechanismJoint& joint) { return joint.role == JointRole::actuator; }));
}

double grounds(const MechanismModel& model) {
  return double(std::count_if(model.joints().begin(), model.joints().end(),
                              [](const MechanismJoint& joint) { return joint.body_a == world || joint.body_b == world; }));
}

EliminationResult selection_at_rest(const std::shared_ptr<const MechanismLayout>& layout) {
  const ConstraintEquations rows(layout);
  const Eigen::MatrixXd states = layout->rest_state(), controls = layout->rest_controls(),
                        prescribed(layout->prescribed_count(), 1);
  const Eigen::VectorXd parameters = layout->rest_parameters();
  return eliminate_redundant_equations(rows, {states, controls, parameters, prescribed});
}

}  // namespace

std::vector<std::string> robot_count_names() {
  return {"bodies",
          "grounds",
          "revolute",
          "universal",
          "spherical",
          "driven",
          "configurable_revolute",
          "configurable_spherical",
          "states",
          "constraint_equations",
          "redundant_passive",
          "redundant_active",
          "controls",
          "design_variables",
          "loops",
          "variables",
          "constraints"};
}

std::vector<RobotCount> count_robot(const std::filesystem::path& robot, int knots, const PluginHost& plugins) {
  const auto model = std::make_shared<const MechanismModel>(read_robot(robot, plugins));
  const auto layout = std::make_shared<const MechanismLayout>(model);
  const EliminationResult selected = selection_at_rest(layout);
  const StagedCounts counts = count_unknowns(MechanismLayout(model, selected.elimination), knots);
  const std::vector<double> values = {double(model->bodies().size()),
                                      grounds(*model),
                                      joints(*model, "revolute", JointRole::passive),
                                      joints(*model, "universal", JointRole::passive),
                                      joints(*model, "spherical", JointRole::passive),
                                      driven(*model),
                                      joints(*model, "revolute", JointRole::configurable),
                                      joints(*model, "spherical", JointRole::configurable),
                                      double(layout->state_count()),
                                      double(layout->equations().size()),
                                      double(selected.passive_redundant),
                                      double(selected.active_redundant),
                                      double(layout->control_count()),
                                      double(layout->parameter_count()),
                                      double(model->loop_count()),
                                      double(counts.variables),
                                      double(counts.constraints)};
  std::vector<RobotCount> result;
  for (std::size_t i = 0; i < values.size(); ++i) result.push_back({robot_count_names()[i], values[i]});
  return result;
}

}  // namespace holo::comparison
