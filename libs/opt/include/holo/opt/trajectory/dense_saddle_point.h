#pragma once
// Saddle-point systems of small problems, with dense matrices and LU with partial pivoting.

#include <Eigen/Dense>

#include "holo/opt/trajectory/saddle_point_system.h"

namespace holo {

class DenseSaddlePoint final : public SaddlePointSystem {
 public:
  // Throws Error(internal) for less than one unknown and negative numbers of constraints.
  DenseSaddlePoint(int unknowns, int constraints);

  // What the problem writes: H, both triangles, and A.
  Eigen::MatrixXd& hessian() { return hessian_; }
  Eigen::MatrixXd& jacobian() { return jacobian_; }

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
  struct Factor {
    Eigen::MatrixXd matrix;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    double norm = 0;  // largest sum of moduli of a row
    bool factorize();
  };
  void assemble_constraints(const Eigen::VectorXd& constraint_shift, Factor& factor) const;

  Eigen::MatrixXd hessian_, jacobian_;
  Factor metric_, model_;
  Eigen::VectorXd solution_, residual_, correction_;
};

}  // namespace holo
