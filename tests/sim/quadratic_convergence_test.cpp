// Convergence of linear and quadratic elements to a manufactured static solution.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "holo/sim/mesh/quadratic_map.h"
#include "quadratic_bodies.h"
#include "term_checks.h"

namespace holo::test {
namespace quadratic_convergence_tests {

// Forces on the vertices.
class VertexForces final : public PotentialTerm {
 public:
  VertexForces(Eigen::VectorXd forces, Eigen::VectorXd start) : forces_(std::move(forces)), start_(std::move(start)) {}
  std::string name() const override { return "forces"; }
  double energy(const Eigen::VectorXd& x) override { return -forces_.dot(x - start_); }
  void add_gradient(const Eigen::VectorXd&, Eigen::VectorXd& gradient) override { gradient -= forces_; }
  void add_hessian(const Eigen::VectorXd&, Curvature, BlockAssembler&) override {}
  void add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd&, const TermDirections&, Eigen::MatrixXd&) override {}

 private:
  Eigen::VectorXd forces_, start_;
};

// u = (1, -0.7, 0.5)/20 sin(pi X) sin(pi Y) sin(pi Z) on the unit cube, 0 on its boundary, of
// psi = mu/2 (F:F - 3) - mu (J - 1) + lambda/2 (J - 1)^2.
struct Manufactured {
  static constexpr double mu = 1, lambda = 3;

  static Eigen::Vector3d displacement(const Eigen::Vector3d& X) {
    const Eigen::Vector3d s = (std::numbers::pi * X).array().sin();
    return Eigen::Vector3d(1, -0.7, 0.5) / 20 * s.prod();
  }
  static Eigen::Matrix3d gradient(const Eigen::Vector3d& X) {
    const Eigen::Vector3d s = (std::numbers::pi * X).array().sin(), c = (std::numbers::pi * X).array().cos();
    const Eigen::RowVector3d slope =
        std::numbers::pi * Eigen::RowVector3d(c[0] * s[1] * s[2], s[0] * c[1] * s[2], s[0] * s[1] * c[2]);
    return Eigen::Vector3d(1, -0.7, 0.5) / 20 * slope;
  }
  static Eigen::Matrix3d stress(const Eigen::Vector3d& X) {
    const Eigen::Matrix3d F = Eigen::Matrix3d::Identity() + gradient(X);
    const double J = F.determinant();
    return mu * F + (lambda * (J - 1) - mu) * J * F.inverse().transpose();
  }
  static Eigen::Vector3d force(const Eigen::Vector3d& X) {  // -Div P, by differences of sixth order
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k)
      sum -= difference([&](double t) { return Eigen::Vector3d(stress(X + t * Eigen::Vector3d::Unit(k)).col(k)); }, 0.01);
    return sum;
  }
};

// visit(barycentric, weight) at Gauss-Legendre's four points in each coordinate of the cube collapsed to a tetrahedron.
template <class Visit>
void at_points(const Visit& visit) {
  const double a = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2)), b = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
  const double x[4] = {-b, -a, a, b}, outer = (18 - std::sqrt(30.0)) / 36, inner = (18 + std::sqrt(30.0)) / 36;
  const double w[4] = {outer, inner, inner, outer};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) {
        const double u = (1 + x[i]) / 2, v = (1 + x[j]) / 2, t = (1 + x[k]) / 2;
        const double l1 = u, l2 = (1 - u) * v, l3 = (1 - u) * (1 - v) * t;
        visit(QuadraticMap::Barycentric{1 - l1 - l2 - l3, l1, l2, l3}, w[i] * w[j] * w[k] / 8 * (1 - u) * (1 - u) * (1 - v));
      }
}

struct ShapesAt {
  std::vector<int> nodes;
  std::vector<double> N;
  std::vector<Eigen::Vector3d> slopes;  // dN/dX
  Eigen::Vector3d X;
  double volume;  // weight times the map's determinant
};

// visit() at all points of all elements of a straight mesh.
template <class Visit>
void at_points_of(const TetrahedralMesh& mesh, const Visit& visit) {
  const TetrahedralMesh raised_mesh = raise_to_quadratic(mesh);  // the same elements
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element) {
    const QuadraticMap map(raised_mesh, element);
    at_points([&](const QuadraticMap::Barycentric& l, double weight) {
      const auto J = map.jacobian(l);
      const Eigen::Matrix3d rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(J.data()),
                            inverse = rows.inverse();
      ShapesAt at{{}, {}, {}, Eigen::Vector3d(map.at(l).data()), weight * rows.determinant()};
      for (const int v : mesh.tetrahedra[element]) at.nodes.push_back(v);
      if (mesh.is_quadratic()) {
        for (const int v : mesh.edge_vertices[element]) at.nodes.push_back(v);
        for (const double N : QuadraticMap::shape_functions(l)) at.N.push_back(N);
        for (const auto& slope : QuadraticMap::shape_derivatives(l))
          at.slopes.push_back(inverse.transpose() * Eigen::Vector3d(slope.data()));
      } else {
        at.N.assign(l.begin(), l.end());
        for (int a = 0; a < 4; ++a) {
          const Eigen::Vector3d slope = a == 0 ? Eigen::Vector3d(-1, -1, -1) : Eigen::Vector3d(Eigen::Vector3d::Unit(a - 1));
          at.slopes.push_back(inverse.transpose() * slope);
        }
      }
      visit(at);
    });
  }
}

// Errors of the displacement in L2 and of its gradient, on n^3 cells.
std::array<double, 2> manufactured_errors(int n, bool quadratic) {
  ElasticBodyDefinition body =
      hand_body(HandEnergy::stable, quadratic ? raised({1, 1, 1}, 6 * n * n * n) : box_source({1, 1, 1}, 6 * n * n * n));
  body.coefficients = {Manufactured::mu, Manufactured::lambda};
  HandleDefinition boundary;
  boundary.subset.kind = SubsetDefinition::Kind::surface;
  body.handles = {boundary};
  ElasticSceneDefinition definition;
  definition.gravity = {};
  definition.bodies = {body};
  const TetrahedralMesh mesh = build(definition)->bodies()[0].mesh;
  const Eigen::VectorXd start = build(definition)->start_positions();
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(start.size());
  at_points_of(mesh, [&](const ShapesAt& at) {
    const Eigen::Vector3d force = at.volume * Manufactured::force(at.X);
    for (std::size_t a = 0; a < at.nodes.size(); ++a) forces.segment<3>(3 * at.nodes[a]) += at.N[a] * force;
  });
  PotentialTerms further;
  further.push_back(std::make_unique<VertexForces>(forces, start));
  const Equilibrium found(definition, std::move(further));
  EXPECT_EQ(found.result.status, NewtonStatus::converged) << found.result.diagnosis;
  std::array<double, 2> squares{};
  at_points_of(mesh, [&](const ShapesAt& at) {
    Eigen::Vector3d u = -Manufactured::displacement(at.X);
    Eigen::Matrix3d gradient = -Manufactured::gradient(at.X);
    for (std::size_t a = 0; a < at.nodes.size(); ++a) {
      const Eigen::Vector3d of_node = (found.x - start).segment<3>(3 * at.nodes[a]);
      u += at.N[a] * of_node;
      gradient += of_node * at.slopes[a].transpose();
    }
    squares[0] += at.volume * u.squaredNorm();
    squares[1] += at.volume * gradient.squaredNorm();
  });
  return {std::sqrt(squares[0]), std::sqrt(squares[1])};
}

TEST(QuadraticConvergence, AManufacturedSolutionConvergesAtTheTheoreticalOrders) {
  const auto expect_orders = [&](bool quadratic, int n, double of_values, double of_gradients) {
    const auto coarse = manufactured_errors(n, quadratic), fine = manufactured_errors(2 * n, quadratic);
    EXPECT_NEAR(std::log2(coarse[0] / fine[0]), of_values, 0.2);
    EXPECT_NEAR(std::log2(coarse[1] / fine[1]), of_gradients, 0.2);
    RecordProperty(quadratic ? "quadratic" : "linear",
                   fmt::format("orders {:.3f} {:.3f}, errors {:.3g} {:.3g}", std::log2(coarse[0] / fine[0]),
                               std::log2(coarse[1] / fine[1]), fine[0], fine[1]));
  };
  expect_orders(false, 6, 2, 1);
  expect_orders(true, 3, 3, 2);
}

}  // namespace quadratic_convergence_tests
}  // namespace holo::test
