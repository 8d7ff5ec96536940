#include "holo/sim/mechanism/constraints/singularity.h"

#include <algorithm>
#include <map>

#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "mechanism/model/joint_block.h"
#include "smallest_singular_value.h"

namespace holo {

namespace {

using Kind = UnknownIndex::Kind;
constexpr int singularity_lanes = JointBlock::lanes;
constexpr double converged = 1e-12;  // of the singular vectors: the gradient's error is of this order

// The packed upper triangle, row by row, times a vector. Entries that the joint's pattern lacks are not read.
Eigen::VectorXd multiply(const holo_joint& joint, const double* packed, const Eigen::VectorXd& vector) {
  const int n = int(vector.size());
  Eigen::VectorXd product = Eigen::VectorXd::Zero(n);
  for (int i = 0, entry = 0; i < n; ++i)
    for (int j = i; j < n; ++j, ++entry) {
      if ((joint.hessian_pattern[i] >> j & 1u) == 0) continue;
      product[i] += packed[entry * singularity_lanes] * vector[j];
      if (j > i) product[j] += packed[entry * singularity_lanes] * vector[i];
    }
  return product;
}

}  // namespace

// Memory of one evaluation.
struct SingularityPenalty::Scratch {
  explicit Scratch(const EquationPatterns& patterns)
      : solver(patterns.states),
        states(patterns.states.nonZeros(), 1),
        controls(patterns.controls.nonZeros(), 1),
        parameters(patterns.parameters.nonZeros(), 1) {}
  SmallestSingularValue solver;
  Eigen::MatrixXd states, controls, parameters;  // dC/ds, ...: values of the patterns
  JointBlock block;
};

SingularityPenalty::SingularityPenalty(const MechanismLayout& layout, const SingularityPenaltyOptions& options)
    : options_(options),
      equations_(std::make_unique<const ConstraintEquations>(with_all_equations(layout))),
      scratch_(std::make_unique<WorkspacePool<Scratch>>([this] { return std::make_unique<Scratch>(equations_->patterns()); })) {
  for (std::size_t j = 0; j < layout.model().joints().size(); ++j) frames_.push_back(layout.model().frames(int(j)));
}

SingularityPenalty::~SingularityPenalty() = default;

double SingularityPenalty::find(const MechanismUnknowns& at, Eigen::Index knot, Scratch& scratch) const {
  const MechanismUnknowns one = {at.states.middleCols(knot, 1), at.controls.middleCols(knot, 1), at.parameters,
                                 at.prescribed.middleCols(knot, 1)};
  equations_->jacobians(one, {scratch.states, scratch.controls, scratch.parameters});
  return scratch.solver.find(scratch.states.col(0), converged);
}

double SingularityPenalty::smallest(const MechanismUnknowns& at, Eigen::Index knot) const {
  WorkspacePool<Scratch>::Lease lease(*scratch_);
  return find(at, knot, *lease);
}

// With row r of J being C_r / |C_r|: d sigma = sum_r d(C_r) . (a_r v - b_r C_r), a_r = u_r / |C_r|, b_r = sigma u_r^2 /
// |C_r|^2.
double SingularityPenalty::smallest(const MechanismUnknowns& at, Eigen::Index knot, Eigen::VectorXd& gradient) const {
  const MechanismLayout& layout = equations_->layout();
  WorkspacePool<Scratch>::Lease lease(*scratch_);
  const double value = find(at, knot, *lease);
  gradient.setZero(layout.parameter_count() + layout.control_count() + layout.state_count());
  add_units(at, knot, value, *lease, gradient);
  for (int j = 0; j < int(frames_.size()); ++j) add_joint(j, at, knot, value, *lease, gradient);
  add_relations(at, knot, value, *lease, gradient);
  return value;
}

void SingularityPenalty::add_units(const MechanismUnknowns& at, Eigen::Index knot, double value, const Scratch& scratch,
                                   Eigen::VectorXd& gradient) const {
  const MechanismLayout& layout = equations_->layout();
  const int first_state = layout.parameter_count() + layout.control_count();
  for (std::size_t q = 0; q < layout.state_quaternions().size(); ++q) {
    // C_r = 2 q in the states of a quaternion, so that d(C_r) . d = 2 dq . d.
    const int unknown = layout.state_quaternions()[q];
    const double length = scratch.solver.lengths()[Eigen::Index(q)], left = scratch.solver.left()[Eigen::Index(q)];
    gradient.segment<4>(first_state + unknown) +=
        2 * left / length * scratch.solver.right().segment<4>(unknown) -
        4 * value * left * left / (length * length) * at.states.col(knot).segment<4>(unknown);
  }
}

// The only second derivative of a relation is that of its polynomial; a drive has none, so that `from` is a state.
void SingularityPenalty::add_relations(const MechanismUnknowns& at, Eigen::Index knot, double value, const Scratch& scratch,
                                       Eigen::VectorXd& gradient) const {
  const MechanismLayout& layout = equations_->layout();
  const int first_state = layout.parameter_count() + layout.control_count();
  for (std::size_t r = 0; r < layout.relations().size(); ++r) {
    const CoordinateRelation& relation = layout.relations()[r];
    if (!relation.is_curved()) continue;
    const Eigen::Index equation = layout.first_relation_equation() + Eigen::Index(r);
    const double length = scratch.solver.lengths()[equation], left = scratch.solver.left()[equation];
    const double leader = unknown_value(relation.from, at, knot), scale = relation.from.scale / relation.of.scale;
    const double slope = -scale * polynomial_slope(relation.polynomial, leader);
    const double curvature = -scale * relation.from.scale * polynomial_curvature(relation.polynomial, leader);
    gradient[first_state + relation.from.index] += curvature * (left / length * scratch.solver.right()[relation.from.index] -
                                                                value * left * left / (length * length) * slope);
  }
}

void SingularityPenalty::add_joint(int joint, const MechanismUnknowns& at, Eigen::Index knot, double value, Scratch& scratch,
                                   Eigen::VectorXd& gradient) const {
  const MechanismLayout& layout = equations_->layout();
  const MechanismJoint& of = layout.model().joints()[std::size_t(joint)];
  const std::vector<UnknownIndex>& unknowns = layout.unknowns_of(joint);
  // The second derivatives of the joint's equations, applied to the directions a_r v - b_r C_r. The plugin returns Hessians
  // of weighted sums: one call with the weights a_r for the common direction v, and one call for each equation's own
  // direction C_r.
  const int count = of.equation_count(), size = int(unknowns.size()), first = layout.first_equation(joint);
  JointBlock& block = scratch.block;
  block.gather(unknowns, at, knot);
  block.run(of, frames_[std::size_t(joint)], HOLO_JOINT_JACOBIAN);
  // Columns: what each equation's derivative is applied to, and v last; in SI units, of states alone.
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(size, count + 1);
  for (int l = 0; l < size; ++l) {
    const UnknownIndex& unknown = unknowns[std::size_t(l)];
    if (unknown.kind != Kind::state) continue;
    for (int i = 0; i < count; ++i)
      directions(l, i) =
          unknown.scale * unknown.scale * block.output[(i * size + l) * singularity_lanes] / layout.equation_scale(first + i);
    directions(l, count) = unknown.scale * scratch.solver.right()[unknown.index];
  }
  Eigen::VectorXd local = Eigen::VectorXd::Zero(size);
  const auto add = [&](const Eigen::VectorXd& weights, const Eigen::VectorXd& direction) {
    for (int i = 0; i < int(HOLO_JOINT_EQUATION_COUNT); ++i)
      std::fill(block.weights + i * singularity_lanes, block.weights + (i + 1) * singularity_lanes,
                i < count ? weights[i] : 0.0);
    block.run(of, frames_[std::size_t(joint)], HOLO_JOINT_HESSIAN);
    local += multiply(of.type->abi(), block.output, direction);
  };
  Eigen::VectorXd along(count);  // a_r
  for (int i = 0; i < count; ++i) {
    const double left = scratch.solver.left()[first + i], length = scratch.solver.lengths()[first + i];
    along[i] = left / length / layout.equation_scale(first + i);
    const double own = -value * left * left / (length * length) / layout.equation_scale(first + i);
    add(own * Eigen::VectorXd::Unit(count, i), directions.col(i));
  }
  add(along, directions.col(count));
  const int controls = layout.parameter_count(), states = controls + layout.control_count();
  for (int l = 0; l < size; ++l) {
    const UnknownIndex& unknown = unknowns[std::size_t(l)];
    if (unknown.kind == Kind::constant || unknown.kind == Kind::prescribed) continue;
    const int begin = unknown.kind == Kind::parameter ? 0 : unknown.kind == Kind::control ? controls : states;
    gradient[begin + unknown.index] += unknown.scale * local[l];
  }
}

namespace {

std::vector<std::pair<std::string, double>> sorted_parts(const std::map<std::string, double>& squares) {
  std::vector<std::pair<std::string, double>> parts(squares.begin(), squares.end());
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return parts;
}

}  // namespace

NearestSingularity nearest_singularity(const MechanismLayout& layout, const MechanismUnknowns& at) {
  const ConstraintEquations equations(with_all_equations(layout));
  const EquationPatterns& patterns = equations.patterns();
  Eigen::MatrixXd states(patterns.states.nonZeros(), at.count()), controls(patterns.controls.nonZeros(), at.count()),
      parameters(patterns.parameters.nonZeros(), at.count());
  equations.jacobians(at, {states, controls, parameters});
  SmallestSingularValue solver(patterns.states);
  NearestSingularity nearest;
  for (Eigen::Index k = 0; k < at.count(); ++k) {
    // Estimates are sufficient to find the knot; only there the value is computed accurately.
    const double value = solver.find(states.col(k), 1e-2);
    if (k == 0 || !(value >= nearest.value)) nearest.value = value, nearest.knot = int(k);
  }
  nearest.value = solver.find(states.col(nearest.knot), 1e-8);
  std::map<std::string, double> bodies, joints;
  const auto& model = layout.model();
  for (std::size_t b = 0; b < model.bodies().size(); ++b)
    bodies[model.bodies()[b].name] =
        solver.right().segment<HOLO_POSE_SIZE>(Eigen::Index(b) * int(HOLO_POSE_SIZE)).squaredNorm();
  for (Eigen::Index row = 0; row < solver.left().size(); ++row)
    if (const int joint = equations.layout().equations()[std::size_t(row)].joint; joint >= 0)
      joints[model.joints()[std::size_t(joint)].name] += solver.left()[row] * solver.left()[row];
  nearest.bodies = sorted_parts(bodies);
  nearest.joints = sorted_parts(joints);
  return nearest;
}

}  // namespace holo
