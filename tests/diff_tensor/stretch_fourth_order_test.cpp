// Contractions of fourth derivatives of energies of principal stretches against 120-digit mixed differences of the same energy
// written in F.
#include "holo/diff/tensor/stretch_fourth_order.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stretch_energies.h"

namespace holo {
namespace {

using namespace stretch_test;

struct HandDerivatives {
  template <class S>
  static Vector3<S> gradient(const Vector3<S>& s) {
    const S J = s[0] * s[1] * s[2], log_J = log(J), I = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    Vector3<S> g{};
    for (int i = 0; i < 3; ++i) {
      const S& a = s[i];
      g[i] = 1.2 * a * a * a + 1.4 * a * J + 0.7 * I * J / a - 0.8 / (a * a * a) + 2.0 * log_J / a;
    }
    return g;
  }
  template <class S>
  static Vector<S, 6> hessian(const Vector3<S>& s) {
    const S J = s[0] * s[1] * s[2], log_J = log(J), I = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    Vector<S, 6> h{};
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        const S &a = s[i], &b = s[j];
        h[detail::stretch_index[i][j]] = i == j
                                             ? S(3.6 * a * a + 4.2 * J + 2.4 / (a * a * a * a) + 2.0 * (1.0 - log_J) / (a * a))
                                             : S(1.4 * J * (a / b + b / a) + (0.7 * I * J + 2.0) / (a * b));
      }
    return h;
  }
};

template <class S>
Matrix3<S> contraction(const Matrix3<S>& F, const Matrix3<S> (&directions)[3]) {
  const SignedSvd<S> svd = signed_svd(F);
  const auto fourth = stretch_fourth_order(
      svd.stretches, [](const auto& t) { return HandDerivatives::gradient(t); },
      [](const auto& t) { return HandDerivatives::hessian(t); });
  return fourth_order_contraction(svd, fourth, directions);
}

const Matrix3<double> three[3] = {{0.3, -0.7, 0.2, 0.5, -0.4, 0.9, -0.6, 0.1, 0.8},
                                  {-0.2, 0.4, 0.7, -0.9, 0.3, 0.1, 0.6, 0.5, -0.8},
                                  {0.9, 0.2, -0.5, 0.1, 0.6, -0.3, 0.4, -0.7, 0.2}};

// Steps of 1e-12 leave an error of 1e-24. A quotient over the smallest gap, a tenth, loses three digits.
void expect_contraction(const Matrix3<double>& F, const Matrix3<double>& found) {
  const Reference h("1e-12");
  double expected[9], largest = 0;
  for (int k = 0; k < 9; ++k) {
    Reference sum = 0;
    for (int signs = 0; signs < 16; ++signs) {
      Matrix3<Reference> at = matrix_cast<Reference>(F);
      int sign = 1;
      for (int d = 0; d < 4; ++d) {
        const int side = signs >> d & 1 ? 1 : -1;
        sign *= side;
        if (d == 3)
          at[k] += side * h;
        else
          at = at + Reference(side * h) * matrix_cast<Reference>(three[d]);
      }
      sum += sign * Energy::of(at);
    }
    expected[k] = double(sum / (16 * h * h * h * h));
    largest = std::fmax(largest, std::abs(expected[k]));
  }
  for (int k = 0; k < 9; ++k)
    EXPECT_NEAR(expected[k], found[k], 1e-12 * largest) << "entry " << k << " at " << F(0, 0) << " " << F(1, 1);
}

TEST(StretchFourthOrder, ContractionIsThatOfTheEnergyInF) {
  for (const Matrix3<double>& F : deformations()) expect_contraction(F, contraction(F, three));
}

TEST(StretchFourthOrder, ContractionHoldsAtEverySizeOfTheGaps) {
  std::mt19937 random(8);
  for (const double gap : {1e-14, 1e-10, 1e-6, 1e-4, 1e-2, 0.03, 0.05, 0.09, 0.101, 0.12, 0.15, 0.25})
    for (const double middle : {0.0, 0.3, 0.5, 1.0}) {
      const Vector3<double> s{1.1 * (1 + gap / 2), 1.1 * (1 - gap / 2 + gap * middle), 1.1 * (1 - gap / 2)};
      const Matrix3<double> F = rotation(random) * diagonal(s) * transpose(rotation(random));
      SCOPED_TRACE("gap " + std::to_string(gap) + ", middle " + std::to_string(middle));
      expect_contraction(F, contraction(F, three));
    }
}

TEST(StretchFourthOrder, LanesMayMixDistinctAndRepeatedStretches) {
  const std::vector<Matrix3<double>> all = deformations();
  Matrix3<LaneBlock> F{};
  for (int lane = 0; lane < LaneBlock::width; ++lane)
    for (int k = 0; k < 9; ++k) F[k].set(lane, all[std::size_t(lane)][k]);
  const Matrix3<LaneBlock> directions[3] = {matrix_cast<LaneBlock>(three[0]), matrix_cast<LaneBlock>(three[1]),
                                            matrix_cast<LaneBlock>(three[2])};
  const Matrix3<LaneBlock> found = contraction(F, directions);
  for (int lane = 0; lane < LaneBlock::width; ++lane) {
    Matrix3<double> one{};
    for (int k = 0; k < 9; ++k) one[k] = found[k][lane];
    expect_contraction(all[std::size_t(lane)], one);
  }
}

}  // namespace
}  // namespace holo
