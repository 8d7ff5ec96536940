// Energies of contact pairs and the mollifier of edges, against their formulas in 120 digits.
#include "holo/sim/contact/pairs/pair_energy.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "algebra/symmetric.h"
#include "holo/core/error.h"
#include "pair_samples.h"

namespace holo::test {
namespace {

using digits::Digits120;

constexpr double pair_reach = 2.5, pair_stiffness = 3e4, pair_area = 0.7;

// By [Shen2024] Eq 4 and its variants, as in docs/elastic-dynamics.md.
Digits120 barrier_in_digits(BarrierShape shape, const Digits120& d) {
  const Digits120 l = log(d / Digits120(pair_reach)), g = d - Digits120(pair_reach);
  if (shape == BarrierShape::logarithmic) return Digits120(-pair_stiffness) * g * g * l;
  if (shape == BarrierShape::smooth) return Digits120(pair_stiffness) / Digits120(pair_reach) * g * g * g * l;
  const Digits120 q = d * d - Digits120(pair_reach) * Digits120(pair_reach);
  return Digits120(-pair_stiffness) / (Digits120(4.0) * Digits120(pair_reach) * Digits120(pair_reach)) * q * q * l;
}

// |e1 x e2|^2 = |e1|^2 |e2|^2 - (e1 . e2)^2.
Digits120 mollifier_in_digits(double threshold, const PairPoints<Digits120>& x) {
  const PairPoint<Digits120> e1 = pair_difference(x[1], x[0]), e2 = pair_difference(x[3], x[2]);
  const Digits120 c = (pair_dot(e1, e1) * pair_dot(e2, e2) - pair_dot(e1, e2) * pair_dot(e1, e2)) / Digits120(threshold);
  return (Digits120(2.0) - c) * c;
}

const BarrierShape barrier_shapes[] = {BarrierShape::logarithmic, BarrierShape::smooth, BarrierShape::squared};

TEST(PairEnergy, DerivativesAreDifferencesIn120DigitsForAllFeaturesAndBarriers) {
  std::mt19937 generator(3);
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
    for (const PairSample& s : pairs_of_all_features(kind, 1))
      for (const BarrierShape shape : barrier_shapes) {
        const PairVector y = random_pair(generator);
        const PairBarrier law{{shape, pair_reach, pair_stiffness}, pair_area, 0};
        const auto f = [&](const PairPoints<Digits120>& x) {
          return Digits120(pair_area) * barrier_in_digits(shape, distance_by_closest_points(s.features, x));
        };
        expect_derivatives(f, s.x, pair_energy_gradient(law, s.features, s.x),
                           pair_energy_hessian(law, s.features, s.x, Curvature::exact), y,
                           pair_energy_directional_hessian(law, s.features, s.x, y), 2e-12);
        EXPECT_NEAR(pair_energy(law, s.features, s.x), pair_energy_gradient(law, s.features, s.x).value,
                    1e-14 * pair_energy(law, s.features, s.x));
      }
}

TEST(PairEnergy, DerivativesWithTheMollifierAreDifferencesIn120Digits) {
  std::mt19937 generator(4);
  for (const PairSample& s : pairs_of_all_features(PairKind::edge_edge, 1))
    for (const BarrierShape shape : barrier_shapes) {
      const PairVector y = random_pair(generator);
      const PairBarrier law{{shape, pair_reach, pair_stiffness}, pair_area, 1e3 * parallel_threshold(s.x)};
      const auto f = [&](const PairPoints<Digits120>& x) {
        return Digits120(pair_area) * mollifier_in_digits(law.parallel_threshold, x) *
               barrier_in_digits(shape, distance_by_closest_points(s.features, x));
      };
      ASSERT_LT(edge_mollifier(law.parallel_threshold, s.x), 1);
      expect_derivatives(f, s.x, pair_energy_gradient(law, s.features, s.x),
                         pair_energy_hessian(law, s.features, s.x, Curvature::exact), y,
                         pair_energy_directional_hessian(law, s.features, s.x, y), 2e-12);
      EXPECT_NEAR(pair_energy(law, s.features, s.x), pair_energy_gradient(law, s.features, s.x).value,
                  1e-14 * pair_energy(law, s.features, s.x));
    }
}

// Edges with this sine between them. Their lines cross at places of both that are up to half of a length outside of them, so
// that the closest features are of all kinds.
PairVector nearly_parallel_edges(std::mt19937& generator, double sine) {
  std::uniform_real_distribution<double> length(0.5, 2), part(-0.5, 1.5);
  const PairVector random = random_pair(generator);
  const Eigen::Vector3d along = random.segment<3>(0).normalized(), normal = along.cross(random.segment<3>(3)).normalized();
  const Eigen::Vector3d e1 = length(generator) * along,
                        e2 = length(generator) * (std::sqrt(1 - sine * sine) * along + sine * normal.cross(along));
  const double s = part(generator), t = part(generator), distance = length(generator) / 2;
  PairVector x;
  x.segment<3>(0) = random.segment<3>(6);
  x.segment<3>(3) = x.segment<3>(0) + e1;
  x.segment<3>(6) = x.segment<3>(0) + s * e1 + distance * normal - t * e2;
  x.segment<3>(9) = x.segment<3>(6) + e2;
  return x;
}

// With the threshold as it is. The normal of the edges has the relative rounding error 2^-52/sine, and energy, gradient and
// Hessian have a few times that. Third derivatives are sums of terms m d''', m' d'', ... of the size 1/sine that leave a
// bounded rest, which has the error 2^-52/sine^2.
TEST(PairEnergy, DerivativesOfNearlyParallelEdgesLoseTheDigitsOfTheirNormal) {
  std::mt19937 generator(6);
  std::array<int, 4> count = {};  // [stratum]
  for (const double sine : {2e-2, 1e-3, 1e-4, 1e-6})
    for (const BarrierShape shape : barrier_shapes)
      for (int i = 0; i < 4; ++i) {
        const PairVector x = nearly_parallel_edges(generator, sine), y = random_pair(generator);
        const ClosestFeatures features = closest_features(PairKind::edge_edge, x);
        const PairBarrier law{{shape, pair_reach, pair_stiffness}, pair_area, parallel_threshold(x)};
        const auto f = [&](const PairPoints<Digits120>& at) {
          return Digits120(pair_area) * mollifier_in_digits(law.parallel_threshold, at) *
                 barrier_in_digits(shape, distance_by_closest_points(features, at));
        };
        ASSERT_LT(edge_mollifier(law.parallel_threshold, x), 0.9);
        ++count[std::size_t(features.stratum)];
        const double loss = std::ldexp(1, -52) / sine;
        expect_derivatives(f, x, pair_energy_gradient(law, features, x),
                           pair_energy_hessian(law, features, x, Curvature::exact), y,
                           pair_energy_directional_hessian(law, features, x, y), 4 * loss, loss / sine);
      }
  for (const Stratum stratum : {Stratum::point_point, Stratum::point_edge, Stratum::edge_edge})
    EXPECT_GE(count[std::size_t(stratum)], 4) << int(stratum);
}

TEST(EdgeMollifier, DerivativesAreDifferencesIn120Digits) {
  std::mt19937 generator(5);
  for (int i = 0; i < 5; ++i) {
    const PairVector x = random_pair(generator), y = random_pair(generator);
    const double threshold = 1e3 * parallel_threshold(x) * 1.1;
    const auto f = [&](const PairPoints<Digits120>& at) { return mollifier_in_digits(threshold, at); };
    expect_derivatives(f, x, edge_mollifier_gradient(threshold, x), edge_mollifier_hessian(threshold, x), y,
                       edge_mollifier_directional_hessian(threshold, x, y), 1e-12);
  }
}

// Edges of 1 m and 2 m at an angle: c = 4 sin^2, e = 4e-3.
PairVector edges_at_angle(double angle) {
  PairVector x;
  x << 0, 0, 0, 1, 0, 0, 0.5 - std::cos(angle), -std::sin(angle), 0.1, 0.5 + std::cos(angle), std::sin(angle), 0.1;
  return x;
}

TEST(EdgeMollifier, GrowsFromParallelEdgesToOneWithAContinuousSlope) {
  const double threshold = parallel_threshold(edges_at_angle(1));
  EXPECT_NEAR(threshold, 4e-3, 1e-17);
  EXPECT_EQ(edge_mollifier(threshold, edges_at_angle(0)), 0);
  EXPECT_EQ(edge_mollifier_gradient(threshold, edges_at_angle(0)).gradient, PairVector::Zero());
  const double at_one = std::asin(std::sqrt(1e-3));
  EXPECT_NEAR(edge_mollifier(threshold, edges_at_angle(at_one / 2)), 0.4375, 1e-3);
  EXPECT_NEAR(edge_mollifier(threshold, edges_at_angle(at_one * (1 - 1e-9))), 1, 1e-15);
  EXPECT_LE(edge_mollifier_gradient(threshold, edges_at_angle(at_one * (1 - 1e-9))).gradient.norm(), 1e-5);
  for (const double beyond : {1e-9, 1e-2, 1e-1}) EXPECT_EQ(edge_mollifier(threshold, edges_at_angle(at_one * (1 + beyond))), 1);
  EXPECT_EQ(edge_mollifier_hessian(threshold, edges_at_angle(1)).hessian, PairMatrix::Zero());
  EXPECT_EQ(edge_mollifier_directional_hessian(threshold, edges_at_angle(1), edges_at_angle(2)), PairMatrix::Zero());
}

// The Hessian of the distance grows as 1/sin^2; that of the energy stays bounded, and the energy goes to 0.
TEST(PairEnergy, OfEdgesTurningParallelStaysSmooth) {
  const PairBarrier law{{BarrierShape::logarithmic, 0.2, 1}, 1, parallel_threshold(edges_at_angle(1))};
  double largest = 0;
  for (double angle = 0.5; angle > 1e-12; angle /= 2) {
    const PairVector x = edges_at_angle(angle);
    const ClosestFeatures features = closest_features(PairKind::edge_edge, x);
    const PairHessian E = pair_energy_hessian(law, features, x, Curvature::exact);
    EXPECT_TRUE(E.gradient.allFinite() && E.hessian.allFinite()) << angle;
    if (angle < 1e-3) {
      EXPECT_NEAR(E.value / std::pow(angle, 2), 2e3 * barrier_energy(law.barrier, 0.1).value, 1) << angle;
    }
    largest = std::max(largest, E.hessian.norm());
  }
  EXPECT_LT(largest, 1e3 * pair_energy_hessian(law, closest_features(PairKind::edge_edge, edges_at_angle(1)), edges_at_angle(1),
                                               Curvature::exact)
                               .hessian.norm());
}

TEST(PairEnergy, ProjectedHessianIsThePositivePart) {
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
    for (const PairSample& s : pairs_of_all_features(kind, 5))
      for (const double threshold : {0.0, kind == PairKind::edge_edge ? 1e3 * parallel_threshold(s.x) : 0.0}) {
        const PairBarrier law{{BarrierShape::logarithmic, pair_reach, pair_stiffness}, pair_area, threshold};
        const PairHessian exact = pair_energy_hessian(law, s.features, s.x, Curvature::exact),
                          projected = pair_energy_hessian(law, s.features, s.x, Curvature::projected);
        EXPECT_EQ(exact.gradient, projected.gradient);
        EXPECT_EQ(projected.hessian, projected.hessian.transpose());
        EXPECT_LE((projected.hessian - positive_part(exact.hessian)).norm(), 1e-12 * exact.hessian.norm());
        EXPECT_GT((projected.hessian - exact.hessian).norm(), 1e-3 * exact.hessian.norm());
      }
}

// A triangle 1e-7 as high as long, and nearly parallel edges without mollifier.
TEST(PairEnergy, ProjectedHessianIsThePositivePartForIllConditionedPairs) {
  PairVector sliver, edges = edges_at_angle(1e-7);
  sliver << 0.4, 0.1e-7, 0.1, 0, 0, 0, 1, 0, 0, 0.5, 1e-7, 0;
  struct {
    PairKind kind;
    PairVector x;
  } cases[] = {{PairKind::point_triangle, sliver}, {PairKind::edge_edge, edges}};
  // Turned, so that no coordinate is exact.
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  for (auto& c : cases) {
    for (int node = 0; node < 4; ++node) c.x.segment<3>(3 * node) = R * c.x.segment<3>(3 * node);
    const ClosestFeatures features = closest_features(c.kind, c.x);
    EXPECT_EQ(features.node_count, 4);
    const PairBarrier law{{BarrierShape::logarithmic, pair_reach, pair_stiffness}, pair_area, 0};
    const PairMatrix exact = pair_energy_hessian(law, features, c.x, Curvature::exact).hessian,
                     projected = pair_energy_hessian(law, features, c.x, Curvature::projected).hessian;
    EXPECT_LE((projected - positive_part(exact)).norm(), 1e-11 * exact.norm());
  }
}

TEST(PairEnergy, IsZeroFromTheActivationDistanceOn) {
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
    for (const PairSample& s : pairs_of_all_features(kind, 1)) {
      const PairBarrier law{{BarrierShape::logarithmic, 0.999 * pair_distance(s.features, s.x), pair_stiffness}, pair_area, 0};
      EXPECT_EQ(pair_energy(law, s.features, s.x), 0);
      EXPECT_EQ(pair_energy_gradient(law, s.features, s.x).gradient, PairVector::Zero());
      EXPECT_EQ(pair_energy_hessian(law, s.features, s.x, Curvature::exact).hessian, PairMatrix::Zero());
      EXPECT_EQ(pair_energy_hessian(law, s.features, s.x, Curvature::projected).hessian, PairMatrix::Zero());
      EXPECT_EQ(pair_energy_directional_hessian(law, s.features, s.x, s.x), PairMatrix::Zero());
    }
}

TEST(PairEnergyBadInput, TouchingPrimitivesHaveInfiniteEnergyAndNoDerivatives) {
  PairVector on_face, crossing, parallel;
  on_face << 0.2, 0.2, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0;
  crossing << -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0;
  parallel << 0, 0, 0, 1, 0, 0, 0.5, 0, 0, 1.5, 0, 0;
  const struct {
    PairKind kind;
    PairVector x;
  } cases[] = {{PairKind::point_triangle, on_face}, {PairKind::edge_edge, crossing}, {PairKind::edge_edge, parallel}};
  for (const auto& c : cases) {
    const ClosestFeatures features = closest_features(c.kind, c.x);
    const PairBarrier law{{BarrierShape::logarithmic, pair_reach, pair_stiffness},
                          pair_area,
                          c.kind == PairKind::edge_edge ? parallel_threshold(c.x) : 0.0};
    EXPECT_EQ(pair_energy(law, features, c.x), INFINITY);
    EXPECT_THROW(pair_energy_gradient(law, features, c.x), Error);
    EXPECT_THROW(pair_energy_hessian(law, features, c.x, Curvature::projected), Error);
    EXPECT_THROW(pair_energy_directional_hessian(law, features, c.x, c.x), Error);
  }
}

TEST(PairEnergyBadInput, DistancesDownTo1e40thOfAMeterHaveFiniteDerivatives) {
  for (const double d : {1e-3, 1e-12, 1e-20, 1.01e-40}) {
    PairVector x;
    x << 0, 0, d, 0, 0, 0, 1, 0, 0, 0, 1, 0;
    const ClosestFeatures features = closest_features(PairKind::point_triangle, x);
    const PairBarrier law{{BarrierShape::squared, 1e-3, 1e9}, pair_area, 0};
    EXPECT_TRUE(pair_energy_hessian(law, features, x, Curvature::projected).hessian.allFinite()) << d;
    EXPECT_TRUE(pair_energy_directional_hessian(law, features, x, x).allFinite()) << d;
  }
}

}  // namespace
}  // namespace holo::test
