#include "diff_tape/nodes.h"

namespace holo::test {
namespace {

// Three springs between points of the plane, each stiffer than the last.
constexpr int spring_places[] = {0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 0, 1};
constexpr auto spring = [](std::size_t element, const auto& u) {
  const auto dx = u[2] - u[0], dy = u[3] - u[1], stretch = sqrt(dx * dx + dy * dy) - 0.5;
  return (1.0 + double(element)) * stretch * stretch + dx * u[0] * u[3];
};
constexpr auto step_of_a_loop = [](const auto& x) { return x + matrix(3, 3, 12) * (x * transpose(x)) * x; };
const MatrixPattern& dense_pattern() {
  static const MatrixPattern pattern{4,     {0, 1, 3, 2, 0}, {0, 2, 1, 3, 0},
                                     false, false,           matrix(4, 4, 8) + 5 * Eigen::MatrixXd::Identity(4, 4)};
  return pattern;
}
const MatrixPattern& sparse_pattern() {
  static const MatrixPattern pattern{4, {0, 1, 2, 3, 1, 3}, {0, 1, 2, 3, 0, 2}, true, true, {}};
  return pattern;
}
const Eigen::MatrixXd sparse_shift = (Eigen::VectorXd(6) << 4, 4, 4, 4, 0, 0).finished();

}  // namespace

std::vector<Node> solve_nodes() {
  return {HOLO_NODE(35, Solve, solve(around(x, well_conditioned()), gather(x.last(10), 5, 2))),
          HOLO_NODE(9, SolveOfDensePattern, solve(dense_pattern(), gather(x.first(5), 5), gather(x.last(4), 4))),
          HOLO_NODE(10, SolveOfSparsePattern,
                    solve(sparse_pattern(), gather(x.first(6), 6) + constant_matrix(*x[0].tape(), sparse_shift),
                          gather(x.last(4), 4))),
          HOLO_NODE(25, Inverse, inverse(around(x, well_conditioned()))),
          HOLO_NODE(6, ElementEnergy, element_energy<4>(gather(x, 6), spring_places, spring)),
          HOLO_NODE(9, Checkpoint, checkpoint(step_of_a_loop, checkpoint(step_of_a_loop, gather(x, 3, 3))))};
}

}  // namespace holo::test
