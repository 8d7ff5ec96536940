#include "holo/diff/tape/solve_nodes.h"

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
      refuse(std::ptrdiff_t(k), "has the entry " + std::to_string(k) + " at (" + std::to_string(pattern.rows[k]) + ", " +
                                    std::to_string(pattern.columns[k]) + "), outside its " + std::to_string(pattern.size) +
                                    " rows and columns");
  if (pattern.constant.size() != 0 && (pattern.constant.rows() != pattern.size || pattern.constant.cols() != pattern.size))
    refuse(-1, "has a constant part of another shape");
  if (pattern.sparse && pattern.constant.size() != 0) refuse(-1, "is sparse and has a dense constant part: give it as entries");
}

namespace {

// Calls put(i, j, a) for the entry (i, j) of the real matrix: A_0, or (A_0 -A_1; A_1 A_0) with n rows in each block.
template <class Put>
void put_parts(int n, int i, int j, double real, const double* imaginary, const Put& put) {
  put(i, j, real);
  if (imaginary == nullptr) return;
  put(i + n, j + n, real);
  put(i, j + n, -*imaginary);
  put(i + n, j, *imaginary);
}
template <class Put>
void put_entries(const MatrixPattern& pattern, const double* entries, const double* imaginary, const Put& put) {
  for (std::size_t k = 0; k < pattern.rows.size(); ++k) {
    const int i = pattern.rows[k], j = pattern.columns[k];
    const double* part = imaginary == nullptr ? nullptr : imaginary + k;
    put_parts(pattern.size, i, j, entries[k], part, put);
    if (pattern.symmetric && i != j) put_parts(pattern.size, j, i, entries[k], part, put);
  }
}

}  // namespace

// A complex matrix is factorized as the real one of twice the size, (A_0 -A_1; A_1 A_0).
std::shared_ptr<const RealFactorization> factorize_dense(const double* real, const double* imaginary, int size) {
  const Eigen::Map<const Eigen::MatrixXd> value(real, size, size);
  if (imaginary == nullptr) return factorize_lu(value);
  const Eigen::Map<const Eigen::MatrixXd> step(imaginary, size, size);
  Eigen::MatrixXd both(2 * size, 2 * size);
  both << value, -step, step, value;
  return factorize_lu(both);
}

std::shared_ptr<const RealFactorization> factorize_pattern(const MatrixPattern& pattern, const double* entries,
                                                           const double* imaginary) {
  const int n = pattern.size, size = imaginary == nullptr ? n : 2 * n;
  if (pattern.sparse) {
    std::vector<Eigen::Triplet<double>> triplets;
    put_entries(pattern, entries, imaginary, [&](int i, int j, double a) { triplets.emplace_back(i, j, a); });
    SparseMatrix matrix(size, size);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return factorize_sparse_lu(matrix);
  }
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  if (pattern.constant.size() != 0)
    for (int first = 0; first < size; first += n) matrix.block(first, first, n, n) = pattern.constant;
  put_entries(pattern, entries, imaginary, [&](int i, int j, double a) { matrix(i, j) += a; });
  return factorize_lu(matrix);
}

// The real matrix of twice the size maps (Re x; Im x) to (Re b; Im b). Its transpose represents the conjugate transpose of the
// complex matrix; a solve with the plain transpose therefore conjugates b and x.
void solve_complex_planes(const RealFactorization& factor, bool transposed, const double* b, int size, int columns, double* x) {
  const Eigen::Map<const Eigen::MatrixXd> real(b, size, columns), imaginary(b + std::ptrdiff_t(size) * columns, size, columns);
  const double sign = transposed ? -1.0 : 1.0;
  Eigen::MatrixXd both(2 * size, columns), solution(2 * size, columns);
  both << real, sign * imaginary;
  if (transposed)
    factor.solve_transposed(both, solution);
  else
    factor.solve(both, solution);
  Eigen::Map<Eigen::MatrixXd>(x, size, columns) = solution.topRows(size);
  Eigen::Map<Eigen::MatrixXd>(x + std::ptrdiff_t(size) * columns, size, columns) = sign * solution.bottomRows(size);
}

}  // namespace holo::detail
