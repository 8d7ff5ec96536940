#pragma once
// Matrices in 120 digits, and mixed central differences of functions of them, with which derivatives of tensor functions are
// compared. The code is naive on purpose, and shares only the containers with the library.

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "digits/digits.h"
#include "holo/diff/tensor/matrix_series.h"

namespace holo::reference {

using Number = digits::Digits120;

struct Dense {
  int rows = 0, columns = 0;
  std::vector<Number> entries;

  Dense() = default;
  Dense(int r, int c) : rows(r), columns(c), entries(std::size_t(r * c)) {}
  explicit Dense(const Eigen::MatrixXd& a) : Dense(int(a.rows()), int(a.cols())) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) (*this)(i, j) = a(i, j);
  }
  Number& operator()(int i, int j) { return entries[std::size_t(i * columns + j)]; }
  const Number& operator()(int i, int j) const { return entries[std::size_t(i * columns + j)]; }
};

Dense operator*(const Dense& a, const Dense& b);
Dense combine(const Number& a, const Dense& x, const Number& b, const Dense& y);
Dense transpose(const Dense& a);
// Gauss-Jordan with pivots; the determinant on the side.
Dense solve(Dense a, Dense b, Number* determinant = nullptr);
Dense identity(int n);
Dense inverse(const Dense& a);
Number determinant(const Dense& a);

// Coefficients, one for each mask: the mixed differences at 0 of f(sum_S A_S prod_{k in S} t_k), for a set subsets(n).
std::vector<Eigen::MatrixXd> mixed_differences(const DerivativeSet& set, const std::vector<const MatrixSeries*>& arguments,
                                               const std::function<Dense(const std::vector<Dense>&)>& f);

// Random series of entries of order 1; `diagonal` is added to the value.
MatrixSeries random_series(const DerivativeSet& set, int rows, int columns, unsigned seed, double diagonal = 0,
                           bool symmetric = false);
// Each coefficient relative to its largest entry.
void expect_near(const std::vector<Eigen::MatrixXd>& expected, const MatrixSeries& found, double tolerance);
// All coefficients of a - b below the tolerance times those of `scale`.
void expect_equal(const MatrixSeries& a, const MatrixSeries& b, double tolerance);

}  // namespace holo::reference
