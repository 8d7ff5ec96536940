#pragma once
// Saddle-point systems of trajectories, whose unknowns and constraints come in points along time: by the block-tridiagonal
// solver without pivoting.
//
//   BandedSaddlePoint system({.unknowns = {6, 6, 6}, .constraints = {2, 2, 2}});
//   system.set_zero();
//   system.hessian_block(2, 1) += ...;   // rows of point 2, columns of point 1
//   system.jacobian_block(0, 1) = ...;   // constraints of point 0, unknowns of point 1

#include <memory>

#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"
#include "holo/opt/trajectory/banded_blocks.h"
#include "holo/opt/trajectory/saddle_point_system.h"

namespace holo {

// H has to be positive semidefinite: then K1 and K2 are quasi-definite, as they are asked for. Where a pivot has the wrong sign
// or a solution is inaccurate, the solver shifts the equilibrated matrix more, and pivots in the end
// (docs/trajectory-optimization.md#banded-systems). Factorizations and solutions allocate nothing, except for those pivots.
class BandedSaddlePoint final : public SaddlePointSystem {
 public:
  // Of the options, `shift` and `columns` have no effect: `factor` gives the shifts. Throws Error(internal) as check_shape and
  // make_block_tridiagonal_solver do.
  explicit BandedSaddlePoint(const BandedSaddleShape& shape, const BlockTridiagonalOptions& options = {});
  ~BandedSaddlePoint() override;

  // What the problem writes; zeros at first. Blocks stay where they are.
  BlockReference hessian_block(int point, int earlier) { return blocks_.hessian_block(point, earlier); }
  BlockReference jacobian_block(int constraint_point, int unknown_point) {
    return blocks_.jacobian_block(constraint_point, unknown_point);
  }
  void set_zero() { blocks_.set_zero(); }
  const BandedBlocks& blocks() const { return blocks_; }

  int unknown_count() const override { return blocks_.unknown_count(); }
  int constraint_count() const override { return blocks_.constraint_count(); }
  void multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const override {
    blocks_.multiply_hessian(p, product);
  }
  void multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const override {
    blocks_.multiply_jacobian(p, product);
  }
  void multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const override {
    blocks_.multiply_jacobian_transposed(y, product);
  }
  void hessian_diagonal(Eigen::VectorXd& diagonal) const override { blocks_.hessian_diagonal(diagonal); }
  void jacobian_row_norms(Eigen::VectorXd& norms) const override { blocks_.jacobian_row_norms(norms); }
  // K1 and K2 are factorized at the same time where both are selected.
  SaddlePointOutcome factor(SaddlePointSelection selection, const Eigen::VectorXd& metric, double unknown_shift,
                            const Eigen::VectorXd& constraint_shift) override;
  bool solve(SaddlePointMatrix matrix, const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) override;

  // Of the last factorization and solution. Its inertia counts the rows of padding as positive, its shift is that of the
  // solver's alone.
  const BlockTridiagonalReport& report(SaddlePointMatrix matrix) const;
  int padding_rows() const;

 private:
  class Factors;

  BandedBlocks blocks_;
  std::unique_ptr<Factors> factors_;
};

}  // namespace holo
