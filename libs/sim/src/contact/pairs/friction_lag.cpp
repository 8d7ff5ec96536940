#include "contact/pairs/friction_lag.h"

#include <array>

#include "contact/pairs/pair_formulas.h"
#include "contact/pairs/pair_functions.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

// A function of one number at s, of which the derivatives at its real part are given.
double composed(const std::array<double, 3>& f, double) { return f[0]; }
template <int Order>
Nilpotent<Order> composed(const std::array<double, 3>& f, const Nilpotent<Order>& s) {
  return s.compose(f.data());
}
double real_part(double s) { return s; }
template <int Order>
double real_part(const Nilpotent<Order>& s) {
  return s.value();
}

// The features' nodes, and from them a direction along the normal and the weights of the closest points without the sides'
// signs.
template <class S>
struct ClosestPoints {
  Vector3<S> direction;
  std::array<S, 4> weights;  // [node of the features]
};

// As closest_weights() and pair_frame() have them, for any scalar.
template <class S>
ClosestPoints<S> closest_points(Stratum stratum, const std::array<Vector3<S>, 4>& p) {
  const S one(1.0), none(0.0);
  switch (stratum) {
    case Stratum::point_point:
      return {p[0] - p[1], {one, one, none, none}};
    case Stratum::point_edge: {
      const Vector3<S> e = p[2] - p[1], r = p[0] - p[1];
      const S t = dot(e, r) / squared_norm(e);
      return {cross(e, cross(r, e)), {one, 1.0 - t, t, none}};
    }
    case Stratum::point_triangle: {
      const Vector3<S> n = cross(p[2] - p[1], p[3] - p[1]), r = p[0] - p[1];
      const S square = squared_norm(n);
      const S v = dot(cross(r, p[3] - p[1]), n) / square, w = dot(cross(p[2] - p[1], r), n) / square;
      return {n, {one, 1.0 - v - w, v, w}};
    }
    case Stratum::edge_edge:
      break;
  }
  const Vector3<S> e1 = p[1] - p[0], e2 = p[3] - p[2], n = cross(e1, e2), r = p[2] - p[0];
  const S square = squared_norm(n);
  const S s = dot(cross(r, e2), n) / square, t = dot(cross(r, e1), n) / square;
  return {n, {1.0 - s, s, 1.0 - t, t}};
}

// All numbers of the lag at positions x [3 * node].
template <class S>
void evaluate_lag(const PairBarrier& law, const ClosestFeatures& features, const S* x, S* lag) {
  std::array<Vector3<S>, 4> p{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(features.node_count); ++i) p[i] = pairs::vector_at(x, features.nodes[i]);
  const ClosestPoints<S> closest = closest_points(features.stratum, p);
  for (int i = 0; i < 4; ++i) lag[FrictionLag::weights + i] = S(0.0);
  Vector3<S> difference{};  // of the closest points, relative to the first node
  for (std::size_t i = 0; i < static_cast<std::size_t>(features.node_count); ++i) {
    const int node = features.nodes[i];
    const bool is_first = node < (features.kind == PairKind::point_triangle ? 1 : 2);
    const S weight = is_first ? closest.weights[i] : -closest.weights[i];
    lag[FrictionLag::weights + node] = weight;
    difference = difference + weight * (p[i] - p[0]);
  }
  const double side = real_part(dot(difference, closest.direction)) < 0 ? -1 : 1;
  const S scale = side / sqrt(squared_norm(closest.direction));
  const Vector3<S> normal = scale * closest.direction;
  for (int i = 0; i < 3; ++i) lag[FrictionLag::normal + i] = normal[i];
  const S distance = dot(normal, difference);
  const ScalarDerivatives B = barrier_energy(law.barrier, real_part(distance) - law.radius);
  S force = -law.area * composed({B.first, B.second, B.third}, distance);
  std::array<double, 12> at;
  for (std::size_t i = 0; i < 12; ++i) at[i] = real_part(x[i]);
  if (pairs::is_mollified(law.parallel_threshold, at.data())) {
    constexpr int all_nodes[] = {0, 1, 2, 3};
    S z[9];
    pairs::relative_positions<3>(x, all_nodes, z);
    force = force * pairs::mollifier(z, S(law.parallel_threshold));
  }
  lag[FrictionLag::force] = force;
}

}  // namespace

FrictionLagVector friction_lag(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x) {
  pair_frame(features, x);  // throws where there is no normal
  FrictionLagVector lag;
  evaluate_lag(law, features, x.data(), lag.data());
  return lag;
}

FrictionLagJacobian friction_lag_jacobian(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x) {
  using S = Nilpotent<1>;
  FrictionLagJacobian jacobian;
  for (int k = 0; k < 12; ++k) {
    S at[12], lag[FrictionLag::count];
    for (int i = 0; i < 12; ++i) at[i] = S::seed(x[i], {i == k ? 1.0 : 0.0});
    evaluate_lag(law, features, at, lag);
    for (int i = 0; i < FrictionLag::count; ++i) jacobian(i, k) = lag[i].derivative();
  }
  return jacobian;
}

PairMatrix friction_lag_curvature(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x,
                                  const FrictionLagVector& factors) {
  using S = Nilpotent<2>;
  PairMatrix result;
  for (int k = 0; k < 12; ++k)
    for (int l = k; l < 12; ++l) {
      S at[12], lag[FrictionLag::count];
      for (int i = 0; i < 12; ++i) at[i] = S::seed(x[i], {i == k ? 1.0 : 0.0, i == l ? 1.0 : 0.0});
      evaluate_lag(law, features, at, lag);
      double sum = 0;
      for (int i = 0; i < FrictionLag::count; ++i) sum += factors[i] * lag[i].derivative();
      result(k, l) = result(l, k) = sum;
    }
  return result;
}

}  // namespace holo
