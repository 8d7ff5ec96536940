#include "diff_tape/nodes.h"

namespace holo::test {
namespace {

constexpr auto stretch_energy = [](const auto& a, const auto& b, const auto& c) {
  const auto J = a * b * c, aa = a * a, bb = b * b, cc = c * c;
  return 0.3 * (aa * aa + bb * bb + cc * cc) + 0.7 * (aa + bb + cc) * J + log(J) * log(J);
};

}  // namespace

std::vector<Node> stretch_nodes() {
  return {HOLO_NODE(9, SingularValues, signed_singular_values(around(x, diagonal({2, 1, -0.5}) + 0.3 * matrix(3, 3, 5)))),
          HOLO_NODE(9, FunctionOfStretches,
                    function_of_stretches(around(x, diagonal({1.5, 1, 0.6}) + 0.1 * matrix(3, 3, 5)), stretch_energy)),
          HOLO_NODE(9, FunctionOfEqualStretches, function_of_stretches(around(x, diagonal({1.2, 1.2, 1.2})), stretch_energy)),
          HOLO_NODE(9, FunctionOfNearStretches,
                    function_of_stretches(around(x, diagonal({1.2, 1.2 - 1e-9, 0.7})), stretch_energy))};
}

}  // namespace holo::test
