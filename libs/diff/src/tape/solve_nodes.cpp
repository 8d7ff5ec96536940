#include "holo/diff/tape/solve_nodes.h"

#include <Eigen/LU>

namespace holo::detail {

void check_pattern(const MatrixPattern& pattern, std::size_t entries) {
  const auto refuse = [](std::ptrdiff_t index, const std::string& what) {
    throw TensorError(TensorError::Kind::dimension_mismatch, index, "the pattern of a matrix " + what);
  };
  if (pattern.rows.size() != entries || pattern.columns.size() != entries)
    refuse(-1, "has " + std::to_string(pattern.rows.size()) + " rows and " + std::to_string(pattern.columns.size()) +
                   " columns of entries; it needs one of each for each of the " + std::to_string(entries) + " entries");
  for (std::size_t k = 0; k < entries; ++k)
    if (pattern.rows[k] < 0 || pattern.columns[k] < 0 || pattern.rows[k] >= pattern.size || pattern.columns[k] >= pattern.size)
      refuse(std::ptrdiff_t(k), "places entry " + std::to_string(k) + " at (" + std::to_string(pattern.rows[k]) + ", " +
                                    std::to_string(pattern.columns[k]) + "), outside its " + std::to_string(pattern.size) +
                                    " rows and columns");
  if (pattern.constant.size() != 0 && (pattern.constant.rows() != pattern.size || pattern.constant.cols() != pattern.size))
    refuse(-1, "has a constant part of another shape");
  if (pattern.sparse && pattern.constant.size() != 0) refuse(-1, "is sparse and has a dense constant part: give it as entries");
}

std::shared_ptr<const RealFactorization> factorize_pattern(const MatrixPattern& pattern, const double* entries) {
  const std::size_t count = pattern.rows.size();
  const auto each = [&](const auto& put) {
    for (std::size_t k = 0; k < count; ++k) {
      put(pattern.rows[k], pattern.columns[k], entries[k]);
      if (pattern.symmetric && pattern.rows[k] != pattern.columns[k]) put(pattern.columns[k], pattern.rows[k], entries[k]);
    }
  };
  if (pattern.sparse) {
    std::vector<Eigen::Triplet<double>> triplets;
    each([&](int i, int j, double a) { triplets.emplace_back(i, j, a); });
    SparseMatrix matrix(pattern.size, pattern.size);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return factorize_sparse_lu(matrix);
  }
  Eigen::MatrixXd matrix = pattern.constant;
  if (matrix.size() == 0) matrix = Eigen::MatrixXd::Zero(pattern.size, pattern.size);
  each([&](int i, int j, double a) { matrix(i, j) += a; });
  return factorize_lu(matrix);
}

Determinant real_determinant(const double* A, int n) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(Eigen::Map<const Eigen::MatrixXd>(A, n, n));
  Determinant result{double(lu.permutationP().determinant()), 0.0};
  for (int i = 0; i < n; ++i) {
    const double pivot = lu.matrixLU()(i, i);
    result.sign *= pivot < 0 ? -1.0 : 1.0;
    result.log_absolute += std::log(std::abs(pivot));
  }
  return result;
}

}  // namespace holo::detail
