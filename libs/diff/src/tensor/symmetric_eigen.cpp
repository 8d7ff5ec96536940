#include "holo/diff/tensor/symmetric_eigen.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <functional>

#include "holo/diff/tensor/real_factorization.h"
#include "tensor/checks.h"

namespace holo {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The derivatives of A v = lambda v with |v|^2 = 1, order by order: (A_0 - lambda) v_S = lambda_S v_0 - r and v_0^T v_S =
// normal. The first equation is solvable if lambda_S = v_0^T r. complete(r - lambda_S v_0, normal) returns v_S.
template <class Series>
Eigenpair differentiate(const Series& A, double value, const VectorXd& vector,
                        const std::function<VectorXd(const VectorXd&, double)>& complete) {
  const DerivativeSet& set = A.set();
  Eigenpair result{ScalarSeries::Zero(set.size()), MatrixSeries(set, vector.size(), 1)};
  result.value[0] = value;
  result.vector.set_coefficient(0, vector);
  std::vector<VectorXd> v(std::size_t(set.size()));
  v[0] = vector;
  for (int index = 1; index < set.size(); ++index) {
    // r has all terms of (A v)_S - (lambda v)_S but those with v_S and lambda_S; |v|^2 = 1 gives the normal part.
    VectorXd rest = VectorXd::Zero(vector.size());
    double normal = 0;
    A.multiply_add(index, false, 1, vector, rest);
    for (const auto& [first, second] : set.splits(index)) {
      A.multiply_add(first, false, 1, v[second], rest);
      rest -= result.value[first] * v[second];
      normal -= 0.5 * v[first].dot(v[second]);
    }
    result.value[index] = vector.dot(rest);
    v[index] = complete(rest - result.value[index] * vector, normal);
    result.vector.set_coefficient(index, v[index]);
  }
  return result;
}

[[noreturn]] void throw_repeated(Index number, const std::string& why) {
  throw TensorError(
      TensorError::Kind::repeated_eigenvalue, number,
      "the eigenvalue is not simple: " + why +
          "; its eigenvector is no function of the matrix. Differentiate what does not depend on the choice of the "
          "vectors, such as a spectral function");
}

// The bordered matrix (A_0 - lambda, v; v^T, 0), which is regular if the eigenvalue is simple.
SparseMatrix bordered(const SparseMatrix& lower, double value, const VectorXd& vector) {
  const Index n = lower.rows();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(2 * lower.nonZeros() + 4 * n));
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator it(lower, j); it; ++it) {
      if (it.row() < j) continue;
      entries.emplace_back(int(it.row()), int(j), it.value());
      if (it.row() != j) entries.emplace_back(int(j), int(it.row()), it.value());
    }
    entries.emplace_back(int(j), int(j), -value);
    entries.emplace_back(int(n), int(j), vector[j]);
    entries.emplace_back(int(j), int(n), vector[j]);
  }
  SparseMatrix result(int(n) + 1, int(n) + 1);
  result.setFromTriplets(entries.begin(), entries.end());
  result.makeCompressed();
  return result;
}

// Refuses eigenvalues that are not simple. The solution of the bordered system for a generic right-hand side has the size
// 1/gap.
void require_simple(const RealFactorization& bordered_factorization, const VectorXd& vector, double value, double scale) {
  const Index n = vector.size();
  VectorXd right = VectorXd::Zero(n + 1), solution(n + 1);
  for (Index i = 0; i < n; ++i) right[i] = std::sin(1.0 + double(i));
  right.head(n) -= vector.dot(right.head(n)) * vector;
  bordered_factorization.solve(right, solution);
  if (!(scale * solution.norm() <= 1e10 * right.norm()))
    throw_repeated(TensorError::unknown,
                   "the bordered matrix of lambda = " + detail::number_text(value) + " is singular to rounding");
}

}  // namespace

Eigenpair symmetric_eigenpair(const MatrixSeries& A, Index number) {
  detail::require_symmetric(A, "a matrix with real eigenvalues");
  const Index n = A.rows();
  if (number < 0 || number >= n)
    detail::throw_mismatch("the number of the eigenvalue", std::to_string(number), "in [0, " + std::to_string(n) + ")");
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(A[0]);
  detail::count_factorization();
  const VectorXd& values = eigen.eigenvalues();
  const MatrixXd& vectors = eigen.eigenvectors();
  const double value = values[number], scale = values.cwiseAbs().maxCoeff();
  // The pseudoinverse of A_0 - lambda in the eigenvectors: 1 / gap, and 0 for the eigenvector itself.
  VectorXd inverse = VectorXd::Zero(n);
  for (Index k = 0; k < n; ++k) {
    if (k == number) continue;
    const double gap = values[k] - value;
    if (std::abs(gap) <= 1e-10 * scale)
      throw_repeated(number, "number " + std::to_string(number) + " and number " + std::to_string(k) +
                                 " (counted from 0) are " + detail::number_text(std::abs(gap)) + " apart");
    inverse[k] = 1 / gap;
  }
  // The sign of the eigenvector is a choice: its largest entry is positive.
  VectorXd vector = vectors.col(number);
  Index largest = 0;
  vector.cwiseAbs().maxCoeff(&largest);
  if (vector[largest] < 0) vector = -vector;
  return differentiate(A, value, vector, [&](const VectorXd& rest, double normal) -> VectorXd {
    const VectorXd in_vectors = inverse.asDiagonal() * (vectors.transpose() * rest);
    return normal * vector - vectors * in_vectors;
  });
}

Eigenpair symmetric_eigenpair(const SparseMatrixSeries& A, double value, const VectorXd& given) {
  const Index n = A.rows();
  if (A.storage() != SparseMatrixSeries::Storage::symmetric_lower)
    detail::throw_mismatch("the storage of a sparse matrix with real eigenvalues", "general", "symmetric_lower");
  if (given.size() != n)
    detail::throw_mismatch("the length of the eigenvector", std::to_string(given.size()), std::to_string(n));
  detail::require_finite(given, "the eigenvector");
  if (given.norm() == 0) throw TensorError(TensorError::Kind::no_eigenpair, TensorError::unknown, "the eigenvector is 0");
  const VectorXd vector = given.normalized();
  VectorXd image = VectorXd::Zero(n);
  A.multiply_add(0, false, 1, vector, image);
  const double defect = (image - value * vector).norm(), scale = A.value().norm();
  if (!(defect <= 1e-8 * scale))
    throw TensorError(TensorError::Kind::no_eigenpair, TensorError::unknown,
                      "|A v - lambda v| is " + detail::number_text(defect) + " and |A v| is " +
                          detail::number_text(image.norm()) + ", so that lambda = " + detail::number_text(value) +
                          " and v are no eigenpair; iterate on to 1e-8");
  const SparseMatrix matrix = bordered(A.value(), value, vector);
  std::shared_ptr<const RealFactorization> factorization;
  try {
    factorization = factorize_sparse_lu(matrix);
  } catch (const TensorError&) {
    throw_repeated(TensorError::unknown, "the bordered matrix of lambda = " + detail::number_text(value) + " is singular");
  }
  require_simple(*factorization, vector, value, scale);
  return differentiate(A, value, vector, [&](const VectorXd& rest, double normal) -> VectorXd {
    VectorXd right(n + 1), solution(n + 1);
    right << -rest, normal;
    factorization->solve(right, solution);
    return solution.head(n);
  });
}

}  // namespace holo
