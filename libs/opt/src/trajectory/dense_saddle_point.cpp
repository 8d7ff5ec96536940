#include "holo/opt/trajectory/dense_saddle_point.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"
#include "trajectory/refined_solution.h"

namespace holo {

DenseSaddlePoint::DenseSaddlePoint(int unknowns, int constraints) {
  if (unknowns < 1 || constraints < 0)
    throw Error(Failure::internal, fmt::format("a saddle-point system of {} unknowns and {} constraints; it needs at least one "
                                               "unknown and no negative number of constraints.",
                                               unknowns, constraints));
  hessian_.setZero(unknowns, unknowns);
  jacobian_.setZero(constraints, unknowns);
  const int size = unknowns + constraints;
  for (Factor* factor : {&metric_, &model_}) {
    factor->matrix.setZero(size, size);
    factor->lu = Eigen::PartialPivLU<Eigen::MatrixXd>(size);
  }
  for (Eigen::VectorXd* vector : {&solution_, &residual_, &correction_}) vector->setZero(size);
}

void DenseSaddlePoint::multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const {
  product.noalias() = hessian_ * p;
}

void DenseSaddlePoint::multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const {
  product.noalias() = jacobian_ * p;
}

void DenseSaddlePoint::multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const {
  product.noalias() = jacobian_.transpose() * y;
}

void DenseSaddlePoint::hessian_diagonal(Eigen::VectorXd& diagonal) const { diagonal = hessian_.diagonal(); }

void DenseSaddlePoint::jacobian_row_norms(Eigen::VectorXd& norms) const {
  for (Eigen::Index i = 0; i < jacobian_.rows(); ++i) norms[i] = jacobian_.row(i).norm();
}

bool DenseSaddlePoint::Factor::factorize() {
  norm = matrix.cwiseAbs().rowwise().sum().maxCoeff();
  lu.compute(matrix);
  const auto pivots = lu.matrixLU().diagonal();
  return pivots.allFinite() && (pivots.array() != 0).all();
}

void DenseSaddlePoint::assemble_constraints(const Eigen::VectorXd& constraint_shift, Factor& factor) const {
  const Eigen::Index n = hessian_.rows(), m = jacobian_.rows();
  factor.matrix.bottomLeftCorner(m, n) = jacobian_;
  factor.matrix.topRightCorner(n, m) = jacobian_.transpose();
  factor.matrix.bottomRightCorner(m, m).setZero();
  factor.matrix.bottomRightCorner(m, m).diagonal() = -constraint_shift;
}

SaddlePointOutcome DenseSaddlePoint::factor(SaddlePointSelection selection, const Eigen::VectorXd& metric, double unknown_shift,
                                            const Eigen::VectorXd& constraint_shift) {
  if (!hessian_.allFinite() || !jacobian_.allFinite()) return SaddlePointOutcome::not_finite;
  const Eigen::Index n = hessian_.rows();
  bool is_regular = true;
  if (selection != SaddlePointSelection::model) {
    assemble_constraints(constraint_shift, metric_);
    metric_.matrix.topLeftCorner(n, n).setZero();
    metric_.matrix.topLeftCorner(n, n).diagonal() = metric;
    is_regular = metric_.factorize();
  }
  if (selection != SaddlePointSelection::metric && is_regular) {
    assemble_constraints(constraint_shift, model_);
    model_.matrix.topLeftCorner(n, n) = hessian_;
    model_.matrix.topLeftCorner(n, n).diagonal() += unknown_shift * metric;
    is_regular = model_.factorize();
  }
  return is_regular ? SaddlePointOutcome::factorized : SaddlePointOutcome::singular;
}

bool DenseSaddlePoint::solve(SaddlePointMatrix matrix, const Eigen::Ref<const Eigen::MatrixXd>& b,
                             Eigen::Ref<Eigen::MatrixXd> x) {
  const Factor& factor = matrix == SaddlePointMatrix::metric ? metric_ : model_;
  const auto subtract = [&](const Eigen::VectorXd& from, Eigen::VectorXd& residual) {
    residual.noalias() -= factor.matrix * from;
  };
  const auto apply = [&](const Eigen::VectorXd& residual, Eigen::VectorXd& correction) {
    correction = factor.lu.solve(residual);
  };
  return solve_columns(b, factor.norm, subtract, apply, x, solution_, residual_, correction_);
}

}  // namespace holo
