#pragma once
// Linear solves with the Jacobian of a mechanism's equations with respect to its states, and what tells whether two poses lie
// on one assembly mode.

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

namespace holo {

// Solves J x = b: exactly where J is square, else in the sense of least squares.
class EquationSolver {
 public:
  using Sparse = Eigen::SparseMatrix<double>;

  explicit EquationSolver(const Sparse& pattern);

  // Its values are the caller's to set; factorize() takes them.
  Sparse& jacobian() { return jacobian_; }
  const Sparse& jacobian() const { return jacobian_; }

  // False where the matrix is singular to working precision. `damping` makes it the system of Levenberg and Marquardt.
  bool factorize(double damping = 0);
  // Solves with the last factors; the result may not be finite if they are poor.
  const Eigen::VectorXd& solve(const Eigen::Ref<const Eigen::VectorXd>& right);

  // The sign of the determinant of J, which must be square, from the last factors.
  double sign_of_determinant() { return lu_.signDeterminant(); }
  bool is_square() const { return jacobian_.rows() == jacobian_.cols(); }

 private:
  Sparse jacobian_;
  bool is_damped_ = false;
  Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>> lu_;
  Eigen::SimplicialLDLT<Sparse> normal_;
  Eigen::VectorXd right_, solution_;
};

// Whether no pose between two neighbors of a path is singular. With J0 and J1 there, 1 - J0^+ J1 has an eigenvalue of 1 or more
// where J loses rank on the straight way from one to the other, and a small spectral radius where both are close together
// compared with their distance from a singularity: [Deuflhard2004] affine-covariant Newton-Kantorovich. The sign of
// det(J0^T J1), for square J that of det J0 det J1, changes at each simple singularity that lies between; it is the same for
// all bases of the equations, so that redundant equations need no choice.
class PoseComparison {
 public:
  explicit PoseComparison(const EquationSolver::Sparse& pattern);

  // `from` has the factors of J0; `to` those of J1 where J is square.
  bool is_regular_between(EquationSolver& from, EquationSolver& to);
  // The spectral radius that this found: 1 / part where the singular pose is at that part of the way.
  double radius() const { return radius_; }
  // The second of these tests alone.
  bool has_same_orientation(EquationSolver& from, EquationSolver& to);

 private:
  Eigen::VectorXd vector_, change_;
  Eigen::SparseLU<EquationSolver::Sparse, Eigen::COLAMDOrdering<int>> mixed_;
  bool is_analyzed_ = false;
  double radius_ = 0;
};

}  // namespace holo
