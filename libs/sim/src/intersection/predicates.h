#pragma once
// Signs of determinants of points, exact: by rounded arithmetic where its error bound proves the sign, else by exact sums. The
// coordinates must be 0 or of a magnitude from 2^-300 to 2^300, so that products of three differences neither overflow nor lose
// bits below the smallest double.

namespace holo::intersections {

// +1, 0, -1 for the determinant of (a - d, b - d, c - d): on which side of the plane of a, b, c the point d lies. 0: the four
// are coplanar. Points are [3].
int orientation_3d(const double* a, const double* b, const double* c, const double* d);

// The same of (a - c, b - c) in the projection along an axis, 0 to 2. 0: the projections are collinear.
int orientation_2d(int axis, const double* a, const double* b, const double* c);

// The sign of n . x - o.
int side_of_plane(const double* normal, double offset, const double* x);

}  // namespace holo::intersections
