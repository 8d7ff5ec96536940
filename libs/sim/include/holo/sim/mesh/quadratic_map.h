#pragma once
// One quadratic tetrahedron: its map, integrals and masses. With barycentric coordinates l, the shape functions are l_a (2 l_a
// - 1) of corner a and 4 l_a l_b of the edge between a and b, which may be curved: a vertex need not lie in the middle of its
// edge.

#include <array>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// The map of one element from barycentric coordinates to space.
struct QuadraticMap {
  using Point = std::array<double, 3>;
  using Barycentric = std::array<double, 4>;

  std::array<Point, 10> vertices;  // corners, then those of the edges [m]

  QuadraticMap(const TetrahedralMesh& mesh, std::size_t element);
  explicit QuadraticMap(const std::array<Point, 10>& positions) : vertices(positions) {}
  // The shape functions [10].
  static std::array<double, 10> shape_functions(const Barycentric& at);
  // Their derivatives in the coordinates l_1, l_2, l_3, with l_0 = 1 - l_1 - l_2 - l_3.
  static std::array<Point, 10> shape_derivatives(const Barycentric& at);
  // dx/dl, columns of l_1, l_2, l_3, row by row [m].
  std::array<double, 9> jacobian(const Barycentric& at) const;

  // The determinant of the Jacobian, of degree 3, lies between bounds that its coefficients in Bernstein's basis give, and
  // those of smaller and smaller parts [Johnen2013]. Where it is not positive: a point at which it is not, or the middle of a
  // part so small that it was not decided; and the determinant there [m^3].
  struct Fold {
    bool found = false;
    Barycentric at{};
    double determinant = 0;
  };
  Fold find_fold() const;
  Point at(const Barycentric& where) const;  // [m]
  // The coordinates of a point near the element, by Newton's method from those in the tetrahedron of its corners; all are
  // -infinity where it ends elsewhere, far from a strongly curved element.
  Barycentric locate(const Point& point) const;
  double volume() const;  // the integral of the determinant: the mean of its coefficients over 6 [m^3]
};

// Points and weights of a formula for integrals over a tetrahedron: sum of weight times value, times its volume.
struct TetrahedronPoint {
  QuadraticMap::Barycentric at;
  double weight;
};
// Of degree 2, four points: those at which quadratic elements have their deformation gradients.
const std::array<TetrahedronPoint, 4>& four_points();

// The masses of an element's vertices: those of the consistent mass matrix's diagonal, scaled so that their sum is the
// element's mass [Hinton1976]; sums of rows would be negative at the corners. `density` [kg/m^3].
std::array<double, 10> lumped_masses(const QuadraticMap& map, double density);
// The integrals of density times shape functions: what a uniform acceleration acts on. Negative at the corners [kg].
std::array<double, 10> shape_masses(const QuadraticMap& map, double density);

}  // namespace holo
