// Spokes from an inner to an outer circle.
#include <cmath>

#include "holo/core/error.h"
#include "muscle/curves.h"
#include "muscle/muscle_types.h"

namespace holo {
namespace {

CurveMaker read_radial_muscle(Configuration& p) {
  const CylinderFrame frame = read_cylinder_frame(p);
  const double inner =
      p.number("inner_radius", {.unit = "m", .minimum = 0, .documentation = "distance of the start from the axis"});
  const double outer = read_radius(p, "outer_radius", "distance of the end from the axis, above inner_radius");
  const int count = read_count(p, "count", 1, "fibers around the axis");
  const double start = read_start_angle(p);
  const int segments = p.has("segments") ? read_count(p, "segments", 1, "pieces of each fiber; 1 without it") : 1;
  return [=] {
    if (outer <= inner) throw Error(Failure::input, "outer_radius must be above inner_radius.");
    MuscleCurves curves;
    curves.numbered = true;
    for (int k = 0; k < count; ++k) {
      const double angle = start + 2 * M_PI * k / count;
      curves.fibers.push_back(cut_equally({frame.point(inner, angle, 0), frame.point(outer, angle, 0)}, segments));
    }
    return curves;
  };
}

}  // namespace

MuscleType muscle_type::radial() { return {"spokes from an inner to an outer circle about an axis", read_radial_muscle}; }

}  // namespace holo
