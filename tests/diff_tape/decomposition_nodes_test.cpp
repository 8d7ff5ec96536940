#include "diff_tape/nodes.h"

namespace holo::test {
namespace {

constexpr auto logarithm = [](const auto& x) { return log(x); };

}  // namespace

std::vector<Node> decomposition_nodes() {
  return {
      HOLO_NODE(9, PolarRotation, polar_rotation(around(x, diagonal({1.5, 1, 0.6})))),
      HOLO_NODE(9, PolarAtTheIdentity, polar_decomposition(around(x, Eigen::MatrixXd::Identity(3, 3)))),
      HOLO_NODE(9, PolarOfAnInvertedMatrix,
                polar_decomposition(around(x, matrix(3, 3, 4) - Eigen::MatrixXd::Identity(3, 3)), PolarVariant::orthogonal)),
      HOLO_NODE(16, SpectralFunction, spectral_function(symmetric_around(x, with_eigenvalues({1, 2, 3, 4})), logarithm)),
      HOLO_NODE(16, SpectralFunctionOfRepeatedValues,
                spectral_function(symmetric_around(x, with_eigenvalues({2, 2, 2 + 1e-9, 3})), logarithm))};
}

}  // namespace holo::test
