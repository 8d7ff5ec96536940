#pragma once
// Directions of a dense minimization in the unknowns that are free to move.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <vector>

#include "holo/opt/dense/dense_minimizer.h"

namespace holo {

// -(H + shift I)^-1 g in the free unknowns [Nocedal2006, Section 3.4]. Where H is not positive definite, the shift is twice the
// size of its smallest eigenvalue: along that eigenvector the model curves upwards as much as H curves downwards. A shift from
// powers of ten, found by trial factors, would be up to ten times as large, and its steps as much shorter.
class ShiftedNewtonDirection {
 public:
  void resize(int dimension);
  Eigen::MatrixXd& hessian() { return hessian_; }  // of all unknowns, lower triangle
  // False where no shift was enough. `shift` is what was added.
  bool find(const std::vector<int>& free, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction, double& shift);

 private:
  void copy_free(const std::vector<int>& free, double shift);
  double smallest_eigenvalue(const std::vector<int>& free);

  Eigen::MatrixXd hessian_, factor_;
  Eigen::VectorXd reduced_;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen_;
};

// Limited-memory BFGS by the two loops [Nocedal2006, algorithm 7.4], with the history's parts in the free unknowns.
class LbfgsDirection {
 public:
  void resize(int dimension, int history);
  void add(const Eigen::VectorXd& step, const Eigen::VectorXd& gradient_change);
  void find(const std::vector<int>& free, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction);

 private:
  Eigen::MatrixXd steps_, changes_;  // [unknown][place], the oldest pair is overwritten
  Eigen::VectorXd alpha_, inverse_product_;
  int count_ = 0, newest_ = -1;
};

}  // namespace holo
