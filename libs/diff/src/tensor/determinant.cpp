#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>

#include "holo/diff/tensor/linear_solve.h"
#include "tensor/checks.h"

namespace holo {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

ScalarSeries entry(const MatrixSeries& A, Index i, Index j) {
  ScalarSeries result(A.set().size());
  for (int index = 0; index < A.set().size(); ++index) result[index] = A.is_zero(index) ? 0 : A.stored(index)(i, j);
  return result;
}

MatrixSeries part(const MatrixSeries& A, Index row, Index column, Index rows, Index columns) {
  MatrixSeries result(A.set(), rows, columns);
  for (int index = 0; index < A.set().size(); ++index)
    if (!A.is_zero(index)) result.set_coefficient(index, A.stored(index).block(row, column, rows, columns));
  return result;
}

// The determinant of the submatrix of the given rows and columns, expanded along the first row.
ScalarSeries small_determinant(const MatrixSeries& A, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  const DerivativeSet& set = A.set();
  if (rows.size() == 1) return entry(A, rows[0], columns[0]);
  ScalarSeries sum = ScalarSeries::Zero(set.size());
  const std::vector<Index> others(rows.begin() + 1, rows.end());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::vector<Index> rest = columns;
    rest.erase(rest.begin() + std::ptrdiff_t(k));
    const ScalarSeries term = multiply(set, entry(A, rows[0], columns[k]), small_determinant(A, others, rest));
    sum += k % 2 == 0 ? term : ScalarSeries(-term);
  }
  return sum;
}

// det(diag(s) + N), N without a value: over all sets I of at most `order` numbers, as longer products of N's entries vanish,
// the product of the other s times det N_II. No s is divided by.
ScalarSeries add_minors(const MatrixSeries& N, const Eigen::VectorXd& s) {
  ScalarSeries sum = ScalarSeries::Zero(N.set().size());
  sum[0] = s.prod();
  std::vector<Index> names;
  const auto extend = [&](const auto& self, Index from) -> void {
    if (!names.empty()) {
      double others = 1;
      for (Index i = 0; i < s.size(); ++i)
        if (!std::binary_search(names.begin(), names.end(), i)) others *= s[i];
      if (others != 0) sum += others * small_determinant(N, names, names);
    }
    if (Index(names.size()) == std::min<Index>(s.size(), N.set().order())) return;
    for (Index i = from; i < s.size(); ++i) {
      names.push_back(i);
      self(self, i + 1);
      names.pop_back();
    }
  };
  extend(extend, 0);
  return sum;
}

// A = U (diag(s) + N) V^T. The part with large s is factored; what is left of it for the rest (its Schur complement) has the
// small s on its diagonal and no other value.
ScalarSeries singular_determinant(const MatrixSeries& A) {
  const DerivativeSet& set = A.set();
  const Eigen::JacobiSVD<MatrixXd> svd(A[0], Eigen::ComputeFullU | Eigen::ComputeFullV);
  detail::count_factorization();
  const Eigen::VectorXd& s = svd.singularValues();
  MatrixSeries B(set, s.asDiagonal());
  for (int index = 1; index < set.size(); ++index)
    if (!A.is_zero(index)) B.set_coefficient(index, svd.matrixU().transpose() * A.stored(index) * svd.matrixV());
  const double sign = svd.matrixU().determinant() * svd.matrixV().determinant() < 0 ? -1 : 1;
  const Index n = s.size(), large = (s.array() > 0.1 * s[0]).count(), small = n - large;
  if (large == 0) {
    B.set_coefficient(0, MatrixXd::Zero(n, n));
    return sign * add_minors(B, s);
  }
  const Factorized leading(part(B, 0, 0, large, large));
  if (small == 0) return sign * leading.determinant();
  MatrixSeries rest =
      part(B, large, large, small, small) - part(B, large, 0, small, large) * leading.solve(part(B, 0, large, large, small));
  rest.set_coefficient(0, MatrixXd::Zero(small, small));
  return sign * multiply(set, leading.determinant(), add_minors(rest, s.tail(small)));
}

}  // namespace

ScalarSeries determinant(const MatrixSeries& A) {
  detail::require_square(A.rows(), A.columns(), "a matrix with a determinant");
  const DerivativeSet& set = A.set();
  auto product = [&](const ScalarSeries& a, const ScalarSeries& b) { return multiply(set, a, b); };
  auto two_rows = [&](Index i, Index j, Index k, Index l) -> ScalarSeries {  // rows i, j and columns k, l
    return product(entry(A, i, k), entry(A, j, l)) - product(entry(A, i, l), entry(A, j, k));
  };
  if (A.rows() == 1) return entry(A, 0, 0);
  if (A.rows() == 2) return two_rows(0, 1, 0, 1);
  if (A.rows() == 3)
    return product(entry(A, 0, 0), two_rows(1, 2, 1, 2)) - product(entry(A, 0, 1), two_rows(1, 2, 0, 2)) +
           product(entry(A, 0, 2), two_rows(1, 2, 0, 1));
  return singular_determinant(A);
}

}  // namespace holo
