#include "holo/sim/mechanism/constraints/elimination_monitor.h"

#include <Eigen/LU>
#include <algorithm>

#include "holo/core/numerics/parallel.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "smallest_singular_value.h"

namespace holo {

namespace {

Eigen::VectorXd estimates(const ConstraintEquations& equations, const MechanismUnknowns& at) {
  const EquationPatterns& patterns = equations.patterns();
  Eigen::MatrixXd states(patterns.states.nonZeros(), at.count()), controls(patterns.controls.nonZeros(), at.count()),
      parameters(patterns.parameters.nonZeros(), at.count());
  equations.jacobians(at, {states, controls, parameters});
  Eigen::VectorXd result(at.count());
  SmallestSingularValue smallest(patterns.states);
  for (Eigen::Index k = 0; k < at.count(); ++k) result[k] = smallest.find(states.col(k), 1e-2);
  return result;
}

MechanismUnknowns knots(const MechanismProblem& problem, const StagedPoint& point) {
  return {point.states, point.controls, point.parameters, problem.prescribed()};
}

// The columns of a layout's states in the Jacobian of the layout without an elimination: its states, then its controls.
std::vector<int> columns_of_states(const MechanismLayout& layout, int independent_count) {
  std::vector<int> columns(std::size_t(layout.state_count()), -1);
  for (std::size_t i = 0; i < layout.all_controls().size(); ++i)
    if (layout.all_controls()[i].kind == UnknownIndex::Kind::state)
      columns[std::size_t(layout.all_controls()[i].index)] = independent_count + int(i);
  int next = 0;
  for (int& column : columns)
    if (column < 0) column = next++;
  return columns;
}

}  // namespace

EquationQuality equation_quality(const ConstraintEquations& equations, const MechanismUnknowns& at) {
  EquationQuality quality;
  const Eigen::VectorXd independent = estimates(equations, at);
  Eigen::Index knot = 0;
  quality.independent = quality.all = independent.minCoeff(&knot);
  quality.knot = int(knot);
  const Elimination& elimination = equations.layout().elimination();
  if (elimination.redundant.empty() && elimination.dependent_controls.empty()) return quality;
  const ConstraintEquations all(std::make_shared<const MechanismLayout>(equations.layout().shared_model()));
  Eigen::MatrixXd states = at.states, controls = at.controls;
  rearrange(equations.layout(), all.layout(), states, controls);
  quality.all = estimates(all, {states, controls, at.parameters, at.prescribed}).minCoeff();
  return quality;
}

std::optional<NewElimination> eliminate_anew(const MechanismProblem& problem, const StagedPoint& point,
                                             const EliminationMonitorOptions& options) {
  const MechanismLayout& layout = problem.equations().layout();
  if (layout.elimination().redundant.empty() && layout.elimination().dependent_controls.empty()) return std::nullopt;
  const EquationQuality before = equation_quality(problem.equations(), knots(problem, point));
  // The comparison is with all equations: near a singularity of the mechanism itself, no elimination is better.
  if (before.independent >= options.poor * before.all) return std::nullopt;
  MechanismMotionOptions choice = options.motion;
  choice.elimination.eliminate_first.insert(choice.elimination.eliminate_first.begin(), layout.dependent_names().begin(),
                                            layout.dependent_names().end());
  MechanismMotion motion;
  motion.layout = std::shared_ptr<const MechanismLayout>(std::shared_ptr<const void>(), &layout);
  motion.states = point.states;
  motion.controls = point.controls;
  motion.parameters = point.parameters;
  motion.prescribed = problem.prescribed();
  motion = with_new_elimination(motion, before.knot, choice);
  NewElimination result{
      motion.equations, motion.elimination, before,
      equation_quality(*motion.equations, {motion.states, motion.controls, motion.parameters, motion.prescribed})};
  if (result.after.independent < options.better * before.independent) return std::nullopt;
  return result;
}

StagedPoint rearranged(const StagedPoint& point, const MechanismLayout& from, const MechanismLayout& to, double time_step) {
  StagedPoint result = point;
  rearrange(from, to, result.states, result.controls);
  if (from.elimination().dependent_controls == to.elimination().dependent_controls) return result;
  const Eigen::Index steps = result.controls.cols() - 1;
  result.rates = (result.controls.rightCols(steps) - result.controls.leftCols(steps)) / time_step;
  return result;
}

StagedMultipliers mapped_multipliers(const StagedMultipliers& multipliers, const StagedPoint& point,
                                     const MechanismProblem& from, const MechanismProblem& to) {
  const MechanismLayout &old_layout = from.equations().layout(), &new_layout = to.equations().layout();
  const auto all = std::make_shared<const MechanismLayout>(old_layout.shared_model());
  const ConstraintEquations equations(all);
  Eigen::MatrixXd states = point.states, controls = point.controls;
  rearrange(old_layout, *all, states, controls);
  const std::vector<int> old_columns = columns_of_states(old_layout, all->state_count()),
                         columns = columns_of_states(new_layout, all->state_count());
  StagedMultipliers result = multipliers;
  result.states.resize(new_layout.state_count(), states.cols());
  parallel_for(std::size_t(states.cols()), 1, [&](std::size_t begin, std::size_t) {
    const Eigen::Index k = Eigen::Index(begin);
    const Eigen::MatrixXd jacobian = equations.dense_jacobian({states, controls, point.parameters, from.prescribed()}, k);
    // The generalized force of the old multipliers, which the new ones reproduce: J_new^T l_new = J_old^T l_old.
    Eigen::VectorXd pull = Eigen::VectorXd::Zero(jacobian.cols());  // on all states and controls
    for (std::size_t i = 0; i < old_layout.independent_equations().size(); ++i)
      pull += multipliers.states(Eigen::Index(i), k) * jacobian.row(old_layout.independent_equations()[i]).transpose();
    const Eigen::MatrixXd independent = jacobian(new_layout.independent_equations(), columns);
    result.states.col(k) = independent.transpose().partialPivLu().solve(pull(columns));
  });
  if (old_columns == columns) return result;
  // With other dependent controls, the multipliers of the controls have no counterpart and start from 0.
  result.rates.setZero(new_layout.control_count(), states.cols() - 1);
  return result;
}

}  // namespace holo
