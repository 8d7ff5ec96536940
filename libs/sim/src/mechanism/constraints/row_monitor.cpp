#include "holo/sim/mechanism/constraints/row_monitor.h"

#include <Eigen/LU>
#include <algorithm>

#include "holo/core/numerics/parallel.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "smallest_singular_value.h"

namespace holo {

namespace {

Eigen::VectorXd estimates(const MechanismRows& rows, const MechanismInstants& at) {
  const MechanismPatterns& patterns = rows.patterns();
  Eigen::MatrixXd states(patterns.states.nonZeros(), at.count()), controls(patterns.controls.nonZeros(), at.count()),
      parameters(patterns.parameters.nonZeros(), at.count());
  rows.jacobians(at, {states, controls, parameters});
  Eigen::VectorXd result(at.count());
  SmallestSingularValue smallest(patterns.states);
  for (Eigen::Index k = 0; k < at.count(); ++k) result[k] = smallest.find(states.col(k), 1e-2);
  return result;
}

MechanismInstants instants(const MechanismProblem& problem, const StagedPoint& point) {
  return {point.states, point.controls, point.parameters, problem.prescribed()};
}

// Where a layout's states stand in a row of the layout without a selection: its states, then its controls.
std::vector<int> columns_of_states(const MechanismLayout& layout, int independent_count) {
  std::vector<int> columns(std::size_t(layout.state_count()), -1);
  for (std::size_t i = 0; i < layout.all_controls().size(); ++i)
    if (layout.all_controls()[i].kind == UnknownPlace::Kind::state)
      columns[std::size_t(layout.all_controls()[i].index)] = independent_count + int(i);
  int next = 0;
  for (int& column : columns)
    if (column < 0) column = next++;
  return columns;
}

}  // namespace

RowQuality row_quality(const MechanismRows& rows, const MechanismInstants& at) {
  RowQuality quality;
  const Eigen::VectorXd kept = estimates(rows, at);
  Eigen::Index instant = 0;
  quality.kept = quality.all = kept.minCoeff(&instant);
  quality.instant = int(instant);
  const RowSelection& selection = rows.layout().selection();
  if (selection.dropped.empty() && selection.dependent_controls.empty()) return quality;
  const MechanismRows all(std::make_shared<const MechanismLayout>(rows.layout().shared_model()));
  Eigen::MatrixXd states = at.states, controls = at.controls;
  rearrange(rows.layout(), all.layout(), states, controls);
  quality.all = estimates(all, {states, controls, at.parameters, at.prescribed}).minCoeff();
  return quality;
}

std::optional<RowReselection> reselect_rows(const MechanismProblem& problem, const StagedPoint& point,
                                            const RowMonitorOptions& options) {
  const MechanismLayout& layout = problem.rows().layout();
  if (layout.selection().dropped.empty() && layout.selection().dependent_controls.empty()) return std::nullopt;
  const RowQuality before = row_quality(problem.rows(), instants(problem, point));
  if (before.kept >= options.poor * before.all) return std::nullopt;
  MechanismMotionOptions choice = options.motion;
  choice.selection.drop_first.insert(choice.selection.drop_first.begin(), layout.dependent_names().begin(),
                                     layout.dependent_names().end());
  MechanismMotion motion;
  motion.layout = std::shared_ptr<const MechanismLayout>(std::shared_ptr<const void>(), &layout);
  motion.states = point.states;
  motion.controls = point.controls;
  motion.parameters = point.parameters;
  motion.prescribed = problem.prescribed();
  motion = with_rows_anew(motion, before.instant, choice);
  RowReselection result{motion.rows, motion.selection, before,
                        row_quality(*motion.rows, {motion.states, motion.controls, motion.parameters, motion.prescribed})};
  if (result.after.kept < options.better * before.kept) return std::nullopt;
  return result;
}

StagedPoint rearranged(const StagedPoint& point, const MechanismLayout& from, const MechanismLayout& to, double time_step) {
  StagedPoint result = point;
  rearrange(from, to, result.states, result.controls);
  if (from.selection().dependent_controls == to.selection().dependent_controls) return result;
  const Eigen::Index steps = result.controls.cols() - 1;
  result.rates = (result.controls.rightCols(steps) - result.controls.leftCols(steps)) / time_step;
  return result;
}

StagedMultipliers mapped_multipliers(const StagedMultipliers& multipliers, const StagedPoint& point,
                                     const MechanismProblem& from, const MechanismProblem& to) {
  const MechanismLayout &old_layout = from.rows().layout(), &new_layout = to.rows().layout();
  const auto all = std::make_shared<const MechanismLayout>(old_layout.shared_model());
  const MechanismRows rows(all);
  Eigen::MatrixXd states = point.states, controls = point.controls;
  rearrange(old_layout, *all, states, controls);
  const std::vector<int> old_columns = columns_of_states(old_layout, all->state_count()),
                         columns = columns_of_states(new_layout, all->state_count());
  StagedMultipliers result = multipliers;
  result.states.resize(new_layout.state_count(), states.cols());
  parallel_for(std::size_t(states.cols()), 1, [&](std::size_t begin, std::size_t) {
    const Eigen::Index k = Eigen::Index(begin);
    const Eigen::MatrixXd jacobian = rows.dense_jacobian({states, controls, point.parameters, from.prescribed()}, k);
    Eigen::VectorXd pull = Eigen::VectorXd::Zero(jacobian.cols());  // on all states and controls
    for (std::size_t i = 0; i < old_layout.kept_rows().size(); ++i)
      pull += multipliers.states(Eigen::Index(i), k) * jacobian.row(old_layout.kept_rows()[i]).transpose();
    const Eigen::MatrixXd kept = jacobian(new_layout.kept_rows(), columns);
    result.states.col(k) = kept.transpose().partialPivLu().solve(pull(columns));
  });
  if (old_columns == columns) return result;
  // Other controls depend on others now: of what belongs to the controls only the sizes are left.
  result.rates.setZero(new_layout.control_count(), states.cols() - 1);
  return result;
}

}  // namespace holo
