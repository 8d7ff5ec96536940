// The `mesh:` section of an experiment.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "holo/core/error.h"
#include "holo/sim/mesh/shapes.h"

namespace holo {

namespace {

using Point = std::array<double, 3>;

// Signed distance of a solid, and a box that contains it.
struct Solid {
  SignedDistance distance;
  BoundingBox box;
};

double read_length(Configuration& parameters, const char* key, const char* documentation) {
  return parameters.number(
      key, {.unit = "m", .minimum = 0, .maximum = 1e5, .minimum_excluded = true, .documentation = documentation});
}

Point read_point(Configuration& parameters, const char* key, const char* documentation,
                 std::optional<Point> default_value = {}) {
  return parameters.vector3(
      key, {.unit = "m", .minimum = -1e5, .maximum = 1e5, .default_value = default_value, .documentation = documentation});
}

Point read_size(Configuration& parameters) {
  return parameters.vector3("size", {.unit = "m", .minimum = 1e-6, .maximum = 1e5, .documentation = "edges of the box"});
}

int read_elements(Configuration& parameters, int minimum) {
  return static_cast<int>(parameters.integer(
      "elements",
      {.minimum = minimum, .maximum = 10000000, .documentation = "desired number of tetrahedra; met to 3 % if possible"}));
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

Solid read_sphere(Configuration& parameters) {
  const Point center = read_point(parameters, "center", "center of the sphere", Point{0, 0, 0});
  const double radius = read_length(parameters, "radius", "radius of the sphere");
  return {sphere(center, radius), box_around(center, center, radius)};
}

Solid read_capsule(Configuration& parameters) {
  const Point start = read_point(parameters, "start", "center of the first half sphere");
  const Point end = read_point(parameters, "end", "center of the second half sphere");
  const double radius = read_length(parameters, "radius", "radius of the capsule");
  return {capsule(start, end, radius), box_around(start, end, radius)};
}

Solid read_cylinder(Configuration& parameters) {
  const Point start = read_point(parameters, "start", "center of the first end face");
  const Point end = read_point(parameters, "end", "center of the second end face");
  const double radius = read_length(parameters, "radius", "radius of the cylinder");
  if (start == end && !parameters.recording() && parameters.has("start") && parameters.has("end"))
    parameters.problem(parameters.location("end"),
                       "'end' is where 'start' is: a cylinder of no height; two different points are required");
  return {cylinder(start, end, radius), box_around(start, end, radius)};
}

Solid read_box(Configuration& parameters) {
  const Point center = read_point(parameters, "center", "center of the box", Point{0, 0, 0});
  const Point size = read_size(parameters);
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

Solid read_solid(Configuration& parameters) {
  Solid solid;
  const auto branch = [&](const char* name, const char* documentation, Solid (*read)(Configuration&)) {
    return Configuration::Branch{name, documentation, [&solid, read](Configuration& p) { solid = read(p); }};
  };
  parameters.branch(
      "solid",
      {branch("sphere", "a ball", read_sphere), branch("capsule", "a cylinder with half spheres as ends", read_capsule),
       branch("cylinder", "a circular cylinder", read_cylinder), branch("box", "a box along the axes", read_box)},
      {}, "kind of solid");
  return solid;
}

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

// Builds the mesh of a signed distance; what goes wrong names the place in the experiment.
MeshSource stuffed(Solid solid, int elements, const Location& location) {
  return [solid = std::move(solid), elements, location] {
    try {
      TetrahedralMesh mesh = isosurface_stuffing(solid.distance, solid.box, elements);
      validate(mesh);
      return mesh;
    } catch (const Error& error) {
      throw Error(error.failure(), to_string(location) + ": " + error.what());
    }
  };
}

MeshSource read_grid(Configuration& parameters) {
  const Point size = read_size(parameters);
  const int elements = read_elements(parameters, 6);
  return [size, elements] { return box_mesh(size, elements); };
}

// Solids are filled by isosurface stuffing; only the grid of cells has a mesh of its own.
template <Solid (*Read)(Configuration&)>
MeshSource read_stuffed(Configuration& parameters) {
  Solid solid = Read(parameters);
  return stuffed(std::move(solid), read_elements(parameters, 12), parameters.location());
}

struct Shape {
  const char* name;
  const char* documentation;
  MeshSource (*read)(Configuration&);
};

constexpr Shape shapes[] = {
    {"box", "a box as a grid of cells of six tetrahedra, one corner at the origin", read_grid},
    {"sphere", "a ball", read_stuffed<read_sphere>},
    {"capsule", "a cylinder with half spheres as ends", read_stuffed<read_capsule>},
    {"cylinder", "a circular cylinder", read_stuffed<read_cylinder>},
    {"composition", "union, difference and intersection of solids", read_stuffed<read_composition>},
};

// Each shape's mesh is built later; its source is named after the shape for messages.
MeshSource read_shape(Configuration& parameters) {
  MeshSource source;
  std::vector<Configuration::Branch> branches;
  for (const Shape& shape : shapes)
    branches.push_back({shape.name, shape.documentation, [&source, &shape](Configuration& p) {
                          source = [build = shape.read(p), name = std::string(shape.name)] {
                            TetrahedralMesh mesh = build();
                            mesh.source = name + ": " + mesh.source;
                            return mesh;
                          };
                        }});
  parameters.branch("shape", branches, {}, "procedural body");
  return source;
}

MeshSource read_file(Configuration& parameters) {
  const std::filesystem::path path =
      parameters.file("file", "tetrahedral mesh: gmsh .msh, Medit .mesh, TetGen .node/.ele, legacy .vtk or .vtu");
  const double scale = parameters.number("scale", {.unit = "m",
                                                   .minimum = 0,
                                                   .maximum = 1e9,
                                                   .minimum_excluded = true,
                                                   .default_value = 1,
                                                   .documentation = "length of one unit of the file"});
  return [path, scale] { return read_tetrahedral_mesh(path, scale); };
}

}  // namespace

MeshSource read_mesh_source(Configuration& parameters) {
  MeshSource source;
  parameters.branch_on_key({{"file", "a mesh from a file", [&](Configuration& p) { source = read_file(p); }},
                            {"shape", "a procedural body", [&](Configuration& p) { source = read_shape(p); }}},
                           "the body's tetrahedra");
  // After a problem in the section there is no source. The caller stops before it builds the mesh.
  if (source) return source;
  return []() -> TetrahedralMesh { throw Error(Failure::internal, "a mesh cannot be built from a section that has problems"); };
}

std::vector<ShapeDescription> shape_descriptions() {
  std::vector<ShapeDescription> descriptions;
  for (const Shape& shape : shapes) {
    const ParameterRecording recording([&](Configuration& parameters) { shape.read(parameters); });
    descriptions.push_back({shape.name, shape.documentation, recording.descriptions()});
  }
  return descriptions;
}

}  // namespace holo
