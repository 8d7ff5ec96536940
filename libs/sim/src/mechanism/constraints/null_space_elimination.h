#pragma once
// Choice of redundant constraint equations, one at a time, from the left null spaces of the equations' Jacobian at several
// poses.

#include <Eigen/Core>
#include <vector>

namespace holo {

// A combination y of equations with y^T J = 0 says that any equation with a weight in y follows from the others. Eliminating
// one leaves the null vectors that do not contain it.
class NullSpaceElimination {
 public:
  // Null spaces [equation][nullity] of the same nullity, orthonormal; only candidates are chosen.
  NullSpaceElimination(std::vector<Eigen::MatrixXd> null_spaces, std::vector<bool> candidate);

  int nullity() const { return spaces_.empty() ? 0 : int(spaces_.front().cols()); }

  // The weight of the equation in the null vectors: the smallest over all poses.
  double weight(int equation) const;

  // The candidate with the largest weight, -1 if all weights are 0.
  int heaviest() const;

  // Eliminates the equation: each null space keeps its vectors that do not contain it.
  void eliminate(int equation);

  // Eliminates the choice of [Maloisel2023] Eq 14 and 15 at the first pose, and returns it; -1 where there is none.
  int eliminate_as_in_paper();

 private:
  std::vector<Eigen::MatrixXd> spaces_;
  std::vector<bool> candidate_;
};

}  // namespace holo
