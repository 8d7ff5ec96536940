#include "staged/arrow/lane_lu.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "staged/arrow/lane_access.h"

namespace holo {

LaneLu::LaneLu(const StagePattern& pattern, const KluFactor::Order& order, const double* values, int stride)
    : size_(int(pattern.cols())),
      rows_(order.rows),
      columns_(order.columns),
      blocks_(order.blocks),
      pivot_of_row_(order.rows.size()),
      block_of_(order.rows.size()),
      row_scales_(order.rows.size()) {
  for (int k = 0; k < size_; ++k) pivot_of_row_[std::size_t(rows_[std::size_t(k)])] = k;
  for (std::size_t b = 0; b + 1 < blocks_.size(); ++b)
    for (int k = blocks_[b]; k < blocks_[b + 1]; ++k) block_of_[std::size_t(k)] = int(b);
  for (int i = 0; i < int(pattern.nonZeros()); ++i) {
    double& scale = row_scales_[std::size_t(pattern.innerIndexPtr()[i])];
    scale = std::max(scale, std::abs(values[i * stride]));
  }
  for (double& scale : row_scales_) scale = scale > 0 ? 1 / scale : 1;
  find_entries(pattern);
  find_fill();
}

// Entries of A by columns in the order of pivots: those of the diagonal block first, by rows, then those above it, which no
// elimination changes (F).
void LaneLu::find_entries(const StagePattern& pattern) {
  entries_.starts.push_back(0);
  for (int k = 0; k < size_; ++k) {
    const int column = columns_[std::size_t(k)];
    std::vector<std::pair<int, int>> found;  // pivot of the row, value
    for (int i = pattern.outerIndexPtr()[column]; i < pattern.outerIndexPtr()[column + 1]; ++i)
      found.emplace_back(pivot_of_row_[std::size_t(pattern.innerIndexPtr()[i])], i);
    const int block_begin = blocks_[std::size_t(block_of_[std::size_t(k)])];
    std::sort(found.begin(), found.end());
    const auto middle =
        std::stable_partition(found.begin(), found.end(), [&](const auto& e) { return e.first >= block_begin; });
    entry_block_end_.push_back(entries_.starts.back() + int(middle - found.begin()));
    for (const auto& [row, value] : found) {
      entries_.rows.push_back(row);
      entry_values_.push_back(value);
    }
    entries_.starts.push_back(int(entries_.rows.size()));
  }
}

// The patterns of L and U. Column j of the factor has the entries of A and, for each row k < j among them, the pattern of
// column k of L: a set in ascending order, to which the loop adds while it goes on. Sums that happen to be zero count as
// entries.
void LaneLu::find_fill() {
  lower_.starts.push_back(0);
  upper_.starts.push_back(0);
  for (int j = 0; j < size_; ++j) {
    const auto column = std::size_t(j);
    std::set<int> filled(entries_.rows.begin() + entries_.starts[column], entries_.rows.begin() + entry_block_end_[column]);
    filled.insert(j);
    for (auto k = filled.begin(); *k < j; ++k)
      filled.insert(lower_.rows.begin() + lower_.starts[std::size_t(*k)],
                    lower_.rows.begin() + lower_.starts[std::size_t(*k) + 1]);
    for (int row : filled)
      if (row != j) (row < j ? upper_ : lower_).rows.push_back(row);
    upper_block_end_.push_back(int(upper_.rows.size()));
    upper_.rows.insert(upper_.rows.end(), entries_.rows.begin() + entry_block_end_[column],
                       entries_.rows.begin() + entries_.starts[column + 1]);
    upper_.starts.push_back(int(upper_.rows.size()));
    lower_.starts.push_back(int(lower_.rows.size()));
  }
  upper_offset_ = int(lower_.rows.size());
  diagonal_offset_ = upper_offset_ + int(upper_.rows.size());
}

// Follows the right-hand side through the solve symbolically: each nonzero pivot makes the rows of its column of L, or of U and
// F, nonzero. Blocks from the last to the first, as the solve goes.
LaneLu::Reach LaneLu::reach(const std::vector<int>& rows) const {
  std::vector<char> reached(std::size_t(size_), 0);
  for (int row : rows) reached[std::size_t(pivot_of_row(row))] = 1;
  Reach result;
  auto mark = [&](const Columns& columns, int k) {
    for (int t = columns.starts[std::size_t(k)]; t < columns.starts[std::size_t(k) + 1]; ++t)
      reached[std::size_t(columns.rows[std::size_t(t)])] = 1;
  };
  for (std::size_t b = blocks_.size() - 1; b-- > 0;) {
    for (int k = blocks_[b]; k < blocks_[b + 1]; ++k)
      if (reached[std::size_t(k)] && lower_.starts[std::size_t(k)] < lower_.starts[std::size_t(k) + 1])
        result.steps.push_back(k), mark(lower_, k);
    for (int k = blocks_[b + 1] - 1; k >= blocks_[b]; --k)
      if (reached[std::size_t(k)]) result.steps.push_back(~k), mark(upper_, k);
  }
  for (int k = 0; k < size_; ++k)
    if (reached[std::size_t(k)]) result.pivots.push_back(k);
  return result;
}

// Column j of S A within its diagonal block, with zeros where the factor has fill. Returns the size of its largest entry.
LaneBlock LaneLu::scatter_column(int j, const double* values, double* work) const {
  const auto column = std::size_t(j);
  for (int t = upper_.starts[column]; t < upper_block_end_[column]; ++t) store(work, upper_.rows[std::size_t(t)], LaneBlock(0));
  for (int t = lower_.starts[column]; t < lower_.starts[column + 1]; ++t)
    store(work, lower_.rows[std::size_t(t)], LaneBlock(0));
  store(work, j, LaneBlock(0));
  LaneBlock largest(0);
  for (int t = entries_.starts[column]; t < entry_block_end_[column]; ++t) {
    const int row = entries_.rows[std::size_t(t)];
    const LaneBlock value = load(values, entry_values_[std::size_t(t)]) * LaneBlock(row_scale(this->row(row)));
    largest = max(largest, abs(value));
    store(work, row, value);
  }
  return largest;
}

// Column j of F: the entries of S A above the diagonal block, as they are.
void LaneLu::store_above_block(int j, const double* values, double* upper) const {
  const auto column = std::size_t(j);
  for (int t = entry_block_end_[column]; t < entries_.starts[column + 1]; ++t) {
    const int target = upper_block_end_[column] + t - entry_block_end_[column];
    const int row = this->row(entries_.rows[std::size_t(t)]);
    store(upper, target, load(values, entry_values_[std::size_t(t)]) * LaneBlock(row_scale(row)));
  }
}

// Left-looking elimination, a column at a time: the column of A is scattered into `work`, each earlier column k of L that its
// pattern names is subtracted u_kj times, and the rest is divided by the pivot. `tall` [pivot] bounds |L| |U| without further
// loops.
LaneLu::Quality LaneLu::factor(const double* values, double* factor, double* work) const {
  double* upper = factor + upper_offset_ * stage_lanes;
  double* diagonal = factor + diagonal_offset_ * stage_lanes;
  LaneBlock growth(0), smallest(INFINITY), largest(0), poison(0);  // 0 x is NaN for infinite and NaN x
  double* tall = work + size_ * stage_lanes;                       // the largest |L| of each column
  for (int j = 0; j < size_; ++j) {
    const auto column = std::size_t(j);
    const int upper_begin = upper_.starts[column], upper_end = upper_block_end_[column];
    const int lower_begin = lower_.starts[column], lower_end = lower_.starts[column + 1];
    const LaneBlock entry_size = scatter_column(j, values, work);
    LaneBlock factor_size(0);
    for (int t = upper_begin; t < upper_end; ++t) {
      const int k = upper_.rows[std::size_t(t)];
      const LaneBlock u = load(work, k);
      store(upper, t, u);
      factor_size = max(factor_size, abs(u) * load(tall, k));
      for (int i = lower_.starts[std::size_t(k)]; i < lower_.starts[std::size_t(k) + 1]; ++i) {
        const int row = lower_.rows[std::size_t(i)];
        store(work, row, load(work, row) - load(factor, i) * u);
      }
    }
    const LaneBlock pivot = load(work, j), reciprocal = LaneBlock(1) / pivot;
    store(diagonal, j, reciprocal);
    LaneBlock tallest(1);
    for (int t = lower_begin; t < lower_end; ++t) {
      const LaneBlock l = load(work, lower_.rows[std::size_t(t)]) * reciprocal;
      store(factor, t, l);
      tallest = max(tallest, abs(l));
    }
    store(tall, j, tallest);
    factor_size = max(factor_size, abs(pivot) * tallest);
    growth = max(growth, factor_size / entry_size);
    smallest = min(smallest, abs(pivot));
    largest = max(largest, abs(pivot));
    poison += pivot * LaneBlock(0);
    store_above_block(j, values, upper);
  }
  return {growth, smallest / largest + poison};
}

// Block back substitution: in each block L and then U, whose columns also contain F and so update the blocks above.
void LaneLu::solve(const double* factor, double* x, double* work) const {
  const double* upper = factor + upper_offset_ * stage_lanes;
  const double* diagonal = factor + diagonal_offset_ * stage_lanes;
  for (int k = 0; k < size_; ++k) store(work, k, load(x, row(k)) * LaneBlock(row_scale(row(k))));
  for (std::size_t b = blocks_.size() - 1; b-- > 0;) {
    for (int k = blocks_[b]; k < blocks_[b + 1]; ++k) {
      const LaneBlock y = load(work, k);
      for (int t = lower_.starts[std::size_t(k)]; t < lower_.starts[std::size_t(k) + 1]; ++t) {
        const int i = lower_.rows[std::size_t(t)];
        store(work, i, load(work, i) - load(factor, t) * y);
      }
    }
    for (int k = blocks_[b + 1] - 1; k >= blocks_[b]; --k) {
      const LaneBlock y = load(work, k) * load(diagonal, k);
      store(work, k, y);
      for (int t = upper_.starts[std::size_t(k)]; t < upper_.starts[std::size_t(k) + 1]; ++t) {
        const int i = upper_.rows[std::size_t(t)];
        store(work, i, load(work, i) - load(upper, t) * y);
      }
    }
  }
  for (int k = 0; k < size_; ++k) store(x, column(k), load(work, k));
}

// The same in the opposite order with rows for columns: F^T and U^T, then L^T.
void LaneLu::solve_transposed(const double* factor, double* x, double* work) const {
  const double* upper = factor + upper_offset_ * stage_lanes;
  const double* diagonal = factor + diagonal_offset_ * stage_lanes;
  for (std::size_t b = 0; b + 1 < blocks_.size(); ++b) {
    for (int k = blocks_[b]; k < blocks_[b + 1]; ++k) {
      LaneBlock y = load(x, column(k));
      for (int t = upper_.starts[std::size_t(k)]; t < upper_.starts[std::size_t(k) + 1]; ++t)
        y -= load(upper, t) * load(work, upper_.rows[std::size_t(t)]);
      store(work, k, y * load(diagonal, k));
    }
    for (int k = blocks_[b + 1] - 1; k >= blocks_[b]; --k) {
      LaneBlock y = load(work, k);
      for (int t = lower_.starts[std::size_t(k)]; t < lower_.starts[std::size_t(k) + 1]; ++t)
        y -= load(factor, t) * load(work, lower_.rows[std::size_t(t)]);
      store(work, k, y);
    }
  }
  for (int k = 0; k < size_; ++k) store(x, row(k), load(work, k) * LaneBlock(row_scale(row(k))));
}

// Only the steps of the reach, in its order; the caller permutes and scales.
void LaneLu::solve_four(const double* factor, const Reach& reach, double* y) const {
  const double* upper = factor + upper_offset_ * stage_lanes;
  const double* diagonal = factor + diagonal_offset_ * stage_lanes;
  auto subtract = [y](const double* values, const std::vector<int>& rows, int begin, int end, const LaneBlock* x) {
    for (int t = begin; t < end; ++t) {
      const LaneBlock value = load(values, t);
      const int i = 4 * rows[std::size_t(t)];
      for (int c = 0; c < 4; ++c) store(y, i + c, load(y, i + c) - value * x[c]);
    }
  };
  for (int step : reach.steps) {
    const int k = step >= 0 ? step : ~step;
    LaneBlock x[4];
    for (int c = 0; c < 4; ++c) x[c] = load(y, 4 * k + c);
    if (step >= 0) {
      subtract(factor, lower_.rows, lower_.starts[std::size_t(k)], lower_.starts[std::size_t(k) + 1], x);
    } else {
      const LaneBlock reciprocal = load(diagonal, k);
      for (int c = 0; c < 4; ++c) store(y, 4 * k + c, x[c] *= reciprocal);
      subtract(upper, upper_.rows, upper_.starts[std::size_t(k)], upper_.starts[std::size_t(k) + 1], x);
    }
  }
}

}  // namespace holo
