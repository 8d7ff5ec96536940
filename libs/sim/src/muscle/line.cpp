// A polyline through given points.
#include "muscle/curves.h"
#include "muscle/muscle_types.h"

namespace holo {
namespace {

CurveMaker read_line_muscle(Configuration& p) {
  const Polyline points = read_points(p, "corners of the muscle");
  const int segments =
      p.has("segments") ? read_count(p, "segments", 1, "pieces of equal length; without it one from point to point") : 0;
  return [=] { return MuscleCurves{{segments > 0 ? cut_equally(points, segments) : points}}; };
}

}  // namespace

MuscleType muscle_type::line() { return {"a line through points", read_line_muscle}; }

}  // namespace holo
