#pragma once
// Circles in space, polylines, and keys of the experiment that types of muscles share.

#include "holo/sim/muscle/muscle_definition.h"

namespace holo {

// Cylindrical coordinates about an axis. The angle 0 is the direction of the x axis made orthogonal to the axis, of the y axis
// where the axis lies within 26 degrees (cosine 0.9) of the x axis; angles grow right-handed about the axis.
struct CylinderFrame {
  Eigen::Vector3d center, axis, first, second;  // the last three are orthonormal and right-handed

  CylinderFrame(const Eigen::Vector3d& center, const Eigen::Vector3d& axis);  // any length but 0
  Eigen::Vector3d radial(double angle) const;                                 // unit
  Eigen::Vector3d point(double radius, double angle, double height) const;    // [m], [rad], [m] along the axis from the center
};

// `count` pieces between points at equal distances along a polyline. Corners between these points are cut off.
Polyline cut_equally(const Polyline& line, int count);

// `points: [{at: [x, y, z]}, ...]`, at least two.
Polyline read_points(Configuration& parameters, const char* documentation);
// `center` and `axis`; an axis [0, 0, 0] is a problem.
CylinderFrame read_cylinder_frame(Configuration& parameters);
double read_radius(Configuration& parameters, const char* key, const char* documentation);  // [m], > 0
double read_start_angle(Configuration& parameters);                                         // [rad], default 0
int read_count(Configuration& parameters, const char* key, int minimum, const char* documentation);

}  // namespace holo
