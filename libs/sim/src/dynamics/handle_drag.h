#pragma once
// The way of handles and obstacles to their targets: by directions of Newton's method whose prescribed part is what is left of
// their way, each as far as the domain reaches, so that the free vertices follow before the next part.

#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {

class HandleDrag {
 public:
  explicit HandleDrag(IncrementalPotential& potential) : potential_(potential) {}  // which must outlive this

  // From x, where the energy of the begun step is finite with obstacles at the start of their way, to a point with all targets
  // reached and a finite energy. False where the way is stuck; x is then as far as it came, and so are the obstacles. The
  // first choice is the `curvature`; directions for which it is not positive definite take the projected one. Adds to
  // `factorizations`.
  bool run(Curvature curvature, Eigen::VectorXd& x, NewtonWorkspace& workspace, int& factorizations);

 private:
  bool find_direction(Curvature curvature, const Eigen::VectorXd& x, NewtonWorkspace& workspace, int& factorizations);

  IncrementalPotential& potential_;
  Eigen::VectorXd left_, gradient_, direction_, trial_;
  SparseMatrix hessian_;
};

}  // namespace holo
