// The `mesh:` section of an experiment.

#include "holo/core/error.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"
#include "holo/sim/mesh/shapes.h"
#include "mesh/solids.h"

namespace holo {

namespace {

int read_elements(Configuration& parameters, int minimum) {
  return static_cast<int>(parameters.integer(
      "elements",
      {.minimum = minimum, .maximum = 10000000, .documentation = "desired number of tetrahedra; met to 3 % if possible"}));
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
  const std::array<double, 3> size = read_box_size(parameters);
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
    {"ellipsoid", "an ellipsoid along the axes", read_stuffed<read_ellipsoid>},
    {"capsule", "a cylinder with half spheres as ends", read_stuffed<read_capsule>},
    {"round_cone", "the convex hull of two balls", read_stuffed<read_round_cone>},
    {"cylinder", "a circular cylinder", read_stuffed<read_cylinder>},
    {"cone", "a truncated circular cone", read_stuffed<read_cone>},
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

struct MeshFile {
  std::filesystem::path path;
  double scale;
};

MeshFile read_mesh_file(Configuration& parameters, const char* documentation) {
  return {parameters.file("file", documentation),
          parameters.number("scale", {.unit = "m",
                                      .minimum = 0,
                                      .maximum = 1e9,
                                      .minimum_excluded = true,
                                      .default_value = 1,
                                      .documentation = "length of one unit of the file"})};
}

MeshSource read_file(Configuration& parameters) {
  const MeshFile file =
      read_mesh_file(parameters, "tetrahedral mesh: gmsh .msh, Medit .mesh, TetGen .node/.ele, legacy .vtk or .vtu");
  return [file] { return read_tetrahedral_mesh(file.path, file.scale); };
}

SurfaceSource read_surface_file(Configuration& parameters) {
  const MeshFile file = read_mesh_file(parameters, "closed surface: OBJ; or a tetrahedral mesh, whose surface is taken");
  return [file] {
    return file.path.extension() == ".obj" ? read_surface_mesh(file.path, file.scale)
                                           : boundary_surface(read_tetrahedral_mesh(file.path, file.scale));
  };
}

}  // namespace

SurfaceMesh boundary_surface(const TetrahedralMesh& mesh) {
  SurfaceMesh surface{{}, boundary_triangles(mesh), mesh.source};
  std::vector<int> number(mesh.vertices.size(), -1);
  for (std::array<int, 3>& triangle : surface.triangles)
    for (int& vertex : triangle) {
      int& place = number[std::size_t(vertex)];
      if (place < 0) {
        place = int(surface.vertices.size());
        surface.vertices.push_back(mesh.vertices[std::size_t(vertex)]);
      }
      vertex = place;
    }
  return surface;
}

SurfaceSource read_surface_source(Configuration& parameters) {
  SurfaceSource source;
  const auto take_shape = [&](Configuration& p) { source = [shape = read_shape(p)] { return boundary_surface(shape()); }; };
  parameters.branch_on_key({{"file", "a mesh from a file", [&](Configuration& p) { source = read_surface_file(p); }},
                            {"shape", "a procedural body", take_shape}},
                           "the solid's surface");
  if (source) return source;
  return []() -> SurfaceMesh { throw Error(Failure::internal, "a mesh cannot be built from a section that has problems"); };
}

MeshSource read_mesh_source(Configuration& parameters) {
  MeshSource source;
  parameters.branch_on_key({{"file", "a mesh from a file", [&](Configuration& p) { source = read_file(p); }},
                            {"shape", "a procedural body", [&](Configuration& p) { source = read_shape(p); }}},
                           "the body's tetrahedra");
  const bool raised =
      parameters.integer("order", {.minimum = 1,
                                   .maximum = 2,
                                   .default_value = 1,
                                   .documentation = "2: linear tetrahedra become quadratic ones, with a vertex in the "
                                                    "middle of each edge; a file's quadratic ones stay as they are"}) == 2;
  if (source && raised) return [source = std::move(source)] { return raise_to_quadratic(source()); };
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
