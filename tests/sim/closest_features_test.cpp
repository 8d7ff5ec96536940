// The closest features of contact pairs, against distances found by sampling, which knows no features.
#include "holo/sim/contact/pairs/closest_features.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "pair_samples.h"

namespace holo::test {
namespace {

// The points of a pair at two numbers in [0, 1]: of the triangle by folding the square's upper half onto its lower.
double distance_at(PairKind kind, const PairVector& x, double s, double t) {
  const auto at = [&](int node) -> Eigen::Vector3d { return x.segment<3>(3 * node); };
  if (kind == PairKind::edge_edge) return (at(0) + s * (at(1) - at(0)) - at(2) - t * (at(3) - at(2))).norm();
  return (at(0) - at(1) - s * (at(2) - at(1)) - t * (at(3) - at(1))).norm();
}

// The least distance over a grid that is refined around its best point. The distance is convex in (s, t), so that this
// converges.
double sampled_distance(PairKind kind, const PairVector& x) {
  const auto inside = [&](double s, double t) {
    return s >= 0 && t >= 0 && s <= 1 && t <= 1 && (kind == PairKind::edge_edge || s + t <= 1);
  };
  double best = distance_at(kind, x, 0, 0), best_s = 0, best_t = 0;
  for (double width = 1; width > 1e-9; width *= 0.6) {
    const double around_s = best_s, around_t = best_t;
    for (int i = -8; i <= 8; ++i)
      for (int j = -8; j <= 8; ++j) {
        double s = std::clamp(around_s + width * i / 8, 0.0, 1.0), t = std::clamp(around_t + width * j / 8, 0.0, 1.0);
        if (kind == PairKind::point_triangle && s + t > 1) {  // to the hypotenuse
          const double excess = (s + t - 1) / 2;
          s = std::clamp(s - excess, 0.0, 1.0);
          t = 1 - s;
        }
        if (!inside(s, t)) continue;
        if (const double d = distance_at(kind, x, s, t); d < best) best = d, best_s = s, best_t = t;
      }
  }
  return best;
}

class ClosestFeaturesOf : public testing::TestWithParam<PairKind> {};

TEST_P(ClosestFeaturesOf, AllOccur) {
  EXPECT_EQ(pairs_of_all_features(GetParam(), 1).size(), GetParam() == PairKind::point_triangle ? 7u : 9u);
}

TEST_P(ClosestFeaturesOf, TheirDistanceIsTheLeastThatSamplesFind) {
  std::mt19937 generator(1);
  for (int i = 0; i < 500; ++i) {
    const PairVector x = random_pair(generator);
    EXPECT_NEAR(pair_distance(closest_features(GetParam(), x), x), sampled_distance(GetParam(), x), 1e-8) << i;
  }
}

// Positions on a grid of few points: features coincide, are parallel, collinear, coplanar, or without length.
TEST_P(ClosestFeaturesOf, OfDegeneratePairsHaveTheLeastDistanceThatSamplesFind) {
  std::mt19937 generator(2);
  std::uniform_int_distribution<int> coordinate(0, 2);
  for (int i = 0; i < 1200; ++i) {
    PairVector x;
    for (int k = 0; k < 12; ++k) x[k] = coordinate(generator);
    const ClosestFeatures features = closest_features(GetParam(), x);
    EXPECT_NEAR(pair_distance(features, x), sampled_distance(GetParam(), x), 1e-8) << x.transpose();
    const Eigen::Vector4d weights = closest_weights(features, x);
    ASSERT_TRUE(weights.allFinite()) << x.transpose();
  }
}

TEST_P(ClosestFeaturesOf, WeightsAreThoseOfPointsOfThePrimitivesAtTheDistance) {
  const int first_count = GetParam() == PairKind::point_triangle ? 1 : 2;
  for (const PairSample& s : pairs_of_all_features(GetParam(), 20)) {
    const Eigen::Vector4d g = closest_weights(s.features, s.x);
    EXPECT_NEAR(g.head(first_count).sum(), 1, 1e-14);
    EXPECT_NEAR(g.tail(4 - first_count).sum(), -1, 1e-14);
    EXPECT_GE(g.head(first_count).minCoeff(), 0);
    EXPECT_LE(g.tail(4 - first_count).maxCoeff(), 0);
    const Eigen::Vector3d p = s.x.reshaped(3, 4) * g;
    EXPECT_NEAR(p.norm(), pair_distance(s.features, s.x), 1e-13);
  }
}

TEST_P(ClosestFeaturesOf, FrameIsOrthonormalAndPointsToTheFirstPrimitive) {
  for (const PairSample& s : pairs_of_all_features(GetParam(), 20)) {
    const PairFrame frame = pair_frame(s.features, s.x);
    Eigen::Matrix3d basis;
    basis << frame.normal, frame.tangents;
    EXPECT_LE((basis.transpose() * basis - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    const Eigen::Vector3d p = s.x.reshaped(3, 4) * frame.weights;
    EXPECT_LE((p - p.norm() * frame.normal).norm(), 1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ClosestFeaturesOf, testing::Values(PairKind::point_triangle, PairKind::edge_edge));

// At 1e-9 of the edges' length the difference of the closest points has lost nine digits; the normal has not.
TEST(ClosestFeatures, NormalIsExactForTinyDistances) {
  PairVector face, edges;
  face << 0.3, 0.3, 1e-9, 0, 0, 0, 1, 0, 0, 0, 1, 0;
  edges << 0.1, 0.2, 1e-9, 0.9, 0.2, 1e-9, 0.3, -1, 0, 0.3, 1, 0;
  EXPECT_EQ(pair_frame(closest_features(PairKind::point_triangle, face), face).normal, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(pair_frame(closest_features(PairKind::edge_edge, edges), edges).normal, Eigen::Vector3d(0, 0, 1));
}

}  // namespace
}  // namespace holo::test
