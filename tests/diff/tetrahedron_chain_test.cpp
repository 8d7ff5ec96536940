#include "holo/diff/solid/tetrahedron_chain.h"

#include <gtest/gtest.h>

#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

// A skewed tetrahedron, its inverse rest matrix, and a symmetric 9x9 matrix without structure.
struct Tetrahedron {
  Vector<double, 12> rest{0, 0, 0, 1, 0.1, 0.2, -0.2, 1.1, 0.1, 0.3, 0.2, 0.9};
  Vector<double, 12> vertices{0.1, 0, 0.2, 1.2, 0.3, 0.1, -0.3, 1.4, 0.2, 0.3, 0.4, 1.3};
  Matrix3<double> inverse_rest{};
  double volume = 0;
  double hessian[45];

  Tetrahedron() {
    Matrix3<double> edges{};
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a) edges(i, a) = rest[3 * (a + 1) + i] - rest[i];
    inverse_rest = inverse(edges);
    volume = determinant(edges) / 6;
    for (int k = 0; k < 45; ++k) hessian[k] = ((k * 37) % 23 - 11) / 7.0;
  }

  // dF_(k / 3, k % 3) / dx_v by the definition: the deformation gradient is linear in the vertices.
  double slope(int k, int v) const {
    Vector<double, 12> unit{};
    unit[v] = 1;
    return deformation_gradient(unit, inverse_rest)[k];
  }
};

TEST(TetrahedronChain, DeformationGradientMapsRestEdgesToEdges) {
  const Tetrahedron t;
  const Matrix3<double> F = deformation_gradient(t.vertices, t.inverse_rest);
  for (int a = 1; a < 4; ++a)
    for (int i = 0; i < 3; ++i) {
      double mapped = 0;
      for (int j = 0; j < 3; ++j) mapped += F(i, j) * (t.rest[3 * a + j] - t.rest[j]);
      EXPECT_NEAR(t.vertices[3 * a + i] - t.vertices[i], mapped, 1e-15);
    }
}

TEST(TetrahedronChain, GradientIsThatOfTheMatrixChain) {
  const Tetrahedron t;
  const Matrix3<double> P{1, -2, 0.5, 3, 0.25, -1, 2, 1.5, -0.5};
  const Vector<double, 12> gradient = vertex_gradient(P, t.inverse_rest, t.volume);
  for (int v = 0; v < 12; ++v) {
    double expected = 0;
    for (int k = 0; k < 9; ++k) expected += t.volume * P[k] * t.slope(k, v);
    EXPECT_NEAR(expected, gradient[v], 1e-15);
  }
}

template <class S>
void expect_hessian_of_matrix_chain(const Tetrahedron& t) {
  S result[78];
  vertex_hessian<S>([&](int k) { return S(t.hessian[k]); }, matrix_cast<S>(t.inverse_rest), S(t.volume),
                    [&](int k, const S& value) { result[k] = value; });
  for (int v = 0; v < 12; ++v)
    for (int w = v; w < 12; ++w) {
      double expected = 0;
      for (int k = 0; k < 9; ++k)
        for (int l = 0; l < 9; ++l) expected += t.volume * t.slope(k, v) * t.hessian[upper_index<9>(k, l)] * t.slope(l, w);
      if constexpr (std::is_same_v<S, double>) {
        EXPECT_NEAR(expected, result[upper_index<12>(v, w)], 3e-15) << v << " " << w;
      } else {
        for (int i = 0; i < S::width; ++i) EXPECT_NEAR(expected, result[upper_index<12>(v, w)][i], 3e-15) << v << " " << w;
      }
    }
}

TEST(TetrahedronChain, HessianIsThatOfTheMatrixChain) {
  expect_hessian_of_matrix_chain<double>(Tetrahedron());
  expect_hessian_of_matrix_chain<LaneBlock>(Tetrahedron());
}

TEST(TetrahedronChain, UpperIndicesCountTheUpperHalf) {
  int next = 0;
  for (int i = 0; i < 12; ++i)
    for (int j = i; j < 12; ++j, ++next) {
      EXPECT_EQ(next, upper_index<12>(i, j));
      EXPECT_EQ(next, upper_index<12>(j, i));
    }
  EXPECT_EQ(upper_count_12, next);
}

}  // namespace
}  // namespace holo
