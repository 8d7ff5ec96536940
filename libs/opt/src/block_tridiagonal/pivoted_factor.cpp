#include "block_tridiagonal/pivoted_factor.h"

#include <cmath>
#include <cstdlib>
#include <vector>

namespace holo {

namespace {

class PivotedFactor final : public SystemFactor {
 public:
  explicit PivotedFactor(MatrixKind kind) : kind_(kind), solver_(make_sparse_solver({.matrix = kind})) {}

  bool factor(const ScaledSystem& system) override {
    assemble(system);
    if (!is_analyzed_ || !solver_->has_pattern_of(matrix_)) solver_->analyze(matrix_);
    is_analyzed_ = true;
    const bool is_factorized = solver_->factorize(matrix_);
    wrong_signs_ = 0;
    if (const auto found = inertia(); is_factorized && found) {
      Eigen::Index positive = 0;
      for (Eigen::Index row = 0; row < matrix_.rows(); ++row) positive += system.signs[row] > 0;
      wrong_signs_ = int((std::abs(found->positive - positive) + std::abs(found->negative - (matrix_.rows() - positive))) / 2);
    }
    return is_factorized;
  }

  void solve(double* x, int columns) override {
    Eigen::Map<Eigen::MatrixXd> map(x, matrix_.rows(), columns);
    solver_->solve(map, map);
  }

  std::optional<MatrixInertia> inertia() const override { return solver_->inertia(); }
  int wrong_signs() const override { return wrong_signs_; }

 private:
  void assemble(const ScaledSystem& system);

  MatrixKind kind_;
  std::unique_ptr<SparseSolver> solver_;
  SparseMatrix matrix_;  // the lower triangle, or of LU all of it
  std::vector<Eigen::Triplet<double>> entries_;
  bool is_analyzed_ = false;
  int wrong_signs_ = 0;
};

// The nonzeros of the blocks. The diagonal is always part of the pattern.
void PivotedFactor::assemble(const ScaledSystem& system) {
  const BlockTridiagonalShape& shape = system.matrix.shape;
  const int size = shape.block_size, ld = shape.leading_dimension();
  entries_.clear();
  const auto add = [&](int row, int column, double value) {
    if (value == 0 && row != column) return;
    value *= system.scales[row] * system.scales[column];
    if (row == column) value += system.shift_of(std::size_t(row));
    entries_.emplace_back(row, column, value);
    if (kind_ == MatrixKind::general && row != column) entries_.emplace_back(column, row, value);
  };
  for (int block = 0; block < shape.blocks; ++block) {
    const double* diagonal = system.matrix.diagonal_block(system.system, block);
    for (int column = 0; column < size; ++column)
      for (int row = column; row < size; ++row) add(block * size + row, block * size + column, diagonal[column * ld + row]);
    if (block + 1 == shape.blocks) break;
    const double* below = system.matrix.subdiagonal_block(system.system, block);
    for (int column = 0; column < size; ++column)
      for (int row = 0; row < size; ++row) add((block + 1) * size + row, block * size + column, below[column * ld + row]);
  }
  matrix_.resize(Eigen::Index(shape.system_rows()), Eigen::Index(shape.system_rows()));
  matrix_.setFromTriplets(entries_.begin(), entries_.end());
}

}  // namespace

std::unique_ptr<SystemFactor> make_pivoted_factor(MatrixKind kind) { return std::make_unique<PivotedFactor>(kind); }

}  // namespace holo
