#include "holo/sim/mesh/quadratic_map.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/element_eighths.h"

namespace holo {
namespace {

using Point = QuadraticMap::Point;
using Barycentric = QuadraticMap::Barycentric;
using Jacobian = std::array<double, 9>;  // columns dx/dl_1, dx/dl_2, dx/dl_3, row by row

double determinant(const Jacobian& a, const Jacobian& b, const Jacobian& c) {  // of a column of each
  return a[0] * (b[4] * c[8] - b[7] * c[5]) - b[1] * (a[3] * c[8] - a[6] * c[5]) + c[2] * (a[3] * b[7] - a[6] * b[4]);
}

// The coefficients in Bernstein's basis of degree 3 of det J, for J linear between its values at the four corners of a part.
// The products of l_a l_b l_c have the mean over their orders of det[column 1 of J_a, column 2 of J_b, column 3 of J_c].
std::array<double, 20> bernstein_coefficients(const std::array<Jacobian, 4>& J) {
  std::array<double, 20> result{};
  int next = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a; b < 4; ++b)
      for (int c = b; c < 4; ++c) {
        std::array<int, 3> order = {a, b, c};
        double sum = 0;
        int count = 0;
        do {
          sum += determinant(J[order[0]], J[order[1]], J[order[2]]);
          ++count;
        } while (std::next_permutation(order.begin(), order.end()));
        result[next++] = sum / count;
      }
  return result;
}

// A part of an element: its corners, and the Jacobian there.
struct Part {
  std::array<Barycentric, 4> corners;
  std::array<Jacobian, 4> jacobians;
};

template <class Array>
Array middle(const Array& a, const Array& b) {
  Array result;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = 0.5 * (a[i] + b[i]);
  return result;
}

Part part_of(const Part& whole, const int (&vertices)[4]) {
  Part part;
  for (int i = 0; i < 4; ++i) {
    const int v = vertices[i];
    const int a = v < 4 ? v : tetrahedron_edges[v - 4][0], b = v < 4 ? v : tetrahedron_edges[v - 4][1];
    part.corners[i] = middle(whole.corners[a], whole.corners[b]);
    part.jacobians[i] = middle(whole.jacobians[a], whole.jacobians[b]);
  }
  return part;
}

// Whether the determinant is positive in all of the part; else where it is not, or is not known to be.
bool find_fold_in(const Part& part, int depth, QuadraticMap::Fold& fold) {
  constexpr int deepest = 5;
  const std::array<double, 20> bounds = bernstein_coefficients(part.jacobians);
  if (*std::min_element(bounds.begin(), bounds.end()) > 0) return false;
  for (int corner = 0; corner < 4; ++corner) {
    const Jacobian& J = part.jacobians[corner];
    const double value = determinant(J, J, J);
    if (value > 0 && depth < deepest) continue;
    fold = {true, part.corners[corner], value};
    return true;
  }
  for (const auto& eighth : element_eighths)
    if (find_fold_in(part_of(part, eighth), depth + 1, fold)) return true;
  return false;
}

std::array<Jacobian, 4> corner_jacobians(const QuadraticMap& map) {
  std::array<Jacobian, 4> result;
  for (std::size_t i = 0; i < 4; ++i) {
    Barycentric corner{};
    corner[i] = 1;
    result[i] = map.jacobian(corner);
  }
  return result;
}

// visit(barycentric, weight) at the points of a formula of degree 7, weights for the volume 1/6: Gauss-Legendre's five points
// in each of the coordinates of the cube that is collapsed to the tetrahedron.
template <class Visit>
void at_degree_7(const Visit& visit) {
  const double inner = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3, outer = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
  const double root = 13 * std::sqrt(70.0);
  const double x[5] = {-outer, -inner, 0, inner, outer};
  const double w[5] = {(322 - root) / 900, (322 + root) / 900, 128.0 / 225, (322 + root) / 900, (322 - root) / 900};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 5; ++k) {
        const double u = (1 + x[i]) / 2, v = (1 + x[j]) / 2, t = (1 + x[k]) / 2;
        const double l1 = u, l2 = (1 - u) * v, l3 = (1 - u) * (1 - v) * t;
        visit(Barycentric{1 - l1 - l2 - l3, l1, l2, l3}, w[i] * w[j] * w[k] / 8 * (1 - u) * (1 - u) * (1 - v));
      }
}

// The sums of an element with the density's factor and the determinant of the map.
template <class Function>
std::array<double, 10> integrals(const QuadraticMap& map, double density, const Function& function) {
  std::array<double, 10> sums{};
  at_degree_7([&](const Barycentric& at, double weight) {
    const Jacobian J = map.jacobian(at);
    const std::array<double, 10> N = QuadraticMap::shape_functions(at);
    for (std::size_t a = 0; a < 10; ++a) sums[a] += density * weight * determinant(J, J, J) * function(N[a]);
  });
  return sums;
}

}  // namespace

QuadraticMap::QuadraticMap(const TetrahedralMesh& mesh, std::size_t element) {
  for (std::size_t i = 0; i < 4; ++i) vertices[i] = mesh.vertices[std::size_t(mesh.tetrahedra[element][i])];
  for (std::size_t e = 0; e < 6; ++e) vertices[4 + e] = mesh.vertices[std::size_t(mesh.edge_vertices[element][e])];
}

std::array<double, 10> QuadraticMap::shape_functions(const Barycentric& l) {
  std::array<double, 10> N;
  for (std::size_t a = 0; a < 4; ++a) N[a] = l[a] * (2 * l[a] - 1);
  for (std::size_t e = 0; e < 6; ++e)
    N[4 + e] = 4 * l[std::size_t(tetrahedron_edges[e][0])] * l[std::size_t(tetrahedron_edges[e][1])];
  return N;
}

std::array<Point, 10> QuadraticMap::shape_derivatives(const Barycentric& l) {
  // In l_0 to l_3 as if they were independent, then less that in l_0.
  std::array<std::array<double, 4>, 10> of_all{};
  for (std::size_t a = 0; a < 4; ++a) of_all[a][a] = 4 * l[a] - 1;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto a = std::size_t(tetrahedron_edges[e][0]), b = std::size_t(tetrahedron_edges[e][1]);
    of_all[4 + e][a] = 4 * l[b];
    of_all[4 + e][b] = 4 * l[a];
  }
  std::array<Point, 10> result;
  for (std::size_t n = 0; n < 10; ++n)
    for (std::size_t k = 0; k < 3; ++k) result[n][k] = of_all[n][k + 1] - of_all[n][0];
  return result;
}

Jacobian QuadraticMap::jacobian(const Barycentric& at) const {
  const std::array<Point, 10> slopes = shape_derivatives(at);
  Jacobian J{};
  for (std::size_t n = 0; n < 10; ++n)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) J[3 * i + k] += vertices[n][i] * slopes[n][k];
  return J;
}

Point QuadraticMap::at(const Barycentric& where) const {
  const std::array<double, 10> N = shape_functions(where);
  Point x{};
  for (std::size_t n = 0; n < 10; ++n)
    for (std::size_t i = 0; i < 3; ++i) x[i] += N[n] * vertices[n][i];
  return x;
}

Barycentric QuadraticMap::locate(const Point& point) const {
  constexpr int most_steps = 20;
  const Eigen::Vector3d wanted(point[0], point[1], point[2]), origin(vertices[0].data());
  Eigen::Matrix3d edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = Eigen::Vector3d(vertices[std::size_t(k) + 1].data()) - origin;
  Eigen::Vector3d l = edges.inverse() * (wanted - origin);
  const auto all = [&] { return Barycentric{1 - l.sum(), l[0], l[1], l[2]}; };
  for (int step = 0; step < most_steps; ++step) {
    const Jacobian J = jacobian(all());
    const Point x = at(all());
    const Eigen::Vector3d change = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(J.data()).inverse() *
                                   (wanted - Eigen::Vector3d(x.data()));
    l += change;
    if (!(change.norm() > 1e-15)) break;
  }
  // Far from a strongly curved element the iteration may end anywhere.
  const Point found = at(all());
  const double miss = (wanted - Eigen::Vector3d(found.data())).norm(), size = edges.colwise().norm().maxCoeff();
  constexpr double none = -std::numeric_limits<double>::infinity();
  if (!(miss <= 1e-9 * size)) return {none, none, none, none};
  return all();
}

QuadraticMap::Fold QuadraticMap::find_fold() const {
  Part whole{{}, corner_jacobians(*this)};
  for (std::size_t i = 0; i < 4; ++i) whole.corners[i][i] = 1;
  Fold fold;
  find_fold_in(whole, 0, fold);
  return fold;
}

double QuadraticMap::volume() const {
  double sum = 0;
  for (const double coefficient : bernstein_coefficients(corner_jacobians(*this))) sum += coefficient;
  return sum / 20 / 6;
}

const std::array<TetrahedronPoint, 4>& four_points() {
  static const std::array<TetrahedronPoint, 4> points = [] {
    const double b = (5 - std::sqrt(5.0)) / 20, a = 1 - 3 * b;
    std::array<TetrahedronPoint, 4> result;
    for (std::size_t p = 0; p < 4; ++p) {
      result[p] = {{b, b, b, b}, 0.25};
      result[p].at[p] = a;
    }
    return result;
  }();
  return points;
}

std::array<double, 10> lumped_masses(const QuadraticMap& map, double density) {
  std::array<double, 10> masses = integrals(map, density, [](double N) { return N * N; });
  double sum = 0;
  for (const double mass : masses) sum += mass;
  for (double& mass : masses) mass *= density * map.volume() / sum;
  return masses;
}

std::array<double, 10> shape_masses(const QuadraticMap& map, double density) {
  return integrals(map, density, [](double N) { return N; });
}

}  // namespace holo
