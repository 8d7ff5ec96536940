#pragma once
// Saddle-point systems with sparse matrices of any pattern, by the multifrontal L D L^T with pivoting of SparseSolver.

#include <memory>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"
#include "holo/opt/trajectory/saddle_point_system.h"

namespace holo {

// Factorizations allocate memory.
class SparseSaddlePoint final : public SaddlePointSystem {
 public:
  // The patterns of the lower triangle of H [unknown][unknown] and of A [constraint][unknown], compressed; values are ignored.
  // Throws Error(internal) for sizes that do not fit, entries above the diagonal of H and matrices that are not compressed.
  SparseSaddlePoint(const SparseMatrix& hessian, const SparseMatrix& jacobian);

  // What the problem writes: values of the given patterns, which stay as they are.
  SparseMatrix& hessian() { return hessian_; }
  SparseMatrix& jacobian() { return jacobian_; }

  int unknown_count() const override { return int(hessian_.rows()); }
  int constraint_count() const override { return int(jacobian_.rows()); }
  void multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const override;
  void multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const override;
  void multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const override;
  void hessian_diagonal(Eigen::VectorXd& diagonal) const override;
  void jacobian_row_norms(Eigen::VectorXd& norms) const override;
  SaddlePointOutcome factor(SaddlePointSelection selection, const Eigen::VectorXd& metric, double unknown_shift,
                            const Eigen::VectorXd& constraint_shift) override;
  bool solve(SaddlePointMatrix matrix, const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) override;

 private:
  // A lower triangle, with the places of its parts among its values.
  struct Factor {
    SparseMatrix matrix;
    std::vector<int> hessian, jacobian, diagonal;
    std::unique_ptr<SparseSolver> solver;
    double norm = 0;  // largest sum of moduli of a row
  };
  void analyze(bool with_hessian, Factor& factor) const;
  SaddlePointOutcome factorize(Factor& factor);

  SparseMatrix hessian_, jacobian_;
  Factor metric_, model_;
  Eigen::VectorXd solution_, residual_, correction_;
};

}  // namespace holo
