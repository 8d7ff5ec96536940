// Third derivatives of energies of principal stretches against 60-digit mixed differences of the same energy written in F.
#include "holo/diff/tensor/stretch_third_order.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/diff/tensor/stretch_energy.h"
#include "stretch_energies.h"

namespace holo {
namespace {

using namespace stretch_test;

template <class S>
void hessian_differential(const Matrix3<S>& F, const Matrix3<S>& W, S* result) {
  const SignedSvd<S> svd = signed_svd(F);
  const StretchDerivatives<S> e = stretch_derivatives(Energy(), svd.stretches);
  const Vector<S, 6> rate = stretch_hessian_rate(Energy(), svd.stretches, stretch_rates(svd, W));
  spectral_hessian_differential(svd, W, e.gradient, e.hessian, rate, energy_curvature_gradient(Energy()),
                                energy_curvature(Energy()), [&](int k, const S& value) { result[k] = value; });
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

TEST(StretchThirdOrder, DifferentialOfTheHessianIsThatOfTheEnergyInF) {
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

// D3E[X, X, X] along a rotation: the Hessian turns with F, H(QF)[QX, QX] = H(F)[X, X].
TEST(StretchThirdOrder, AlongAnInfinitesimalRotationTheHessianTurns) {
  const Matrix3<double> F = deformations()[1], A{0, 0.5, -0.2, -0.5, 0, 0.7, 0.2, -0.7, 0}, X = direction;
  double differential[45], hessian[45];
  hessian_differential(F, A * F, differential);
  const SignedSvd<double> svd = signed_svd(F);
  const StretchDerivatives<double> e = stretch_derivatives(Energy(), svd.stretches);
  spectral_hessian(svd, stretch_blocks(svd.stretches, e.gradient, e.hessian, energy_curvature(Energy())),
                   [&](int k, double value) { hessian[k] = value; });
  auto form = [](const double* H, const Matrix3<double>& a, const Matrix3<double>& b) {
    double sum = 0;
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j) sum += H[upper_index<9>(i, j)] * a[i] * b[j];
    return sum;
  };
  EXPECT_NEAR(-2 * form(hessian, A * X, X), form(differential, X, X), 1e-13 * std::abs(form(hessian, X, X)));
}

}  // namespace
}  // namespace holo
