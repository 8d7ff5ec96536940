#include "staged/reference/dense_riccati_step.h"

#include <Eigen/Dense>

#include "holo/core/numerics/singular_values.h"

namespace holo {

using Eigen::MatrixXd;
using Eigen::VectorXd;

DenseRiccatiStep::DenseRiccatiStep(const StagedLayout& layout, StateFactorization factorization)
    : ReferenceStep(layout, factorization) {}

namespace {

// One lane of a block of sparse matrices as a dense matrix.
MatrixXd dense(const StagePattern& pattern, const StageLanes& values, int lane) {
  StagePattern copy = pattern;
  for (int e = 0; e < int(pattern.nonZeros()); ++e) copy.valuePtr()[e] = values(e, lane);
  return MatrixXd(copy);
}

}  // namespace

void DenseRiccatiStep::read_stage(const StagedQuadratic& quadratic, int k, Stage& stage) const {
  const StageDerivatives& values = quadratic.blocks[std::size_t(k / stage_lanes)];
  const int lane = k % stage_lanes, np = layout_.parameter_count, nu = layout_.control_count;
  // The Hessian with the shifts on its diagonal, the gradient, and the three Jacobians of the stage.
  const MatrixXd upper = dense(layout_.hessian, values.hessian, lane);
  stage.hessian = upper.selfadjointView<Eigen::Upper>();
  stage.hessian.diagonal().head(np) += quadratic.parameter_shift;
  stage.hessian.diagonal().segment(np, nu) += quadratic.control_shift;
  stage.hessian.diagonal().segment(np + nu, nu) += quadratic.rate_shift;
  stage.gradient = values.gradient.col(lane);
  stage.by_states = dense(layout_.states_jacobian, values.states_jacobian, lane);
  stage.by_parameters = dense(layout_.parameters_jacobian, values.parameters_jacobian, lane);
  stage.by_controls = dense(layout_.controls_jacobian, values.controls_jacobian, lane);
}

// ds = c + P dp + U du.
void DenseRiccatiStep::eliminate_states(const StagedConstraints& constraints, int k, Stage& stage) const {
  const Eigen::PartialPivLU<MatrixXd> lu(stage.by_states);
  stage.c = -lu.solve(constraints.states.col(k));
  stage.p.setZero(layout_.state_count, layout_.parameter_count);
  if (layout_.parameter_count > 0) stage.p = -lu.solve(stage.by_parameters);
  stage.u = -lu.solve(stage.by_controls);
}

// Eq 10: du' = (1 + h X) du + h Z dw + this.
VectorXd DenseRiccatiStep::affine_control(const Stage& stage) const { return layout_.time_step * stage.y + stage.offset; }

// dv = X du + y + Z dw: the part of each quaternion's rate along the quaternion is no choice, and w is the rest.
void DenseRiccatiStep::eliminate_rates(const StagedQuadratic& quadratic, const StagedConstraints& constraints, int k,
                                       Stage& stage) const {
  const int nu = layout_.control_count;
  const UnitQuaternions quaternions(nu, layout_.control_quaternions);
  const VectorXd next = quadratic.point.controls.col(k + 1);
  // Z has the tangent directions of all quaternions of the next stage, and the identity for the other controls.
  stage.offset = -layout_.time_step * constraints.rates.col(k);
  stage.x.setZero(nu, nu);
  stage.y.setZero(nu);
  stage.z.setZero(nu, quaternions.reduced_count());
  quaternions.reduce_columns(next, MatrixXd::Identity(nu, nu), stage.z);
  for (std::size_t n = 0; n < quaternions.places().size(); ++n) {
    const int place = quaternions.places()[n];
    const Eigen::Vector4d q = next.segment<4>(place);
    stage.x.block<4, 4>(place, place) = -q * q.transpose() / (q.squaredNorm() * layout_.time_step);
    // From 2 q . du' = -residual.
    const double residual = constraints.control_quaternions(Eigen::Index(n), k + 1);
    stage.y.segment<4>(place) =
        -q / (2 * q.squaredNorm()) * (residual + 2 * q.dot(stage.offset.segment<4>(place))) / layout_.time_step;
  }
}

// Entries of Table 8; without rates at the last stage.
void DenseRiccatiStep::reduce(int k, Stage& stage) const {
  const int np = layout_.parameter_count, nu = layout_.control_count, ns = layout_.state_count;
  const bool is_last = k == layout_.stage_count - 1;
  const int starts[4] = {0, np, np + nu, np + 2 * nu}, counts[4] = {np, nu, nu, ns};
  enum { p, u, v, s };
  auto l = [&](int i, int j) { return stage.hessian.block(starts[i], starts[j], counts[i], counts[j]); };
  auto g = [&](int i) { return stage.gradient.segment(starts[i], counts[i]); };
  const MatrixXd &P = stage.p, &U = stage.u;
  const VectorXd& c = stage.c;
  // First the states: ds = c + P dp + U du in the model. Then the rates: dv = y + X du + Z dw, except at the last stage. S
  // and R couple and weigh the remaining rates w.
  VectorXd q_p = g(p) + P.transpose() * g(s) + (l(p, s) + P.transpose() * l(s, s)) * c;
  VectorXd q_u = g(u) + U.transpose() * g(s) + (l(u, s) + U.transpose() * l(s, s)) * c;
  const MatrixXd q_pp = l(p, p) + l(p, s) * P + P.transpose() * l(s, p) + P.transpose() * l(s, s) * P;
  MatrixXd q_pu = l(p, u) + l(p, s) * U + P.transpose() * l(s, u) + P.transpose() * l(s, s) * U;
  MatrixXd q_uu = l(u, u) + l(u, s) * U + U.transpose() * l(s, u) + U.transpose() * l(s, s) * U;
  if (!is_last) {
    const MatrixXd &X = stage.x, &Z = stage.z;
    const VectorXd& y = stage.y;
    const MatrixXd pv = l(p, v) + P.transpose() * l(s, v), uv = l(u, v) + U.transpose() * l(s, v);
    q_p += pv * y;
    q_u += X.transpose() * g(v) + uv * y + X.transpose() * (l(v, s) * c + l(v, v) * y);
    q_pu += pv * X;
    q_uu += uv * X + X.transpose() * uv.transpose() + X.transpose() * l(v, v) * X;
    stage.s.resize(1 + np + nu, Z.cols());
    stage.s.row(0) = (Z.transpose() * (g(v) + l(v, s) * c + l(v, v) * y)).transpose();
    stage.s.middleRows(1, np) = pv * Z;
    stage.s.bottomRows(nu) = (uv + X.transpose() * l(v, v)) * Z;
    stage.r = Z.transpose() * l(v, v) * Z;
  }
  // Q is the quadratic form in (1, dp, du).
  stage.q.setZero(1 + np + nu, 1 + np + nu);
  stage.q.row(0) << 0, q_p.transpose(), q_u.transpose();
  stage.q.col(0) = stage.q.row(0).transpose();
  stage.q.block(1, 1, np, np) = q_pp;
  stage.q.block(1, 1 + np, np, nu) = q_pu;
  stage.q.block(1 + np, 1, nu, np) = q_pu.transpose();
  stage.q.bottomRightCorner(nu, nu) = q_uu;
}

// Eq 11.
VectorXd DenseRiccatiStep::start_minimizer(const MatrixXd& quadratic, const VectorXd& linear) const {
  return -quadratic.fullPivLu().solve(linear);
}

void DenseRiccatiStep::find_start(const StagedQuadratic& quadratic, const StagedConstraints& constraints, const MatrixXd& value,
                                  StagedPoint& step) const {
  const int np = layout_.parameter_count, nu = layout_.control_count;
  const Eigen::Index p_rows = constraints.parameter_constraints.size(), u_rows = constraints.control_quaternions.rows();
  // At the first stage, dp and du satisfy the constraints of p and of the quaternions of u: a particular solution plus
  // tangents.
  MatrixXd rows = MatrixXd::Zero(p_rows + u_rows, np + nu);
  rows.topLeftCorner(p_rows, np) = quadratic.parameter_rows_jacobian;
  for (Eigen::Index n = 0; n < u_rows; ++n) {
    const int place = layout_.control_quaternions[std::size_t(n)];
    rows.row(p_rows + n).segment<4>(np + place) = 2 * quadratic.point.controls.col(0).segment<4>(place).transpose();
  }
  VectorXd residual(p_rows + u_rows);
  residual << constraints.parameter_constraints, constraints.control_quaternions.col(0);
  VectorXd particular = VectorXd::Zero(np + nu);
  MatrixXd tangents = MatrixXd::Identity(np + nu, np + nu);
  if (rows.rows() > 0) {  // Y and Z from a singular value decomposition, as in the paper
    const SingularValueDecomposition svd = singular_value_decomposition(rows, SingularVectors::both);
    const Eigen::Index rank = (svd.values.array() > 1e-14 * svd.values[0]).count();
    particular = -svd.V.leftCols(rank) * (svd.U.leftCols(rank).transpose() * residual).cwiseQuotient(svd.values.head(rank));
    tangents = svd.V.rightCols(np + nu - rows.rows());
  }
  const MatrixXd inner = value.bottomRightCorner(np + nu, np + nu);
  const VectorXd linear = value.col(0).tail(np + nu) + inner * particular;
  const VectorXd start =
      particular + tangents * start_minimizer(tangents.transpose() * inner * tangents, tangents.transpose() * linear);
  step.parameters = start.head(np);
  step.controls.col(0) = start.tail(nu);
}

StagedStepOutcome DenseRiccatiStep::find(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                         StagedDirection& direction) {
  const int np = layout_.parameter_count, nu = layout_.control_count, last = layout_.stage_count - 1;
  const double h = layout_.time_step;
  std::vector<Stage> stages(std::size_t(last) + 1);
  MatrixXd value;
  for (int k = last; k >= 0; --k) {
    Stage& stage = stages[std::size_t(k)];
    read_stage(quadratic, k, stage);
    eliminate_states(constraints, k, stage);
    if (k < last) eliminate_rates(quadratic, constraints, k, stage);
    reduce(k, stage);
    if (k == last) {
      value = stage.q;
      continue;
    }
    // Backward recursion: (1, dp, du') = A (1, dp, du) + B dw in the value of the next stage, then the minimizer in w.
    MatrixXd a = MatrixXd::Identity(1 + np + nu, 1 + np + nu), b = MatrixXd::Zero(1 + np + nu, stage.z.cols());
    a.block(1 + np, 0, nu, 1) = affine_control(stage);
    a.bottomRightCorner(nu, nu) += h * stage.x;
    b.bottomRows(nu) = h * stage.z;
    const MatrixXd inner = stage.r + b.transpose() * value * b, mixed = stage.s.transpose() + b.transpose() * value * a;
    stage.gain = inner.fullPivLu().solve(mixed);
    value = (stage.q + a.transpose() * value * a - mixed.transpose() * stage.gain).eval();
    value = (0.5 * (value + value.transpose())).eval();
  }
  StagedPoint& step = direction.step;
  find_start(quadratic, constraints, value, step);
  VectorXd at(1 + np + nu);
  for (int k = 0; k <= last; ++k) {
    const Stage& stage = stages[std::size_t(k)];
    step.states.col(k) = stage.c + stage.p * step.parameters + stage.u * step.controls.col(k);
    if (k == last) break;
    at << 1, step.parameters, step.controls.col(k);
    const VectorXd linear = stage.x * step.controls.col(k) - stage.z * (stage.gain * at);
    step.rates.col(k) = stage.y + linear;
    step.controls.col(k + 1) = step.controls.col(k) + h * linear + affine_control(stage);
  }
  find_all_multipliers(quadratic, stages, direction);
  return {};
}

VectorXd DenseRiccatiStep::state_multipliers(const Stage& stage, const VectorXd& gradient) const {
  return -stage.by_states.transpose().fullPivLu().solve(gradient);
}

// Algorithm 4: the multipliers make the Lagrangian stationary in the states, the rates, p and u, in this order, from the last
// stage to the first.
void DenseRiccatiStep::find_all_multipliers(const StagedQuadratic& quadratic, const std::vector<Stage>& stages,
                                            StagedDirection& direction) const {
  const int np = layout_.parameter_count, nu = layout_.control_count, ns = layout_.state_count, last = layout_.stage_count - 1;
  StagedMultipliers& to = direction.multipliers;
  MatrixXd r(np, last + 1), t(nu, last + 1);
  VectorXd step(layout_.stage_size());
  for (int k = last; k >= 0; --k) {
    const Stage& stage = stages[std::size_t(k)];
    step << direction.step.parameters, direction.step.controls.col(k),
        k < last ? VectorXd(direction.step.rates.col(k)) : VectorXd(VectorXd::Zero(nu)), direction.step.states.col(k);
    const VectorXd h = stage.hessian * step + stage.gradient;
    to.states.col(k) = state_multipliers(stage, h.tail(ns));
    r.col(k) = h.head(np) + stage.by_parameters.transpose() * to.states.col(k);
    t.col(k) = h.segment(np, nu) + stage.by_controls.transpose() * to.states.col(k);
    if (k < last) to.rates.col(k) = h.segment(np + nu, nu);
  }
  to.parameters_equal.col(last - 1) = -r.col(last);
  for (int k = last - 1; k >= 1; --k) to.parameters_equal.col(k - 1) = to.parameters_equal.col(k) - r.col(k);
  const MatrixXd& rows = quadratic.parameter_rows_jacobian;
  if (rows.rows() > 0)
    to.parameter_constraints = -(rows * rows.transpose()).fullPivLu().solve(rows * (r.col(0) - to.parameters_equal.col(0)));
  for (int k = 0; k <= last; ++k) {
    if (k > 0) t.col(k) += to.rates.col(k - 1) / layout_.time_step;
    if (k < last) t.col(k) -= to.rates.col(k) / layout_.time_step;
    for (std::size_t n = 0; n < layout_.control_quaternions.size(); ++n) {
      const int place = layout_.control_quaternions[n];
      const Eigen::Vector4d q = quadratic.point.controls.col(k).segment<4>(place);
      to.control_quaternions(Eigen::Index(n), k) = -q.dot(t.col(k).segment<4>(place)) / (2 * q.squaredNorm());
    }
  }
}

}  // namespace holo
