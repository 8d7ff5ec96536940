// Energies of principal stretches against 60-digit mixed differences of the same energies written in F.
#include "holo/diff/tensor/principal_stretches.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/diff/tensor/stretch_energy.h"
#include "stretch_energies.h"

namespace holo {
namespace {

using namespace stretch_test;

struct Derivatives {
  Matrix3<double> stress{};
  double hessian[45];
};

template <class S>
struct SpectralDerivatives {
  Matrix3<S> stress;
  S hessian[45];
};

template <class S>
SpectralDerivatives<S> spectral_derivatives(const Matrix3<S>& F) {
  const SignedSvd<S> svd = signed_svd(F);
  const StretchDerivatives<S> e = stretch_derivatives(Energy(), svd.stretches);
  SpectralDerivatives<S> result;
  result.stress = spectral_stress(svd, e.gradient);
  const StretchBlocks<S> blocks = stretch_blocks(svd.stretches, e.gradient, e.hessian, energy_curvature(Energy()));
  spectral_hessian(svd, blocks, [&](int k, const S& value) { result.hessian[k] = value; });
  return result;
}

Derivatives reference_derivatives(const Matrix3<double>& F) {
  const Matrix3<Reference> center = matrix_cast<Reference>(F);
  const Reference h("1e-15");  // error 1e-30
  auto energy = [&](int i, int di, int j, int dj) {
    Matrix3<Reference> at = center;
    at[i] += di * h;
    at[j] += dj * h;
    return Energy::of(at);
  };
  Derivatives result;
  for (int i = 0; i < 9; ++i) {
    result.stress[i] = double((energy(i, 1, i, 0) - energy(i, -1, i, 0)) / (2 * h));
    for (int j = i; j < 9; ++j)
      result.hessian[upper_index<9>(i, j)] =
          double((energy(i, 1, j, 1) - energy(i, 1, j, -1) - energy(i, -1, j, 1) + energy(i, -1, j, -1)) / (4 * h * h));
  }
  return result;
}

// Relative to the largest entry of each tensor.
void expect_near(const Derivatives& expected, const Matrix3<double>& stress, const double* hessian, double tolerance) {
  double largest = 0, largest_stress = 0;
  for (double entry : expected.hessian) largest = std::fmax(largest, std::abs(entry));
  for (double entry : expected.stress.entries) largest_stress = std::fmax(largest_stress, std::abs(entry));
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(expected.stress[k], stress[k], tolerance * (largest_stress + largest));
  for (int k = 0; k < 45; ++k) EXPECT_NEAR(expected.hessian[k], hessian[k], tolerance * largest) << "entry " << k;
}

TEST(PrincipalStretches, StressAndHessianAreThoseOfTheEnergyInF) {
  for (const Matrix3<double>& F : deformations()) {
    const SpectralDerivatives<double> d = spectral_derivatives(F);
    expect_near(reference_derivatives(F), d.stress, d.hessian, 2e-14);
  }
}

TEST(PrincipalStretches, LanesMayMixDistinctAndRepeatedStretches) {
  const std::vector<Matrix3<double>> all = deformations();
  constexpr int W = LaneBlock::width;
  Matrix3<LaneBlock> F{};
  for (int lane = 0; lane < W; ++lane)
    for (int k = 0; k < 9; ++k) F[k].set(lane, all[lane][k]);
  const SpectralDerivatives<LaneBlock> d = spectral_derivatives(F);
  for (int lane = 0; lane < W; ++lane) {
    Matrix3<double> stress{};
    double hessian[45];
    for (int k = 0; k < 9; ++k) stress[k] = d.stress[k][lane];
    for (int k = 0; k < 45; ++k) hessian[k] = d.hessian[k][lane];
    expect_near(reference_derivatives(all[lane]), stress, hessian, 2e-14);
  }
}

// (g_i - g_j)/(s_i - s_j) of the power -2 in closed form: 0.8 (a^2 + a b + b^2)/(a b)^3 for g = -0.8 s^-3.
struct InverseSquares {
  template <class S>
  constexpr S operator()(const S& a, const S& b, const S& c) const {
    return 0.4 * (1.0 / (a * a) + 1.0 / (b * b) + 1.0 / (c * c));
  }
};

TEST(PrincipalStretches, DividedDifferencesAreExactForAllGaps) {
  for (double gap : {0.0, 1e-16, 1e-13, 1e-10, 1e-7, 1e-4, 1e-3, 0.01, 0.03, 0.0499, 0.0501, 0.07, 0.1, 0.5}) {
    const Vector3<double> s{1.1 * (1 + gap), 1.1, 0.5};
    const StretchDerivatives<double> e = stretch_derivatives(InverseSquares(), s);
    const StretchBlocks<double> blocks = stretch_blocks(s, e.gradient, e.hessian, energy_curvature(InverseSquares()));
    const double a = s[0], b = s[1], expected = 0.8 * (a * a + a * b + b * b) / std::pow(a * b, 3);
    EXPECT_NEAR(expected, blocks.symmetric[0], 2e-14 * expected) << "gap " << gap;
  }
}

TEST(PrincipalStretches, CurvatureIsNotAskedWhereStretchesAreApart) {
  const Vector3<double> s{1.3, 1.0, 0.7};
  const StretchDerivatives<double> e = stretch_derivatives(InverseSquares(), s);
  int asked = 0;
  auto curvature = [&](auto i, auto j, const Vector3<double>& t) {
    ++asked;
    return energy_curvature(InverseSquares())(i, j, t);
  };
  stretch_blocks(s, e.gradient, e.hessian, curvature);
  EXPECT_EQ(0, asked);
  const Vector3<double> near{1.3, 1.29, 0.7};
  stretch_blocks(near, e.gradient, e.hessian, curvature);
  EXPECT_EQ(3, asked);
}

TEST(PrincipalStretches, CurvatureMayComeFromAWholeHessian) {
  auto hessian = [](const Vector3<double>& s) { return stretch_derivatives(Energy(), s).hessian; };
  const Vector3<double> s{1.2, 1.1, 0.9};
  std::integral_constant<int, 0> i;
  std::integral_constant<int, 2> j;
  EXPECT_NEAR(energy_curvature(Energy())(i, j, s), pair_curvature(hessian)(i, j, s), 1e-13);
}

TEST(PrincipalStretches, OppositeStretchesCountAKink) {
  const Vector3<double> s{1.0, 0.5, -0.5}, g{1, 2, 3};
  const Vector<double, 6> h{1, 0, 0, 1, 0, 1};
  const auto before = kink_counters().kinks;
  const StretchBlocks<double> blocks = stretch_blocks(s, g, h, [](auto, auto, const auto&) { return 0.0; });
  EXPECT_EQ(before + 1, kink_counters().kinks);
  EXPECT_EQ(5e9, blocks.skew[2]);
}

}  // namespace
}  // namespace holo
