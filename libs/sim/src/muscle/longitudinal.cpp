// Parallel fibers around a center line, each at the same distance from it.
#include <cmath>

#include "holo/core/error.h"
#include "muscle/curves.h"
#include "muscle/muscle_types.h"

namespace holo {
namespace {

std::vector<Eigen::Vector3d> line_directions(const Polyline& line) {
  std::vector<Eigen::Vector3d> directions;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == line[i - 1]) throw Error(Failure::input, "two points in a row are the same.");
    directions.push_back((line[i] - line[i - 1]).normalized());
  }
  return directions;
}

// The line at `offset` from a center line, beginning on the side of the unit vector `side`. The side turns with the center
// line at each corner, about no axis but the corner's own; the fiber's corner lies in the plane that halves the angle, so that
// each piece is parallel to the center line's.
Polyline offset_line(const Polyline& center, double offset, Eigen::Vector3d side) {
  const std::vector<Eigen::Vector3d> directions = line_directions(center);
  Polyline fiber = {center.front() + offset * side};
  for (std::size_t i = 1; i < directions.size(); ++i) {
    const Eigen::Vector3d &before = directions[i - 1], &after = directions[i];
    const Eigen::Vector3d normal = before + after;
    if (normal.norm() < 1e-3) throw Error(Failure::input, "the center line turns back on itself.");
    fiber.push_back(center[i] + offset * (side - side.dot(normal) / before.dot(normal) * before));
    side = Eigen::Quaterniond::FromTwoVectors(before, after) * side;
  }
  fiber.push_back(center.back() + offset * side);
  return fiber;
}

CurveMaker read_longitudinal_muscle(Configuration& p) {
  const Polyline center = read_points(p, "corners of the center line");
  const double offset = read_radius(p, "offset", "distance of the fibers from the center line");
  const int count = read_count(p, "count", 1, "fibers around the center line");
  const double start = read_start_angle(p);
  const int segments =
      p.has("segments")
          ? read_count(p, "segments", 1, "pieces of equal length of each fiber; without it one from point to point")
          : 0;
  return [=] {
    const CylinderFrame frame(center.front(), line_directions(center).front());
    MuscleCurves curves;
    curves.numbered = true;
    if (count > 1) curves.spacing = 2 * offset * std::sin(M_PI / count);
    for (int k = 0; k < count; ++k) {
      const Polyline fiber = offset_line(center, offset, frame.radial(start + 2 * M_PI * k / count));
      curves.fibers.push_back(segments > 0 ? cut_equally(fiber, segments) : fiber);
    }
    return curves;
  };
}

}  // namespace

MuscleType muscle_type::longitudinal() { return {"parallel fibers around a center line", read_longitudinal_muscle}; }

}  // namespace holo
