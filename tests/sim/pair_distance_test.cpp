// Distances of contact pairs and their derivatives, against closest points in 120 digits.
#include "holo/sim/contact/pairs/pair_distance.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>

#include "holo/core/error.h"
#include "pair_samples.h"

namespace holo::test {
namespace {

class PairDistanceOf : public testing::TestWithParam<PairKind> {};

// Samples have sines above 0.2 and distances above 0.05: each division costs up to two digits.
TEST_P(PairDistanceOf, DerivativesAreDifferencesIn120DigitsForAllFeatures) {
  std::mt19937 generator(3);
  for (const PairSample& s : pairs_of_all_features(GetParam(), 3)) {
    const PairVector y = random_pair(generator);
    const auto f = [&](const PairPoints<digits::Digits120>& x) { return distance_by_closest_points(s.features, x); };
    expect_derivatives(f, s.x, pair_distance_gradient(s.features, s.x), pair_distance_hessian(s.features, s.x), y,
                       pair_distance_directional_hessian(s.features, s.x, y), 1e-12);
    EXPECT_DOUBLE_EQ(pair_distance(s.features, s.x), pair_distance_gradient(s.features, s.x).value);
    EXPECT_DOUBLE_EQ(pair_squared_distance(s.features, s.x), std::pow(pair_distance(s.features, s.x), 2));
  }
}

TEST_P(PairDistanceOf, GradientIsTheNormalTimesTheWeights) {
  for (const PairSample& s : pairs_of_all_features(GetParam(), 20)) {
    const PairFrame frame = pair_frame(s.features, s.x);
    PairVector expected;
    for (int node = 0; node < 4; ++node) expected.segment<3>(3 * node) = frame.weights[node] * frame.normal;
    EXPECT_LE((pair_distance_gradient(s.features, s.x).gradient - expected).norm(), 1e-13);
  }
}

// Along paths between random pairs, both sides of each change of features are found to 1e-10 by bisection. The distance and its
// gradient change over this length by no more than their derivatives let them.
TEST_P(PairDistanceOf, DistanceAndGradientAreContinuousWhereFeaturesChange) {
  std::mt19937 generator(5);
  int changes = 0;
  for (int path = 0; path < 300; ++path) {
    const PairVector x0 = random_pair(generator), x1 = random_pair(generator);
    const auto at = [&](double t) -> PairVector { return x0 + t * (x1 - x0); };
    double before = 0, after = 1;
    const ClosestFeatures first = closest_features(GetParam(), x0);
    if (closest_features(GetParam(), x1) == first) continue;
    while (after - before > 1e-10) {
      const double middle = 0.5 * (before + after);
      (closest_features(GetParam(), at(middle)) == first ? before : after) = middle;
    }
    const ClosestFeatures second = closest_features(GetParam(), at(after));
    const PairHessian a = pair_distance_hessian(first, at(before)), b = pair_distance_hessian(second, at(after));
    const double length = (at(after) - at(before)).norm();
    EXPECT_NEAR(a.value, b.value, 4 * length) << path;
    ++changes;
    EXPECT_LE((a.gradient - b.gradient).norm(), 4 * length * (1 + a.hessian.norm() + b.hessian.norm())) << path;
  }
  EXPECT_GT(changes, 100);
}

TEST_P(PairDistanceOf, RigidMotionsLeaveTheDistanceAndTurnItsDerivatives) {
  std::mt19937 generator(9);
  const Eigen::Matrix3d R = Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  PairMatrix turn = PairMatrix::Zero();
  for (int node = 0; node < 4; ++node) turn.block<3, 3>(3 * node, 3 * node) = R;
  const PairVector shift = Eigen::Vector3d(3, -1, 2).replicate<4, 1>();
  for (const PairSample& s : pairs_of_all_features(GetParam(), 3)) {
    const PairVector y = random_pair(generator), moved = turn * s.x + shift;
    ASSERT_EQ(closest_features(GetParam(), moved), s.features);
    const PairHessian here = pair_distance_hessian(s.features, s.x), there = pair_distance_hessian(s.features, moved);
    EXPECT_NEAR(there.value, here.value, 1e-13);
    EXPECT_LE((there.gradient - turn * here.gradient).norm(), 1e-12);
    EXPECT_LE((there.hessian - turn * here.hessian * turn.transpose()).norm(), 1e-11 * here.hessian.norm());
    EXPECT_LE((pair_distance_directional_hessian(s.features, moved, turn * y) -
               turn * pair_distance_directional_hessian(s.features, s.x, y) * turn.transpose())
                  .norm(),
              1e-11 * pair_distance_directional_hessian(s.features, s.x, y).norm());
    EXPECT_LE((here.hessian * shift).norm(), 1e-13 * here.hessian.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PairDistanceOf, testing::Values(PairKind::point_triangle, PairKind::edge_edge));

// Two edges cross at the distance 0.01 m and the angle a: the rounding error of n = e1 x e2 turns the normal by 2^-53 / sin a.
TEST(PairDistance, EdgesTurningParallelHaveErrorsOfRoundingOverTheSine) {
  for (double angle = 0.5; angle > 1e-12; angle /= 3) {
    PairVector x;
    x << -0.5, 0.1, 0.3, 0.6, 0.1, 0.3, -0.4 * std::cos(angle), 0.1 - 0.4 * std::sin(angle), 0.31, 0.7 * std::cos(angle),
        0.1 + 0.7 * std::sin(angle), 0.31;
    const ClosestFeatures features = closest_features(PairKind::edge_edge, x);
    EXPECT_EQ(features.stratum == Stratum::edge_edge, std::sin(angle) > 0x1p-26) << angle;
    const PairHessian d = pair_distance_hessian(features, x);
    // Without the interiors, the neighboring features are farther by the square of sine and length, over twice the distance.
    EXPECT_NEAR(d.value, 0.01, 2e-15 + 1e-16 / angle * 1e-2) << angle;
    EXPECT_TRUE(d.gradient.allFinite() && d.hessian.allFinite()) << angle;
    PairVector direction = PairVector::Zero();
    const PairFrame frame = pair_frame(features, x);
    for (int node = 0; node < 4; ++node) direction[3 * node + 2] = frame.weights[node] * (frame.normal[2] < 0 ? -1 : 1);
    // Without the interiors, an end and a line have a normal that leans by their way across, 0.7 sin a, over the distance,
    // and weights whose norm is at most the root of 2.
    const bool interiors = features.stratum == Stratum::edge_edge;
    EXPECT_LE((d.gradient - direction).norm(), 1e-14 + (interiors ? 1e-15 / angle : 100 * angle)) << angle;
    if (!interiors) continue;
    const auto f = [&](const PairPoints<digits::Digits120>& at) { return distance_by_closest_points(features, at); };
    const DigitDifferences differences(x);
    PairVector u = PairVector::LinSpaced(-1, 1);
    const double expected = differences.along(f, {u, u});
    EXPECT_NEAR(u.dot(d.hessian * u), expected, 1e-14 / angle * d.hessian.norm()) << angle;
  }
}

std::string refusal_of_distance(const ClosestFeatures& features, const PairVector& x) {
  try {
    pair_distance_hessian(features, x);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::internal);
    return error.what();
  }
  return "";
}

TEST(PairDistanceBadInput, PointsThatCoincideHaveADistanceAndNoDerivatives) {
  PairVector x = PairVector::Zero();
  x.segment<3>(6) << 1, 0, 0;
  x.segment<3>(9) << 0, 1, 0;
  const ClosestFeatures features = closest_features(PairKind::point_triangle, x);
  EXPECT_EQ(pair_distance(features, x), 0);
  EXPECT_EQ(refusal_of_distance(features, x),
            "The distance of two points (nodes 0 1 of a point and a triangle) is 0.000000 m: surfaces touch or intersect. "
            "Derivatives of distance and barrier exist from 1e-40 m on.");
  EXPECT_THROW(pair_frame(features, x), Error);
}

TEST(PairDistanceBadInput, PositionsThatAreNotFiniteAreRefused) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
    for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
      for (int i = 0; i < 12; ++i) {
        PairVector x;
        x << 0, 0, 1, 2, 0, 0, 0, 2, 1, -1, -1, 0.5;
        x[i] = bad;
        const ClosestFeatures features = closest_features(kind, x);
        try {
          EXPECT_TRUE(std::isfinite(pair_distance(features, x)));  // of features without that node
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find("positions must be finite and below 1e50 m"), std::string::npos);
        }
      }
  }
}

// Degenerate primitives: all of their combinations have the distance that their nodes suggest, and finite derivatives.
TEST(PairDistanceBadInput, EdgesWithoutLengthAndFlatTrianglesHaveTheDistanceOfTheirPoints) {
  PairVector point_edge;  // the second edge is the point (0.3, 1, 0)
  point_edge << 0, 0, 0, 1, 0, 0, 0.3, 1, 0, 0.3, 1, 0;
  PairVector points = point_edge;  // and the first is the origin
  points.segment<3>(3).setZero();
  PairVector flat;  // a triangle on the x axis, from 0 to 2
  flat << 0.7, 2, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0;
  PairVector single = flat;  // a triangle that is the origin
  single.tail<9>().setZero();
  const struct {
    PairKind kind;
    PairVector x;
    double distance;
  } cases[] = {{PairKind::edge_edge, point_edge, 1},
               {PairKind::edge_edge, points, std::sqrt(1.09)},
               {PairKind::point_triangle, flat, 2},
               {PairKind::point_triangle, single, std::sqrt(4.49)}};
  for (const auto& c : cases) {
    const ClosestFeatures features = closest_features(c.kind, c.x);
    const PairHessian d = pair_distance_hessian(features, c.x);
    EXPECT_NEAR(d.value, c.distance, 1e-15);
    EXPECT_TRUE(d.gradient.allFinite() && d.hessian.allFinite());
    EXPECT_TRUE(pair_distance_directional_hessian(features, c.x, c.x).allFinite());
    EXPECT_TRUE(pair_frame(features, c.x).weights.allFinite() && pair_frame(features, c.x).tangents.allFinite());
  }
}

}  // namespace
}  // namespace holo::test
