#include "contact/directional_sliding.h"

#include <Eigen/Geometry>

#include "holo/diff/matrix.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/sim/contact/gap_energy.h"

namespace holo {
namespace {

bool stands_upright(const Eigen::Vector3d& n, const Eigen::Vector3d& a) {
  return !((a - n * n.dot(a)).squaredNorm() > 1e-6 * a.squaredNorm());
}

template <int Order>
Nilpotent<Order> chained(const ScalarDerivatives& f, const Nilpotent<Order>& x) {
  const double derivatives[] = {f.value, f.first, f.second, f.third};
  return x.compose(derivatives);
}

ScalarDerivatives forward_part(const DirectionalLaw& law, double y) {
  return smoothed_directed_length(law.law, law.stick_length, law.forward, law.backward, y);
}

ScalarDerivatives lateral_part(const DirectionalLaw& law, double z) {
  return smoothed_directed_length(law.law, law.stick_length, law.lateral, law.lateral, z);
}

// Of upright bristles, in |u|^2.
ScalarDerivatives all_around(const DirectionalLaw& law, double square) {
  return smoothed_length(law.law, law.stick_length, square);
}

template <class S>
S sliding_energy(const DirectionalLaw& law, bool is_upright, const S* q) {
  const auto at = [&](int first) { return Vector3<S>{q[first], q[first + 1], q[first + 2]}; };
  const Vector3<S> w = at(SlidingNumbers::displacement), n = at(SlidingNumbers::normal), a = at(SlidingNumbers::direction);
  const S& factor = q[SlidingNumbers::factor];
  if (is_upright) {
    const S square = squared_norm(w - dot(n, w) * n);
    return factor * (forward_part(law, 0).value + law.lateral * chained(all_around(law, square.value()), square));
  }
  const Vector3<S> p = a - dot(n, a) * n;
  const Vector3<S> t = (1.0 / sqrt(squared_norm(p))) * p;
  const S y = dot(t, w), z = dot(cross(n, t), w);
  return factor * (chained(forward_part(law, y.value()), y) + chained(lateral_part(law, z.value()), z));
}

}  // namespace

Eigen::Vector3d bristle_tangent(const Eigen::Vector3d& n, const Eigen::Vector3d& a) {
  if (stands_upright(n, a)) return Eigen::Vector3d::Zero();
  return (a - n * n.dot(a)).normalized();
}

DirectionalSliding directional_sliding(const DirectionalLaw& law, const Eigen::Vector3d& w, const Eigen::Vector3d& n,
                                       const Eigen::Vector3d& t) {
  if (t.isZero(0)) {
    const Eigen::Vector3d u = w - n * n.dot(w);
    const ScalarDerivatives f = all_around(law, u.squaredNorm());
    return {forward_part(law, 0).value + law.lateral * f.value, 2 * law.lateral * f.first * u,
            law.lateral * (2 * f.first * (Eigen::Matrix3d::Identity() - n * n.transpose()) + 4 * f.second * u * u.transpose())};
  }
  const Eigen::Vector3d side = n.cross(t);
  const ScalarDerivatives s = forward_part(law, t.dot(w)), f = lateral_part(law, side.dot(w));
  return {s.value + f.value, s.first * t + f.first * side, s.second * t * t.transpose() + f.second * side * side.transpose()};
}

SlidingDerivatives directional_sliding_derivatives(const DirectionalLaw& law, const SlidingVector& q, const Eigen::Vector3d& Y,
                                                   const SlidingVector& varied) {
  using S = Nilpotent<3>;
  const bool is_upright = stands_upright(q.segment<3>(SlidingNumbers::normal), q.segment<3>(SlidingNumbers::direction));
  SlidingDerivatives result;
  for (int k = 0; k < SlidingNumbers::count; ++k)
    for (int l = k; l < SlidingNumbers::count; ++l) {
      if (varied[k] == 0 || varied[l] == 0) continue;
      S at[SlidingNumbers::count];
      for (int i = 0; i < SlidingNumbers::count; ++i)
        at[i] = S::seed(q[i], {i < SlidingNumbers::normal ? Y[i] : 0.0, i == k ? 1.0 : 0.0, i == l ? 1.0 : 0.0});
      const S energy = sliding_energy(law, is_upright, at);
      result.hessian(k, l) = result.hessian(l, k) = energy.coefficient(0b110);
      result.along(k, l) = result.along(l, k) = energy.derivative();
    }
  return result;
}

}  // namespace holo
