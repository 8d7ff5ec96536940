#pragma once
// A loss L(x(u)) of a scene's equilibrium x(u), as a function of parameters u, for the minimizers of opt/dense.

#include <string>

#include "holo/opt/dense/dense_minimizer.h"

namespace holo {

class EquilibriumProblem : public DenseProblem {
 public:
  // Finds the equilibrium at u from rest. False where there is none: `diagnosis` tells.
  virtual bool begin(const Eigen::VectorXd& u) = 0;
  const std::string& diagnosis() const { return diagnosis_; }
  const Eigen::VectorXd& x() const { return x_; }  // of the last derivatives, or of `begin` [3 * vertex] [m]
  int factorizations() const { return factorizations_; }

 protected:
  Eigen::VectorXd x_;
  int factorizations_ = 0;
  std::string diagnosis_;
};

}  // namespace holo
