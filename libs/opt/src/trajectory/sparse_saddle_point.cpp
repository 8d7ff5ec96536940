#include "holo/opt/trajectory/sparse_saddle_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "trajectory/refined_solution.h"

namespace holo {

namespace {

void require_patterns(const SparseMatrix& hessian, const SparseMatrix& jacobian) {
  if (hessian.rows() < 1 || hessian.rows() != hessian.cols() || jacobian.cols() != hessian.rows())
    throw Error(Failure::internal, fmt::format("a saddle-point system with a Hessian of {} x {} and a Jacobian of {} x {}; the "
                                               "Hessian must be square, with as many columns as the Jacobian.",
                                               hessian.rows(), hessian.cols(), jacobian.rows(), jacobian.cols()));
  if (!hessian.isCompressed() || !jacobian.isCompressed())
    throw Error(Failure::internal, "a saddle-point system needs compressed matrices; call makeCompressed.");
  for (int column = 0; column < hessian.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(hessian, column); entry; ++entry)
      if (entry.row() < column)
        throw Error(Failure::internal, fmt::format("a saddle-point system reads the lower triangle of the Hessian; entry ({}, "
                                                   "{}) is above it.",
                                                   entry.row(), column));
}

// Index among the values of an entry that the pattern has.
int place(const SparseMatrix& matrix, int row, int column) {
  const int* begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column];
  const int* end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column + 1];
  return int(std::lower_bound(begin, end, row) - matrix.innerIndexPtr());
}

bool is_finite(const SparseMatrix& matrix) {
  return std::all_of(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros(),
                     [](double value) { return std::isfinite(value); });
}

}  // namespace

SparseSaddlePoint::SparseSaddlePoint(const SparseMatrix& hessian, const SparseMatrix& jacobian)
    : hessian_(hessian), jacobian_(jacobian) {
  require_patterns(hessian, jacobian);
  analyze(false, metric_);
  analyze(true, model_);
  for (Eigen::VectorXd* vector : {&solution_, &residual_, &correction_}) vector->setZero(hessian.rows() + jacobian.rows());
}

void SparseSaddlePoint::analyze(bool with_hessian, Factor& factor) const {
  const int n = unknown_count(), m = constraint_count();
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n + m; ++i) entries.emplace_back(i, i, 1);
  for (int column = 0; column < n; ++column) {
    if (with_hessian)
      for (SparseMatrix::InnerIterator entry(hessian_, column); entry; ++entry) entries.emplace_back(entry.row(), column, 1);
    for (SparseMatrix::InnerIterator entry(jacobian_, column); entry; ++entry) entries.emplace_back(n + entry.row(), column, 1);
  }
  factor.matrix.resize(n + m, n + m);
  factor.matrix.setFromTriplets(entries.begin(), entries.end());
  factor.matrix.makeCompressed();
  for (int column = 0; column < n; ++column) {
    if (with_hessian)
      for (SparseMatrix::InnerIterator entry(hessian_, column); entry; ++entry)
        factor.hessian.push_back(place(factor.matrix, int(entry.row()), column));
    for (SparseMatrix::InnerIterator entry(jacobian_, column); entry; ++entry)
      factor.jacobian.push_back(place(factor.matrix, n + int(entry.row()), column));
  }
  for (int i = 0; i < n + m; ++i) factor.diagonal.push_back(place(factor.matrix, i, i));
  factor.solver = make_sparse_solver({.matrix = MatrixKind::indefinite});
  factor.solver->analyze(factor.matrix);
}

void SparseSaddlePoint::multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const {
  product.noalias() = hessian_.selfadjointView<Eigen::Lower>() * p;
}

void SparseSaddlePoint::multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const {
  product.noalias() = jacobian_ * p;
}

void SparseSaddlePoint::multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const {
  product.noalias() = jacobian_.transpose() * y;
}

void SparseSaddlePoint::hessian_diagonal(Eigen::VectorXd& diagonal) const {
  diagonal.setZero();
  for (int column = 0; column < unknown_count(); ++column)
    for (SparseMatrix::InnerIterator entry(hessian_, column); entry; ++entry)
      if (entry.row() == column) diagonal[column] = entry.value();
}

void SparseSaddlePoint::jacobian_row_norms(Eigen::VectorXd& norms) const {
  norms.setZero();
  for (int column = 0; column < unknown_count(); ++column)
    for (SparseMatrix::InnerIterator entry(jacobian_, column); entry; ++entry)
      norms[entry.row()] += entry.value() * entry.value();
  norms = norms.cwiseSqrt();
}

SaddlePointOutcome SparseSaddlePoint::factorize(Factor& factor) {
  residual_.setZero();  // sums of moduli
  for (int column = 0; column < factor.matrix.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(factor.matrix, column); entry; ++entry) {
      residual_[entry.row()] += std::abs(entry.value());
      if (entry.row() != column) residual_[column] += std::abs(entry.value());
    }
  factor.norm = residual_.maxCoeff();
  return factor.solver->factorize(factor.matrix) ? SaddlePointOutcome::factorized : SaddlePointOutcome::singular;
}

SaddlePointOutcome SparseSaddlePoint::factor(SaddlePointSelection selection, const Eigen::VectorXd& metric,
                                             double unknown_shift, const Eigen::VectorXd& constraint_shift) {
  if (!is_finite(hessian_) || !is_finite(jacobian_)) return SaddlePointOutcome::not_finite;
  const auto assemble = [&](double shift, Factor& factor) {
    double* values = factor.matrix.valuePtr();
    std::fill(values, values + factor.matrix.nonZeros(), 0);
    for (std::size_t i = 0; i < factor.hessian.size(); ++i) values[factor.hessian[i]] = hessian_.valuePtr()[i];
    for (std::size_t i = 0; i < factor.jacobian.size(); ++i) values[factor.jacobian[i]] = jacobian_.valuePtr()[i];
    const std::size_t n = std::size_t(unknown_count());
    for (std::size_t i = 0; i < factor.diagonal.size(); ++i)
      values[factor.diagonal[i]] += i < n ? shift * metric[Eigen::Index(i)] : -constraint_shift[Eigen::Index(i - n)];
    return factorize(factor);
  };
  SaddlePointOutcome outcome = SaddlePointOutcome::factorized;
  if (selection != SaddlePointSelection::model) outcome = assemble(1, metric_);
  if (selection != SaddlePointSelection::metric && outcome == SaddlePointOutcome::factorized)
    outcome = assemble(unknown_shift, model_);
  return outcome;
}

bool SparseSaddlePoint::solve(SaddlePointMatrix matrix, const Eigen::Ref<const Eigen::MatrixXd>& b,
                              Eigen::Ref<Eigen::MatrixXd> x) {
  const Factor& factor = matrix == SaddlePointMatrix::metric ? metric_ : model_;
  const auto subtract = [&](const Eigen::VectorXd& from, Eigen::VectorXd& residual) {
    residual.noalias() -= factor.matrix.selfadjointView<Eigen::Lower>() * from;
  };
  const auto apply = [&](const Eigen::VectorXd& residual, Eigen::VectorXd& correction) {
    factor.solver->solve(residual, correction);
  };
  return solve_columns(b, factor.norm, subtract, apply, x, solution_, residual_, correction_);
}

}  // namespace holo
