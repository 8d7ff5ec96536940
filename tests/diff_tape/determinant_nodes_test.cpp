#include "diff_tape/nodes.h"

namespace holo::test {

std::vector<Node> determinant_nodes() {
  return {HOLO_NODE(25, LogDeterminant, log_determinant(around(x, well_conditioned()))),
          HOLO_NODE(4, DeterminantOfTwoRows, determinant(gather(x, 2, 2))),
          HOLO_NODE(9, DeterminantOfThreeRows, determinant(gather(x, 3, 3))),
          HOLO_NODE(25, DeterminantOfFiveRows, determinant(around(x, well_conditioned()))),
          HOLO_NODE(16, CholeskyFactor, cholesky_factor(symmetric_around(x, with_eigenvalues({1, 2, 2, 5}))))};
}

}  // namespace holo::test
