#pragma once
// LU factorization of a block of sparse matrices of one pattern, a matrix in each lane, with one order of pivots for all. The
// order is what KLU found for one of them; whether it suits the others is measured, lane by lane, while factoring.
//
//   S A (rows, columns) = (L U + F), block upper triangular: L, U of the diagonal blocks, F above them
//
// S scales rows. All loops run over lists made once.

#include <memory>
#include <vector>

#include "holo/diff/lanes/lanes.h"
#include "staged/reference/klu_factor.h"

namespace holo {

class LaneLu {
 public:
  // Quality of the factors in each lane.
  struct Quality {
    LaneBlock growth;       // largest entry of |L| |U| over the largest of A, of all columns
    LaneBlock pivot_ratio;  // smallest pivot over the largest, NaN where a number is not finite
  };
  // The pivots that a right-hand side with some nonzero rows needs, in order: k >= 0 the column of L, ~k that of U and F. And
  // which rows of the solution are then nonzero, as pivots' numbers.
  struct Reach {
    std::vector<int> steps, pivots;
  };

  // `values`, of the matrix that KLU factored, one for each entry, `stride` apart.
  LaneLu(const StagePattern& pattern, const KluFactor::Order& order, const double* values, int stride);

  int size() const { return size_; }
  int factor_length() const { return diagonal_offset_ + size_; }  // blocks of lanes
  int row(int pivot) const { return rows_[std::size_t(pivot)]; }
  int column(int pivot) const { return columns_[std::size_t(pivot)]; }
  int pivot_of_row(int row) const { return pivot_of_row_[std::size_t(row)]; }
  double row_scale(int row) const { return row_scales_[std::size_t(row)]; }
  Reach reach(const std::vector<int>& rows) const;

  // All arrays are [.][lane], aligned; work [2 size][lane].
  Quality factor(const double* values, double* factor, double* work) const;
  // x = A^-1 b in place.
  void solve(const double* factor, double* x, double* work) const;
  void solve_transposed(const double* factor, double* x, double* work) const;
  // Four right-hand sides at once, [pivot][4][lane] in the order of pivots and scaled, in place.
  void solve_four(const double* factor, const Reach& reach, double* y) const;

 private:
  struct Columns {  // compressed
    std::vector<int> starts, rows;
  };

  void find_entries(const StagePattern& pattern);
  void find_fill();
  LaneBlock scatter_column(int j, const double* values, double* work) const;
  void store_above_block(int j, const double* values, double* upper) const;

  int size_ = 0, upper_offset_ = 0, diagonal_offset_ = 0;  // in the factor: L, then U and F, then 1 / diagonal
  std::vector<int> rows_, columns_, blocks_, pivot_of_row_, block_of_;
  std::vector<double> row_scales_;
  Columns entries_;                   // of A, in the order of pivots, those of diagonal blocks first in a column
  std::vector<int> entry_values_;     // where among A's values
  std::vector<int> entry_block_end_;  // of each column: where entries of F begin
  Columns lower_, upper_;             // upper: of U ascending, then of F
  std::vector<int> upper_block_end_;
};

}  // namespace holo
