#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/detection/box_grid.h"
#include "contact/detection/pair_list.h"
#include "holo/core/error.h"
#include "holo/sim/contact/detection/candidate_pairs.h"

namespace holo {
namespace {

// The primitives with entries of the mesh's list of vertices in place of vertices' numbers.
template <std::size_t corners>
std::vector<std::array<int, corners>> with_entries(const std::vector<std::array<int, corners>>& primitives,
                                                   const std::vector<int>& vertices) {
  std::vector<std::array<int, corners>> result = primitives;
  for (auto& primitive : result)
    for (int& vertex : primitive)
      vertex = static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), vertex) - vertices.begin());
  return result;
}

template <std::size_t corners>
void unite_boxes(const std::vector<Box>& vertex_boxes, const std::vector<std::array<int, corners>>& primitives,
                 std::vector<Box>& boxes) {
  boxes.resize(primitives.size());
  const auto body = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      boxes[i] = vertex_boxes[static_cast<std::size_t>(primitives[i][0])];
      for (std::size_t k = 1; k < corners; ++k) boxes[i].include(vertex_boxes[static_cast<std::size_t>(primitives[i][k])]);
    }
  };
  parallel_for(primitives.size(), 4096, std::ref(body));
}

// How much larger boxes of a search of the grid are on each side, as a share of the median extent of the edges' boxes. On a
// sphere of 9800 triangles such a search takes 7.0 ms of one core, without the margin 5.5 ms; a call within it takes 0.2 ms.
constexpr double surroundings_share = 0.1;

std::size_t candidate_count(const CandidatePairs& pairs) { return pairs.point_triangle.size() + pairs.edge_edge.size(); }

template <std::size_t corners>
bool has_vertex(const std::array<int, corners>& primitive, int vertex) {
  return std::find(primitive.begin(), primitive.end(), vertex) != primitive.end();
}

}  // namespace

struct CandidateSearch::Workspace {
  // Boxes of one kind of primitive, in the mesh's order, and those that may be close to another body.
  struct PrimitiveBoxes {
    std::vector<Box> boxes;
    std::vector<int> active;
    BoxGrid grid;
  };

  explicit Workspace(std::shared_ptr<const CollisionMesh> shared)
      : mesh(std::move(shared)),
        edges(with_entries(mesh->edges, mesh->vertices)),
        triangles(with_entries(mesh->triangles, mesh->vertices)) {}

  void find_boxes(const Eigen::VectorXd& x, const Eigen::VectorXd* direction, double distance);
  void find_body_boxes();
  void find_active(const std::vector<int>& bodies, PrimitiveBoxes& primitives) const;
  GridLevels levels() const;
  void find_point_triangle_pairs(const GridLevels& levels);
  void find_edge_pairs(const GridLevels& levels);
  bool covers_boxes() const;
  void enlarge_boxes();
  void search_surroundings();
  void select_candidates();
  const CandidatePairs& find(const Eigen::VectorXd& x, const Eigen::VectorXd* direction, double distance);

  std::shared_ptr<const CollisionMesh> mesh;
  std::vector<std::array<int, 2>> edges;
  std::vector<std::array<int, 3>> triangles;
  PrimitiveBoxes of_vertices, of_edges, of_triangles;
  std::vector<Box> body_boxes;
  PairList found;
  CandidatePairs candidates;
  // The last search of the grid: the enlarged boxes of its vertices, and all pairs whose enlarged boxes overlap.
  std::vector<Box> surroundings;
  CandidatePairs nearby;
  std::vector<double> extents;  // of the edges' boxes [m]
  int searches = 0;
};

// Boxes of the vertices, enlarged by the body's radius and half the distance on each side, and of edges and triangles. Rounding
// is monotone, so that boxes overlap where the rounded positions are close enough.
void CandidateSearch::Workspace::find_boxes(const Eigen::VectorXd& x, const Eigen::VectorXd* direction, double distance) {
  of_vertices.boxes.resize(mesh->vertices.size());
  for (std::size_t entry = 0; entry < mesh->vertices.size(); ++entry) {
    Box& box = of_vertices.boxes[entry];
    const Eigen::Index first = 3 * static_cast<Eigen::Index>(mesh->vertices[entry]);
    const double reach = distance / 2 + mesh->radius_of(mesh->vertex_bodies[entry]);
    bool is_finite = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double begin = x[first + static_cast<Eigen::Index>(axis)];
      const double end = direction ? begin + (*direction)[first + static_cast<Eigen::Index>(axis)] : begin;
      box.lower[axis] = std::min(begin, end) - reach;
      box.upper[axis] = std::max(begin, end) + reach;
      is_finite = is_finite && std::isfinite(begin) && std::isfinite(end);
    }
    if (!is_finite)
      throw Error(Failure::internal, fmt::format("collision detection was given a position or a displacement of vertex {} "
                                                 "that is not finite",
                                                 mesh->vertices[entry]));
  }
  unite_boxes(of_vertices.boxes, edges, of_edges.boxes);
  unite_boxes(of_vertices.boxes, triangles, of_triangles.boxes);
}

void CandidateSearch::Workspace::find_body_boxes() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  body_boxes.assign(static_cast<std::size_t>(mesh->body_count),
                    {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}});
  for (std::size_t entry = 0; entry < mesh->vertices.size(); ++entry)
    body_boxes[static_cast<std::size_t>(mesh->vertex_bodies[entry])].include(of_vertices.boxes[entry]);
}

// Primitives that overlap the box of a body which they may collide with.
void CandidateSearch::Workspace::find_active(const std::vector<int>& bodies, PrimitiveBoxes& primitives) const {
  primitives.active.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (int other = 0; other < mesh->body_count; ++other)
      if (mesh->may_collide(bodies[i], other) && primitives.boxes[i].overlaps(body_boxes[static_cast<std::size_t>(other)])) {
        primitives.active.push_back(static_cast<int>(i));
        break;
      }
}

// Cells of twice the mean extent of the edges' boxes were fastest: on a sphere of 9800 triangles the search takes 5.3 ms of one
// core, with the mean itself 7.1 ms, with three times it 6.0 ms; sorting along an axis and sweeping takes 15 ms (all without a
// margin).
GridLevels CandidateSearch::Workspace::levels() const {
  Box bounds = body_boxes[0];
  for (const Box& box : body_boxes) bounds.include(box);
  double sum = 0;
  for (const int edge : of_edges.active) sum += of_edges.boxes[static_cast<std::size_t>(edge)].extent();
  const double mean = of_edges.active.empty() ? 0 : 2 * sum / static_cast<double>(of_edges.active.size());
  return GridLevels(bounds, mean);
}

// Of a vertex and a triangle, that of the lower level finds the other; at the same level the vertex does.
void CandidateSearch::Workspace::find_point_triangle_pairs(const GridLevels& levels) {
  of_vertices.grid.build(levels, of_vertices.boxes, of_vertices.active);
  of_triangles.grid.build(levels, of_triangles.boxes, of_triangles.active);
  const auto is_pair = [&](int vertex, int triangle) {
    return mesh->may_collide(mesh->vertex_bodies[static_cast<std::size_t>(vertex)],
                             mesh->triangle_bodies[static_cast<std::size_t>(triangle)]) &&
           !has_vertex(triangles[static_cast<std::size_t>(triangle)], vertex);
  };
  found.clear(mesh->vertices.size());
  found.collect(of_vertices.active.size(), [&](std::size_t i, auto emit) {
    const int vertex = of_vertices.active[i];
    const Box& box = of_vertices.boxes[static_cast<std::size_t>(vertex)];
    of_triangles.grid.each_overlapping(levels, box, levels.level_of(box), [&](int triangle) {
      if (is_pair(vertex, triangle)) emit(vertex, triangle);
    });
  });
  found.collect(of_triangles.active.size(), [&](std::size_t i, auto emit) {
    const int triangle = of_triangles.active[i];
    const Box& box = of_triangles.boxes[static_cast<std::size_t>(triangle)];
    of_vertices.grid.each_overlapping(levels, box, levels.level_of(box) + 1, [&](int vertex) {
      if (is_pair(vertex, triangle)) emit(vertex, triangle);
    });
  });
  found.sort_into(nearby.point_triangle);
}

void CandidateSearch::Workspace::find_edge_pairs(const GridLevels& levels) {
  of_edges.grid.build(levels, of_edges.boxes, of_edges.active);
  found.clear(mesh->edges.size());
  found.collect(of_edges.active.size(), [&](std::size_t i, auto emit) {
    const int edge = of_edges.active[i];
    const std::array<int, 2>& own_ends = edges[static_cast<std::size_t>(edge)];
    const int body = mesh->edge_bodies[static_cast<std::size_t>(edge)];
    of_edges.grid.each_partner(levels, of_edges.boxes[static_cast<std::size_t>(edge)], edge, [&](int other) {
      const auto& ends = edges[static_cast<std::size_t>(other)];
      if (has_vertex(ends, own_ends[0]) || has_vertex(ends, own_ends[1])) return;
      if (!mesh->may_collide(body, mesh->edge_bodies[static_cast<std::size_t>(other)])) return;
      emit(std::min(edge, other), std::max(edge, other));
    });
  });
  found.sort_into(nearby.edge_edge);
}

bool CandidateSearch::Workspace::covers_boxes() const {
  if (surroundings.size() != of_vertices.boxes.size()) return false;
  for (std::size_t entry = 0; entry < surroundings.size(); ++entry)
    if (!surroundings[entry].contains(of_vertices.boxes[entry])) return false;
  return true;
}

// By a share of the median extent of the edges' boxes, so that the number of pairs grows little; a mean may be that of a few
// large edges of obstacles.
void CandidateSearch::Workspace::enlarge_boxes() {
  if (of_edges.boxes.empty()) return;
  extents.clear();
  for (const Box& box : of_edges.boxes) extents.push_back(box.extent());
  const auto median = extents.begin() + static_cast<std::ptrdiff_t>(extents.size() / 2);
  std::nth_element(extents.begin(), median, extents.end());
  for (std::vector<Box>* boxes : {&of_vertices.boxes, &of_edges.boxes, &of_triangles.boxes})
    for (Box& box : *boxes) box.enlarge(surroundings_share * *median);
}

void CandidateSearch::Workspace::search_surroundings() {
  ++searches;
  surroundings = of_vertices.boxes;
  find_body_boxes();
  find_active(mesh->vertex_bodies, of_vertices);
  find_active(mesh->edge_bodies, of_edges);
  find_active(mesh->triangle_bodies, of_triangles);
  const GridLevels grid_levels = levels();
  find_point_triangle_pairs(grid_levels);
  find_edge_pairs(grid_levels);
}

// Those of the surroundings whose boxes overlap.
void CandidateSearch::Workspace::select_candidates() {
  const auto overlap = [](const std::vector<Box>& first_boxes, int first, const std::vector<Box>& second_boxes, int second) {
    return first_boxes[static_cast<std::size_t>(first)].overlaps(second_boxes[static_cast<std::size_t>(second)]);
  };
  for (const PointTrianglePair& pair : nearby.point_triangle)
    if (overlap(of_vertices.boxes, pair.vertex, of_triangles.boxes, pair.triangle)) candidates.point_triangle.push_back(pair);
  for (const EdgePair& pair : nearby.edge_edge)
    if (overlap(of_edges.boxes, pair.first, of_edges.boxes, pair.second)) candidates.edge_edge.push_back(pair);
}

// Boxes within those of the last search overlap only in pairs that it found. Most steps of a line search and the last steps of
// a minimization are so short. Which search the pairs come from does not change them.
const CandidatePairs& CandidateSearch::Workspace::find(const Eigen::VectorXd& x, const Eigen::VectorXd* direction,
                                                       double distance) {
  candidates.point_triangle.clear();
  candidates.edge_edge.clear();
  if (mesh->body_count == 0) return candidates;
  find_boxes(x, direction, distance);
  if (!covers_boxes()) {
    enlarge_boxes();
    search_surroundings();
    find_boxes(x, direction, distance);
  }
  select_candidates();
  // Boxes of a long motion overlap in many pairs. A new search then costs less than to look through them.
  if (candidate_count(nearby) > 4 * candidate_count(candidates) + mesh->edges.size()) surroundings.clear();
  return candidates;
}

CandidateSearch::CandidateSearch(std::shared_ptr<const CollisionMesh> mesh)
    : workspace_(std::make_unique<Workspace>(std::move(mesh))) {}
CandidateSearch::~CandidateSearch() = default;
CandidateSearch::CandidateSearch(CandidateSearch&&) noexcept = default;
CandidateSearch& CandidateSearch::operator=(CandidateSearch&&) noexcept = default;

const CandidatePairs& CandidateSearch::at(const Eigen::VectorXd& x, double distance) {
  return workspace_->find(x, nullptr, distance);
}

const CandidatePairs& CandidateSearch::swept(const Eigen::VectorXd& x, const Eigen::VectorXd& direction, double distance) {
  return workspace_->find(x, &direction, distance);
}

int CandidateSearch::searches() const { return workspace_->searches; }

PairColumns columns_of(const CollisionMesh& mesh, const PointTrianglePair& pair, const Eigen::VectorXd& values) {
  const auto& [a, b, c] = mesh.triangles[static_cast<std::size_t>(pair.triangle)];
  PairColumns columns;
  columns << values.segment<3>(3 * mesh.vertices[static_cast<std::size_t>(pair.vertex)]), values.segment<3>(3 * a),
      values.segment<3>(3 * b), values.segment<3>(3 * c);
  return columns;
}

PairColumns columns_of(const CollisionMesh& mesh, const EdgePair& pair, const Eigen::VectorXd& values) {
  const auto& [a, b] = mesh.edges[static_cast<std::size_t>(pair.first)];
  const auto& [c, d] = mesh.edges[static_cast<std::size_t>(pair.second)];
  PairColumns columns;
  columns << values.segment<3>(3 * a), values.segment<3>(3 * b), values.segment<3>(3 * c), values.segment<3>(3 * d);
  return columns;
}

}  // namespace holo
