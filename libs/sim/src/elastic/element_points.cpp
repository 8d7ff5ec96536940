// Shape functions of elements at rest.
#include <cmath>

#include "elastic/elastic_model_builder.h"
#include "elastic/element/vector3d.h"
#include "holo/sim/mesh/quadratic_map.h"

namespace holo {
namespace {

using Rows = std::array<Vector3d, 3>;

double determinant(const Rows& m) { return dot(m[0], cross(m[1], m[2])); }

Rows inverse(const Rows& m) {
  const double scale = 1 / determinant(m);
  const Vector3d a = scale * cross(m[1], m[2]), b = scale * cross(m[2], m[0]), c = scale * cross(m[0], m[1]);
  return {{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}}};
}

// Columns b - a, c - a, d - a.
Rows edge_matrix(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  Rows edges;
  for (std::size_t i = 0; i < 3; ++i) edges[i] = {b[i] - a[i], c[i] - a[i], d[i] - a[i]};
  return edges;
}

// The rows of the inverse of the edges are the gradients of the last three. An odd order turns the element over, at rest and
// deformed alike: its F stays.
ElementPoint linear_point(const TetrahedralMesh& mesh, std::size_t element, const std::vector<std::size_t>& order) {
  const auto vertex = [&](std::size_t n) {
    return mesh.vertices[static_cast<std::size_t>(mesh.tetrahedra[element][order[n]])];
  };
  const Rows edges = edge_matrix(vertex(0), vertex(1), vertex(2), vertex(3)), gradients = inverse(edges);
  return {{gradients[0], gradients[1], gradients[2]}, std::abs(determinant(edges)) / 6};
}

// dN/dX = dN/dl (dX/dl)^-1.
ElementPoint quadratic_point(const QuadraticMap& map, const TetrahedronPoint& point, const std::vector<std::size_t>& order) {
  const std::array<double, 9> J = map.jacobian(point.at);
  const Rows rows = {{{J[0], J[1], J[2]}, {J[3], J[4], J[5]}, {J[6], J[7], J[8]}}}, inverted = inverse(rows);
  const std::array<std::array<double, 3>, 10> slopes = QuadraticMap::shape_derivatives(point.at);
  ElementPoint result{{}, determinant(rows) / 6 * point.weight};
  for (std::size_t v = 1; v < order.size(); ++v) {
    const auto& slope = slopes[order[v]];
    result.gradients.push_back(slope[0] * inverted[0] + slope[1] * inverted[1] + slope[2] * inverted[2]);
  }
  return result;
}

}  // namespace

std::vector<ElementPoint> element_points(const TetrahedralMesh& mesh, std::size_t element,
                                         const std::vector<std::size_t>& order) {
  if (!mesh.is_quadratic()) return {linear_point(mesh, element, order)};
  const QuadraticMap map(mesh, element);
  std::vector<ElementPoint> points;
  for (const TetrahedronPoint& point : four_points()) points.push_back(quadratic_point(map, point, order));
  return points;
}

}  // namespace holo
