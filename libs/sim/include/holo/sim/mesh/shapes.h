#pragma once
// Procedural bodies: a box grid, and solids given by a signed distance, filled by isosurface stuffing (Labelle and Shewchuk
// 2007) on a body-centered cubic lattice.

#include <array>
#include <functional>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/surface_mesh.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// Axis-aligned box [0, size] cut into nx * ny * nz cells of six tetrahedra (Kuhn), cells as cubic as `elements` allows.
// Throws Error(input) for a size [m] outside of (0, 1e6) and for fewer than six elements.
TetrahedralMesh box_mesh(const std::array<double, 3>& size, int elements);

// The distance of a point [m] to a surface [m]: negative inside, positive outside, Lipschitz 1.
using SignedDistance = std::function<double(const std::array<double, 3>&)>;

// Points, radii and sizes in [m]; radii and half sizes are positive, `rounding` is from 0 to the smallest half size. `capsule`,
// `round_cone` (the convex hull of two balls), `cylinder` and `cone` run from a to b.
SignedDistance sphere(const std::array<double, 3>& center, double radius);
SignedDistance ellipsoid(const std::array<double, 3>& center, const std::array<double, 3>& semi_axes);
SignedDistance capsule(const std::array<double, 3>& a, const std::array<double, 3>& b, double radius);
SignedDistance cylinder(const std::array<double, 3>& a, const std::array<double, 3>& b, double radius);
SignedDistance round_cone(const std::array<double, 3>& a, double radius_a, const std::array<double, 3>& b, double radius_b);
SignedDistance cone(const std::array<double, 3>& a, double radius_a, const std::array<double, 3>& b, double radius_b);
SignedDistance box(const std::array<double, 3>& center, const std::array<double, 3>& half_size, double rounding);
SignedDistance smooth_union(SignedDistance a, SignedDistance b, double blend);  // blend radius [m] >= 0, 0: sharp
SignedDistance intersection(SignedDistance a, SignedDistance b);
SignedDistance difference(SignedDistance a, SignedDistance b);

// Fills {distance < 0} within the box. The lattice spacing is searched until the count of tetrahedra is within 3 % of
// `elements`, as near as it gets; the mesh's `source` states the count and what it falls short of. Dihedral angles keep
// 10.7 to 164.8 degrees where the lattice resolves the body; an ellipsoid was seen to give 10.27, noise as rough as the lattice
// 9.4 to 161. Throws Error(input) for a shape without inside, and for one too thin for so few elements: where the nearest mesh
// misses the count by a factor above 2, or holds less than 60 % of the volume.
TetrahedralMesh isosurface_stuffing(const SignedDistance& distance, const BoundingBox& box, int elements);

// The `mesh:` section of an experiment: {file: PATH, scale: 1} or {shape: NAME, ..., elements: N}, each with `order: 2` for
// quadratic tetrahedra (quadratic_tetrahedra.h), with
// shapes box, sphere, ellipsoid, capsule, round_cone, cylinder, cone, composition (a list of solids, each joined, cut or
// intersected). Two steps, since nothing may be computed while a file is checked: reading returns what builds the mesh later.
using MeshSource = std::function<TetrahedralMesh()>;
MeshSource read_mesh_source(Configuration& parameters);

// The same section for a solid that its closed surface describes: an OBJ file, or the surface of such tetrahedra, without the
// vertices inside. Whether the surface of an OBJ file is closed is not checked.
using SurfaceSource = std::function<SurfaceMesh()>;
SurfaceSource read_surface_source(Configuration& parameters);

// The boundary of a mesh, without the vertices inside, numbered in the order in which its triangles have them.
SurfaceMesh boundary_surface(const TetrahedralMesh& mesh);

// The shapes that a `mesh:` section can name, for `holo list` and `holo describe`.
struct ShapeDescription {
  std::string name;
  std::string documentation;                     // one line
  std::vector<ParameterDescription> parameters;  // beside `shape`
};
std::vector<ShapeDescription> shape_descriptions();

}  // namespace holo
