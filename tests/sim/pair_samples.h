#pragma once
// Contact pairs for tests, and their distances by closest points: independent of the formulas of the library, for any scalar.

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "digits/digits.h"
#include "holo/sim/contact/pairs/pair_distance.h"

namespace holo::test {

template <class S>
using PairPoints = std::array<std::array<S, 3>, 4>;

template <class S>
PairPoints<S> pair_points(const PairVector& x) {
  PairPoints<S> result;
  for (int i = 0; i < 12; ++i) result[std::size_t(i) / 3][std::size_t(i) % 3] = S(x[i]);
  return result;
}

template <class S>
using PairPoint = std::array<S, 3>;
template <class S>
PairPoint<S> pair_difference(const PairPoint<S>& a, const PairPoint<S>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class S>
S pair_dot(const PairPoint<S>& a, const PairPoint<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// |r - s u - t v| at the s and t of the least squares problem.
template <class S>
S pair_distance_to_span(const PairPoint<S>& r, const PairPoint<S>& u, const PairPoint<S>& v) {
  const S uu = pair_dot(u, u), uv = pair_dot(u, v), vv = pair_dot(v, v), ur = pair_dot(u, r), vr = pair_dot(v, r);
  const S determinant = uu * vv - uv * uv;
  const S s = (vv * ur - uv * vr) / determinant, t = (uu * vr - uv * ur) / determinant;
  PairPoint<S> rest;
  for (std::size_t i = 0; i < 3; ++i) rest[i] = r[i] - s * u[i] - t * v[i];
  return sqrt(pair_dot(rest, rest));
}

// The distance of the features by their closest points.
template <class S>
S distance_by_closest_points(const ClosestFeatures& features, const PairPoints<S>& x) {
  const auto at = [&](std::size_t i) { return x[std::size_t(features.nodes[i])]; };
  switch (features.stratum) {
    case Stratum::point_point: {
      const PairPoint<S> r = pair_difference(at(0), at(1));
      return sqrt(pair_dot(r, r));
    }
    case Stratum::point_edge: {
      const PairPoint<S> r = pair_difference(at(0), at(1)), e = pair_difference(at(2), at(1));
      const S t = pair_dot(r, e) / pair_dot(e, e);
      PairPoint<S> rest;
      for (std::size_t i = 0; i < 3; ++i) rest[i] = r[i] - t * e[i];
      return sqrt(pair_dot(rest, rest));
    }
    case Stratum::point_triangle:
      return pair_distance_to_span(pair_difference(at(0), at(1)), pair_difference(at(2), at(1)), pair_difference(at(3), at(1)));
    case Stratum::edge_edge:
      break;
  }
  return pair_distance_to_span(pair_difference(at(2), at(0)), pair_difference(at(1), at(0)), pair_difference(at(3), at(2)));
}

struct PairSample {
  ClosestFeatures features;
  PairVector x;
};

inline PairVector random_pair(std::mt19937& generator) {
  std::uniform_real_distribution<double> coordinate(-1, 1);
  PairVector x;
  for (int i = 0; i < 12; ++i) x[i] = coordinate(generator);
  return x;
}

// The sine of the angle of the edges, or of those of a triangle at its first corner.
inline double pair_sine(PairKind kind, const PairVector& x) {
  const auto difference = [&](int a, int b) -> Eigen::Vector3d { return x.segment<3>(3 * a) - x.segment<3>(3 * b); };
  const Eigen::Vector3d u = kind == PairKind::edge_edge ? difference(1, 0) : difference(2, 1),
                        v = kind == PairKind::edge_edge ? difference(3, 2) : difference(3, 1);
  return u.cross(v).norm() / (u.norm() * v.norm());
}

// `count` pairs of each of the features that two primitives of the kind can have, with distances and angles that are not small.
inline std::vector<PairSample> pairs_of_all_features(PairKind kind, int count) {
  std::mt19937 generator(7);
  std::vector<PairSample> samples;
  const std::size_t cases = kind == PairKind::point_triangle ? 7 : 9;
  for (int tries = 0; tries < 100000 && samples.size() < cases * std::size_t(count); ++tries) {
    const PairVector x = random_pair(generator);
    const ClosestFeatures features = closest_features(kind, x);
    int same = 0;
    for (const PairSample& sample : samples) same += sample.features == features;
    if (same < count && pair_sine(kind, x) > 0.2 && pair_distance(features, x) > 0.05) samples.push_back({features, x});
  }
  return samples;
}

// Derivatives by differences of f(points in 120 digits) along directions: their errors are about 1e-40.
class DigitDifferences {
 public:
  using Digits = digits::Digits120;
  DigitDifferences(const PairVector& x) : x_(pair_points<Digits>(x)) {}

  // D^n f [v_1, ..., v_n] of the directions, n = 1, 2, 3.
  template <class F>
  double along(const F& f, const std::vector<PairVector>& directions) const {
    const Digits h("1e-22");
    Digits sum, scale(1.0);
    for (std::size_t i = 0; i < directions.size(); ++i) scale *= Digits(2.0) * h;
    for (unsigned signs = 0; signs < (1u << directions.size()); ++signs) {
      PairPoints<Digits> at = x_;
      bool negative = false;
      for (std::size_t i = 0; i < directions.size(); ++i) {
        const bool back = (signs >> i & 1) != 0;
        negative = negative != back;
        for (int k = 0; k < 12; ++k)
          at[std::size_t(k) / 3][std::size_t(k) % 3] += Digits(back ? -1.0 : 1.0) * h * Digits(directions[i][k]);
      }
      if (negative)
        sum -= f(at);
      else
        sum += f(at);
    }
    return double(sum / scale);
  }

 private:
  PairPoints<Digits> x_;
};

// Compares gradient, Hessian and directional Hessian along y with differences of f, along random directions. The tolerances, of
// the directional Hessian its own, are relative to their norms.
template <class F>
void expect_derivatives(const F& f, const PairVector& x, const PairGradient& first, const PairHessian& second,
                        const PairVector& y, const PairMatrix& third, double tolerance, double third_tolerance) {
  const DigitDifferences differences(x);
  std::mt19937 generator(11);
  EXPECT_EQ(first.value, second.value);
  EXPECT_NEAR(first.value, double(f(pair_points<digits::Digits120>(x))), tolerance * std::abs(first.value));
  EXPECT_LE((first.gradient - second.gradient).norm(), tolerance * first.gradient.norm());
  EXPECT_EQ(second.hessian, second.hessian.transpose());
  for (int probe = 0; probe < 4; ++probe) {
    const PairVector u = random_pair(generator), v = random_pair(generator);
    EXPECT_NEAR(first.gradient.dot(u), differences.along(f, {u}), tolerance * first.gradient.norm() * u.norm());
    EXPECT_NEAR(u.dot(second.hessian * v), differences.along(f, {u, v}),
                tolerance * second.hessian.norm() * u.norm() * v.norm());
    EXPECT_NEAR(u.dot(third * v), differences.along(f, {u, v, y}), third_tolerance * third.norm() * u.norm() * v.norm());
  }
}
template <class F>
void expect_derivatives(const F& f, const PairVector& x, const PairGradient& first, const PairHessian& second,
                        const PairVector& y, const PairMatrix& third, double tolerance) {
  expect_derivatives(f, x, first, second, y, third, tolerance, tolerance);
}

}  // namespace holo::test
