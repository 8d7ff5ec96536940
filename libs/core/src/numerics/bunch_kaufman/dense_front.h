#pragma once
// The dense part of a multifrontal factorization: P F P^T = L D L^T of the first columns of a symmetric matrix, as many as have
// stable pivots.

#include <cstddef>
#include <vector>

namespace holo {

// D is block diagonal: of pivot k, d[2 k] its diagonal and d[2 k + 1] the entry to pivot k + 1 where the two are a block, else
// 0.
class DenseFront {
 public:
  // Zeroes a front of `size` rows.
  void reset(int size);
  int size() const { return size_; }
  double* column(int index) { return values_.data() + std::size_t(index) * std::size_t(size_); }
  const double* column(int index) const { return values_.data() + std::size_t(index) * std::size_t(size_); }

  // Eliminates pivots chosen among the first `candidates` columns [BunchKaufman1977]. A single pivot must be at least a
  // hundredth of the largest entry of its column; the inverse of a pair must magnify no entry more than a hundredfold
  // [DuffReid1983]; all must be larger than `zero`. Returns the number of eliminated pivots. The other candidates, which have
  // no stable partner in this front, follow them. The lower triangle is replaced by L in the eliminated columns (without its
  // unit diagonal) and by the Schur complement after them. `ids` [size] are permuted with the rows; `d` is [2 candidates].
  int eliminate(int candidates, double zero, int* ids, double* d);

 private:
  struct Size {  // of a column's entries other than those of the tried pivots
    double largest = 0;
    int at = -1;  // the candidate with the largest of the candidates' entries
  };

  void load_column(int index, double* to) const;
  Size measure(const double* column, int skip, int other_skip) const;
  bool take_pivot(int index, double* d);
  bool take_single(int index, const double* column, double* d);
  bool take_pair(int index, int partner, double* d);
  void exchange(int first, int second);
  void update_rest();

  double* panel(int index) { return panel_.data() + std::size_t(index) * std::size_t(size_); }
  const double* panel(int index) const { return panel_.data() + std::size_t(index) * std::size_t(size_); }

  int size_ = 0, candidates_ = 0;
  int eliminated_ = 0, panel_begin_ = 0;  // pivots; the other columns are updated by those before panel_begin_
  double zero_ = 0;
  int* ids_ = nullptr;
  std::vector<double> values_;          // [column][row]
  std::vector<double> panel_;           // L D of the pivots since panel_begin_, [pivot][row]
  std::vector<double> first_, second_;  // columns that are tried
};

}  // namespace holo
