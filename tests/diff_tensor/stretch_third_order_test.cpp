// Third derivatives of energies of principal stretches against 60-digit mixed differences of the same energy written in F.
#include "holo/diff/tensor/stretch_third_order.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stretch_energies.h"

namespace holo {
namespace {

using namespace stretch_test;

// Of stretch_test::Energy, by hand.
template <class S>
Vector3<S> energy_gradient(const Vector3<S>& s) {
  const S J = s[0] * s[1] * s[2], log_J = log(J), I = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
  Vector3<S> g{};
  for (int i = 0; i < 3; ++i) {
    const S& a = s[i];
    g[i] = 1.2 * a * a * a + 1.4 * a * J + 0.7 * I * J / a - 0.8 / (a * a * a) + 2.0 * log_J / a;
  }
  return g;
}
template <class S>
Vector<S, 6> energy_hessian(const Vector3<S>& s) {
  const S J = s[0] * s[1] * s[2], log_J = log(J), I = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
  Vector<S, 6> h{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      const S &a = s[i], &b = s[j];
      h[detail::stretch_index[i][j]] = i == j ? S(3.6 * a * a + 4.2 * J + 2.4 / (a * a * a * a) + 2.0 * (1.0 - log_J) / (a * a))
                                              : S(1.4 * J * (a / b + b / a) + (0.7 * I * J + 2.0) / (a * b));
    }
  return h;
}

// Not inlined: GCC 12 fails to compile the whole in one function.
template <class S>
__attribute__((noinline)) StretchThirdOrder<S> third_order(const Vector3<S>& s) {
  return stretch_third_order(
      s, [](const auto& t) { return energy_gradient(t); }, [](const auto& t) { return energy_hessian(t); });
}

template <class S>
void hessian_differential(const Matrix3<S>& F, const Matrix3<S>& W, S* result) {
  const SignedSvd<S> svd = signed_svd(F);
  const StretchThirdOrder<S> third = third_order(svd.stretches);
  store_in_entries(svd, third_derivative_along(third, principal_components(svd, W)),
                   [&](int k, const S& value) { result[k] = value; });
}

void expect_differential(const Matrix3<double>& F, const Matrix3<double>& W, const double* found) {
  const Matrix3<Reference> center = matrix_cast<Reference>(F), direction = matrix_cast<Reference>(W);
  const Reference h("1e-12");  // error 1e-24
  auto energy = [&](int i, int di, int j, int dj, int dw) {
    Matrix3<Reference> at = center + Reference(dw * h) * direction;
    at[i] += di * h;
    at[j] += dj * h;
    return Energy::of(at);
  };
  double expected[45], largest = 0;
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j) {
      Reference sum = 0;
      for (int signs = 0; signs < 8; ++signs) {
        const int a = signs & 1 ? 1 : -1, b = signs & 2 ? 1 : -1, c = signs & 4 ? 1 : -1;
        sum += a * b * c * energy(i, a, j, b, c);
      }
      expected[upper_index<9>(i, j)] = double(sum / (8 * h * h * h));
      largest = std::fmax(largest, std::abs(expected[upper_index<9>(i, j)]));
    }
  for (int k = 0; k < 45; ++k) EXPECT_NEAR(expected[k], found[k], 1e-13 * largest) << "entry " << k;
}

const Matrix3<double> direction{0.3, -0.7, 0.2, 0.5, -0.4, 0.9, -0.6, 0.1, 0.8};

TEST(StretchThirdOrder, DerivativeOfTheHessianIsThatOfTheEnergyInF) {
  for (const Matrix3<double>& F : deformations()) {
    double found[45];
    hessian_differential(F, direction, found);
    expect_differential(F, direction, found);
  }
}

TEST(StretchThirdOrder, LanesMayMixDistinctAndRepeatedStretches) {
  const std::vector<Matrix3<double>> all = deformations();
  Matrix3<LaneBlock> F{};
  for (int lane = 0; lane < LaneBlock::width; ++lane)
    for (int k = 0; k < 9; ++k) F[k].set(lane, all[lane][k]);
  LaneBlock found[45];
  hessian_differential(F, matrix_cast<LaneBlock>(direction), found);
  for (int lane = 0; lane < LaneBlock::width; ++lane) {
    double one[45];
    for (int k = 0; k < 45; ++k) one[k] = found[k][lane];
    expect_differential(all[lane], direction, one);
  }
}

}  // namespace
}  // namespace holo
