#pragma once
// Distances and times of collision of pairs in arithmetic of 113 bits, for the tests of collision detection.

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "holo/sim/contact/detection/candidate_pairs.h"

namespace holo::test {

__extension__ typedef __float128 Quad;
using QuadVector = std::array<Quad, 3>;

inline QuadVector operator-(const QuadVector& a, const QuadVector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Quad dot(const QuadVector& a, const QuadVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline QuadVector cross(const QuadVector& a, const QuadVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Four vertices, the columns of a pair at x + t p.
using QuadColumns = std::array<QuadVector, 4>;
inline QuadColumns columns_at(const PairColumns& x, const PairColumns& p, Quad t) {
  QuadColumns columns;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      columns[i][k] = Quad(x(static_cast<int>(k), static_cast<int>(i))) + t * Quad(p(static_cast<int>(k), static_cast<int>(i)));
  return columns;
}

inline Quad squared_distance_to_segment(const QuadVector& p, const QuadVector& a, const QuadVector& b) {
  const QuadVector e = b - a, r = p - a;
  const Quad whole = dot(e, e);
  Quad along = whole > 0 ? dot(r, e) / whole : Quad(0);
  along = along < 0 ? Quad(0) : along > 1 ? Quad(1) : along;
  const QuadVector w = {r[0] - along * e[0], r[1] - along * e[1], r[2] - along * e[2]};
  return dot(w, w);
}

// Where the lines or the plane of a pair come closest: the parameters u, v of F = A + u B + v C (interior solution of the
// normal equations), with the squared length of F; nothing for parallel edges and degenerate triangles.
struct QuadClosest {
  Quad u, v, squared;
};
inline std::optional<QuadClosest> closest_of_lines(const QuadVector& A, const QuadVector& B, const QuadVector& C) {
  const Quad bb = dot(B, B), bc = dot(B, C), cc = dot(C, C), ab = dot(A, B), ac = dot(A, C);
  const Quad determinant = bb * cc - bc * bc;
  if (!(determinant > 0)) return std::nullopt;
  const Quad u = (bc * ac - cc * ab) / determinant, v = (bc * ab - bb * ac) / determinant;
  const QuadVector F = {A[0] + u * B[0] + v * C[0], A[1] + u * B[1] + v * C[1], A[2] + u * B[2] + v * C[2]};
  return QuadClosest{u, v, dot(F, F)};
}

enum class PairKind { points, edges };  // a point and a triangle, two edges

inline bool is_inside(PairKind kind, const QuadClosest& closest) {
  if (closest.u < 0 || closest.v < 0) return false;
  return kind == PairKind::points ? closest.u + closest.v <= 1 : closest.u <= 1 && closest.v <= 1;
}

inline std::optional<QuadClosest> closest_of_lines(PairKind kind, const QuadColumns& x) {
  return kind == PairKind::points ? closest_of_lines(x[0] - x[1], x[1] - x[2], x[1] - x[3])
                                  : closest_of_lines(x[0] - x[2], x[1] - x[0], x[2] - x[3]);
}

inline double exact_distance(PairKind kind, const QuadColumns& x) {
  std::array<Quad, 4> candidates;
  if (kind == PairKind::points)
    candidates = {squared_distance_to_segment(x[0], x[1], x[2]), squared_distance_to_segment(x[0], x[2], x[3]),
                  squared_distance_to_segment(x[0], x[3], x[1]), squared_distance_to_segment(x[0], x[1], x[3])};
  else
    candidates = {squared_distance_to_segment(x[0], x[2], x[3]), squared_distance_to_segment(x[1], x[2], x[3]),
                  squared_distance_to_segment(x[2], x[0], x[1]), squared_distance_to_segment(x[3], x[0], x[1])};
  Quad smallest = candidates[0];
  for (const Quad candidate : candidates) smallest = candidate < smallest ? candidate : smallest;
  if (const auto closest = closest_of_lines(kind, x); closest && is_inside(kind, *closest) && closest->squared < smallest)
    smallest = closest->squared;
  return std::sqrt(static_cast<double>(smallest));
}

// Coefficients of a polynomial, from the constant one on.
using Polynomial = std::vector<Quad>;
inline Quad value_of(const Polynomial& f, Quad t) {
  Quad value = 0;
  for (std::size_t i = f.size(); i-- > 0;) value = value * t + f[i];
  return value;
}

// All roots in [0, 1] where the sign changes: bisection between the roots of the derivative.
inline std::vector<Quad> roots_of(const Polynomial& f) {
  std::vector<Quad> bounds = {0}, roots;
  if (f.size() > 2) {
    Polynomial derivative;
    for (std::size_t i = 1; i < f.size(); ++i) derivative.push_back(static_cast<double>(i) * f[i]);
    for (const Quad root : roots_of(derivative)) bounds.push_back(root);
  }
  bounds.push_back(1);
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    Quad lower = bounds[i], upper = bounds[i + 1];
    const bool begins_positive = value_of(f, lower) > 0;
    if (begins_positive == (value_of(f, upper) > 0)) continue;
    for (int n = 0; n < 115; ++n) {
      const Quad middle = (lower + upper) / 2;
      ((value_of(f, middle) > 0) == begins_positive ? lower : upper) = middle;
    }
    roots.push_back(upper);
  }
  return roots;
}

// The first time in [0, 1] at which the pair touches: a root of the volume (F, B, C), which is a cubic in t, at which the
// closest points of the lines or of the plane lie within the primitives.
inline std::optional<Quad> exact_time_of_impact(PairKind kind, const PairColumns& x, const PairColumns& p) {
  // The cubic from its values at four times: Newton's divided differences.
  std::array<Quad, 4> times = {0, 1, -1, 2}, values;
  for (std::size_t i = 0; i < 4; ++i) {
    const QuadColumns q = columns_at(x, p, times[i]);
    values[i] = dot(q[1] - q[0], cross(q[2] - q[0], q[3] - q[0]));
  }
  const auto [f0, f1, f2, f3] = values;
  // f(0), f(1), f(-1), f(2) of c0 + c1 t + c2 t^2 + c3 t^3
  const Quad even = (f1 + f2) / 2 - f0, odd = (f1 - f2) / 2;
  const Quad third = (f3 - f0 - 4 * even - 2 * odd) / 6;
  for (const Quad root : roots_of({f0, odd - third, even, third})) {
    const auto closest = closest_of_lines(kind, columns_at(x, p, root));
    if (closest && is_inside(kind, *closest)) return root;
  }
  return std::nullopt;
}

}  // namespace holo::test
