#include "holo/sim/mechanism/constraints/constraint_equations.h"

#include "holo/core/runs/interruption.h"
#include "mechanism/model/joint_block.h"

namespace holo {

namespace {

constexpr Eigen::Index lanes = JointBlock::lanes;

// body(first, count): knots first, ..., first + count - 1 fill the lanes of a block.
template <class Body>
void for_blocks(Eigen::Index count, const Body& body) {
  for (Eigen::Index first = 0; first < count; first += lanes) body(first, std::min(lanes, count - first));
}

// The constraint of a quaternion q among the states is |q|^2 - 1.
double squared_length(const MechanismUnknowns& at, int first, Eigen::Index knot) {
  return at.states.col(knot).segment<4>(first).squaredNorm();
}

}  // namespace

ConstraintEquations::ConstraintEquations(std::shared_ptr<const MechanismLayout> layout) : layout_(std::move(layout)) {
  // Everything that does not depend on a pose: the joints' frames, the numbers of the independent equations, and the
  // destination of each entry of the joints' derivatives in the sparse patterns.
  for (int j = 0; j < int(layout_->model().joints().size()); ++j) frames_.push_back(layout_->model().frames(j));
  independent_number_.assign(layout_->equations().size(), -1);
  for (std::size_t k = 0; k < layout_->independent_equations().size(); ++k)
    independent_number_[std::size_t(layout_->independent_equations()[k])] = int(k);
  find_targets();
  find_hessian_targets();
}

void ConstraintEquations::residual(const MechanismUnknowns& at, Eigen::Ref<Eigen::MatrixXd> independent) const {
  evaluate(at, [&](int equation, Eigen::Index knot, double value) {
    if (const int number = independent_number_[std::size_t(equation)]; number >= 0) independent(number, knot) = value;
  });
}

void ConstraintEquations::all_equations(const MechanismUnknowns& at, Eigen::Ref<Eigen::MatrixXd> all) const {
  evaluate(at, [&](int equation, Eigen::Index knot, double value) { all(equation, knot) = value; });
}

template <class Store>
void ConstraintEquations::evaluate(const MechanismUnknowns& at, const Store& store) const {
  const auto& joints = layout_->model().joints();
  const auto& quaternions = layout_->state_quaternions();
  for (std::size_t q = 0; q < quaternions.size(); ++q)
    // The unit lengths of the quaternions are the first equations.
    for (Eigen::Index k = 0; k < at.count(); ++k) store(int(q), k, squared_length(at, quaternions[q], k) - 1);
  JointBlock block;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for_blocks(at.count(), [&](Eigen::Index first, Eigen::Index count) {
      block.gather(layout_->unknowns_of(int(j)), at, first);
      // One call of a joint's plugin evaluates its equations at all knots of a block; lengths are then divided by their
      // scale.
      block.run(joints[j], frames_[j], HOLO_JOINT_EQUATIONS);
      for (int i = 0; i < joints[j].equation_count(); ++i) {
        const int equation = layout_->first_equation(int(j)) + i;
        for (Eigen::Index lane = 0; lane < count; ++lane)
          store(equation, first + lane, block.output[i * lanes + lane] / layout_->equation_scale(equation));
      }
    });
  for (std::size_t r = 0; r < layout_->relations().size(); ++r) {
    const CoordinateRelation& relation = layout_->relations()[r];
    for (Eigen::Index k = 0; k < at.count(); ++k) {
      const double leader = unknown_value(relation.from, at, k);
      store(layout_->first_relation_equation() + int(r), k,
            (unknown_value(relation.of, at, k) - polynomial_value(relation.polynomial, leader)) / relation.of.scale);
    }
  }
}

void ConstraintEquations::jacobians(const MechanismUnknowns& at, EquationDerivatives to) const {
  // Every long phase evaluates Jacobians: kinematics, elimination, optimization, report. So an interruption is noticed here.
  throw_if_interrupted();
  const auto& joints = layout_->model().joints();
  const auto& quaternions = layout_->state_quaternions();
  // d(|q|^2 - 1)/dq = 2 q; the joints' entries are scattered to the three sparse matrices, with the scales of the unknown and
  // of the equation.
  Eigen::Ref<Eigen::MatrixXd>* matrices[3] = {&to.states, &to.controls, &to.parameters};
  for (std::size_t q = 0; q < quaternions.size(); ++q)
    for (int k = 0; k < 4; ++k)
      if (const int value = unit_values_[4 * q + std::size_t(k)]; value >= 0)
        to.states.row(value) = 2 * at.states.row(quaternions[q] + k);
  JointBlock block;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for_blocks(at.count(), [&](Eigen::Index first, Eigen::Index count) {
      block.gather(layout_->unknowns_of(int(j)), at, first);
      block.run(joints[j], frames_[j], HOLO_JOINT_JACOBIAN);
      for (const Target& target : targets_[j])
        for (Eigen::Index lane = 0; lane < count; ++lane)
          (*matrices[target.matrix])(target.value, first + lane) = target.scale * block.output[target.entry * lanes + lane];
    });
  relation_jacobians(at, to);
}

void ConstraintEquations::relation_jacobians(const MechanismUnknowns& at, EquationDerivatives& to) const {
  Eigen::Ref<Eigen::MatrixXd>* matrices[3] = {&to.states, &to.controls, &to.parameters};
  for (std::size_t r = 0; r < relation_targets_.size(); ++r) {
    const RelationTarget& target = relation_targets_[r];
    const CoordinateRelation& relation = layout_->relations()[r];
    if (target.equation < 0) continue;
    to.states.row(target.of_value).setOnes();  // the equation has the unit of `of`
    if (target.from_value < 0) continue;
    for (Eigen::Index k = 0; k < at.count(); ++k)
      (*matrices[target.from_matrix])(target.from_value, k) =
          -polynomial_slope(relation.polynomial, unknown_value(relation.from, at, k)) * relation.from.scale / relation.of.scale;
  }
}

void ConstraintEquations::add_relation_hessian(const MechanismUnknowns& at,
                                               const Eigen::Ref<const Eigen::MatrixXd>& multipliers,
                                               Eigen::Ref<Eigen::MatrixXd> values) const {
  for (std::size_t r = 0; r < relation_targets_.size(); ++r) {
    const RelationTarget& target = relation_targets_[r];
    const CoordinateRelation& relation = layout_->relations()[r];
    if (target.equation < 0 || target.hessian_value < 0) continue;
    const double scale = relation.from.scale * relation.from.scale / relation.of.scale;
    for (Eigen::Index k = 0; k < at.count(); ++k)
      values(target.hessian_value, k) -= multipliers(target.equation, k) * scale *
                                         polynomial_curvature(relation.polynomial, unknown_value(relation.from, at, k));
  }
}

void ConstraintEquations::add_hessian(const MechanismUnknowns& at, const Eigen::Ref<const Eigen::MatrixXd>& multipliers,
                                      Eigen::Ref<Eigen::MatrixXd> values) const {
  const auto& joints = layout_->model().joints();
  for (std::size_t q = 0; q < layout_->state_quaternions().size(); ++q)
    // The Hessian of |q|^2 is 2 I. The joints' plugins return the Hessian of the sum of their equations weighted by the
    // multipliers.
    for (std::size_t k = 0; k < 4 && independent_number_[q] >= 0; ++k)
      values.row(unit_hessian_values_[4 * q + k]) += 2 * multipliers.row(independent_number_[q]);
  JointBlock block;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for_blocks(at.count(), [&](Eigen::Index first, Eigen::Index count) {
      block.gather(layout_->unknowns_of(int(j)), at, first);
      gather_weights(int(j), multipliers, first, block.weights);
      block.run(joints[j], frames_[j], HOLO_JOINT_HESSIAN);
      for (const HessianTarget& target : hessian_targets_[j])
        for (Eigen::Index lane = 0; lane < count; ++lane)
          values(target.value, first + lane) += target.scale * block.output[target.entry * lanes + lane];
    });
  add_relation_hessian(at, multipliers, values);
}

// The multipliers of a joint's equations as weights of its plugin, converted by the equations' scales. Redundant equations, and
// those beyond the joint's number, have the weight 0.
void ConstraintEquations::gather_weights(int joint, const Eigen::Ref<const Eigen::MatrixXd>& multipliers, Eigen::Index first,
                                         double* weights) const {
  const int count = layout_->model().joints()[std::size_t(joint)].equation_count();
  for (int i = 0; i < int(HOLO_JOINT_EQUATION_COUNT); ++i) {
    const int equation = layout_->first_equation(joint) + i,
              independent = i < count ? independent_number_[std::size_t(equation)] : -1;
    for (Eigen::Index lane = 0; lane < lanes; ++lane)
      weights[i * lanes + lane] = independent < 0 ? 0.0
                                                  : multipliers(independent, std::min(first + lane, multipliers.cols() - 1)) /
                                                        layout_->equation_scale(equation);
  }
}

// The Jacobian of all equations, for eliminations and diagnoses: rows as numbered by the layout, columns in the order s, u,
// p.
Eigen::MatrixXd ConstraintEquations::dense_jacobian(const MechanismUnknowns& at, Eigen::Index knot) const {
  using Kind = UnknownIndex::Kind;
  const auto& joints = layout_->model().joints();
  const int states = layout_->state_count(), controls = layout_->control_count();
  Eigen::MatrixXd jacobian =
      Eigen::MatrixXd::Zero(Eigen::Index(layout_->equations().size()), states + controls + layout_->parameter_count());
  const auto& quaternions = layout_->state_quaternions();
  for (std::size_t q = 0; q < quaternions.size(); ++q)
    for (int k = 0; k < 4; ++k) jacobian(Eigen::Index(q), quaternions[q] + k) = 2 * at.states(quaternions[q] + k, knot);
  JointBlock block;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto& unknowns = layout_->unknowns_of(int(j));
    block.gather(unknowns, at, knot);
    block.run(joints[j], frames_[j], HOLO_JOINT_JACOBIAN);
    for (int i = 0; i < joints[j].equation_count(); ++i)
      for (std::size_t l = 0; l < unknowns.size(); ++l) {
        const int offset = unknowns[l].kind == Kind::state ? 0 : unknowns[l].kind == Kind::control ? states : states + controls;
        if (unknowns[l].kind == Kind::constant || unknowns[l].kind == Kind::prescribed) continue;
        const int equation = layout_->first_equation(int(j)) + i;
        jacobian(equation, offset + unknowns[l].index) = block.output[(std::size_t(i) * unknowns.size() + l) * lanes] *
                                                         unknowns[l].scale / layout_->equation_scale(equation);
      }
  }
  for (std::size_t r = 0; r < layout_->relations().size(); ++r) {
    const CoordinateRelation& relation = layout_->relations()[r];
    const Eigen::Index equation = layout_->first_relation_equation() + Eigen::Index(r);
    jacobian(equation, relation.of.index) = 1;
    if (relation.from.kind == Kind::prescribed) continue;
    const int offset = relation.from.kind == Kind::state ? 0 : relation.from.kind == Kind::control ? states : states + controls;
    jacobian(equation, offset + relation.from.index) =
        -polynomial_slope(relation.polynomial, unknown_value(relation.from, at, knot)) * relation.from.scale /
        relation.of.scale;
  }
  return jacobian;
}

}  // namespace holo
