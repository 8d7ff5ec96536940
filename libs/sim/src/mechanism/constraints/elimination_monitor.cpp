#include "holo/sim/mechanism/constraints/elimination_monitor.h"

#include <algorithm>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/sparse_solver.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "smallest_singular_value.h"

namespace holo {

namespace {

// Values of the patterns' entries: [entry][knot].
struct Derivatives {
  Eigen::MatrixXd states, controls, parameters;
};

Derivatives derivatives(const ConstraintEquations& equations, const MechanismUnknowns& at, Eigen::Index first,
                        Eigen::Index count) {
  const EquationPatterns& patterns = equations.patterns();
  Derivatives result{Eigen::MatrixXd(patterns.states.nonZeros(), count), Eigen::MatrixXd(patterns.controls.nonZeros(), count),
                     Eigen::MatrixXd(patterns.parameters.nonZeros(), count)};
  equations.jacobians({at.states.middleCols(first, count), at.controls.middleCols(first, count), at.parameters,
                       at.prescribed.middleCols(first, count)},
                      {result.states, result.controls, result.parameters});
  return result;
}

// Adds J^T l at each knot; `numbers`: where each column goes, -1: nowhere.
void add_force(const SparseMatrix& pattern, const Eigen::MatrixXd& values, const Eigen::Ref<const Eigen::MatrixXd>& multipliers,
               const std::vector<int>& numbers, Eigen::MatrixXd& force) {
  for (Eigen::Index k = 0; k < values.cols(); ++k)
    for (int column = 0, value = 0; column < int(pattern.cols()); ++column)
      for (SparseMatrix::InnerIterator it(pattern, column); it; ++it, ++value)
        if (const int to = numbers[std::size_t(column)]; to >= 0) force(to, k) += values(value, k) * multipliers(it.row(), k);
}

Eigen::VectorXd estimates(const ConstraintEquations& equations, const MechanismUnknowns& at) {
  const Derivatives at_all = derivatives(equations, at, 0, at.count());
  Eigen::VectorXd result(at.count());
  SmallestSingularValue smallest(equations.patterns().states);
  for (Eigen::Index k = 0; k < at.count(); ++k) result[k] = smallest.find(at_all.states.col(k), 1e-2);
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

// What the old states and controls are among the new states, -1 for those that are controls now.
struct NewNumbers {
  std::vector<int> of_states, of_controls;

  NewNumbers(const MechanismLayout& from, const MechanismLayout& to) : of_controls(std::size_t(from.control_count()), -1) {
    const int all_states = MechanismLayout(from.shared_model()).state_count();
    std::vector<int> number(std::size_t(all_states) + from.all_controls().size(), -1);
    const std::vector<int> columns = columns_of_states(to, all_states);
    for (std::size_t i = 0; i < columns.size(); ++i) number[std::size_t(columns[i])] = int(i);
    for (const int column : columns_of_states(from, all_states)) of_states.push_back(number[std::size_t(column)]);
    for (std::size_t i = 0; i < from.all_controls().size(); ++i)
      if (const UnknownIndex& place = from.all_controls()[i]; place.kind == UnknownIndex::Kind::control)
        of_controls[std::size_t(place.index)] = number[std::size_t(all_states) + i];
  }
};

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
  motion.layout = std::shared_ptr<const MechanismLayout>(problem.shared_equations(), &layout);
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
  constexpr std::size_t chunk = 8;  // knots that share an analysis of the pattern
  const MechanismLayout &old_layout = from.equations().layout(), &new_layout = to.equations().layout();
  Eigen::MatrixXd states = point.states, controls = point.controls;
  rearrange(old_layout, new_layout, states, controls);
  const NewNumbers numbers(old_layout, new_layout);
  StagedMultipliers result = multipliers;
  result.states.resize(new_layout.state_count(), states.cols());
  parallel_for(std::size_t(states.cols()), chunk, [&](std::size_t begin, std::size_t end) {
    const Eigen::Index first = Eigen::Index(begin), count = Eigen::Index(end - begin);
    // The generalized force of the old multipliers, which the new ones reproduce: J_new^T l_new = J_old^T l_old.
    const Derivatives old = derivatives(from.equations(), knots(from, point), first, count),
                      next = derivatives(to.equations(), {states, controls, point.parameters, to.prescribed()}, first, count);
    Eigen::MatrixXd force = Eigen::MatrixXd::Zero(new_layout.state_count(), count);
    add_force(from.equations().patterns().states, old.states, multipliers.states.middleCols(first, count), numbers.of_states,
              force);
    add_force(from.equations().patterns().controls, old.controls, multipliers.states.middleCols(first, count),
              numbers.of_controls, force);
    const auto solver = make_sparse_solver({.matrix = MatrixKind::general});
    SparseMatrix jacobian = to.equations().patterns().states;
    for (Eigen::Index k = 0; k < count; ++k) {
      Eigen::Map<Eigen::VectorXd>(jacobian.valuePtr(), jacobian.nonZeros()) = next.states.col(k);
      if (k == 0) solver->analyze(jacobian);
      if (!solver->factorize(jacobian))
        throw Error(Failure::internal, "the new choice of constraint equations does not determine the states at knot " +
                                           std::to_string(first + k) + ": its Jacobian " + to_string(solver->outcome()));
      solver->solve_transposed(force.col(k), result.states.col(first + k));
    }
  });
  if (old_layout.elimination().dependent_controls == new_layout.elimination().dependent_controls) return result;
  // With other dependent controls, the multipliers of the controls have no counterpart and start from 0.
  result.rates.setZero(new_layout.control_count(), states.cols() - 1);
  return result;
}

}  // namespace holo
