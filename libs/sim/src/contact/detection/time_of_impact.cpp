#include "holo/sim/contact/detection/time_of_impact.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "holo/core/numerics/parallel.h"
#include "holo/sim/contact/detection/separation.h"

namespace holo {
namespace {

// How long the distance along a direction stays at least `kept` for all pairs of vertices of the two primitives, hence of all
// their points.
template <int first_count>
double time_along(const Eigen::Vector3d& direction, const PairColumns& x, const PairColumns& p, double kept) {
  double time = std::numeric_limits<double>::infinity();
  for (int a = 0; a < first_count; ++a)
    for (int b = first_count; b < 4; ++b) {
      const double approach = -direction.dot(p.col(a) - p.col(b));
      if (approach > 0) time = std::min(time, (direction.dot(x.col(a) - x.col(b)) - kept) / approach);
    }
  return time;
}

template <int first_count, class SeparationOf>
TimeOfImpact advance_pair(const PairColumns& x, const PairColumns& p, const AdditiveAdvance& advance, double latest,
                          const SeparationOf& separation_of) {
  if (!x.allFinite() || !p.allFinite()) return {};
  // Above the rounding errors of moved positions and of the products with a direction, some ten of half the spacing of numbers.
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * (x.cwiseAbs().maxCoeff() + p.cwiseAbs().maxCoeff());
  const double touching = advance.slack + rounding;
  double time = 0, last_gap = 0;
  for (int iteration = 1; iteration <= advance.iteration_limit; ++iteration) {
    const PairColumns moved = x + time * p;
    const Separation separation = separation_of(moved);
    const double gap = separation.distance - touching;
    if (!(gap > 0)) return {time, iteration};
    if (iteration == 1) last_gap = (1 - advance.safety) * gap;
    if (iteration > 1 && gap <= last_gap + rounding) return {time, iteration};
    const double step = time_along<first_count>(separation.direction, moved, p, touching + (1 - advance.safety) * gap);
    const double next = time + step;
    if (next >= latest) return {latest, iteration};
    if (!(next > time)) return {time, iteration};
    time = next;
  }
  return {time, advance.iteration_limit};
}

}  // namespace

TimeOfImpact point_triangle_time_of_impact(const PairColumns& x, const PairColumns& p, const AdditiveAdvance& advance,
                                           double latest) {
  return advance_pair<1>(x, p, advance, latest, point_triangle_separation);
}

TimeOfImpact edge_edge_time_of_impact(const PairColumns& x, const PairColumns& p, const AdditiveAdvance& advance,
                                      double latest) {
  return advance_pair<2>(x, p, advance, latest, edge_edge_separation);
}

double plane_time_of_impact(const Plane& plane, double plane_displacement, const Eigen::Vector3d& x, const Eigen::Vector3d& p,
                            double slack) {
  const double gap = plane.gap(x) - slack, approach = plane_displacement - plane.normal.dot(p);
  if (!(gap > 0)) return 0;
  return approach > gap ? gap / approach : 1;
}

double longest_step(const CollisionMesh& mesh, const Eigen::VectorXd& x, const Eigen::VectorXd& direction,
                    const CandidatePairs& candidates, const AdditiveAdvance& advance) {
  constexpr std::size_t chunk = 256;
  const auto between = [&](int a, int b) {
    AdditiveAdvance of_pair = advance;
    of_pair.slack += mesh.radius_of(a) + mesh.radius_of(b);
    return of_pair;
  };
  // A pair stops at the chunk's smallest time so far. That does not change the minimum.
  const auto points = [&](std::size_t begin, std::size_t end) {
    double time = 1;
    for (std::size_t i = begin; i < end && time > 0; ++i) {
      const PointTrianglePair& pair = candidates.point_triangle[i];
      const AdditiveAdvance of_pair = between(mesh.vertex_bodies[static_cast<std::size_t>(pair.vertex)],
                                              mesh.triangle_bodies[static_cast<std::size_t>(pair.triangle)]);
      time = point_triangle_time_of_impact(columns_of(mesh, pair, x), columns_of(mesh, pair, direction), of_pair, time).time;
    }
    return time;
  };
  const auto edges = [&](std::size_t begin, std::size_t end) {
    double time = 1;
    for (std::size_t i = begin; i < end && time > 0; ++i) {
      const EdgePair& pair = candidates.edge_edge[i];
      const AdditiveAdvance of_pair = between(mesh.edge_bodies[static_cast<std::size_t>(pair.first)],
                                              mesh.edge_bodies[static_cast<std::size_t>(pair.second)]);
      time = edge_edge_time_of_impact(columns_of(mesh, pair, x), columns_of(mesh, pair, direction), of_pair, time).time;
    }
    return time;
  };
  return std::min({1.0, parallel_minimum(candidates.point_triangle.size(), chunk, std::ref(points)),
                   parallel_minimum(candidates.edge_edge.size(), chunk, std::ref(edges))});
}

}  // namespace holo
