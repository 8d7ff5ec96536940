#include "holo/sim/intersection/surface_intersections.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "holo/core/error.h"
#include "intersection/box_sweep.h"
#include "intersection/edge_triangle.h"
#include "intersection/predicates.h"
#include "intersection/triangle_separation.h"

namespace holo {
namespace {

constexpr double largest_coordinate = 0x1p300, least_coordinate = 0x1p-300;

[[noreturn]] void refuse_surface(const std::string& text) { throw Error(Failure::input, text); }

[[gnu::cold]] void refuse_number(double value, const std::string& place) {
  refuse_surface(place + " is " + std::to_string(value) + "; finite numbers up to 2^300 are allowed.");
}

// Whether the predicates can compute with the number, and the number as they need it.
bool is_allowed(double value) { return std::abs(value) <= largest_coordinate; }
double without_tiny(double value) { return std::abs(value) < least_coordinate ? 0 : value; }

std::vector<double> exact_positions(std::span<const double> positions) {
  if (positions.size() % 3 != 0)
    refuse_surface("The positions of a surface are " + std::to_string(positions.size()) +
                   " numbers, which is no multiple of 3: each vertex has three.");
  std::vector<double> result(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!is_allowed(positions[i]))
      refuse_number(positions[i],
                    "Coordinate " + std::to_string(i % 3) + " of the vertex " + std::to_string(i / 3) + " of a surface");
    result[i] = without_tiny(positions[i]);
  }
  return result;
}

std::vector<HalfSpace> exact_half_spaces(std::span<const HalfSpace> half_spaces) {
  std::vector<HalfSpace> result(half_spaces.begin(), half_spaces.end());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto adjust = [i](double& number, const char* what) {
      if (!is_allowed(number)) refuse_number(number, what + std::string(" of the half space ") + std::to_string(i));
      number = without_tiny(number);
    };
    adjust(result[i].offset, "The offset");
    for (double& entry : result[i].normal) adjust(entry, "An entry of the normal");
  }
  return result;
}

void check_triangles(const TriangleSurface& surface, int vertex_count) {
  if (!surface.bodies.empty() && surface.bodies.size() != surface.triangles.size())
    refuse_surface("A surface has " + std::to_string(surface.triangles.size()) + " triangles and bodies of " +
                   std::to_string(surface.bodies.size()) + "; give one body for each triangle, or none.");
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& [a, b, c] = surface.triangles[t];
    for (const int vertex : {a, b, c})
      if (vertex < 0 || vertex >= vertex_count)
        refuse_surface("Triangle " + std::to_string(t) + " of a surface has the vertex " + std::to_string(vertex) +
                       "; the surface has the vertices 0 to " + std::to_string(vertex_count - 1) + ".");
    if (a == b || b == c || c == a)
      refuse_surface("Triangle " + std::to_string(t) + " of a surface has the vertices " + std::to_string(a) + ", " +
                     std::to_string(b) + ", " + std::to_string(c) + ", of which two are equal.");
  }
}

// The bodies of edges: of the first triangle that has them.
using EdgeBodies = std::map<std::array<int, 2>, int>;

std::array<int, 2> edge_at(const std::array<int, 3>& triangle, std::size_t i) {
  const auto [low, high] = std::minmax(triangle[i], triangle[(i + 1) % 3]);
  return {low, high};
}

EdgeBodies bodies_of_edges(const TriangleSurface& surface) {
  EdgeBodies bodies;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) bodies.emplace(edge_at(surface.triangles[t], i), surface.bodies[t]);
  return bodies;
}

// By the number of common vertices.
bool edge_meets_triangle(const double* x, std::array<int, 2> edge, std::array<int, 3> triangle) {
  const auto at = [x](int vertex) { return x + 3 * static_cast<std::size_t>(vertex); };
  int common = 0;
  for (std::size_t e = 0; e < 2; ++e)
    for (std::size_t t = 0; t < 3; ++t)
      if (edge[e] == triangle[t]) {
        ++common;
        std::swap(edge[0], edge[e]);  // the common vertex first
        std::rotate(triangle.begin(), triangle.begin() + static_cast<std::ptrdiff_t>(t), triangle.end());
        break;
      }
  const auto& [a, b, c] = triangle;
  if (common == 2) return false;
  if (common == 1) return intersections::segment_meets_triangle_at_its_corner(at(a), at(edge[1]), at(b), at(c));
  return intersections::segment_meets_triangle(at(edge[0]), at(edge[1]), at(a), at(b), at(c));
}

intersections::Box box_of(const double* x, const std::array<int, 3>& triangle) {
  const auto at = [x](int vertex) { return x + 3 * static_cast<std::size_t>(vertex); };
  intersections::Box box(at(triangle[0]));
  box.include(at(triangle[1]));
  box.include(at(triangle[2]));
  return box;
}

using TriangleNumbers = std::vector<std::pair<int, int>>;

// The pairs of triangles that rounded arithmetic does not prove to be separated.
TriangleNumbers undecided_pairs(const double* x, std::span<const std::array<int, 3>> triangles) {
  std::vector<intersections::Box> boxes;
  std::vector<intersections::TrianglePlane> planes;
  boxes.reserve(triangles.size()), planes.reserve(triangles.size());
  for (const auto& triangle : triangles) {
    boxes.push_back(box_of(x, triangle));
    const auto at = [&](std::size_t i) { return x + 3 * static_cast<std::size_t>(triangle[i]); };
    planes.emplace_back(at(0), at(1), at(2));
  }
  TriangleNumbers pairs = intersections::overlapping_boxes(boxes);
  std::erase_if(pairs, [&](const std::pair<int, int>& pair) {
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    return intersections::are_separated(x, {triangles[a], triangles[b]}, planes[a], planes[b]);
  });
  return pairs;
}

}  // namespace

std::vector<EdgeTriangleIntersection> find_intersections(const TriangleSurface& surface, TestedPairs tested) {
  const std::vector<double> positions = exact_positions(surface.positions);
  check_triangles(surface, static_cast<int>(positions.size() / 3));
  const double* x = positions.data();
  const TriangleNumbers undecided = undecided_pairs(x, surface.triangles);
  std::vector<EdgeTriangleIntersection> found;
  if (undecided.empty()) return found;
  const EdgeBodies bodies = surface.bodies.empty() ? EdgeBodies{} : bodies_of_edges(surface);

  // The edges of each triangle of a pair against the other one.
  const auto test = [&](int of_edges, int t) {
    const std::array<int, 3>&edges = surface.triangles[static_cast<std::size_t>(of_edges)],
                          &triangle = surface.triangles[static_cast<std::size_t>(t)];
    const int body = surface.bodies.empty() ? 0 : surface.bodies[static_cast<std::size_t>(t)];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::array<int, 2> edge = edge_at(edges, i);
      const int edge_body = bodies.empty() ? 0 : bodies.at(edge);
      if (tested == TestedPairs::different_bodies && edge_body == body) continue;
      if (edge_meets_triangle(x, edge, triangle)) found.push_back({edge, t, edge_body, body});
    }
  };
  for (const auto& [a, b] : undecided) test(a, b), test(b, a);
  // An edge meets a triangle once for each of the triangles that have it.
  std::sort(found.begin(), found.end(), [](const EdgeTriangleIntersection& a, const EdgeTriangleIntersection& b) {
    return a.edge != b.edge ? a.edge < b.edge : a.triangle < b.triangle;
  });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<PointBelowPlane> find_points_below(std::span<const double> positions, std::span<const int> vertices,
                                               std::span<const HalfSpace> half_spaces) {
  const std::vector<double> x = exact_positions(positions);
  const std::vector<HalfSpace> planes = exact_half_spaces(half_spaces);
  std::vector<PointBelowPlane> found;
  for (const int vertex : vertices) {
    if (vertex < 0 || static_cast<std::size_t>(vertex) >= x.size() / 3)
      refuse_surface("A point to be compared with planes is the vertex " + std::to_string(vertex) +
                     "; there are the vertices 0 to " + std::to_string(static_cast<long>(x.size() / 3) - 1) + ".");
    for (std::size_t i = 0; i < planes.size(); ++i)
      if (intersections::side_of_plane(planes[i].normal.data(), planes[i].offset, &x[3 * static_cast<std::size_t>(vertex)]) <=
          0)
        found.push_back({vertex, static_cast<int>(i)});
  }
  return found;
}

}  // namespace holo
