#pragma once
// Directions of L-BFGS, in all unknowns or in those that are free to move.

#include <Eigen/Core>
#include <vector>

namespace holo {

// Limited-memory BFGS by the two loops [Nocedal2006, algorithm 7.4]. A pair serves where its curvature is positive.
class LbfgsDirection {
 public:
  void resize(int dimension, int history);
  void clear() { count_ = 0; }
  int count() const { return count_; }  // pairs
  void add(const Eigen::VectorXd& step, const Eigen::VectorXd& gradient_change);
  // With the history's parts in the free unknowns; zero in the others.
  void find(const std::vector<int>& free, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction);
  void find(const Eigen::VectorXd& gradient, Eigen::VectorXd& direction);

  // The history, [unknown][pair] and the oldest first: with it another object gives the same directions.
  void store(Eigen::MatrixXd& steps, Eigen::MatrixXd& gradient_changes) const;
  void load(const Eigen::MatrixXd& steps, const Eigen::MatrixXd& gradient_changes);

 private:
  template <class Unknowns>
  void find_in(const Unknowns& unknowns, Eigen::VectorXd& direction);

  Eigen::MatrixXd steps_, changes_;  // [unknown][place], the oldest pair is overwritten
  Eigen::VectorXd alpha_, inverse_product_;
  int count_ = 0, newest_ = -1;
};

}  // namespace holo
