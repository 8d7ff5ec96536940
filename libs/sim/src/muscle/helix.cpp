// A helix about an axis, whose radius may change linearly with the height.
#include <cmath>

#include "muscle/curves.h"
#include "muscle/muscle_types.h"

namespace holo {
namespace {

CurveMaker read_helix_muscle(Configuration& p) {
  const CylinderFrame frame = read_cylinder_frame(p);
  const double radius = read_radius(p, "radius", "distance of the start from the axis");
  const double end_radius =
      p.has("end_radius") ? read_radius(p, "end_radius", "distance of the end; radius without it") : radius;
  const double bottom =
      p.number("start_height", {.unit = "m", .documentation = "of the start along the axis, from the center"});
  const double top = p.number("end_height", {.unit = "m", .documentation = "of the end along the axis, from the center"});
  const double turns = p.number("turns", {.documentation = "right-handed about the axis if positive, left-handed if negative"});
  const double start = read_start_angle(p);
  const int segments = read_count(p, "segments", 1, "pieces at equal differences of the angle");
  return [=] {
    Polyline helix;
    for (int k = 0; k <= segments; ++k) {
      const double share = static_cast<double>(k) / segments;
      helix.push_back(frame.point(radius + share * (end_radius - radius), start + 2 * M_PI * turns * share,
                                  bottom + share * (top - bottom)));
    }
    return MuscleCurves{{helix}};
  };
}

}  // namespace

MuscleType muscle_type::helix() { return {"a helix about an axis", read_helix_muscle}; }

}  // namespace holo
