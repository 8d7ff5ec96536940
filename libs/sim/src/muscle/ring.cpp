// A closed polygon on a circle.
#include <cmath>

#include "muscle/curves.h"
#include "muscle/muscle_types.h"

namespace holo {
namespace {

CurveMaker read_ring_muscle(Configuration& p) {
  const CylinderFrame frame = read_cylinder_frame(p);
  const double radius = read_radius(p, "radius", "radius of the circle through the corners");
  const double start = read_start_angle(p);
  const int segments = read_count(p, "segments", 3, "pieces around the circle");
  return [=] {
    Polyline ring;
    for (int k = 0; k < segments; ++k) ring.push_back(frame.point(radius, start + 2 * M_PI * k / segments, 0));
    ring.push_back(ring.front());  // exactly closed
    return MuscleCurves{{ring}};
  };
}

}  // namespace

MuscleType muscle_type::ring() { return {"a closed polygon on a circle about an axis", read_ring_muscle}; }

}  // namespace holo
