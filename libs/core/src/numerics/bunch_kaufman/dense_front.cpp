#include "numerics/bunch_kaufman/dense_front.h"

#include <algorithm>
#include <cmath>
#include <utility>

// BLAS: its header is not in the include path of every distribution.
extern "C" void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
                       const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
                       const double* beta, double* c, const int* ldc);

namespace holo {

namespace {

constexpr double stability = 0.01;  // least size of a pivot, relative to its column
constexpr int panel_width = 32;     // pivots that are applied to the rest of a front at once
constexpr int update_width = 64;    // columns of the rest in one product

void subtract_multiple(double factor, const double* __restrict from, double* __restrict to, int begin, int end) {
  for (int i = begin; i < end; ++i) to[i] -= factor * from[i];
}

}  // namespace

void DenseFront::reset(int size) {
  size_ = size;
  values_.assign(std::size_t(size) * std::size_t(size), 0.0);
  panel_.resize(std::size_t(size) * (panel_width + 1));
  first_.resize(std::size_t(size));
  second_.resize(std::size_t(size));
}

// Computes a column of the Schur complement of the pivots so far. The front has the updates of the finished panels; those of
// the current panel's pivots are applied here, so that columns which are not tried wait for a matrix product.
void DenseFront::load_column(int index, double* to) const {
  for (int i = eliminated_; i < index; ++i) to[i] = column(i)[index];
  std::copy(column(index) + index, column(index) + size_, to + index);
  for (int p = panel_begin_; p < eliminated_; ++p)
    subtract_multiple(panel(p - panel_begin_)[index], column(p), to, eliminated_, size_);
}

// The largest entry of a column below the eliminated rows, and the candidate with the largest entry among the candidates. Rows
// `skip` and `other_skip` do not count.
DenseFront::Size DenseFront::measure(const double* column, int skip, int other_skip) const {
  Size size;
  double largest_candidate = 0;
  for (int i = eliminated_; i < size_; ++i) {
    if (i == skip || i == other_skip) continue;
    const double value = std::abs(column[i]);
    if (i < candidates_ && value > largest_candidate) {
      largest_candidate = value;
      size.at = i;
    }
    size.largest = std::max(size.largest, value);
  }
  return size;
}

// Exchanges two rows and columns of the symmetric Schur complement, of which the lower triangle is stored, and the same rows of
// L, of the panel and of the loaded columns.
void DenseFront::exchange(int first, int second) {
  if (first == second) return;
  if (first > second) std::swap(first, second);
  std::swap(ids_[first], ids_[second]);
  for (int p = 0; p < eliminated_; ++p) std::swap(column(p)[first], column(p)[second]);
  for (int p = panel_begin_; p < eliminated_; ++p) std::swap(panel(p - panel_begin_)[first], panel(p - panel_begin_)[second]);
  for (int p = eliminated_; p < first; ++p) std::swap(column(p)[first], column(p)[second]);
  std::swap(column(first)[first], column(second)[second]);
  for (int i = first + 1; i < second; ++i) std::swap(column(first)[i], column(i)[second]);
  std::swap_ranges(column(first) + second + 1, column(first) + size_, column(second) + second + 1);
  std::swap(first_[std::size_t(first)], first_[std::size_t(second)]);
  std::swap(second_[std::size_t(first)], second_[std::size_t(second)]);
}

// Eliminates one pivot: stores L D in the panel, L in the front, and the pivot in d. `tried` is the loaded column, first_ or
// second_.
bool DenseFront::take_single(int index, const double* tried, double* d) {
  const int k = eliminated_;
  exchange(k, index);
  const double pivot = tried[k];
  std::copy(tried + k, tried + size_, panel(k - panel_begin_) + k);
  double* to = column(k);
  for (int i = k + 1; i < size_; ++i) to[i] = tried[i] / pivot;
  d[2 * k] = pivot;
  d[2 * k + 1] = 0;
  eliminated_ = k + 1;
  return true;
}

// Eliminates a pair of pivots D = [a b; b c] with the loaded columns first_ and second_: L is these columns times D^-1.
bool DenseFront::take_pair(int index, int partner, double* d) {
  const int k = eliminated_;
  exchange(k, index);
  exchange(k + 1, partner == k ? index : partner);
  const double a = first_[std::size_t(k)], b = second_[std::size_t(k)], c = second_[std::size_t(k) + 1];
  const double determinant = a * c - b * b;
  const double ia = c / determinant, ib = -b / determinant, ic = a / determinant;
  std::copy(first_.begin() + k, first_.end(), panel(k - panel_begin_) + k);
  std::copy(second_.begin() + k, second_.end(), panel(k + 1 - panel_begin_) + k);
  double *one = column(k), *two = column(k + 1);
  one[k + 1] = 0;  // L's diagonal block is the identity
  for (int i = k + 2; i < size_; ++i) {
    const double x = first_[std::size_t(i)], y = second_[std::size_t(i)];
    one[i] = ia * x + ib * y;
    two[i] = ib * x + ic * y;
  }
  d[2 * k] = a;
  d[2 * k + 1] = b;
  d[2 * k + 2] = c;
  d[2 * k + 3] = 0;
  eliminated_ = k + 2;
  return true;
}

// Tries a column as a single pivot, then its largest partner as a single pivot, then both as a pair; false if none is stable.
bool DenseFront::take_pivot(int index, double* d) {
  load_column(index, first_.data());
  const Size size = measure(first_.data(), index, index);
  const double a = first_[std::size_t(index)];
  if (std::abs(a) > zero_ && std::abs(a) >= stability * size.largest) return take_single(index, first_.data(), d);
  if (size.at < 0 || std::max(size.largest, std::abs(a)) <= zero_) return false;
  const int partner = size.at;
  load_column(partner, second_.data());
  const double b = first_[std::size_t(partner)], c = second_[std::size_t(partner)];
  const double rest_first = measure(first_.data(), index, partner).largest,
               rest_second = measure(second_.data(), index, partner).largest;
  if (std::abs(c) > zero_ && std::abs(c) >= stability * std::max(rest_second, std::abs(b)))
    return take_single(partner, second_.data(), d);
  const double determinant = std::abs(a * c - b * b), largest = std::max({std::abs(a), std::abs(b), std::abs(c)});
  // The 2x2 pivot must be regular, and its inverse times the two columns no larger than 1 / stability in any row.
  const bool is_regular = determinant > zero_ * largest && determinant > 1e-3 * largest * largest * stability;
  const bool is_stable = stability * (std::abs(c) * rest_first + std::abs(b) * rest_second) <= determinant &&
                         stability * (std::abs(b) * rest_first + std::abs(a) * rest_second) <= determinant;
  return is_regular && is_stable && take_pair(index, partner, d);
}

// Updates the Schur complement by the panel, F -= L (L D)^T, in the lower triangle. Blocks of columns make it matrix products.
void DenseFront::update_rest() {
  const int pivots = eliminated_ - panel_begin_;
  const double minus_one = -1, one = 1;
  for (int begin = eliminated_; begin < size_ && pivots > 0; begin += update_width) {
    const int rows = size_ - begin, columns = std::min(update_width, rows);
    dgemm_("N", "T", &rows, &columns, &pivots, &minus_one, column(panel_begin_) + begin, &size_, panel(0) + begin, &size_, &one,
           column(begin) + begin, &size_);
  }
  panel_begin_ = eliminated_;
}

int DenseFront::eliminate(int candidates, double zero, int* ids, double* d) {
  candidates_ = candidates;
  eliminated_ = panel_begin_ = 0;
  zero_ = zero;
  ids_ = ids;
  // Candidates are tried in turns until all that are left were refused one after the other: a refused column may become a
  // stable pivot after others.
  int next = 0, refused_in_a_row = 0;
  while (refused_in_a_row < candidates - eliminated_) {
    if (next >= candidates) next = eliminated_;
    if (take_pivot(next, d)) {
      refused_in_a_row = 0;
      next = std::max(next, eliminated_);
      if (eliminated_ - panel_begin_ >= panel_width) update_rest();
    } else {
      ++refused_in_a_row;
      ++next;
    }
  }
  update_rest();
  return eliminated_;
}

}  // namespace holo
