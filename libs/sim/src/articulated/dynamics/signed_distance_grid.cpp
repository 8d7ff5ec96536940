#include "holo/sim/articulated/dynamics/signed_distance_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/articulated/mesh_mass.h"
#include "holo/sim/contact/mesh_distance.h"
#include "holo/sim/intersection/surface_intersections.h"

namespace holo::articulated {

namespace {

constexpr double largest_grid = 1e8;  // coefficients
// A coefficient is f - D f / 6 + D D f / 36 of the samples f with the second difference D: the first terms of the series that
// inverts the values (1 + D / 6) c of a spline at its nodes.
constexpr std::array<double, 3> fit_weights = {54.0 / 36, -10.0 / 36, 1.0 / 36};  // of the samples at distances 0, 1 and 2
constexpr int fit_reach = 2;

// Numbers on a grid, x fastest.
struct GridValues {
  std::array<int, 3> counts;
  std::vector<double> values;

  explicit GridValues(const std::array<int, 3>& sizes)
      : counts(sizes), values(std::size_t(sizes[0]) * std::size_t(sizes[1]) * std::size_t(sizes[2])) {}
  std::size_t stride(std::size_t axis) const {
    return axis == 0 ? 1 : axis == 1 ? std::size_t(counts[0]) : std::size_t(counts[0]) * std::size_t(counts[1]);
  }
};

// The fit along one axis; the result has fit_reach values less at each end.
GridValues fitted_along(const GridValues& samples, std::size_t axis) {
  std::array<int, 3> counts = samples.counts;
  counts[axis] -= 2 * fit_reach;
  GridValues result(counts);
  const std::size_t stride = samples.stride(axis);
  std::size_t to = 0;
  for (int k = 0; k < counts[2]; ++k)
    for (int j = 0; j < counts[1]; ++j)
      for (int i = 0; i < counts[0]; ++i) {
        const double* at = &samples.values[std::size_t(i) + std::size_t(j) * samples.stride(1) +
                                           std::size_t(k) * samples.stride(2) + fit_reach * stride];
        result.values[to++] = fit_weights[0] * at[0] + fit_weights[1] * (at[stride] + *(at - stride)) +
                              fit_weights[2] * (at[2 * stride] + *(at - 2 * stride));
      }
  return result;
}

// Samples at origin + spacing (i, j, k), layers at the same time.
GridValues sampled(const SignedDistance& distance, const std::array<int, 3>& counts, const Eigen::Vector3d& origin,
                   double spacing) {
  GridValues samples(counts);
  parallel_for(std::size_t(counts[2]), 1, [&](std::size_t begin, std::size_t end) {
    std::size_t to = begin * samples.stride(2);
    for (int k = int(begin); k < int(end); ++k)
      for (int j = 0; j < counts[1]; ++j)
        for (int i = 0; i < counts[0]; ++i) {
          const std::array<double, 3> place = {origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k};
          const double value = distance(place);
          if (!std::isfinite(value))
            throw Error(Failure::input, fmt::format("the distance at [{:.6g}, {:.6g}, {:.6g}] is {}; it must be finite",
                                                    place[0], place[1], place[2], value));
          samples.values[to++] = value;
        }
  });
  return samples;
}

// The exact test of all pairs of triangles: where they intersect, a solid has no inside.
void require_no_intersections(const SurfaceMesh& surface) {
  const std::vector<EdgeTriangleIntersection> found =
      find_intersections({{surface.vertices.front().data(), 3 * surface.vertices.size()}, surface.triangles, {}});
  if (found.empty()) return;
  throw Error(Failure::input,
              fmt::format("{}: the edge between the vertices {} and {} meets the triangle {}{}; a solid's surface may not "
                          "intersect or touch itself: repair the mesh",
                          surface.source, found[0].edge[0] + 1, found[0].edge[1] + 1, found[0].triangle + 1,
                          found.size() > 1 ? fmt::format(", and there are {} other such pairs", found.size() - 1) : ""));
}

}  // namespace

Obstacle SignedDistanceGrid::obstacle(const Eigen::Isometry3d& pose) const {
  Obstacle result;
  result.kind = ObstacleKind::distance_grid;
  result.frame = rigid_frame(pose * Eigen::Translation3d(origin));
  result.distances = coefficients.data();
  result.columns = columns;
  result.rows = rows;
  result.layers = layers;
  result.spacing = spacing;
  return result;
}

// A cell's value needs one coefficient before it and two after it.
SignedDistanceGrid fit_signed_distance(const SignedDistance& distance, const BoundingBox& region, double spacing) {
  if (!(spacing > 0) || !std::isfinite(spacing))
    throw Error(Failure::input, fmt::format("the spacing of a distance grid is {} m; it must be above 0", spacing));
  std::array<int, 3> counts{};
  double total = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const double size = region.maximum[i] - region.minimum[i];
    if (!(size > 0) || !std::isfinite(size))
      throw Error(Failure::input, fmt::format("the region of a distance grid is {} m long along axis {}; it must be finite and "
                                              "above 0",
                                              size, i + 1));
    const double cells = std::ceil(size / spacing);
    total *= cells + 3;
    counts[i] = int(std::min(cells, largest_grid)) + 3 + 2 * fit_reach;
  }
  if (total > largest_grid)
    throw Error(Failure::input,
                fmt::format("a distance grid with a spacing of {} m has {:.3g} coefficients; at most {:.0e} are "
                            "allowed: choose a larger spacing",
                            spacing, total, largest_grid));
  const Eigen::Vector3d origin = Eigen::Map<const Eigen::Vector3d>(region.minimum.data()).array() - spacing;
  GridValues values = sampled(distance, counts, origin.array() - fit_reach * spacing, spacing);
  for (std::size_t axis = 0; axis < 3; ++axis) values = fitted_along(values, axis);
  return {std::move(values.values), values.counts[0], values.counts[1], values.counts[2], spacing, origin};
}

SignedDistanceGrid bake_signed_distance(const SurfaceMesh& surface, double spacing, double margin) {
  if (!(margin >= 0) || !std::isfinite(margin))
    throw Error(Failure::input, fmt::format("the margin of a distance grid is {} m; it must be 0 or more", margin));
  const MeshDistance distance(surface);
  mesh_mass(surface, 1);  // refuses a surface that is inside out
  require_no_intersections(surface);
  const std::array<double, 3>& first = surface.vertices[std::size_t(surface.triangles.front()[0])];
  BoundingBox region{first, first};
  for (const std::array<int, 3>& triangle : surface.triangles)
    for (const int vertex : triangle)
      for (std::size_t i = 0; i < 3; ++i) {
        region.minimum[i] = std::min(region.minimum[i], surface.vertices[std::size_t(vertex)][i]);
        region.maximum[i] = std::max(region.maximum[i], surface.vertices[std::size_t(vertex)][i]);
      }
  for (std::size_t i = 0; i < 3; ++i) {
    region.minimum[i] -= margin;
    region.maximum[i] += margin;
  }
  return fit_signed_distance(
      [&](const std::array<double, 3>& place) {
        return distance.distance({place[0], place[1], place[2]});
      },
      region, spacing);
}

}  // namespace holo::articulated
