#include "characters/grid_obstacles.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/sim/mesh/shapes.h"
#include "holo/sim/motion/formula.h"
#include "runs/at_place.h"

namespace holo {

namespace {

constexpr int drawn_elements = 20'000;  // tetrahedra of which the drawn surface of a formula is that

double read_grid_spacing(Configuration& entry) {
  return entry.number("spacing", {.unit = "m",
                                  .minimum = 0,
                                  .maximum = 1e5,
                                  .minimum_excluded = true,
                                  .documentation = "of the grid of distances, at most half of the solid's thickness; a spline "
                                                   "through the distances rounds edges off by about a fifth of it"});
}

BoundingBox box_of(const SurfaceMesh& surface) {
  BoundingBox box{surface.vertices.front(), surface.vertices.front()};
  for (const std::array<double, 3>& vertex : surface.vertices)
    for (std::size_t i = 0; i < 3; ++i) {
      box.minimum[i] = std::min(box.minimum[i], vertex[i]);
      box.maximum[i] = std::max(box.maximum[i], vertex[i]);
    }
  return box;
}

// A solid that is thinner than two cells has no point inside that the grid sees.
void require_cells(const SurfaceMesh& surface, double spacing) {
  const BoundingBox box = box_of(surface);
  double thinnest = box.maximum[0] - box.minimum[0];
  for (std::size_t i = 1; i < 3; ++i) thinnest = std::min(thinnest, box.maximum[i] - box.minimum[i]);
  if (spacing > thinnest / 2)
    throw Error(Failure::input,
                fmt::format("{}: the spacing of the grid is {:.6g} m, and the solid's shortest side is {:.6g} m; "
                            "choose a spacing of at most {:.6g} m",
                            surface.source, spacing, thinnest, thinnest / 2));
}

// Beyond the grid its outermost distances repeat, so that a solid that reaches there would have no end.
void require_outside_border(const articulated::SignedDistanceGrid& grid) {
  std::size_t number = 0;
  for (int k = 0; k < grid.layers; ++k)
    for (int j = 0; j < grid.rows; ++j)
      for (int i = 0; i < grid.columns; ++i, ++number) {
        const bool is_outermost =
            i == 0 || j == 0 || k == 0 || i == grid.columns - 1 || j == grid.rows - 1 || k == grid.layers - 1;
        if (!is_outermost || grid.coefficients[number] > 0) continue;
        const Eigen::Vector3d place = grid.origin + grid.spacing * Eigen::Vector3d(i, j, k);
        throw Error(Failure::input,
                    fmt::format("the solid reaches beyond the grid, to [{:.6g}, {:.6g}, {:.6g}]; choose `minimum` "
                                "and `maximum` around it",
                                place[0], place[1], place[2]));
      }
}

}  // namespace

void read_mesh_obstacle(Configuration& entry, ObstacleDefinition& definition) {
  Configuration mesh = entry.section("mesh", "closed surface of the solid");
  const SurfaceSource source = read_surface_source(mesh);
  const double spacing = read_grid_spacing(entry);
  definition.solid = [source, spacing, where = mesh.location()](double radius) {
    return at_place(where, [&] {
      SurfaceMesh surface = source();
      require_surface(surface, false);
      require_cells(surface, spacing);
      return GridSolid{articulated::bake_signed_distance(surface, spacing, radius + 2 * spacing), std::move(surface)};
    });
  };
}

void read_formula_grid(Configuration& entry, ObstacleDefinition& definition) {
  const std::size_t problems = entry.problem_count();
  const std::string text =
      entry.text("formula", {.documentation = "distance in m of the point x, y, z in m from the solid, below 0 inside; near "
                                              "the surface it must grow by 1 m per m"});
  const Location where = entry.location("formula");
  const std::array<double, 3> minimum = entry.vector3("minimum", {.unit = "m", .documentation = "corner of the grid's region"}),
                              maximum = entry.vector3("maximum", {.unit = "m", .documentation = "opposite corner"});
  const double spacing = read_grid_spacing(entry);
  if (entry.recording() || entry.problem_count() != problems) return;
  try {
    Formula(text, {"x", "y", "z"});
  } catch (const Error& error) {
    entry.problem(where, error.what());
    return;
  }
  definition.solid = [=](double radius) {
    const Formula formula(text, {"x", "y", "z"}, where);
    const SignedDistance distance = [&](const std::array<double, 3>& place) { return formula(place); };
    return at_place(where, [&] {
      BoundingBox region{minimum, maximum};
      for (std::size_t i = 0; i < 3; ++i) {
        region.minimum[i] -= radius;
        region.maximum[i] += radius;
      }
      articulated::SignedDistanceGrid grid = articulated::fit_signed_distance(distance, region, spacing);
      require_outside_border(grid);
      SurfaceMesh surface = boundary_surface(isosurface_stuffing(distance, {minimum, maximum}, drawn_elements));
      return GridSolid{std::move(grid), std::move(surface)};
    });
  };
}

}  // namespace holo
