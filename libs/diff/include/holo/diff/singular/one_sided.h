#pragma once
// One-sided derivative tensors of a function, from its series along rays. Slow: the drivers (holo/diff/drivers.h) come here
// only where nilpotent numbers gave no finite derivative.

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "holo/diff/singular/rays.h"

namespace holo {

// Each call takes a fresh object: it moves out what it found.
class OneSidedDerivatives : private Rays {
 public:
  using Rays::Rays;

  // [n], and a check that the derivative is linear.
  SingularPoint gradient() {
    const std::vector<Ray> axes = axis_rays(1);
    append(axes, 1);
    require_linear(axes);
    return finish();
  }

  // [n + n n]: gradient, then Hessian by rows.
  SingularPoint hessian() {
    const std::size_t n = dimension();
    const std::vector<Ray> axes = axis_rays(2);
    append(axes, 1);
    require_linear(axes);
    for (auto* side : {&point().left, &point().right}) side->resize(n + n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j) {
        const Pair entry = i == j ? Pair{axes[i].derivative(0, 2), axes[i].derivative(1, 2)}
                                  : mixed(unit(i), unit(j), axes[i], axes[j], std::ptrdiff_t(n + i * n + j));
        set(n + i * n + j, entry);
        set(n + j * n + i, entry);
      }
    require_quadratic();
    return finish();
  }

  // [n + n]: gradient, then D2 f[v, e_i].
  SingularPoint hessian_vector_product(std::span<const double> v) {
    const std::vector<Ray> axes = axis_rays(2);
    const Ray ray = along(v, 2);
    append(axes, 1);
    require_linear(axes);
    for (std::size_t i = 0; i < dimension(); ++i)
      push(mixed(to_vector(v), unit(i), ray, axes[i], std::ptrdiff_t(point().left.size())));
    return finish();
  }

  // [n + n]: gradient, then D3 f[u, v, e_i].
  SingularPoint third_order_contraction(std::span<const double> u, std::span<const double> v) {
    append(axis_rays(1), 1);
    for (std::size_t i = 0; i < dimension(); ++i)
      push(mixed(to_vector(u), to_vector(v), unit(i), std::ptrdiff_t(point().left.size())));
    return finish();
  }

  // [2^order - 1]: D^|S| f[v_k, k in S] of the masks S = 1 ... 2^order - 1.
  SingularPoint directional(std::span<const std::span<const double>> v) {
    const int order = int(v.size());
    std::vector<Ray> rays;
    for (const auto& direction : v) rays.push_back(along(direction, std::max(order, 1)));
    for (int mask = 1; mask < 1 << order; ++mask) {
      std::vector<int> members;
      for (int k = 0; k < order; ++k)
        if (mask >> k & 1) members.push_back(k);
      const auto index = std::ptrdiff_t(point().left.size());
      const auto vector = [&](std::size_t k) { return to_vector(v[std::size_t(members[k])]); };
      if (members.size() == 1)
        push({rays[members[0]].derivative(0, 1), rays[members[0]].derivative(1, 1)});
      else if (members.size() == 2)
        push(mixed(vector(0), vector(1), rays[members[0]], rays[members[1]], index));
      else
        push(mixed(vector(0), vector(1), vector(2), index));
    }
    return finish();
  }

 private:
  struct Pair {
    OneSidedDerivative left, right;
  };

  std::vector<Ray> axis_rays(int order) {
    std::vector<Ray> result;
    for (std::size_t i = 0; i < dimension(); ++i) result.push_back(along(unit(i), order));
    return result;
  }

  void set(std::size_t index, const Pair& entry) { point().left[index] = entry.left, point().right[index] = entry.right; }
  void push(const Pair& entry) { point().left.push_back(entry.left), point().right.push_back(entry.right); }
  void append(const std::vector<Ray>& rays, int order) {
    for (const Ray& ray : rays) push({ray.derivative(0, order), ray.derivative(1, order)});
  }

  // Whether sum_k factors[k] derivatives[k] = 0, as far as all are finite.
  bool vanishes(std::span<const OneSidedDerivative> derivatives, std::span<const double> factors) const {
    double sum = 0, scale = 0;
    for (std::size_t k = 0; k < derivatives.size(); ++k) {
      if (!derivatives[k].finite()) return true;
      sum += factors[k] * derivatives[k].value;
      scale += std::abs(factors[k] * derivatives[k].value);
    }
    return detail::negligible(sum, scale, point().scale);
  }

  // The derivative along a direction in general position against the sum over the axes.
  void require_linear(const std::vector<Ray>& axes) {
    if (axes.size() < 2) return;
    const Vector v = general_direction();
    const Ray ray = along(v, 1);
    for (int side : {0, 1}) {
      std::vector<OneSidedDerivative> terms{ray.derivative(side, 1)};
      Vector factors{-1};
      for (std::size_t i = 0; i < v.size(); ++i) {
        terms.push_back(axes[i].derivative(side, 1));
        factors.push_back(v[i]);
      }
      if (!vanishes(terms, factors)) mark_inconsistent(0);
    }
  }

  // The second derivative along it against the quadratic form of the Hessian that was found.
  void require_quadratic() {
    const std::size_t n = dimension();
    if (n < 2) return;
    const Vector v = general_direction();
    const Ray ray = along(v, 2);
    for (int side : {0, 1}) {
      std::vector<OneSidedDerivative> terms{ray.derivative(side, 2)};
      Vector factors{-1};
      for (std::size_t k = 0; k < n * n; ++k) {
        terms.push_back((side == Ray::left ? point().left : point().right)[n + k]);
        factors.push_back(v[k / n] * v[k % n]);
      }
      if (!vanishes(terms, factors)) mark_inconsistent(std::ptrdiff_t(n));
    }
  }

  // The derivative of sum_k factors[k] rays[k]: what is infinite in each may cancel. What stays infinite has no sign: mixed
  // derivatives depend on the way to the point then.
  static OneSidedDerivative combine(std::span<const Ray> rays, std::span<const double> factors, int side, int order) {
    Puiseux sum = 0.0;
    for (std::size_t k = 0; k < rays.size(); ++k) sum += factors[k] * rays[k].side[side];
    OneSidedDerivative result = detail::derivative_of(sum, order, side == Ray::left ? -1 : 1);
    if (!result.finite()) result.value = std::numeric_limits<double>::quiet_NaN();
    return result;
  }

  // D2 f[u, v] = (q(u+v) - q(u) - q(v)) / 2 with q(w) = D2 f[w, w]: of sums alone, so that it holds for each side too. The
  // parallelogram's law q(u+v) + q(u-v) = 2 q(u) + 2 q(v) and D f[u+v] = D f[u] + D f[v] are checked.
  Pair mixed(const Vector& u, const Vector& v, const Ray& a, const Ray& b, std::ptrdiff_t index) {
    if (u == v) return {a.derivative(0, 2), a.derivative(1, 2)};
    const Ray rays[] = {along(sum(u, 1, v), 2), a, b}, minus = along(sum(u, -1, v), 2);
    OneSidedDerivative result[2];
    for (int side : {0, 1}) {
      const OneSidedDerivative first[] = {rays[0].derivative(side, 1), a.derivative(side, 1), b.derivative(side, 1)};
      const OneSidedDerivative second[] = {rays[0].derivative(side, 2), minus.derivative(side, 2), a.derivative(side, 2),
                                           b.derivative(side, 2)};
      if (!vanishes(first, std::array{1.0, -1.0, -1.0}) || !vanishes(second, std::array{1.0, 1.0, -2.0, -2.0}))
        mark_inconsistent(index);
      result[side] = combine(rays, std::array{0.5, -0.5, -0.5}, side, 2);
    }
    return {result[0], result[1]};
  }

  // D3 f[u, v, w] = (c(u+v+w) - c(u+v) - c(u+w) - c(v+w) + c(u) + c(v) + c(w)) / 6 with c(z) = D3 f[z, z, z]; checked against
  // (c(u+v+w) - c(u+v-w) - c(u-v+w) + c(u-v-w)) / 24.
  Pair mixed(const Vector& u, const Vector& v, const Vector& w, std::ptrdiff_t index) {
    if (u == v && v == w) {
      const Ray ray = along(u, 3);
      return {ray.derivative(0, 3), ray.derivative(1, 3)};
    }
    const Vector plus = sum(u, 1, v), minus = sum(u, -1, v);
    const Ray rays[] = {along(sum(plus, 1, w), 3),
                        along(plus, 3),
                        along(sum(u, 1, w), 3),
                        along(sum(v, 1, w), 3),
                        along(u, 3),
                        along(v, 3),
                        along(w, 3)};
    const Ray checks[] = {along(sum(plus, -1, w), 3), along(sum(minus, 1, w), 3), along(sum(minus, -1, w), 3)};
    const std::array sixths{1.0 / 6, -1.0 / 6, -1.0 / 6, -1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6};
    OneSidedDerivative result[2];
    for (int side : {0, 1}) {
      result[side] = combine(rays, sixths, side, 3);
      std::vector<OneSidedDerivative> terms;
      for (const Ray& ray : rays) terms.push_back(ray.derivative(side, 3));
      for (const Ray& ray : checks) terms.push_back(ray.derivative(side, 3));
      Vector factors(sixths.begin(), sixths.end());
      factors[0] -= 1.0 / 24;
      for (double sign : {1.0, 1.0, -1.0}) factors.push_back(sign / 24);
      if (!vanishes(terms, factors)) mark_inconsistent(index);
    }
    return {result[0], result[1]};
  }

  SingularPoint finish() { return std::move(point()); }
};

}  // namespace holo
