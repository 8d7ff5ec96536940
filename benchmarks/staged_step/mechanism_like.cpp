#include "mechanism_like.h"

#include <set>

namespace holo {

namespace {

constexpr int bodies = 40, trunk = 4, chains = 4, links = 9, configurable = 23;

StagePattern pattern_of(int rows, int columns, const std::set<std::pair<int, int>>& entries) {  // (column, row)
  std::vector<Eigen::Triplet<double>> list;
  for (const auto& [column, row] : entries) list.emplace_back(row, column, 1.0);
  StagePattern result(rows, columns);
  result.setFromTriplets(list.begin(), list.end());
  return result;
}

}  // namespace

// Three chains of three passive revolute joints (5 rows) and a spherical one (3), the fourth of six revolute ones; the others,
// and what closes the chains, hold 6 rows.
void MechanismLike::add_joints() {
  int row = bodies;  // after the quaternions' lengths
  auto add = [&](int a, int b, int rows) {
    joints_.push_back({a, b, rows, row});
    row += rows;
  };
  for (int b = 0; b < trunk; ++b) add(b - 1, b, 6);
  for (int chain = 0; chain < chains; ++chain) {
    const int first = trunk + chain * links;
    for (int link = 0; link < links; ++link) {
      const int passive = chain < 3 ? 4 : 6;
      const int rows = link == 0 || link > passive ? 6 : chain < 3 && link == passive ? 3 : 5;
      add(link == 0 ? chain : first + link - 1, first + link, rows);
    }
    add(first + links - 1, (chain + 1) % trunk, 6);
  }
  int parameters = 0, controls = 0;
  for (Joint& joint : joints_) {
    if (joint.rows != 6 || joint.body_a < 0) continue;
    if (controls < 2)
      joint.control = controls++;
    else if (parameters < 4 * configurable) {
      joint.first_parameter = parameters;
      layout_.parameter_quaternions.push_back(parameters);
      parameters += 4;
    }
  }
  layout_.parameter_count = parameters;
  layout_.control_count = controls;
  layout_.state_count = row;
}

void MechanismLike::make_patterns() {
  const int np = layout_.parameter_count, nu = layout_.control_count, ns = layout_.state_count, first_state = np + 2 * nu;
  std::set<std::pair<int, int>> states, parameters, controls, hessian;
  for (int b = 0; b < bodies; ++b)
    for (int i = 3; i < 7; ++i) states.insert({7 * b + i, b});
  for (const Joint& joint : joints_) {
    std::vector<int> unknowns;  // of the stage
    for (int body : {joint.body_a, joint.body_b})
      for (int i = 0; i < 7 && body >= 0; ++i) unknowns.push_back(first_state + 7 * body + i);
    if (joint.control >= 0) unknowns.push_back(np + joint.control);
    for (int i = 0; i < 4 && joint.first_parameter >= 0; ++i) unknowns.push_back(joint.first_parameter + i);
    for (int unknown : unknowns) {
      for (int row = joint.first_row; row < joint.first_row + joint.rows; ++row)
        (unknown >= first_state ? states
         : unknown >= np        ? controls
                                : parameters)
            .insert({unknown >= first_state ? unknown - first_state
                     : unknown >= np        ? unknown - np
                                            : unknown,
                     row});
      for (int other : unknowns)
        if (other <= unknown) hessian.insert({unknown, other});
    }
  }
  for (int i = 0; i < layout_.stage_size(); ++i) hessian.insert({i, i});
  layout_.states_jacobian = pattern_of(ns, ns, states);
  layout_.parameters_jacobian = pattern_of(ns, np, parameters);
  layout_.controls_jacobian = pattern_of(ns, nu, controls);
  layout_.hessian = pattern_of(layout_.stage_size(), layout_.stage_size(), hessian);
}

// Numbers that differ little from instant to instant, as those of a motion do.
void MechanismLike::fill(StageLanes& values, Eigen::Index rows, double size) {
  values.resize(rows, stage_lanes);
  for (Eigen::Index i = 0; i < rows; ++i) values.row(i).setConstant(uniform(size));
}

void MechanismLike::vary(StageLanes& values, double size) {
  for (double& value : values.reshaped()) value += uniform(size);
}

// A joint's rows hold differences between its bodies' numbers above all, so that motions run through chains without decay.
// Passive joints leave different numbers free.
void MechanismLike::dominate(StageLanes& values) const {
  const StagePattern& pattern = layout_.states_jacobian;
  auto add = [&](int row, int column, double value) {
    for (int e = pattern.outerIndexPtr()[column]; e < pattern.outerIndexPtr()[column + 1]; ++e)
      if (pattern.innerIndexPtr()[e] == row) values.row(e).array() += value;
  };
  for (int b = 0; b < bodies; ++b) add(b, 7 * b + 6, 4);
  for (const Joint& joint : joints_)
    for (int i = 0; i < joint.rows; ++i) {
      const int link = (joint.body_b - trunk) % links, number = (i + (joint.rows == 5 ? link : 0)) % 6;
      add(joint.first_row + i, 7 * joint.body_b + number, 4);
      if (joint.body_a >= 0) add(joint.first_row + i, 7 * joint.body_a + number, -4);
    }
}

MechanismLike::MechanismLike(int instants) {
  layout_.instant_count = instants;
  layout_.time_step = 1.0 / 60;
  add_joints();
  make_patterns();
  StageDerivatives block;
  block.objective.setZero();
  fill(block.gradient, layout_.stage_size(), 1);
  fill(block.residual, layout_.state_count, 1e-2);
  fill(block.states_jacobian, layout_.states_jacobian.nonZeros(), 0.3);
  dominate(block.states_jacobian);
  fill(block.parameters_jacobian, layout_.parameters_jacobian.nonZeros(), 1);
  fill(block.controls_jacobian, layout_.controls_jacobian.nonZeros(), 1);
  fill(block.hessian, layout_.hessian.nonZeros(), 0.1);
  for (int j = 0; j < layout_.stage_size(); ++j) block.hessian.row(layout_.hessian.outerIndexPtr()[j + 1] - 1).array() += 4;
  blocks_.assign(std::size_t(layout_.block_count()), block);
  for (StageDerivatives& each : blocks_) {
    vary(each.gradient, 0.1);
    vary(each.residual, 1e-2);
    for (StageLanes* values : {&each.states_jacobian, &each.parameters_jacobian, &each.controls_jacobian, &each.hessian})
      vary(*values, 0.02);
  }
}

StagedQuadratic MechanismLike::quadratic() const {
  StagedPoint point = zero_point(layout_);
  for (int place : layout_.parameter_quaternions) point.parameters[place] = 1;
  StagedQuadratic result(layout_);
  result.linearize(*this, point, Eigen::MatrixXd(), false);
  return result;
}

}  // namespace holo
