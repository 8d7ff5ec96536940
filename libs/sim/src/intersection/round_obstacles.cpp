#include "holo/sim/intersection/round_obstacles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace holo {
namespace {

using Point = Eigen::Vector3d;

double squared_distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const Point e = b - a;
  const double square = e.squaredNorm(), along = (p - a).dot(e);
  const double t = square > 0 ? std::clamp(along / square, 0.0, 1.0) : 0;
  return (p - a - t * e).squaredNorm();
}

// Where the foot of the point lies in the triangle, it is the closest point; else one of an edge is.
double squared_distance_to_triangle(const Point& p, const std::array<Point, 3>& corners) {
  const Point n = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  double square = std::numeric_limits<double>::infinity();
  bool is_inside = n.squaredNorm() > 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point &a = corners[i], &b = corners[(i + 1) % 3];
    is_inside = is_inside && n.dot((b - a).cross(p - a)) >= 0;
    square = std::min(square, squared_distance_to_segment(p, a, b));
  }
  const double height = n.dot(p - corners[0]);
  return is_inside ? std::min(square, height * height / n.squaredNorm()) : square;
}

// Both ends of both segments, and the closest points of their lines where these lie in the segments.
double squared_distance_of_segments(const Point& a, const Point& b, const Point& c, const Point& d) {
  double square = std::min({squared_distance_to_segment(a, c, d), squared_distance_to_segment(b, c, d),
                            squared_distance_to_segment(c, a, b), squared_distance_to_segment(d, a, b)});
  const Point e = b - a, f = d - c, r = c - a, n = e.cross(f);
  if (!(n.squaredNorm() > 0)) return square;
  const double s = r.cross(f).dot(n) / n.squaredNorm(), t = r.cross(e).dot(n) / n.squaredNorm();
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) square = std::min(square, (a + s * e - c - t * f).squaredNorm());
  return square;
}

// The closest points lie at an end of the segment, at an edge of the triangle, or where the segment goes through its plane.
double squared_distance(const Point& start, const Point& end, const std::array<Point, 3>& corners) {
  double square = std::min(squared_distance_to_triangle(start, corners), squared_distance_to_triangle(end, corners));
  for (std::size_t i = 0; i < 3; ++i)
    square = std::min(square, squared_distance_of_segments(start, end, corners[i], corners[(i + 1) % 3]));
  const Point n = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double before = n.dot(start - corners[0]), after = n.dot(end - corners[0]);
  if ((before < 0) != (after < 0))
    square = std::min(square, squared_distance_to_triangle(start + before / (before - after) * (end - start), corners));
  return square;
}

}  // namespace

std::vector<TriangleInObstacle> find_triangles_in(const TriangleSurface& surface, std::span<const RoundObstacle> obstacles) {
  std::vector<TriangleInObstacle> found;
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    const Point start(obstacles[o].start.data()), end(obstacles[o].end.data());
    const double radius = obstacles[o].radius;
    const Point low = start.cwiseMin(end).array() - radius, high = start.cwiseMax(end).array() + radius;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      std::array<Point, 3> corners;
      for (std::size_t i = 0; i < 3; ++i)
        corners[i] = Point(surface.positions.data() + 3 * static_cast<std::size_t>(surface.triangles[t][i]));
      const Point lowest = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]),
                  highest = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]);
      if ((lowest.array() > high.array()).any() || (highest.array() < low.array()).any()) continue;
      if (squared_distance(start, end, corners) <= radius * radius) found.push_back({static_cast<int>(t), static_cast<int>(o)});
    }
  }
  return found;
}

}  // namespace holo
