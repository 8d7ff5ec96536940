#include "holo/sim/dynamics/block_assembler.h"

#include <algorithm>
#include <tuple>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"

namespace holo {
namespace {

constexpr std::size_t chunk_columns = 256;  // block columns of one piece of a parallel loop

bool has_pattern(const SparseMatrix& matrix, const SparseMatrix& pattern) {
  return matrix.cols() == pattern.cols() && matrix.nonZeros() == pattern.nonZeros() &&
         std::equal(pattern.outerIndexPtr(), pattern.outerIndexPtr() + pattern.cols() + 1, matrix.outerIndexPtr()) &&
         std::equal(pattern.innerIndexPtr(), pattern.innerIndexPtr() + pattern.nonZeros(), matrix.innerIndexPtr());
}

}  // namespace

BlockAssembler::BlockAssembler(const SparseMatrix& fixed) : fixed_(fixed) {
  fixed_entries_ = entries_ = entries_of(fixed_);
  pattern_ = fixed_;
  identity_.assign(static_cast<std::size_t>(fixed_.cols() / 3), 0.0);
}

// The rows below the diagonal, read off the first scalar column of each block column: it has the three rows of the diagonal
// block, then three for each entry.
BlockAssembler::Entries BlockAssembler::entries_of(const SparseMatrix& matrix) {
  Entries entries;
  entries.begin = {0};
  for (Eigen::Index column = 0; column < matrix.cols(); column += 3) {
    for (int scalar = matrix.outerIndexPtr()[column] + 3; scalar < matrix.outerIndexPtr()[column + 1]; scalar += 3)
      entries.row.push_back(matrix.innerIndexPtr()[scalar] / 3);
    entries.begin.push_back(static_cast<int>(entries.row.size()));
  }
  return entries;
}

int BlockAssembler::Entries::find(int column, int wanted) const {
  const auto first = row.begin() + begin[static_cast<std::size_t>(column)],
             last = row.begin() + begin[static_cast<std::size_t>(column) + 1];
  const auto found = std::lower_bound(first, last, wanted);
  return found != last && *found == wanted ? static_cast<int>(found - row.begin()) : -1;
}

void BlockAssembler::begin(SparseMatrix& hessian, const std::vector<std::uint8_t>* eliminated) {
  hessian_ = &hessian;
  eliminated_ = eliminated;
  fixed_taken_ = false;
  keys_.clear();
  blocks_.clear();
  rank_ = 0;
  std::fill(identity_.begin(), identity_.end(), 0.0);
  changed_ = write_pattern() == PatternChange::changed;
}

// A matrix that was written before is known by its memory: comparing all indices costs a few percent of an assembly.
PatternChange BlockAssembler::write_pattern() {
  const bool known = hessian_->nonZeros() == pattern_.nonZeros() && hessian_->innerIndexPtr() == written_rows_;
  const bool kept = known || has_pattern(*hessian_, pattern_);
  if (!kept) *hessian_ = pattern_;
  written_rows_ = hessian_->innerIndexPtr();
  return kept ? PatternChange::unchanged : PatternChange::changed;
}

// While the pattern is the fixed one, the term of the elements writes right into the matrix; else into memory of its own, from
// where `scatter_fixed` spreads it over the wider pattern.
double* BlockAssembler::take_fixed_values() {
  if (fixed_taken_) throw Error(Failure::internal, "two terms fill the blocks of elements in one assembly.");
  fixed_taken_ = true;
  return only_fixed_ ? hessian_->valuePtr() : fixed_values_.data();
}

void BlockAssembler::add_block(int row, int column, const std::array<double, 9>& block) {
  if (is_eliminated(row) || is_eliminated(column)) return;
  if (row >= column) {
    blocks_.push_back(block);
  } else {
    blocks_.push_back({block[0], block[3], block[6], block[1], block[4], block[7], block[2], block[5], block[8]});
    std::swap(row, column);
  }
  keys_.push_back({column, row, keys_.size()});
}

// One term of the same rank in each assembly keeps its memory.
void BlockAssembler::add_low_rank(const Eigen::MatrixXd& columns, const Eigen::MatrixXd& core) {
  const Eigen::Index before = rank_;
  rank_ += columns.cols();
  if (low_rank_.columns.rows() != columns.rows()) low_rank_.columns.resize(columns.rows(), 0);
  if (low_rank_.columns.cols() != rank_) low_rank_.columns.conservativeResize(Eigen::NoChange, rank_);
  if (low_rank_.core.cols() != rank_) low_rank_.core.conservativeResize(rank_, rank_);
  low_rank_.columns.rightCols(columns.cols()) = columns;
  low_rank_.core.rightCols(columns.cols()).setZero();
  low_rank_.core.bottomRows(columns.cols()).setZero();
  low_rank_.core.block(before, before, columns.cols(), columns.cols()) = core;
}

// A block below the diagonal stands for its transpose above, too.
void BlockAssembler::add_product(const Eigen::VectorXd& direction, Eigen::VectorXd& result) const {
  using Block = Eigen::Map<const Eigen::Matrix3d>;
  for (int vertex = 0; vertex < vertex_count(); ++vertex)
    result.segment<3>(3 * vertex) += identity(vertex) * direction.segment<3>(3 * vertex);
  for (const Key& key : keys_) {
    const Block block(blocks_[key.number].data());
    result.segment<3>(3 * key.row) += block * direction.segment<3>(3 * key.column);
    if (key.row != key.column) result.segment<3>(3 * key.column) += block.transpose() * direction.segment<3>(3 * key.row);
  }
  if (rank_ > 0) result += low_rank_.columns * (low_rank_.core * (low_rank_.columns.transpose() * direction)).eval();
}

// Blocks were only collected so far. Sorted by entry, and within one by the order of the calls, they are summed in an order
// that does not depend on how the pattern grew.
PatternChange BlockAssembler::finish() {
  if (!fixed_taken_) {
    double* values = take_fixed_values();
    std::fill(values, values + fixed_.nonZeros(), 0.0);
  }
  std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
    return std::tie(a.column, a.row, a.number) < std::tie(b.column, b.row, b.number);
  });
  const std::size_t blocks_before = entries_.row.size() - fixed_entries_.row.size();
  if (!covers_blocks() || (step_begins_ && blocks_before != count_blocks_beyond_fixed())) grow_pattern();
  step_begins_ = false;
  if (!only_fixed_) scatter_fixed();
  add_blocks();
  add_diagonals();
  eliminated_ = nullptr;
  return changed_ ? PatternChange::changed : PatternChange::unchanged;
}

bool BlockAssembler::covers_blocks() const {
  return std::all_of(keys_.begin(), keys_.end(),
                     [&](const Key& key) { return key.row == key.column || entries_.find(key.column, key.row) >= 0; });
}

// Of this assembly, sorted.
std::size_t BlockAssembler::count_blocks_beyond_fixed() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const Key& key = keys_[i];
    const bool is_first = i == 0 || key.column != keys_[i - 1].column || key.row != keys_[i - 1].row;
    count += is_first && key.row != key.column && fixed_entries_.find(key.column, key.row) < 0;
  }
  return count;
}

// The fixed pattern, the blocks of this assembly, and those of earlier ones in the same time step unless they outnumber these.
void BlockAssembler::grow_pattern() {
  if (only_fixed_) fixed_values_.assign(hessian_->valuePtr(), hessian_->valuePtr() + fixed_.nonZeros());
  const auto columns = static_cast<int>(identity_.size());
  std::vector<std::vector<int>> used(static_cast<std::size_t>(columns));
  std::size_t count = 0, before = entries_.row.size() - fixed_entries_.row.size();
  for (const Key& key : keys_) {
    std::vector<int>& rows = used[static_cast<std::size_t>(key.column)];
    if (key.row == key.column || fixed_entries_.find(key.column, key.row) >= 0 || (!rows.empty() && rows.back() == key.row))
      continue;
    rows.push_back(key.row);
    before -= entries_.find(key.column, key.row) >= 0;
    ++count;
  }
  const Entries& kept = !step_begins_ && before <= count ? entries_ : fixed_entries_;
  Entries grown;
  grown.begin = {0};
  for (int column = 0; column < columns; ++column) {
    const auto c = static_cast<std::size_t>(column);
    std::set_union(kept.row.begin() + kept.begin[c], kept.row.begin() + kept.begin[c + 1], used[c].begin(), used[c].end(),
                   std::back_inserter(grown.row));
    grown.begin.push_back(static_cast<int>(grown.row.size()));
  }
  make_matrix(grown);
  changed_ |= write_pattern() == PatternChange::changed;
}

// Sets the pattern of the matrix to the given entries, and notes where the fixed ones are in it.
void BlockAssembler::make_matrix(const Entries& entries) {
  entries_ = entries;
  only_fixed_ = false;
  entry_of_fixed_.resize(fixed_entries_.row.size());
  pattern_.resizeNonZeros(static_cast<Eigen::Index>(9 * entries.row.size() + 6 * identity_.size()));
  int next = 0;
  for (int column = 0; column < vertex_count(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int entry = fixed_entries_.begin[c]; entry < fixed_entries_.begin[c + 1]; ++entry)
      entry_of_fixed_[static_cast<std::size_t>(entry)] =
          entries_.find(column, fixed_entries_.row[static_cast<std::size_t>(entry)]);
    for (int j = 0; j < 3; ++j) {
      pattern_.outerIndexPtr()[3 * column + j] = next;
      for (int i = j; i < 3; ++i) pattern_.innerIndexPtr()[next++] = 3 * column + i;
      for (int entry = entries.begin[c]; entry < entries.begin[c + 1]; ++entry)
        for (int i = 0; i < 3; ++i) pattern_.innerIndexPtr()[next++] = 3 * entries.row[static_cast<std::size_t>(entry)] + i;
    }
  }
  pattern_.outerIndexPtr()[3 * vertex_count()] = next;
  std::fill(pattern_.valuePtr(), pattern_.valuePtr() + next, 0.0);
  written_rows_ = nullptr;
}

// Copies the values of the fixed pattern into the wider one: in each scalar column the triangle of the diagonal block stays in
// front, and each entry below goes to its new place.
void BlockAssembler::scatter_fixed() {
  std::fill(hessian_->valuePtr(), hessian_->valuePtr() + hessian_->nonZeros(), 0.0);
  parallel_for(identity_.size(), chunk_columns, [this](std::size_t first, std::size_t last) {
    for (std::size_t column = first; column < last; ++column)
      for (std::size_t j = 0; j < 3; ++j) {
        const double* from = fixed_values_.data() + fixed_.outerIndexPtr()[3 * column + j];
        double* to = hessian_->valuePtr() + hessian_->outerIndexPtr()[3 * column + j];
        to = std::copy_n(from, 3 - j, to);
        from += 3 - j;
        for (int entry = fixed_entries_.begin[column]; entry < fixed_entries_.begin[column + 1]; ++entry, from += 3)
          std::copy_n(from, 3, to + 3 * (entry_of_fixed_[static_cast<std::size_t>(entry)] - entries_.begin[column]));
      }
  });
}

// A diagonal block stores its lower triangle only: column j begins with row j. The entries below follow in threes.
void BlockAssembler::add_blocks() {
  for (const Key& key : keys_) {
    const std::array<double, 9>& block = blocks_[key.number];
    const int entry =
        key.row == key.column ? -1 : entries_.find(key.column, key.row) - entries_.begin[static_cast<std::size_t>(key.column)];
    for (int j = 0; j < 3; ++j) {
      double* values = hessian_->valuePtr() + hessian_->outerIndexPtr()[3 * key.column + j];
      for (int i = entry < 0 ? j : 0; i < 3; ++i)
        (entry < 0 ? values[i - j] : values[3 - j + 3 * entry + i]) += block[static_cast<std::size_t>(3 * j + i)];
    }
  }
}

void BlockAssembler::add_diagonals() {
  for (int vertex = 0; vertex < vertex_count(); ++vertex) {
    const double diagonal = is_eliminated(vertex) ? eliminated_diagonal(vertex) : identity(vertex);
    for (int j = 0; j < 3; ++j) hessian_->valuePtr()[hessian_->outerIndexPtr()[3 * vertex + j]] += diagonal;
  }
}

}  // namespace holo
