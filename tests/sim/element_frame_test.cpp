#include "holo/sim/elastic/element_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace holo {
namespace {

constexpr int width = LaneBlock::width;

template <int nodes>
struct Rows {
  static constexpr int count = 3 * nodes + 3 * nodes * (3 * nodes + 1) / 2;
  static constexpr int gradient(int a, int i) { return 3 * a + i; }
  static constexpr int hessian(int a, int i, int b, int j) { return 3 * nodes + upper_index<3 * nodes>(3 * a + i, 3 * b + j); }
};

struct alignas(width * sizeof(double)) Lane {
  double values[width];
};
double* data(std::vector<Lane>& rows) { return rows.front().values; }

// Random deformations near I, slopes with zeros where the pattern has them, shape gradients of any element.
template <int nodes>
struct Problem {
  std::vector<Lane> F{9}, slopes{9}, hessian{45};
  QuadraturePoint<nodes> point;
  Matrix3<LaneBlock> stress;

  Problem(unsigned bits, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto lanes = [&](double middle) {
      LaneBlock result;
      for (int i = 0; i < width; ++i) result.set(i, middle + 0.5 * uniform(random));
      return result;
    };
    for (int k = 0; k < 9; ++k) lanes(k % 4 == 0).store(F[std::size_t(k)].values);
    for (int k = 0; k < 9; ++k) ((bits >> k & 1u) ? lanes(0) : LaneBlock(0.0)).store(slopes[std::size_t(k)].values);
    for (auto& gradient : point.gradients)
      for (LaneBlock& entry : gradient) entry = lanes(0);
    point.weight = lanes(1);
    through_the_matrix();
  }

  void through_the_matrix() {
    Matrix3<LaneBlock> deformation;
    InvariantSlopes<LaneBlock> s;
    for (int k = 0; k < 9; ++k) deformation[k] = LaneBlock::load(F[std::size_t(k)].values);
    for (int k = 0; k < 9; ++k) (k < 3 ? s.first[k] : s.second[k - 3]) = LaneBlock::load(slopes[std::size_t(k)].values);
    const Vector3<LaneBlock> I = invariants<true>(deformation);
    constexpr InvariantPattern all{};
    stress = invariant_stress<all>(deformation, I, s.first);
    invariant_hessian<all>(deformation, I, s,
                           [this](int k, const LaneBlock& value) { value.store(hessian[std::size_t(k)].values); });
  }
};

void expect_same_rows(const std::vector<Lane>& expected, const std::vector<Lane>& found, int begin, int end) {
  double size = 0;
  for (int r = begin; r < end; ++r)
    for (const double value : expected[std::size_t(r)].values) size = std::max(size, std::abs(value));
  EXPECT_GT(size, 0);
  for (int r = begin; r < end; ++r)
    for (int i = 0; i < width; ++i)
      ASSERT_NEAR(expected[std::size_t(r)].values[i], found[std::size_t(r)].values[i], 1e-14 * size) << "row " << r;
}

constexpr unsigned patterns[] = {0b100000101, 0b100100101, 0b100101101, 0b000001011, 0b110100111, 0b111111111, 0b000000001};

TEST(ElementFrame, SlopesInTheInvariantsGiveWhatTheMatrixInTheDeformationGradientDoes) {
  for (const unsigned bits : patterns) {
    Problem<4> problem(bits, bits);
    std::vector<Lane> expected(Rows<4>::count), found(Rows<4>::count);
    add_node_gradients<4, Rows<4>>(problem.stress, problem.point, data(expected));
    complete_gradient<4, Rows<4>>(data(expected));
    add_node_hessians<4, Rows<4>>(data(problem.hessian), problem.point, data(expected));
    complete_hessian<4, Rows<4>>(data(expected));
    invariant_kernel<4, Rows<4>, true>(bits)(data(problem.F), data(problem.slopes), problem.point, data(found));
    expect_same_rows(expected, found, 0, 12);
    expect_same_rows(expected, found, 12, Rows<4>::count);
  }
}

// Two points of an element of ten nodes: sums of both, node 0 filled in once.
TEST(ElementFrame, PointsOfAnElementOfTenNodesAddUp) {
  constexpr int nodes = 10;
  using Layout = Rows<nodes>;
  constexpr InvariantPattern all{};
  std::vector<Lane> expected(Layout::count), found(Layout::count);
  const auto add = [&]<bool adds>(Problem<nodes>& problem, std::bool_constant<adds>) {
    add_node_gradients<nodes, Layout, adds>(problem.stress, problem.point, data(expected));
    add_node_hessians<nodes, Layout, adds>(data(problem.hessian), problem.point, data(expected));
    const InvariantChain<all, nodes> chain(data(problem.F), data(problem.slopes), problem.point);
    chain.template add_gradients<Layout, adds>(data(found));
    chain.template add_hessians<Layout, adds>(data(found));
  };
  Problem<nodes> one(511, 1), two(511, 2);
  add(one, std::false_type{});
  add(two, std::true_type{});
  for (auto* rows : {&expected, &found}) {
    complete_gradient<nodes, Layout>(data(*rows));
    complete_hessian<nodes, Layout>(data(*rows));
  }
  expect_same_rows(expected, found, 0, 3 * nodes);
  expect_same_rows(expected, found, 3 * nodes, Layout::count);
  for (int row = 0; row < 3 * nodes; ++row) {  // a translation of all nodes changes no gradient
    double sum = 0, size = 0;
    for (int b = 0; b < nodes; ++b) {
      const double entry = found[std::size_t(Layout::hessian(row / 3, row % 3, b, 1))].values[width - 1];
      sum += entry, size += std::abs(entry);
    }
    EXPECT_NEAR(0, sum, 1e-13 * size) << "row " << row;
  }
}

TEST(ElementFrame, DeformationGradientMapsTheRestEdges) {
  QuadraturePoint<4> point;
  LaneBlock edges[3][3];
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) {
      point.gradients[a][i] = LaneBlock(a == i ? 0.5 : 0.0);  // rest edges twice the unit vectors
      edges[a][i] = LaneBlock(10.0 * a + i);
    }
  const Matrix3<LaneBlock> F = deformation_gradient<4>(edges, point.gradients);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(0.5 * (10 * k + i), F(i, k)[0]);
}

}  // namespace
}  // namespace holo
