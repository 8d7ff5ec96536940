// The energy of a displacement of a surface with bristles, in the directions of its parts and of upright bristles.
#include "contact/directional_sliding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "term_checks.h"

namespace holo::test {
namespace {

constexpr double sliding_length = 3e-4;  // e [m]

DirectionalLaw slanted_law(FrictionLaw law) {
  BristlesDefinition bristles;
  bristles.forward = 0.6;
  bristles.backward = 1.7;
  bristles.lateral = 1.3;
  return {law, sliding_length, bristles};
}

// f' and q of docs/elastic-dynamics.md#bristles, of y in stick lengths.
double odd_quintic(double y) { return std::abs(y) > 1 ? (y < 0 ? -1 : 1) : y * (15 - 10 * y * y + 3 * std::pow(y, 4)) / 8; }
double law_of_force(FrictionLaw law, double y) {
  return law == FrictionLaw::quintic || std::abs(y) > 1 ? odd_quintic(y) : 2 * y - y * std::abs(y);
}

class DirectionalSlidingOf : public testing::TestWithParam<FrictionLaw> {};

TEST_P(DirectionalSlidingOf, ForceHasThePartsOfItsFactorsForwardBackwardAndAcross) {
  const Eigen::Vector3d n(0, 0.6, 0.8), t(0.6, 0.64, -0.48), side(-0.8, 0.48, -0.36);
  const Eigen::Vector3d tangent = bristle_tangent(n, 2.5 * t - 1.1 * n);
  EXPECT_LT((tangent - t).norm(), 1e-15);
  for (const double y : {-2.0, -0.7, -0.1, 0.0, 0.3, 1.5})
    for (const double z : {-1.2, 0.0, 0.4}) {
      const Eigen::Vector3d w = sliding_length * (y * t + z * side + 0.9 * n);
      const double ahead = (1.15 - 0.55 * odd_quintic(y)) * law_of_force(GetParam(), y),
                   across = 1.3 * law_of_force(GetParam(), z);
      const Eigen::Vector3d force = directional_sliding(slanted_law(GetParam()), w, n, tangent).force;
      EXPECT_LT((force - ahead * t - across * side).norm(), 1e-13) << y << ", " << z;
      // The rounding of t . w, 2^-52 |w|, is a displacement of its own, with a force that is at most 4/stick length times it.
      const double rounding = 0x1p-52 * w.norm();
      EXPECT_GE(force.dot(w), -8 * rounding * rounding / sliding_length) << "friction opposes the displacement";
    }
}

TEST_P(DirectionalSlidingOf, UprightBristlesHaveTheirLateralForceInAllDirections) {
  const Eigen::Vector3d n(0, 0.6, 0.8), t(0.6, 0.64, -0.48);
  const Eigen::Vector3d tangent = bristle_tangent(n, 2 * n + 1e-3 * t);
  EXPECT_EQ(tangent, Eigen::Vector3d::Zero());
  for (const double y : {0.0, 0.3, 1.5}) {
    const Eigen::Vector3d w = sliding_length * (y * t + 0.9 * n);
    const Eigen::Vector3d force = directional_sliding(slanted_law(GetParam()), w, n, tangent).force;
    EXPECT_LT((force - 1.3 * law_of_force(GetParam(), y) * t).norm(), 1e-13) << y;
  }
}

// Of leaning bristles in all numbers, and of upright ones in the displacement.
TEST_P(DirectionalSlidingOf, DerivativesAreDifferencesOfThoseBelow) {
  const DirectionalLaw law = slanted_law(GetParam());
  const Eigen::Vector3d n(0, 0.6, 0.8), w = sliding_length * Eigen::Vector3d(0.4, -0.3, 0.2), Y(0.3, 0.5, -0.4);
  for (const bool is_upright : {false, true}) {
    const Eigen::Vector3d a = is_upright ? 1.5 * n : Eigen::Vector3d(0.8, 0.5, 1.1);
    const auto at = [&](const Eigen::Vector3d& moved) { return directional_sliding(law, moved, n, bristle_tangent(n, a)); };
    const auto derivatives_at = [&](const Eigen::Vector3d& moved) {
      SlidingVector q;
      q << moved, n, 2.0, a;
      return directional_sliding_derivatives(law, q, Y);
    };
    const double h = 1e-3 * sliding_length;
    const DirectionalSliding sliding = at(w);
    const SlidingDerivatives derivatives = derivatives_at(w);
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d d = Eigen::Vector3d::Unit(k);
      EXPECT_NEAR(sliding.force[k], difference([&](double s) { return at(w + s * d).value; }, h), 1e-10);
      const Eigen::Vector3d bend = difference([&](double s) { return Eigen::Vector3d(at(w + s * d).force); }, h);
      EXPECT_LT((sliding.stiffness.col(k) - bend).norm(), 1e-10 / sliding_length);
    }
    EXPECT_LT((derivatives.hessian.topLeftCorner<3, 3>() - 2 * sliding.stiffness).norm(), 1e-12 / sliding_length);
    EXPECT_LT((derivatives.hessian.block<3, 1>(0, SlidingNumbers::factor) - sliding.force).norm(), 1e-12);
    const SlidingMatrix change = difference([&](double s) { return SlidingMatrix(derivatives_at(w + s * Y).hessian); }, h);
    EXPECT_LT((derivatives.along - change).norm(), 1e-9 * change.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, DirectionalSlidingOf, testing::Values(FrictionLaw::quintic, FrictionLaw::quadratic));

}  // namespace
}  // namespace holo::test
