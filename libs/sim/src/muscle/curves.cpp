#include "muscle/curves.h"

#include <cmath>

namespace holo {
namespace {

Eigen::Vector3d eigen_vector(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

}  // namespace

CylinderFrame::CylinderFrame(const Eigen::Vector3d& center_point, const Eigen::Vector3d& axis_direction)
    : center(center_point), axis(axis_direction.normalized()) {
  const Eigen::Vector3d reference = std::abs(axis.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  first = (reference - reference.dot(axis) * axis).normalized();
  second = axis.cross(first);
}

Eigen::Vector3d CylinderFrame::radial(double angle) const { return std::cos(angle) * first + std::sin(angle) * second; }

Eigen::Vector3d CylinderFrame::point(double radius, double angle, double height) const {
  return center + radius * radial(angle) + height * axis;
}

Polyline cut_equally(const Polyline& line, int count) {
  std::vector<double> lengths = {0};
  for (std::size_t i = 1; i < line.size(); ++i) lengths.push_back(lengths.back() + (line[i] - line[i - 1]).norm());
  Polyline points = {line.front()};
  std::size_t piece = 1;
  for (int k = 1; k < count; ++k) {
    const double along = lengths.back() * k / count;
    while (piece + 1 < line.size() && lengths[piece] < along) ++piece;
    const double length = lengths[piece] - lengths[piece - 1];
    const double share = length > 0 ? (along - lengths[piece - 1]) / length : 0;
    points.push_back(line[piece - 1] + share * (line[piece] - line[piece - 1]));
  }
  points.push_back(line.back());
  return points;
}

Polyline read_points(Configuration& parameters, const char* documentation) {
  Polyline points;
  parameters.each(
      "points",
      [&](Configuration& p) {
        points.push_back(eigen_vector(p.vector3("at", {.unit = "m", .documentation = "in the mesh's own coordinates"})));
      },
      documentation, 2);
  return points;
}

CylinderFrame read_cylinder_frame(Configuration& parameters) {
  const Eigen::Vector3d center = eigen_vector(
      parameters.vector3("center", {.unit = "m", .documentation = "point on the axis, in the mesh's own coordinates"}));
  const Eigen::Vector3d axis = eigen_vector(parameters.vector3(
      "axis", {.default_value = std::array<double, 3>{0, 0, 1}, .documentation = "any length but 0; right-handed"}));
  if (axis.norm() > 0 && std::isfinite(axis.norm())) return {center, axis};
  if (!parameters.recording()) parameters.problem(parameters.location("axis"), "axis is [0, 0, 0]; a direction is needed.");
  return {center, Eigen::Vector3d::UnitZ()};
}

double read_radius(Configuration& parameters, const char* key, const char* documentation) {
  return parameters.number(key, {.unit = "m", .minimum = 0, .minimum_excluded = true, .documentation = documentation});
}

double read_start_angle(Configuration& parameters) {
  return parameters.number("start_angle", {.unit = "rad",
                                           .default_value = 0.0,
                                           .documentation = "angle at which the muscle begins, about its axis from the x "
                                                            "direction, for an axis near x from the y direction"});
}

int read_count(Configuration& parameters, const char* key, int minimum, const char* documentation) {
  return static_cast<int>(parameters.integer(key, {.minimum = minimum, .maximum = 10000, .documentation = documentation}));
}

}  // namespace holo
