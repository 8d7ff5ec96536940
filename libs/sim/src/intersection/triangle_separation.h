#pragma once
// Proofs by rounded arithmetic that two triangles have nothing in common but their common vertices. They hold for almost all
// pairs of a surface whose boxes overlap, and cost a tenth of the exact decision.

#include <array>

namespace holo::intersections {

// The plane of a triangle, with the sums of absolute values that bound the rounding errors.
struct TrianglePlane {
  std::array<double, 3> normal, magnitude;  // not of length 1

  TrianglePlane(const double* a, const double* b, const double* c);
  // The side of a point, with p = a of the plane: +1 or -1 where rounding errors cannot change it, else 0.
  int proven_side(const double* p, const double* x) const;
};

// Two triangles by the numbers of their vertices, of which the common ones come first and in the same order.
struct TrianglePair {
  std::array<int, 3> first, second;
  int common;

  TrianglePair(const std::array<int, 3>& a, const std::array<int, 3>& b);
};

// Whether a plane is proven to separate the triangles, or is proven to touch each in their common vertices alone. False decides
// nothing. Positions are [3 * vertex], the planes those of the two triangles.
bool are_separated(const double* positions, const TrianglePair& pair, const TrianglePlane& of_first,
                   const TrianglePlane& of_second);

}  // namespace holo::intersections
