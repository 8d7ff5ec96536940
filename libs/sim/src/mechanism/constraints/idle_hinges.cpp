#include "idle_hinges.h"

#include <algorithm>
#include <memory>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/constraints/constraint_equations.h"
#include "mechanism/constraints/left_null_space.h"
#include "smallest_singular_value.h"

namespace holo {

namespace {

constexpr double negligible = 1e-7;  // velocities, beside the largest

// Each column has a 1 where the others have 0: motions of different bodies come apart.
void localize(Eigen::MatrixXd& motions) {
  for (Eigen::Index column = 0; column < motions.cols(); ++column) {
    Eigen::Index row = 0, largest = 0;
    motions.rightCols(motions.cols() - column).cwiseAbs().maxCoeff(&row, &largest);
    motions.col(column).swap(motions.col(column + largest));
    motions.col(column) /= motions(row, column);
    for (Eigen::Index other = 0; other < motions.cols(); ++other)
      if (other != column) motions.col(other) -= motions(row, other) * motions.col(column).eval();
  }
}

// A basis of the motions that the equations leave free at rest: [state][motion].
Eigen::MatrixXd free_motions(const MechanismLayout& layout, const ConstraintEquations& equations) {
  const Eigen::MatrixXd state = layout.rest_state(), controls = layout.rest_controls(), prescribed = layout.rest_prescribed();
  const Eigen::VectorXd parameters = layout.rest_parameters();
  const MechanismUnknowns rest = {state, controls, parameters, prescribed};
  const EquationPatterns& patterns = equations.patterns();
  Eigen::MatrixXd values(patterns.states.nonZeros(), 1), of_controls(patterns.controls.nonZeros(), 1),
      of_parameters(patterns.parameters.nonZeros(), 1);
  equations.jacobians(rest, {values, of_controls, of_parameters});
  // Nearly always nothing is free, and the sparse estimate says so at little cost.
  if (SmallestSingularValue(patterns.states).find(values.col(0), 1e-3) > 1e-8) return Eigen::MatrixXd(state.rows(), 0);
  Eigen::SparseMatrix<double> jacobian = patterns.states;
  std::copy(values.data(), values.data() + values.size(), jacobian.valuePtr());
  normalize_rows(jacobian);
  // The right null vectors are the left ones of the transposed matrix.
  return left_null_space(jacobian.transpose(), 1e-8).vectors;
}

// Velocities that a motion from rest gives; lengths over the model's.
class Velocities {
 public:
  Velocities(const MechanismModel& model, const Eigen::VectorXd& motion) : model_(model), motion_(motion) {
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      const double turn = turn_of(int(b)).norm(), shift = motion.segment<3>(7 * Eigen::Index(b)).norm();
      largest_ = std::max({largest_, turn, shift});
    }
    for (std::size_t b = 0; b < model.bodies().size(); ++b)
      moves_.push_back(std::max(turn_of(int(b)).norm(), motion.segment<3>(7 * Eigen::Index(b)).norm()) > negligible * largest_);
  }

  bool moves(int body) const { return body != world && moves_[std::size_t(body)]; }
  Eigen::Vector3d turn_of(int body) const {
    return body == world ? Eigen::Vector3d::Zero().eval() : Eigen::Vector3d(2 * motion_.segment<3>(7 * body + 4));
  }
  // Whether the joint's point, or some point of a hinge's axis, stands still as a point of the body.
  bool stands_still(int body, const MechanismJoint& joint) const {
    if (body == world) return true;
    const Eigen::Vector3d from_origin = (joint.point - model_.bodies()[std::size_t(body)].origin) / model_.length();
    Eigen::Vector3d velocity = motion_.segment<3>(7 * body) + turn_of(body).cross(from_origin);
    if (joint.type->name() == "revolute") {
      const Eigen::Vector3d along_axis = turn_of(body).cross(joint.axes.col(0));
      if (along_axis.norm() > negligible * largest_)
        velocity -= velocity.dot(along_axis) / along_axis.squaredNorm() * along_axis;
    }
    return velocity.norm() < negligible * largest_;
  }
  double largest() const { return largest_; }
  double relative_turn(const MechanismJoint& joint) const { return (turn_of(joint.body_a) - turn_of(joint.body_b)).norm(); }

 private:
  const MechanismModel& model_;
  const Eigen::VectorXd motion_;
  std::vector<bool> moves_;
  double largest_ = 0;
};

// The hinge that turns most, -1 where the motion is not idle.
int hinge_of(const MechanismModel& model, const Velocities& velocities) {
  int most = -1, ends = 0;
  for (int j = 0; j < int(model.joints().size()); ++j) {
    const MechanismJoint& joint = model.joints()[std::size_t(j)];
    const bool moves_a = velocities.moves(joint.body_a), moves_b = velocities.moves(joint.body_b);
    if (!moves_a && !moves_b) continue;
    if (moves_a && moves_b && velocities.relative_turn(joint) < negligible * velocities.largest())
      continue;  // they move as one
    if (!velocities.stands_still(joint.body_a, joint) || !velocities.stands_still(joint.body_b, joint)) return -1;
    if (moves_a != moves_b) ++ends;
    const bool is_hinge = joint.role == JointRole::passive && joint.type->name() == "revolute" && !joint.is_coupled;
    const double turn = velocities.relative_turn(joint);
    if (is_hinge && (most < 0 || turn > (1 + 1e-6) * velocities.relative_turn(model.joints()[std::size_t(most)]))) most = j;
  }
  return ends >= 2 ? most : -1;
}

}  // namespace

std::vector<IdleHinge> idle_hinges(const MechanismModel& model) {
  if (model.loop_count() <= 0) return {};
  const auto layout = std::make_shared<const MechanismLayout>(std::make_shared<const MechanismModel>(model));
  Eigen::MatrixXd motions = free_motions(*layout, ConstraintEquations(layout));
  localize(motions);
  std::vector<IdleHinge> found;
  for (Eigen::Index i = 0; i < motions.cols(); ++i) {
    const Velocities velocities(model, motions.col(i));
    const int joint = hinge_of(model, velocities);
    if (joint < 0) continue;
    found.push_back({joint, {}});
    for (int b = 0; b < int(model.bodies().size()); ++b)
      if (velocities.moves(b)) found.back().bodies.push_back(b);
  }
  return found;
}

}  // namespace holo
