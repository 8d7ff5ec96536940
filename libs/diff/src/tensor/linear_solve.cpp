#include "holo/diff/tensor/linear_solve.h"

#include <cmath>

#include "tensor/checks.h"
#include "tensor/dense_factorizations.h"

namespace holo {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

template <class Series>
void require_fitting(const RealFactorization& factorization, const Series& A, const MatrixSeries& b) {
  detail::require_same_set(A.set(), b.set(), "the right-hand side");
  if (factorization.size() != A.rows())
    detail::throw_mismatch("the number of rows of the factorization", std::to_string(factorization.size()),
                           "that of the matrix, " + std::to_string(A.rows()));
  if (b.rows() != A.rows())
    detail::throw_mismatch("the number of rows of the right-hand side", std::to_string(b.rows()), std::to_string(A.rows()));
}

// Order S of A x = b: A_0 x_S = b_S - sum A_T x_U over the splits of S with T not empty. All derivatives of one degree depend
// on lower degrees alone, so they are columns of one solve.
template <class Series>
MatrixSeries solve_series(const RealFactorization& factorization, const Series& A, const MatrixSeries& b, bool transposed) {
  require_fitting(factorization, A, b);
  const DerivativeSet& set = A.set();
  const Index rows = b.rows(), columns = b.columns();
  std::vector<MatrixXd> x(std::size_t(set.size()));
  MatrixXd right, solution;
  for (int degree = 0; degree <= set.order(); ++degree) {
    const auto level = set.level(degree);
    right.setZero(rows, columns * Index(level.size()));
    for (std::size_t k = 0; k < level.size(); ++k) {
      const int index = level[k];
      auto sum = right.middleCols(columns * Index(k), columns);
      if (!b.is_zero(index)) sum += b.stored(index);
      if (index != 0) A.multiply_add(index, transposed, -1, x[0], sum);
      for (const auto& [first, second] : set.splits(index)) A.multiply_add(first, transposed, -1, x[second], sum);
    }
    solution.resize(rows, right.cols());
    if (transposed)
      factorization.solve_transposed(right, solution);
    else
      factorization.solve(right, solution);
    for (std::size_t k = 0; k < level.size(); ++k) x[level[k]] = solution.middleCols(columns * Index(k), columns);
  }
  MatrixSeries result(set, rows, columns);
  for (int index = 0; index < set.size(); ++index) result.set_coefficient(index, std::move(x[index]));
  return result;
}

// tr(A B) as the sum over entries of A and B^T, without the product of the matrices.
double trace_of_product(const MatrixXd& a, const MatrixXd& b) { return a.cwiseProduct(b.transpose()).sum(); }

}  // namespace

MatrixSeries solve(const RealFactorization& factorization, const MatrixSeries& A, const MatrixSeries& b) {
  return solve_series(factorization, A, b, false);
}
MatrixSeries solve(const RealFactorization& factorization, const SparseMatrixSeries& A, const MatrixSeries& b) {
  return solve_series(factorization, A, b, false);
}
MatrixSeries solve_transposed(const RealFactorization& factorization, const MatrixSeries& A, const MatrixSeries& b) {
  return solve_series(factorization, A, b, true);
}
MatrixSeries solve_transposed(const RealFactorization& factorization, const SparseMatrixSeries& A, const MatrixSeries& b) {
  return solve_series(factorization, A, b, true);
}

Factorized::Factorized(MatrixSeries A, Method method) : A_(std::move(A)) {
  if (method == Method::llt) {
    detail::require_symmetric(A_, "a matrix for LLT");
    auto factorization = std::make_shared<detail::DenseLlt>(A_[0]);
    const Eigen::VectorXd diagonal = factorization->factors().matrixLLT().diagonal();
    determinant_ = diagonal.prod() * diagonal.prod();
    log_determinant_ = 2 * diagonal.array().log().sum();
    factorization_ = std::move(factorization);
  } else {
    auto factorization = std::make_shared<detail::DenseLu>(A_[0]);
    determinant_ = factorization->factors().determinant();
    log_determinant_ = factorization->factors().matrixLU().diagonal().array().abs().log().sum();
    factorization_ = std::move(factorization);
  }
}

// From A X = 1: X_S = -X_0 sum A_T X_U over splits with T not empty.
MatrixSeries Factorized::inverse() const {
  const DerivativeSet& set = A_.set();
  const Index n = A_.rows();
  MatrixSeries X(set, n, n);
  MatrixXd value(n, n);
  factorization_->solve(MatrixXd::Identity(n, n), value);
  X.set_coefficient(0, value);
  for (int index = 1; index < set.size(); ++index) {
    MatrixXd sum = MatrixXd::Zero(n, n);
    A_.multiply_add(index, false, 1, value, sum);
    A_.add_splits(index, 1, X, sum);
    X.set_coefficient(index, -value * sum);
  }
  return X;
}

// Jacobi's formula (log det A)' = tr(A^-1 A'): the first unit of S differentiates log det, and Leibniz' rule distributes the
// other units between X = A^-1 and A', (log det)_S = sum tr(X_U A_V) over the parts with the first unit in V.
ScalarSeries Factorized::log_determinant() const {
  const DerivativeSet& set = A_.set();
  const MatrixSeries X = inverse();
  ScalarSeries result = ScalarSeries::Zero(set.size());
  result[0] = log_determinant_;
  for (int index = 1; index < set.size(); ++index)
    for (const auto& [first, second, third] : set.anchored_splits(index))
      if (first == 0 && !A_.is_zero(third)) result[index] += trace_of_product(X.stored(second), A_.stored(third));
  return result;
}

ScalarSeries Factorized::determinant() const {
  const DerivativeSet& set = A_.set();
  // det' = det (log det)': det_S = sum det_T (log det)_{S\T} over the parts with the first unit in S\T.
  const ScalarSeries slopes = log_determinant();
  ScalarSeries result = ScalarSeries::Zero(set.size());
  result[0] = determinant_;
  for (int index = 1; index < set.size(); ++index)
    for (const auto& [first, second, third] : set.anchored_splits(index))
      if (second == 0) result[index] += result[first] * slopes[third];
  return result;
}

SparseFactorized::SparseFactorized(SparseMatrixSeries A, SparseFactorizer* factorizer) : A_(std::move(A)) {
  if (A_.storage() == SparseMatrixSeries::Storage::general) {
    factorization_ = factorize_sparse_lu(A_.value());
    return;
  }
  if (factorizer == nullptr) {
    own_ = std::make_unique<SparseFactorizer>();
    factorizer = own_.get();
  }
  factorization_ = factorizer->factorize(A_.value());
}

// Leibniz' rule: (a b)_S = sum a_T b_{S\T}.
ScalarSeries multiply(const DerivativeSet& set, const ScalarSeries& a, const ScalarSeries& b) {
  if (a.size() != set.size() || b.size() != set.size())
    detail::throw_mismatch("the number of coefficients of a factor",
                           std::to_string(a.size() != set.size() ? a.size() : b.size()), std::to_string(set.size()));
  ScalarSeries result = a[0] * b;
  for (int index = 1; index < set.size(); ++index) {
    result[index] += a[index] * b[0];
    for (const auto& [first, second] : set.splits(index)) result[index] += a[first] * b[second];
  }
  return result;
}

// Order S of a r = 1: r_S = -r_0 sum a_T r_{S\T} over T not empty.
ScalarSeries reciprocal(const DerivativeSet& set, const ScalarSeries& a) {
  if (a.size() != set.size())
    detail::throw_mismatch("the number of coefficients of a divisor", std::to_string(a.size()), std::to_string(set.size()));
  if (a[0] == 0) throw TensorError(TensorError::Kind::singular, 0, "a divisor is 0; there is no reciprocal to differentiate");
  ScalarSeries result = ScalarSeries::Zero(set.size());
  result[0] = 1 / a[0];
  for (int index = 1; index < set.size(); ++index) {
    double sum = a[index] * result[0];
    for (const auto& [first, second] : set.splits(index)) sum += a[first] * result[second];
    result[index] = -sum * result[0];
  }
  return result;
}

}  // namespace holo
