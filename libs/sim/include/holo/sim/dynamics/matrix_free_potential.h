#pragma once
// Products of the Hessian of a potential with displacements, without a matrix, for the minimizers of holo/opt/matrix_free.h.
//
// Elements give the derivative of their forces along the displacement p, in the mode of `differentiation.elements`: with csfd
// it is Im grad E(x + i h p)/h of [Luo2019] section 8.1. Inertia and mass damping are multiples of the identity at each vertex;
// contact, friction and loads give the 3x3 blocks of their pairs of vertices. The preconditioner has the 3x3 blocks of the
// vertices on the diagonal, of projected Hessians, so that it is positive definite.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "holo/opt/matrix_free.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {

class MatrixFreePotential final : public MatrixFreeHessian {
 public:
  // `potential` must live as long, and the products are those of its present step. `products`: whether they are ever asked for;
  // then throws Error(input) with the body whose mode of differentiation has none.
  MatrixFreePotential(IncrementalPotential& potential, bool products);

  // Functions of MatrixFreeHessian; all vectors are [3 * vertex]. Rows of prescribed vertices are those of the identity, and
  // their gradient is 0.
  void linearize(const Eigen::VectorXd& x, bool products, Eigen::VectorXd& gradient) override;
  void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override { potential_.gradient(x, gradient); }
  void multiply(const Eigen::VectorXd& direction, Eigen::VectorXd& product) override;
  void precondition(const Eigen::VectorXd& residual, Eigen::VectorXd& result) override;

 private:
  void invert_diagonal();

  IncrementalPotential& potential_;
  Eigen::VectorXd x_, free_direction_;
  BlockAssembler exact_, projected_;             // of all terms but the elements
  std::vector<double> diagonal_;                 // [vertex][6] lower triangles by columns
  std::vector<Eigen::Matrix3d> inverse_blocks_;  // [vertex]
};

}  // namespace holo
