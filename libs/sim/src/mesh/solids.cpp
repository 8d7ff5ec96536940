#include "mesh/solids.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace holo {

namespace {

using Point = std::array<double, 3>;

double read_length(Configuration& parameters, const char* key, const std::string& documentation) {
  return parameters.number(
      key, {.unit = "m", .minimum = 0, .maximum = 1e5, .minimum_excluded = true, .documentation = documentation});
}

Point read_point(Configuration& parameters, const char* key, const std::string& documentation,
                 std::optional<Point> default_value = {}) {
  return parameters.vector3(
      key, {.unit = "m", .minimum = -1e5, .maximum = 1e5, .default_value = default_value, .documentation = documentation});
}

// Bounding box of the segment from a to b, enlarged by `radius` on all sides.
BoundingBox box_around(const Point& a, const Point& b, double radius) {
  BoundingBox box{};
  for (int axis = 0; axis < 3; ++axis) {
    box.minimum[axis] = std::min(a[axis], b[axis]) - radius;
    box.maximum[axis] = std::max(a[axis], b[axis]) + radius;
  }
  return box;
}

// The end faces of a body of revolution lie apart.
void require_height(Configuration& parameters, const char* solid, const Point& start, const Point& end) {
  if (start != end || parameters.recording() || !parameters.has("start") || !parameters.has("end")) return;
  parameters.problem(parameters.location("end"),
                     fmt::format("'end' is where 'start' is: a {} of no height; two different points are required", solid));
}

// The complement of a solid.
SignedDistance negative(SignedDistance distance) {
  return [distance = std::move(distance)](const Point& x) { return -distance(x); };
}

// Combines two solids by their signed distances, with a rounding of width `blend`. Intersection and difference are smooth
// unions of complements: a intersect b = not(not a union not b), and a minus b = not(not a union b).
Solid combine(const std::string& how, Solid a, Solid b, double blend) {
  Solid out;
  for (int axis = 0; axis < 3; ++axis) {
    if (how == "union") {
      out.box.minimum[axis] =
          std::min(a.box.minimum[axis], b.box.minimum[axis]) - blend / 4;  // a smooth union grows by as much
      out.box.maximum[axis] = std::max(a.box.maximum[axis], b.box.maximum[axis]) + blend / 4;
    } else if (how == "intersect") {
      out.box.minimum[axis] = std::max(a.box.minimum[axis], b.box.minimum[axis]);
      out.box.maximum[axis] = std::min(a.box.maximum[axis], b.box.maximum[axis]);
    } else {
      out.box.minimum[axis] = a.box.minimum[axis];
      out.box.maximum[axis] = a.box.maximum[axis];
    }
  }
  if (how == "union")
    out.distance = smooth_union(std::move(a.distance), std::move(b.distance), blend);
  else if (how == "intersect")
    out.distance = negative(smooth_union(negative(std::move(a.distance)), negative(std::move(b.distance)), blend));
  else
    out.distance = negative(smooth_union(negative(std::move(a.distance)), std::move(b.distance), blend));
  return out;
}

}  // namespace

std::array<double, 3> read_box_size(Configuration& parameters) {
  return parameters.vector3("size", {.unit = "m", .minimum = 1e-6, .maximum = 1e5, .documentation = "edges of the box"});
}

Solid read_sphere(Configuration& parameters) {
  const Point center = read_point(parameters, "center", "center of the sphere", Point{0, 0, 0});
  const double radius = read_length(parameters, "radius", "radius of the sphere");
  return {sphere(center, radius), box_around(center, center, radius)};
}

Solid read_ellipsoid(Configuration& parameters) {
  const Point center = read_point(parameters, "center", "center of the ellipsoid", Point{0, 0, 0});
  const Point semi_axes = parameters.vector3(
      "semi_axes", {.unit = "m", .minimum = 1e-6, .maximum = 1e5, .documentation = "half the extents along the axes"});
  Solid solid{ellipsoid(center, semi_axes), {}};
  for (int axis = 0; axis < 3; ++axis) {
    solid.box.minimum[axis] = center[axis] - semi_axes[axis];
    solid.box.maximum[axis] = center[axis] + semi_axes[axis];
  }
  return solid;
}

Solid read_capsule(Configuration& parameters) {
  const Point start = read_point(parameters, "start", "center of the first half sphere");
  const Point end = read_point(parameters, "end", "center of the second half sphere");
  const double radius = read_length(parameters, "radius", "radius of the capsule");
  return {capsule(start, end, radius), box_around(start, end, radius)};
}

struct ConeEnds {
  Point start, end;
  double start_radius, end_radius;
  BoundingBox box() const { return box_around(start, end, std::max(start_radius, end_radius)); }
};

// `end` is what the cone has at both ends, such as "ball".
ConeEnds read_cone_ends(Configuration& parameters, const std::string& end) {
  return {read_point(parameters, "start", "center of the first " + end),
          read_point(parameters, "end", "center of the second " + end),
          read_length(parameters, "start_radius", "radius of the first " + end),
          read_length(parameters, "end_radius", "radius of the second " + end)};
}

Solid read_round_cone(Configuration& parameters) {
  const ConeEnds ends = read_cone_ends(parameters, "ball");
  return {round_cone(ends.start, ends.start_radius, ends.end, ends.end_radius), ends.box()};
}

Solid read_cylinder(Configuration& parameters) {
  const Point start = read_point(parameters, "start", "center of the first end face");
  const Point end = read_point(parameters, "end", "center of the second end face");
  const double radius = read_length(parameters, "radius", "radius of the cylinder");
  require_height(parameters, "cylinder", start, end);
  return {cylinder(start, end, radius), box_around(start, end, radius)};
}

Solid read_cone(Configuration& parameters) {
  const ConeEnds ends = read_cone_ends(parameters, "end face");
  require_height(parameters, "cone", ends.start, ends.end);
  return {cone(ends.start, ends.start_radius, ends.end, ends.end_radius), ends.box()};
}

Solid read_box(Configuration& parameters) {
  const Point center = read_point(parameters, "center", "center of the box", Point{0, 0, 0});
  const Point size = read_box_size(parameters);
  const double rounding =
      parameters.number("rounding", {.unit = "m",
                                     .minimum = 0,
                                     .maximum = 1e5,
                                     .default_value = 0,
                                     .documentation = "radius of the edges, at most half the shortest edge"});
  const double largest = *std::min_element(size.begin(), size.end()) / 2;
  if (rounding > largest && !parameters.recording())
    parameters.problem(
        parameters.location("rounding"),
        fmt::format("'rounding' is {:g} m, at most half the shortest edge ({:g} m) is allowed", rounding, largest));
  Solid solid;
  Point half{};
  for (int axis = 0; axis < 3; ++axis) {
    half[axis] = size[axis] / 2;
    solid.box.minimum[axis] = center[axis] - half[axis];
    solid.box.maximum[axis] = center[axis] + half[axis];
  }
  solid.distance = box(center, half, std::min(rounding, largest));
  return solid;
}

namespace {

Solid read_solid(Configuration& parameters) {
  Solid solid;
  const auto branch = [&](const char* name, const char* documentation, Solid (*read)(Configuration&)) {
    return Configuration::Branch{name, documentation, [&solid, read](Configuration& p) { solid = read(p); }};
  };
  parameters.branch(
      "solid",
      {branch("sphere", "a ball", read_sphere), branch("ellipsoid", "an ellipsoid along the axes", read_ellipsoid),
       branch("capsule", "a cylinder with half spheres as ends", read_capsule),
       branch("round_cone", "the convex hull of two balls", read_round_cone),
       branch("cylinder", "a circular cylinder", read_cylinder), branch("cone", "a truncated circular cone", read_cone),
       branch("box", "a box along the axes", read_box)},
      {}, "kind of solid");
  return solid;
}

}  // namespace

Solid read_composition(Configuration& parameters) {
  Solid whole;
  bool first = true;
  parameters.each(
      "solids",
      [&](Configuration& entry) {
        Solid solid = read_solid(entry);
        const std::string how =
            entry.text("combine", {.choices = {"union", "subtract", "intersect"},
                                   .default_value = "union",
                                   .documentation = "operation that combines the solid with those before it"});
        const double blend = entry.number("blend", {.unit = "m",
                                                    .minimum = 0,
                                                    .maximum = 1e5,
                                                    .default_value = 0,
                                                    .documentation = "width of the rounding at the intersection; 0: sharp"});
        if (first && how != "union" && !entry.recording())
          entry.problem(entry.location("combine"), "the first solid has nothing to " + how + "; 'union' is allowed here");
        // The reader returns an empty solid after a problem, which has been recorded.
        if (!solid.distance) return;  // a problem has been recorded
        whole = whole.distance ? combine(how, std::move(whole), std::move(solid), blend) : std::move(solid);
        first = false;
      },
      "solids; each is united with, subtracted from or intersected with those before it", 1);
  return whole;
}

}  // namespace holo
