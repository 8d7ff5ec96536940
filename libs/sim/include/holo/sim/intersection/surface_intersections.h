#pragma once
// Intersections of surfaces of triangles, exact for the positions as they are given: the proof that a simulation let nothing
// through. The test shares no code with the distances and the collision detection that it checks.
//
//   for (const EdgeTriangleIntersection& found : find_intersections({positions, triangles, bodies})) ...
//
// Touching is intersecting: all sets are closed. What is tested are edges against triangles:
//   - Without a common vertex: whether they have a common point.
//   - With one common vertex v: whether they have a common point besides v. They do only if the edge lies in the triangle's
//   plane
//     and leaves v into the triangle or along one of its edges.
//   - An edge is not tested against triangles that it is an edge of.
// This decides all pairs of triangles. Two triangles without a common vertex intersect only if an edge of one meets the other.
// Two with one common vertex have a point besides it in common only if an edge does, since a segment of their intersection that
// begins there ends on an edge of one of them. Two with a common edge have more than it in common only if they are folded flat
// upon each other, and then an edge of one leaves a common vertex into the other. Vertices are common by their numbers: two
// vertices at one place touch.
//
// A triangle without area is tested as its three edges. Coordinates below 2^-300 m count as 0.

#include <array>
#include <span>
#include <vector>

namespace holo {

// Triangles of one or several bodies over one array of vertices.
struct TriangleSurface {
  std::span<const double> positions;              // [3 * vertex] [m]
  std::span<const std::array<int, 3>> triangles;  // vertices
  std::span<const int> bodies;                    // [triangle]; empty: all are of the body 0
};

struct EdgeTriangleIntersection {
  std::array<int, 2> edge;  // vertices, ascending
  int triangle;
  int edge_body, triangle_body;  // of an edge: of the first triangle that has it
  bool operator==(const EdgeTriangleIntersection&) const = default;
};

enum class TestedPairs {
  all,
  different_bodies  // for bodies that may intersect themselves
};

// All intersections, in the order of edges, then of triangles. Throws Error(input) for positions that are not finite or beyond
// 2^300 m, for triangles of vertices that do not exist or are equal, and for another number of bodies than of triangles.
std::vector<EdgeTriangleIntersection> find_intersections(const TriangleSurface& surface, TestedPairs tested = TestedPairs::all);

// The half space n . x <= o below a plane. The normal n need not have the length 1.
struct HalfSpace {
  std::array<double, 3> normal;
  double offset;
};

struct PointBelowPlane {
  int vertex, half_space;
  bool operator==(const PointBelowPlane&) const = default;
};

// The vertices, of those given, that lie in half spaces or on their planes, in the order of vertices, then of half spaces:
// exact for the numbers n and o as they are. Throws as find_intersections does, also for normals and offsets.
std::vector<PointBelowPlane> find_points_below(std::span<const double> positions, std::span<const int> vertices,
                                               std::span<const HalfSpace> half_spaces);

}  // namespace holo
