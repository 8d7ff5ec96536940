#include "holo/sim/contact/detection/separation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace holo {
namespace {

// Whether all products of a direction with a - b, for vertices a of the first `first_count` columns and b of the others, exceed
// those of the best one so far. Wrong directions, of any origin, do no harm: their products are small.
template <int first_count>
void try_direction(const PairColumns& x, const Eigen::Vector3d& direction, Separation& best) {
  const double length = direction.norm();
  if (!(length > 0) || !std::isfinite(length)) return;
  const Eigen::Vector3d n = direction / length;
  double distance = std::numeric_limits<double>::infinity();
  for (int a = 0; a < first_count; ++a)
    for (int b = first_count; b < 4; ++b) distance = std::min(distance, n.dot(x.col(a) - x.col(b)));
  if (distance > best.distance) best = {n, distance};
}

// The part of v across e.
Eigen::Vector3d across(const Eigen::Vector3d& v, const Eigen::Vector3d& e) { return v - v.dot(e) / e.squaredNorm() * e; }

// From the closest point of the segment ab to p. Across the segment it is computed again: else its error, of the size of the
// coordinates, would tilt a short vector.
Eigen::Vector3d from_segment(const Eigen::Vector3d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const Eigen::Vector3d e = b - a;
  const double along = (p - a).dot(e), whole = e.squaredNorm();
  if (!(along > 0)) return p - a;
  if (along >= whole) return p - b;
  return across(p - a - along / whole * e, e);
}

// Across e and f. The product of nearly parallel vectors has a large relative error, which is removed along the longer one;
// along the other one it is smaller by the angle between them.
Eigen::Vector3d across_both(const Eigen::Vector3d& e, const Eigen::Vector3d& f) {
  const Eigen::Vector3d& longer = e.squaredNorm() > f.squaredNorm() ? e : f;
  const Eigen::Vector3d n = e.cross(f);
  return n.squaredNorm() > 0 ? across(n, longer) : n;
}

}  // namespace

// The closest points lie in the triangle's interior, or on its edges.
Separation point_triangle_separation(const PairColumns& x) {
  Separation best;
  const Eigen::Vector3d p = x.col(0), a = x.col(1), b = x.col(2), c = x.col(3);
  const Eigen::Vector3d normal = across_both(b - a, c - a);
  try_direction<1>(x, normal.dot(p - a) < 0 ? Eigen::Vector3d(-normal) : normal, best);
  try_direction<1>(x, from_segment(p, a, b), best);
  try_direction<1>(x, from_segment(p, b, c), best);
  try_direction<1>(x, from_segment(p, c, a), best);
  return best;
}

// The closest points lie in the interior of both edges, or one is an end.
Separation edge_edge_separation(const PairColumns& x) {
  Separation best;
  const Eigen::Vector3d a = x.col(0), b = x.col(1), c = x.col(2), d = x.col(3);
  const Eigen::Vector3d normal = across_both(b - a, d - c);
  try_direction<2>(x, normal.dot(a - c) < 0 ? Eigen::Vector3d(-normal) : normal, best);
  try_direction<2>(x, from_segment(a, c, d), best);
  try_direction<2>(x, from_segment(b, c, d), best);
  try_direction<2>(x, -from_segment(c, a, b), best);
  try_direction<2>(x, -from_segment(d, a, b), best);
  return best;
}

}  // namespace holo
