#pragma once
// SuiteSparse KLU: one analysis for a pattern, one factorization for each matrix of it. [Davis2010]

#include <klu.h>

#include <memory>
#include <vector>

#include "holo/opt/optimal_control_problem.h"

namespace holo {

// The ordering of a pattern, and where its blocks are. Read by all factors of the pattern.
class KluAnalysis {
 public:
  // Throws Error(internal) for a pattern that KLU refuses; `is_singular` for one that no values make regular.
  explicit KluAnalysis(const StagePattern& pattern);
  ~KluAnalysis();
  KluAnalysis(const KluAnalysis&) = delete;
  KluAnalysis& operator=(const KluAnalysis&) = delete;

  bool is_singular() const { return symbolic_ == nullptr || symbolic_->structural_rank < size_; }
  int size() const { return size_; }
  int value_count() const { return int(rows_.size()); }
  klu_symbolic* symbolic() const { return symbolic_; }
  int* columns() const { return const_cast<int*>(columns_.data()); }
  int* rows() const { return const_cast<int*>(rows_.data()); }
  const klu_common& settings() const { return settings_; }

 private:
  int size_;
  std::vector<int> columns_, rows_;
  klu_common settings_;
  klu_symbolic* symbolic_ = nullptr;
};

class KluFactor {
 public:
  // A stage's values are `values[entry * stride]`.
  explicit KluFactor(std::shared_ptr<const KluAnalysis> analysis);
  ~KluFactor();
  KluFactor(const KluFactor&) = delete;
  KluFactor& operator=(const KluFactor&) = delete;

  // Factors with the pivots of the last factorization if the entries grow by less than 1e8, else with new ones. False if the
  // matrix is singular.
  bool factor(const double* values, int stride);
  // Up to four right-hand sides, [column][row]: filled by the caller, overwritten by the solutions.
  static constexpr int largest_count = 4;
  double* right_sides() { return x_.data(); }
  void solve(int count);
  void solve_transposed(int count);

  // Rows and columns in the order of pivots, and where the diagonal blocks begin [blocks + 1].
  struct Order {
    std::vector<int> rows, columns, blocks;
  };
  Order order();

 private:
  bool factor_anew();
  bool is_regular();

  std::shared_ptr<const KluAnalysis> analysis_;
  klu_common common_;
  klu_numeric* numeric_ = nullptr;
  std::vector<double> values_, x_;
};

}  // namespace holo
