#pragma once
// Directions of L-BFGS for a dense minimization in the unknowns that are free to move.

#include <Eigen/Core>
#include <vector>

namespace holo {

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
