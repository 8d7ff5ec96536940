#pragma once
// The functions of a contact pair that are written once, for any scalar: the squared distance of each kind of features, and the
// mollifier of two edges. Their arguments z are positions relative to node 1, of the nodes 0, 2, 3 (in the order of the
// features), so that no derivative knows of translations.

#include "holo/diff/matrix.h"
#include "holo/sim/contact/pairs/closest_features.h"

namespace holo::pairs {

constexpr int node_count(Stratum stratum) {
  return stratum == Stratum::point_point ? 2 : stratum == Stratum::point_edge ? 3 : 4;
}

template <class S>
constexpr Vector3<S> vector_at(const S* z, int k) {
  return {z[3 * k], z[3 * k + 1], z[3 * k + 2]};
}

// Of two points |p - q|^2, of a point and a line |e x r|^2/|e|^2, of a point and a plane (n . r)^2/|n|^2 with the normal n of a
// triangle, of two lines the same with n = e_1 x e_2 [m^2].
template <Stratum stratum, class S>
constexpr S squared_distance(const S* z) {
  const Vector3<S> r = vector_at(z, 0);  // a point relative to one of the other feature, where that is a line or a plane
  if constexpr (stratum == Stratum::point_point) {
    return squared_norm(r);
  } else if constexpr (stratum == Stratum::point_edge) {
    const Vector3<S> e = vector_at(z, 1);
    return squared_norm(cross(e, r)) / squared_norm(e);
  } else if constexpr (stratum == Stratum::point_triangle) {
    const Vector3<S> n = cross(vector_at(z, 1), vector_at(z, 2));
    const S height = dot(n, r);
    return height * height / squared_norm(n);
  } else {
    // Nodes 0 and 1 are the ends of the first line; node 2, of the second, is at z_1.
    const Vector3<S> n = cross(r, vector_at(z, 2) - vector_at(z, 1));
    const S height = dot(n, vector_at(z, 1));
    return height * height / squared_norm(n);
  }
}

// c = |e_1 x e_2|^2 of two edges [m^4].
template <class S>
constexpr S squared_cross_product(const S* z) {
  return squared_norm(cross(vector_at(z, 0), vector_at(z, 2) - vector_at(z, 1)));
}

// (2 - c/e)(c/e), for c below the threshold e.
template <class S>
constexpr S mollifier(const S* z, const S& threshold) {
  const S ratio = squared_cross_product(z) / threshold;
  return (2.0 - ratio) * ratio;
}

// As functions for the compile-time graph.
template <Stratum stratum>
struct SquaredDistance {
  static constexpr int input_count = 3 * (node_count(stratum) - 1), parameter_count = 0, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* z, const S*, S* s) {
    *s = squared_distance<stratum>(z);
  }
};
struct Mollifier {
  static constexpr int input_count = 9, parameter_count = 1, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* z, const S* threshold, S* m) {
    *m = mollifier(z, *threshold);
  }
};

}  // namespace holo::pairs
