#include "staged/problem/kkt_system.h"

#include <algorithm>

namespace holo {

KktSystem::KktSystem(const StagedLayout& layout)
    : layout_(layout),
      has_diagonal_(std::size_t(layout.stage_size())),
      variable_count_(layout.stage_count * layout.stage_size() - layout.control_count),
      constraint_count_(0) {
  // Unknowns: (p, u, v, s) of each stage, without v at the last one. Constraints: those of each stage, then the constraints
  // of p.
  constraint_count_ =
      parameter_row() + int(layout.parameter_quaternions.size()) + layout.parameter_constraint_count - variable_count_;
  for (int column = 0; column < layout.stage_size(); ++column)
    for (int e = layout.hessian.outerIndexPtr()[column]; e < layout.hessian.outerIndexPtr()[column + 1]; ++e)
      if (layout.hessian.innerIndexPtr()[e] == column) has_diagonal_[std::size_t(column)] = 1;
}

// The last stage has no rates, so that its states come earlier.
int KktSystem::unknown(int stage, int index) const {
  const int rates_end = layout_.parameter_count + 2 * layout_.control_count;
  const bool after_missing = stage == layout_.stage_count - 1 && index >= rates_end;
  return first_unknown(stage) + index - (after_missing ? layout_.control_count : 0);
}

// Calls visit(row, column, value) for each entry of the stage's Hessian, in both triangles, with the shift on the diagonal.
template <class Visit>
void KktSystem::visit_hessian(const StagedQuadratic& quadratic, int stage, const Visit& visit) const {
  const StageDerivatives& values = quadratic.blocks[std::size_t(stage / stage_lanes)];
  const int lane = stage % stage_lanes, np = layout_.parameter_count, nu = layout_.control_count;
  const bool is_last = stage == layout_.stage_count - 1;
  auto is_missing = [&](int index) { return is_last && index >= np + nu && index < np + 2 * nu; };
  auto shift = [&](int index) {
    return index < np            ? quadratic.parameter_shift[index]
           : index < np + nu     ? quadratic.control_shift[index - np]
           : index < np + 2 * nu ? quadratic.rate_shift[index - np - nu]
                                 : 0.0;
  };
  for (int column = 0; column < layout_.stage_size(); ++column) {
    if (is_missing(column)) continue;
    const int at = unknown(stage, column);
    if (!has_diagonal_[std::size_t(column)]) visit(at, at, shift(column));
    for (int e = layout_.hessian.outerIndexPtr()[column]; e < layout_.hessian.outerIndexPtr()[column + 1]; ++e) {
      const int row = layout_.hessian.innerIndexPtr()[e];
      if (is_missing(row)) continue;
      const double value = values.hessian(e, lane);
      visit(unknown(stage, row), at, row == column ? value + shift(column) : value);
      if (row != column) visit(at, unknown(stage, row), value);
    }
  }
}

// The Hessian of r((s' - s) / h): r'' / h^2 times [1 -1; -1 1] for each rated state s and the next stage's s'.
template <class Visit>
void KktSystem::visit_state_rates(const StagedQuadratic& quadratic, int stage, const Visit& visit) const {
  if (stage == layout_.stage_count - 1) return;
  const int first_state = layout_.parameter_count + 2 * layout_.control_count;
  for (std::size_t j = 0; j < layout_.rated_states.size(); ++j) {
    const double value = quadratic.state_rate_curvatures(Eigen::Index(j), stage) / (layout_.time_step * layout_.time_step);
    const int now = unknown(stage, first_state + layout_.rated_states[j]),
              next = unknown(stage + 1, first_state + layout_.rated_states[j]);
    visit(now, now, value);
    visit(next, next, value);
    visit(now, next, -value);
    visit(next, now, -value);
  }
}

// The Jacobian of the constraints below the Hessian and its transpose beside it: C, the quaternions of u, the rates, the
// equality of p from stage to stage, and at the first stage the rows of p.
template <class Visit>
void KktSystem::visit_constraints(const StagedQuadratic& quadratic, int stage, const Visit& visit) const {
  const StageDerivatives& values = quadratic.blocks[std::size_t(stage / stage_lanes)];
  const int lane = stage % stage_lanes, np = layout_.parameter_count, nu = layout_.control_count;
  auto both = [&](int row, int column, double value) {
    visit(row, column, value);
    visit(column, row, value);
  };
  auto jacobian = [&](const StagePattern& pattern, const StageLanes& entries, int begin) {
    for (int column = 0; column < int(pattern.cols()); ++column)
      for (int e = pattern.outerIndexPtr()[column]; e < pattern.outerIndexPtr()[column + 1]; ++e)
        both(states_row(stage) + pattern.innerIndexPtr()[e], unknown(stage, begin + column), entries(e, lane));
  };
  // The linearized constraints of the stage: C; 2 q . dq of the quaternions; (du' - du) / h - dv; dp' - dp.
  jacobian(layout_.parameters_jacobian, values.parameters_jacobian, 0);
  jacobian(layout_.controls_jacobian, values.controls_jacobian, np);
  jacobian(layout_.states_jacobian, values.states_jacobian, np + 2 * nu);
  for (std::size_t n = 0; n < layout_.control_quaternions.size(); ++n)
    for (int i = 0; i < 4; ++i) {
      const int place = layout_.control_quaternions[n] + i;
      both(quaternion_row(stage) + int(n), unknown(stage, np + place), 2 * quadratic.point.controls(place, stage));
    }
  if (stage == layout_.stage_count - 1) return;
  for (int u = 0; u < nu; ++u) {
    both(rates_row(stage) + u, unknown(stage, np + u), -1 / layout_.time_step);
    both(rates_row(stage) + u, unknown(stage + 1, np + u), 1 / layout_.time_step);
    both(rates_row(stage) + u, unknown(stage, np + nu + u), -1);
  }
  for (int p = 0; p < np; ++p) {
    both(equal_row(stage) + p, unknown(stage, p), -1);
    both(equal_row(stage) + p, unknown(stage + 1, p), 1);
  }
  if (stage > 0) return;
  const Eigen::MatrixXd& rows = quadratic.parameter_rows_jacobian;
  for (int i = 0; i < int(rows.rows()); ++i)
    for (int p = 0; p < np; ++p) both(parameter_row() + i, unknown(0, p), rows(i, p));
}

const Eigen::SparseMatrix<double>& KktSystem::assemble(const StagedQuadratic& quadratic) {
  auto visit_all = [&](const auto& visit) {
    for (int k = 0; k < layout_.stage_count; ++k) {
      visit_hessian(quadratic, k, visit);
      visit_state_rates(quadratic, k, visit);
      visit_constraints(quadratic, k, visit);
    }
  };
  // The first call finds which entry of the compressed matrix each visit adds to.
  if (targets_.empty()) {
    std::vector<Eigen::Triplet<double>> entries;
    visit_all([&](int row, int column, double) { entries.emplace_back(row, column, 1.0); });
    matrix_.resize(variable_count_ + constraint_count_, variable_count_ + constraint_count_);
    matrix_.setFromTriplets(entries.begin(), entries.end());
    for (const auto& entry : entries) {
      const int* begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entry.col()];
      const int* end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entry.col() + 1];
      targets_.push_back(int(std::lower_bound(begin, end, entry.row()) - matrix_.innerIndexPtr()));
    }
  }
  // Later calls visit the entries in the same order and add to the recorded positions.
  std::size_t next = 0;
  std::fill(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros(), 0.0);
  visit_all([&](int, int, double value) { matrix_.valuePtr()[targets_[next++]] += value; });
  return matrix_;
}

// Minus the gradient and minus the constraints: the solution has the step and the multipliers as they are after it.
Eigen::VectorXd KktSystem::right_side(const StagedQuadratic& quadratic, const StagedConstraints& constraints) const {
  Eigen::VectorXd right = Eigen::VectorXd::Zero(variable_count_ + constraint_count_);
  const int np = layout_.parameter_count, nu = layout_.control_count, ns = layout_.state_count, last = layout_.stage_count - 1;
  for (int k = 0; k <= last; ++k) {
    const auto gradient = quadratic.blocks[std::size_t(k / stage_lanes)].gradient.col(k % stage_lanes);
    right.segment(first_unknown(k), np + nu) = -gradient.head(np + nu);
    right.segment(unknown(k, np + 2 * nu), ns) = -gradient.tail(ns);
    for (std::size_t j = 0; j < layout_.rated_states.size(); ++j)
      right[unknown(k, np + 2 * nu + layout_.rated_states[j])] -= state_rate_gradient(quadratic, int(j), k);
    right.segment(states_row(k), ns) = -constraints.states.col(k);
    right.segment(quaternion_row(k), constraints.control_quaternions.rows()) = -constraints.control_quaternions.col(k);
    if (k == last) continue;
    right.segment(unknown(k, np + nu), nu) = -gradient.segment(np + nu, nu);
    right.segment(rates_row(k), nu) = -constraints.rates.col(k);
  }
  right.tail(constraints.parameter_constraints.size()) = -constraints.parameter_constraints;
  return right;
}

void KktSystem::read(const Eigen::VectorXd& solution, StagedDirection& direction) const {
  const int np = layout_.parameter_count, nu = layout_.control_count, ns = layout_.state_count, last = layout_.stage_count - 1;
  direction.step.parameters = solution.head(np);
  for (int k = 0; k <= last; ++k) {
    direction.step.controls.col(k) = solution.segment(first_unknown(k) + np, nu);
    direction.step.states.col(k) = solution.segment(unknown(k, np + 2 * nu), ns);
    direction.multipliers.states.col(k) = solution.segment(states_row(k), ns);
    direction.multipliers.control_quaternions.col(k) =
        solution.segment(quaternion_row(k), direction.multipliers.control_quaternions.rows());
    if (k == last) continue;
    direction.step.rates.col(k) = solution.segment(unknown(k, np + nu), nu);
    direction.multipliers.rates.col(k) = solution.segment(rates_row(k), nu);
    direction.multipliers.parameters_equal.col(k) = solution.segment(equal_row(k), np);
  }
  direction.multipliers.parameter_constraints = solution.tail(direction.multipliers.parameter_constraints.size());
}

}  // namespace holo
