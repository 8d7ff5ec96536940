#pragma once
// Exact tests of an edge and a triangle for intersection. Points are [3], with coordinates as predicates.h needs them. All sets
// are closed.

namespace holo::intersections {

// Whether the segments p q and a b have a common point. A segment may be a point.
bool segments_meet(const double* p, const double* q, const double* a, const double* b);

// Whether the segment p q and the triangle a b c have a common point. A triangle without area is its three edges.
bool segment_meets_triangle(const double* p, const double* q, const double* a, const double* b, const double* c);

// Whether the segment v p and the triangle v a b have a common point besides v.
bool segment_meets_triangle_at_its_corner(const double* v, const double* p, const double* a, const double* b);

}  // namespace holo::intersections
