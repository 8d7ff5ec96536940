#include "holo/diff/tensor/cauchy_riemann.h"

#include <bit>
#include <cmath>

#include "holo/diff/tensor/real_factorization.h"
#include "tensor/checks.h"

namespace holo {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void require_form(const DerivativeSet& set, double h) {
  if (!(set == DerivativeSet::subsets(set.order())))
    detail::throw_mismatch("the set of derivatives of a Cauchy-Riemann form", "another", "subsets(n)");
  if (!std::isnormal(std::pow(h, set.order())))
    detail::throw_mismatch("the step " + detail::number_text(h) + " to the power " + std::to_string(set.order()),
                           "no normal number", "one that a double holds; take a larger step");
}

// A multicomplex number z1 + z2 i_k is the real matrix [z1, -z2; z2, z1], for one unit i_k after the other. So the block in the
// row and column of two masks has the coefficient of their symmetric difference, with a minus for each unit of the column
// alone.
template <class Visit>
void for_each_block(const MatrixSeries& A, double h, int columns, Visit visit) {
  for (int row = 0; row < A.set().size(); ++row)
    for (int column = 0; column < columns; ++column) {
      const int index = row ^ column;
      if (A.is_zero(index)) continue;
      const int negative = std::popcount(unsigned(column & ~row));
      const double sign = negative % 2 == 0 ? 1 : -1;
      visit(row, column, MatrixXd(sign * std::pow(h, std::popcount(unsigned(index))) * A[index]));
    }
}

}  // namespace

MatrixXd cauchy_riemann_form(const MatrixSeries& A, double h) {
  require_form(A.set(), h);
  const Index blocks = A.set().size(), rows = A.rows(), columns = A.columns();
  MatrixXd result = MatrixXd::Zero(blocks * rows, blocks * columns);
  for_each_block(A, h, int(blocks),
                 [&](int i, int j, const MatrixXd& block) { result.block(i * rows, j * columns, rows, columns) = block; });
  return result;
}

MatrixXd cauchy_riemann_column(const MatrixSeries& A, double h) {
  require_form(A.set(), h);
  MatrixXd result = MatrixXd::Zero(A.set().size() * A.rows(), A.columns());
  for_each_block(A, h, 1, [&](int i, int, const MatrixXd& block) { result.middleRows(i * A.rows(), A.rows()) = block; });
  return result;
}

// The first block column determines the number: block k is the coefficient k times the step to the power of its degree.
MatrixSeries from_cauchy_riemann_column(const DerivativeSet& set, const MatrixXd& column, double h) {
  require_form(set, h);
  if (column.rows() % set.size() != 0)
    detail::throw_mismatch("the number of rows of a block column", std::to_string(column.rows()),
                           "a multiple of " + std::to_string(set.size()));
  const Index rows = column.rows() / set.size();
  MatrixSeries result(set, rows, column.cols());
  for (int index = 0; index < set.size(); ++index)
    result.set_coefficient(index, column.middleRows(index * rows, rows) / std::pow(h, set.degree(index)));
  return result;
}

MatrixSeries cauchy_riemann_solve(const MatrixSeries& A, const MatrixSeries& b, double h) {
  detail::require_same_set(A.set(), b.set(), "the right-hand side");
  if (b.rows() != A.rows())
    detail::throw_mismatch("the number of rows of the right-hand side", std::to_string(b.rows()), std::to_string(A.rows()));
  const auto factorization = factorize_lu(cauchy_riemann_form(A, h));
  const MatrixXd right = cauchy_riemann_column(b, h);
  MatrixXd x(right.rows(), right.cols());
  factorization->solve(right, x);
  return from_cauchy_riemann_column(A.set(), x, h);
}

MatrixSeries cauchy_riemann_inverse(const MatrixSeries& A, double h) {
  detail::require_square(A.rows(), A.columns(), "a matrix to be inverted");
  return cauchy_riemann_solve(A, MatrixSeries(A.set(), MatrixXd::Identity(A.rows(), A.rows())), h);
}

}  // namespace holo
