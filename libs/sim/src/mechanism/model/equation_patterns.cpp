// Builds the sparsity patterns of a mechanism's equations, and the destinations of the joints' derivatives in them.

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/constraints/constraint_equations.h"
#include "mechanism/model/value_index.h"

namespace holo {

namespace {

using Pattern = Eigen::SparseMatrix<double>;
using Kind = UnknownIndex::Kind;

// Constants and prescribed coordinates have no derivatives.
int matrix_of(Kind kind) { return kind == Kind::state ? 0 : kind == Kind::control ? 1 : kind == Kind::parameter ? 2 : -1; }

Pattern pattern_of(int equations, int columns, const std::vector<Eigen::Triplet<double>>& entries) {
  Pattern pattern(equations, columns);
  pattern.setFromTriplets(entries.begin(), entries.end());
  pattern.makeCompressed();
  return pattern;
}

}  // namespace

void ConstraintEquations::find_targets() {
  const auto& joints = layout_->model().joints();
  // First pass: the entries of the joints' Jacobians that their plugins declare, for independent equations only. Second pass:
  // the index of each entry in the values of the compressed patterns.
  const int independent = int(layout_->independent_equations().size());
  std::vector<Eigen::Triplet<double>> entries[3];
  std::vector<std::vector<int>> columns(joints.size());
  targets_.resize(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto& unknowns = layout_->unknowns_of(int(j));
    for (int i = 0; i < joints[j].equation_count(); ++i) {
      const int all = layout_->first_equation(int(j)) + i, row = independent_number_[std::size_t(all)];
      for (std::size_t l = 0; l < unknowns.size(); ++l) {
        const int matrix = matrix_of(unknowns[l].kind);
        if (row < 0 || matrix < 0 || (joints[j].type->abi().jacobian_pattern[i] >> l & 1u) == 0) continue;
        entries[matrix].emplace_back(row, unknowns[l].index, 1.0);
        columns[j].push_back(unknowns[l].index);
        targets_[j].push_back(
            {i * int(unknowns.size()) + int(l), row, matrix, 0, unknowns[l].scale / layout_->equation_scale(all)});
      }
    }
  }
  for (std::size_t q = 0; q < layout_->state_quaternions().size(); ++q)
    for (int k = 0; k < 4; ++k)
      if (independent_number_[q] >= 0)
        entries[0].emplace_back(independent_number_[q], layout_->state_quaternions()[q] + k, 1.0);
  for (std::size_t r = 0; r < layout_->relations().size(); ++r) {
    const CoordinateRelation& relation = layout_->relations()[r];
    relation_targets_.push_back({.equation = independent_number_[std::size_t(layout_->first_relation_equation()) + r],
                                 .from_matrix = matrix_of(relation.from.kind)});
    const RelationTarget& target = relation_targets_.back();
    if (target.equation < 0) continue;
    entries[0].emplace_back(target.equation, relation.of.index, 1.0);
    if (target.from_matrix >= 0) entries[target.from_matrix].emplace_back(target.equation, relation.from.index, 1.0);
  }

  patterns_.states = pattern_of(independent, layout_->state_count(), entries[0]);
  patterns_.controls = pattern_of(independent, layout_->control_count(), entries[1]);
  patterns_.parameters = pattern_of(independent, layout_->parameter_count(), entries[2]);
  const Pattern* matrices[3] = {&patterns_.states, &patterns_.controls, &patterns_.parameters};
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t t = 0; t < targets_[j].size(); ++t) {
      Target& target = targets_[j][t];
      target.value = value_index(*matrices[target.matrix], target.equation, columns[j][t]);
    }
  for (std::size_t q = 0; q < layout_->state_quaternions().size(); ++q)
    for (int k = 0; k < 4; ++k)
      unit_values_.push_back(independent_number_[q] < 0
                                 ? -1
                                 : value_index(patterns_.states, independent_number_[q], layout_->state_quaternions()[q] + k));
  for (std::size_t r = 0; r < relation_targets_.size(); ++r) {
    RelationTarget& target = relation_targets_[r];
    const CoordinateRelation& relation = layout_->relations()[r];
    if (target.equation < 0) continue;
    target.of_value = value_index(patterns_.states, target.equation, relation.of.index);
    if (target.from_matrix >= 0)
      target.from_value = value_index(*matrices[target.from_matrix], target.equation, relation.from.index);
  }
}

// Finds the pattern of the Hessian, unknowns in the order (p, u, s), and the destinations of the joints' entries in it.
void ConstraintEquations::find_hessian_targets() {
  const auto& joints = layout_->model().joints();
  const int parameters = layout_->parameter_count(), controls = layout_->control_count();
  const int size = parameters + controls + layout_->state_count();
  // The same two passes for the upper triangle of the Hessian. Its pattern has all unknowns of a joint that its plugin
  // declares as coupled.
  const auto number = [&](const UnknownIndex& unknown) {
    return unknown.kind == Kind::parameter ? unknown.index
           : unknown.kind == Kind::control ? parameters + unknown.index
                                           : parameters + controls + unknown.index;
  };
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<std::vector<std::pair<int, int>>> at(joints.size());
  hessian_targets_.resize(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto& unknowns = layout_->unknowns_of(int(j));
    for (std::size_t k = 0, entry = 0; k < unknowns.size(); ++k)
      for (std::size_t l = k; l < unknowns.size(); ++l, ++entry) {
        if (matrix_of(unknowns[k].kind) < 0 || matrix_of(unknowns[l].kind) < 0) continue;
        if ((joints[j].type->abi().hessian_pattern[k] >> l & 1u) == 0) continue;
        const auto [row, column] = std::minmax({number(unknowns[k]), number(unknowns[l])});
        entries.emplace_back(row, column, 1.0);
        at[j].emplace_back(row, column);
        hessian_targets_[j].push_back({int(entry), 0, unknowns[k].scale * unknowns[l].scale});
      }
  }
  for (const int first : layout_->state_quaternions())
    for (int k = 0; k < 4; ++k) entries.emplace_back(parameters + controls + first + k, parameters + controls + first + k, 1.0);
  const auto is_curved = [&](std::size_t r) {
    return relation_targets_[r].equation >= 0 && relation_targets_[r].from_matrix >= 0 && layout_->relations()[r].is_curved();
  };
  for (std::size_t r = 0; r < relation_targets_.size(); ++r)
    if (const int leader = number(layout_->relations()[r].from); is_curved(r)) entries.emplace_back(leader, leader, 1.0);
  patterns_.hessian = pattern_of(size, size, entries);
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t t = 0; t < at[j].size(); ++t)
      hessian_targets_[j][t].value = value_index(patterns_.hessian, at[j][t].first, at[j][t].second);
  for (const int first : layout_->state_quaternions())
    for (int k = 0; k < 4; ++k)
      unit_hessian_values_.push_back(
          value_index(patterns_.hessian, parameters + controls + first + k, parameters + controls + first + k));
  for (std::size_t r = 0; r < relation_targets_.size(); ++r)
    if (const int leader = number(layout_->relations()[r].from); is_curved(r))
      relation_targets_[r].hessian_value = value_index(patterns_.hessian, leader, leader);
}

}  // namespace holo
