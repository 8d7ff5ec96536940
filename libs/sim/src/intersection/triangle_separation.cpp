#include "intersection/triangle_separation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "intersection/predicates.h"

namespace holo::intersections {
namespace {

const double* position_of(const double* positions, int vertex) { return positions + 3 * static_cast<std::size_t>(vertex); }

// Whether all vertices of the triangle that are not common lie on one side of the other triangle's plane. What they have in
// common lies then in the plane, and of this triangle only the common vertices and their hull do.
bool lies_on_one_side(const double* x, const std::array<int, 3>& triangle, int common, const TrianglePlane& plane,
                      const double* in_plane) {
  int side = 0;
  for (std::size_t i = static_cast<std::size_t>(common); i < 3; ++i) {
    const int here = plane.proven_side(in_plane, position_of(x, triangle[i]));
    if (here == 0 || here == -side) return false;
    side = here;
  }
  return true;
}

// A product d . (x - o) lies within +-error of its value. Its terms are rounded by a difference, a product and two sums.
struct Projection {
  double value = 0, error = 0;
  Projection(const std::array<double, 3>& d, const double* x, const double* o) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double term = d[k] * (x[k] - o[k]);
      value += term;
      error += 8 * 0x1p-53 * std::abs(term);
    }
  }
};

// From the second triangle to the first: the difference of their centroids, or with a common vertex that of the unit vectors
// from it to the middles of the opposite edges.
std::array<double, 3> direction_between(const double* x, const TrianglePair& pair, const double* o) {
  std::array<double, 3> direction = {};
  for (const auto& [triangle, sign] : {std::pair(&pair.first, 1.0), std::pair(&pair.second, -1.0)}) {
    std::array<double, 3> sum = {};
    for (std::size_t i = static_cast<std::size_t>(pair.common); i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) sum[k] += position_of(x, (*triangle)[i])[k] - o[k];
    const double length = pair.common == 0 ? 1 : std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (length > 0)
      for (std::size_t k = 0; k < 3; ++k) direction[k] += sign * sum[k] / length;
  }
  return direction;
}

// Whether the plane across the direction between the triangles separates them; with one common vertex, the plane through it.
bool are_apart_along_direction(const double* x, const TrianglePair& pair) {
  const double* o = position_of(x, pair.first[0]);
  const std::array<double, 3> direction = direction_between(x, pair, o);
  double lowest_of_first = std::numeric_limits<double>::infinity(), highest_of_second = -lowest_of_first;
  for (std::size_t i = static_cast<std::size_t>(pair.common); i < 3; ++i) {
    const Projection first(direction, position_of(x, pair.first[i]), o), second(direction, position_of(x, pair.second[i]), o);
    lowest_of_first = std::min(lowest_of_first, first.value - first.error);
    highest_of_second = std::max(highest_of_second, second.value + second.error);
  }
  return pair.common == 0 ? lowest_of_first > highest_of_second : lowest_of_first > 0 && highest_of_second < 0;
}

// With a common edge: whether the third vertices lie on different sides of it in a projection. It is the one along the largest
// entry of a normal, for triangles that may lie in one plane.
bool are_on_different_sides_of_edge(const double* x, const TrianglePair& pair, const TrianglePlane& plane) {
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(plane.normal[static_cast<std::size_t>(k)]) > std::abs(plane.normal[static_cast<std::size_t>(axis)])) axis = k;
  const double *a = position_of(x, pair.first[0]), *b = position_of(x, pair.first[1]);
  return orientation_2d(axis, a, b, position_of(x, pair.first[2])) *
             orientation_2d(axis, a, b, position_of(x, pair.second[2])) <
         0;
}

}  // namespace

TrianglePlane::TrianglePlane(const double* a, const double* b, const double* c) {
  double u[3], v[3];
  for (int i = 0; i < 3; ++i) u[i] = b[i] - a[i], v[i] = c[i] - a[i];
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const double first = u[j] * v[k], second = u[k] * v[j];
    normal[i] = first - second;
    magnitude[i] = std::abs(first) + std::abs(second);
  }
}

// The determinant of orientation_3d (predicates.cpp), with the same bound of its error.
int TrianglePlane::proven_side(const double* p, const double* x) const {
  double value = 0, sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double d = x[k] - p[k];
    value += normal[k] * d;
    sum += magnitude[k] * std::abs(d);
  }
  if (!(std::abs(value) > 10 * 0x1p-53 * sum)) return 0;
  return value > 0 ? 1 : -1;
}

TrianglePair::TrianglePair(const std::array<int, 3>& a, const std::array<int, 3>& b) : first(a), second(b), common(0) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = static_cast<std::size_t>(common); j < 3; ++j)
      if (first[i] == second[j]) {
        const auto next = static_cast<std::size_t>(common++);
        std::swap(first[i], first[next]);
        std::swap(second[j], second[next]);
        break;
      }
}

bool are_separated(const double* positions, const TrianglePair& pair, const TrianglePlane& of_first,
                   const TrianglePlane& of_second) {
  // A common vertex lies in both planes; without one each plane passes through its triangle's first vertex.
  if (lies_on_one_side(positions, pair.second, pair.common, of_first, position_of(positions, pair.first[0]))) return true;
  if (lies_on_one_side(positions, pair.first, pair.common, of_second, position_of(positions, pair.second[0]))) return true;
  if (pair.common == 2) return are_on_different_sides_of_edge(positions, pair, of_first);
  return pair.common < 2 && are_apart_along_direction(positions, pair);
}

}  // namespace holo::intersections
