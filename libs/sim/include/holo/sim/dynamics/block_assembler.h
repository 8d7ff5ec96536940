#pragma once
// Assembler of the 3x3 blocks of a sparse Hessian: blocks of elements, whose pattern is fixed, and blocks of changing pairs of
// vertices (contacts). The matrix is the lower triangle: complete blocks below the diagonal, and lower triangles on it.
//
//   assembler.begin(hessian, &prescribed);
//   for (auto& term : terms) term->add_hessian(x, curvature, assembler);
//   if (assembler.finish() == PatternChange::changed) ...       // the symbolic factorization must be made anew
//
// Blocks outside of the fixed pattern stay in the pattern, with zeros, after the assembly that needed them: a set of contacts
// that only loses some, or gets back what it had, keeps the symbolic factorization. When new ones come, those not in use are
// removed if they outnumber the others. A time step begins with the blocks that it needs (begin_step): the pattern, and with it
// the order of elimination and the last digits, depends on nothing before the step.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"
#include "holo/opt/newton.h"

namespace holo {

class BlockAssembler {
 public:
  // `fixed`: the fixed pattern, with all diagonal blocks.
  explicit BlockAssembler(const SparseMatrix& fixed);

  // One without a pattern, which only collects the blocks that terms add (collect, each_block).
  BlockAssembler() = default;
  // The same, with factors of the identity for so many vertices.
  explicit BlockAssembler(int vertex_count) : identity_(static_cast<std::size_t>(vertex_count), 0.0) {}
  // Forgets all blocks and factors; none are eliminated.
  void collect() {
    keys_.clear();
    blocks_.clear();
    rank_ = 0;
    std::fill(identity_.begin(), identity_.end(), 0.0);
  }
  // result [3 * vertex] += H direction, where H is the sum of all that was collected, of low rank too.
  void add_product(const Eigen::VectorXd& direction, Eigen::VectorXd& result) const;
  // visit(row, column, block) for each block that was added, with row >= column, in the order of the calls.
  template <class Visit>
  void each_block(Visit visit) const {
    for (const Key& key : keys_) visit(key.row, key.column, blocks_[key.number]);
  }

  // After the next assembly the pattern is the fixed one with the blocks of that assembly, without those of earlier ones.
  void begin_step() { step_begins_ = true; }

  // Starts an assembly into `hessian`, whose values are lost; it and `eliminated` [vertex] must live until `finish`. Rows and
  // columns of vertices with eliminated[vertex] != 0 become those of a diagonal matrix; null: none.
  void begin(SparseMatrix& hessian, const std::vector<std::uint8_t>* eliminated);
  bool is_eliminated(int vertex) const {
    return eliminated_ != nullptr && (*eliminated_)[static_cast<std::size_t>(vertex)] != 0;
  }

  // Adds factor times the identity to a diagonal block, between `begin` and `finish`. Different vertices may be added by
  // different threads.
  void add_identity(int vertex, double factor) { identity_[static_cast<std::size_t>(vertex)] += factor; }
  // block [column-major 3x3] at the vertices (row, column), and its transpose at (column, row); of row == column the block is
  // symmetric. Anywhere in the matrix, from one thread; equal entries are summed in the order of the calls.
  void add_block(int row, int column, const std::array<double, 9>& block);
  // Adds U C U^T, which the matrix does not have: U [3 * vertex][rank], a symmetric C [rank][rank]. From one thread.
  void add_low_rank(const Eigen::MatrixXd& columns, const Eigen::MatrixXd& core);
  // The sum of these of the last assembly; null: there are none.
  const LowRankMatrix* low_rank() const { return rank_ > 0 ? &low_rank_ : nullptr; }
  LowRankMatrix* low_rank() { return rank_ > 0 ? &low_rank_ : nullptr; }
  // The values of the fixed pattern, for the one term that sums elements: it writes all of them, 0 in eliminated rows and
  // columns. Throws Error(internal) for a second caller in one assembly.
  double* take_fixed_values();

  // Completes the matrix. Returns whether its pattern differs from that at `begin`.
  PatternChange finish();

  // The sum of the factors of add_identity() at a vertex in the last assembly.
  double identity(int vertex) const { return identity_[static_cast<std::size_t>(vertex)]; }
  // The diagonal entries of an eliminated vertex: `identity`, or 1 if that is 0.
  double eliminated_diagonal(int vertex) const { return identity(vertex) > 0 ? identity(vertex) : 1; }
  int vertex_count() const { return static_cast<int>(identity_.size()); }

 private:
  struct Key {
    int column, row;     // vertices, row >= column
    std::size_t number;  // of the call
  };
  // The 3x3 entries below the diagonal: [block column + 1] first of each column, [entry] block row, ascending.
  struct Entries {
    std::vector<int> begin, row;
    int find(int column, int row) const;  // the entry; -1: none
  };

  static Entries entries_of(const SparseMatrix& matrix);
  bool covers_blocks() const;
  std::size_t count_blocks_beyond_fixed() const;
  void grow_pattern();
  void make_matrix(const Entries& entries);
  void scatter_fixed();
  void add_blocks();
  void add_diagonals();
  PatternChange write_pattern();

  SparseMatrix fixed_, pattern_;  // `pattern_`: the fixed one and the blocks of contacts
  Entries fixed_entries_, entries_;
  std::vector<int> entry_of_fixed_;   // [entry of fixed_] in `entries_`
  bool only_fixed_ = true;            // pattern_ is that of fixed_
  std::vector<double> fixed_values_;  // while it is not
  std::vector<double> identity_;      // [vertex]
  std::vector<Key> keys_;
  std::vector<std::array<double, 9>> blocks_;  // [number]
  LowRankMatrix low_rank_;                     // its first `rank_` columns
  Eigen::Index rank_ = 0;
  SparseMatrix* hessian_ = nullptr;
  const std::vector<std::uint8_t>* eliminated_ = nullptr;
  bool fixed_taken_ = false, changed_ = false, step_begins_ = false;
  const int* written_rows_ = nullptr;  // row indices of the matrix that is known to have the pattern
};

}  // namespace holo
