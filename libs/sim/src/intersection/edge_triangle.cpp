#include "intersection/edge_triangle.h"

#include <algorithm>

#include "intersection/predicates.h"

namespace holo::intersections {
namespace {

bool ranges_overlap(double p, double q, double a, double b) {
  return std::max(p, q) >= std::min(a, b) && std::max(a, b) >= std::min(p, q);
}

// In the projection along an axis: the boxes overlap, and neither segment lies strictly on one side of the other's line.
bool projected_segments_meet(int axis, const double* p, const double* q, const double* a, const double* b) {
  for (int i = 1; i <= 2; ++i)
    if (const int k = (axis + i) % 3; !ranges_overlap(p[k], q[k], a[k], b[k])) return false;
  return orientation_2d(axis, p, q, a) * orientation_2d(axis, p, q, b) <= 0 &&
         orientation_2d(axis, a, b, p) * orientation_2d(axis, a, b, q) <= 0;
}

// Whether no two of three signs are opposite.
bool agree(int a, int b, int c) { return std::min({a, b, c}) >= 0 || std::max({a, b, c}) <= 0; }

bool has_no_area(const double* a, const double* b, const double* c) {
  for (int axis = 0; axis < 3; ++axis)
    if (orientation_2d(axis, a, b, c) != 0) return false;
  return true;
}

// Whether p, in the plane of a triangle with an area, lies in it. A projection along an axis that is not in the plane maps the
// plane one to one, and decides. The others only confirm: a triangle that is projected to a line has all signs 0.
bool triangle_contains(const double* p, const double* a, const double* b, const double* c) {
  for (int axis = 0; axis < 3; ++axis)
    if (!agree(orientation_2d(axis, a, b, p), orientation_2d(axis, b, c, p), orientation_2d(axis, c, a, p))) return false;
  return true;
}

}  // namespace

// Segments that meet are coplanar, and meet in each projection. If they are coplanar, one of the three projections is one to
// one on their plane or line, so that they meet if they do in all three.
bool segments_meet(const double* p, const double* q, const double* a, const double* b) {
  if (orientation_3d(p, q, a, b) != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (!projected_segments_meet(axis, p, q, a, b)) return false;
  return true;
}

bool segment_meets_triangle(const double* p, const double* q, const double* a, const double* b, const double* c) {
  const int side_of_p = orientation_3d(a, b, c, p), side_of_q = orientation_3d(a, b, c, q);
  if (side_of_p * side_of_q > 0) return false;
  // One point of the segment is in the plane, inside the triangle if the segment's line passes its edges on one side.
  if (side_of_p != 0 || side_of_q != 0)
    return agree(orientation_3d(p, q, a, b), orientation_3d(p, q, b, c), orientation_3d(p, q, c, a));
  // All are in one plane: the segment meets an edge or is inside.
  return segments_meet(p, q, a, b) || segments_meet(p, q, b, c) || segments_meet(p, q, c, a) ||
         (!has_no_area(a, b, c) && triangle_contains(p, a, b, c));
}

// A segment that leaves the plane at v has no other point in it. One in the plane that reaches a point of the triangle besides
// v ends in the triangle or crosses the edge a b.
bool segment_meets_triangle_at_its_corner(const double* v, const double* p, const double* a, const double* b) {
  if (orientation_3d(v, a, b, p) != 0) return false;
  if (segments_meet(v, p, a, b)) return true;
  if (!has_no_area(v, a, b)) return triangle_contains(p, v, a, b);
  return segments_meet(p, p, v, a) || segments_meet(p, p, v, b) || segments_meet(a, a, v, p) || segments_meet(b, b, v, p);
}

}  // namespace holo::intersections
