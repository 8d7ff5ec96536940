#pragma once
// The frequency with which a linear elastic body oscillates under a field of accelerations, as a function of its shape and
// material, with exact first and second derivatives [Luo2019, Eq 40]:
//
//   omega^2 = u^T K u / u^T M u,   u = K^-1 M a
//
// with the stiffness K, the lumped masses M and the field a, K u = M a in the free vertices. Parameters enter K and M. All
// derivatives need one factorization of K: with nilpotent units e_i of the parameters, u = u_0 + u_i e_i + u_ij e_i e_j solves
// K u = M a coefficient by coefficient,
//
//   K_0 u_i = [M a - K u_0]_i,   K_0 u_ij = [M a - K (u_0 + u_i e_i + u_j e_j)]_ij,
//
// docs/inverse-design.md#frequencies.

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"
#include "holo/sim/design/shape_family.h"

namespace holo {

// Parameters of a body: those of its shape, then Young's modulus, Poisson's ratio and density.
struct VibratingBody {
  std::shared_ptr<const ShapeFamily> family;
  int elements = 1000;             // about
  std::vector<double> parameters;  // of the family, then E [Pa], nu, rho [kg/m^3]
  // The field at a vertex is acceleration [m/s^2] times profile(X), with the vertex's place X in the unit cube; null: 1. It
  // stretches with the shape, so that no derivative of it is needed.
  std::array<double, 3> acceleration = {0, 0, 1};
  std::function<double(const std::array<double, 3>& unit)> profile = {};
  // Vertices whose reference coordinate along x is 0 or 1, the ends, are held.
  static constexpr int material_parameters = 3;
};

// A quantity with its derivatives by chosen parameters.
struct DesignDerivatives {
  double value = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};

class LinearVibration {
 public:
  // `free_parameters`: numbers of the parameters by which derivatives are taken. Throws Error(input) for an inverted element,
  // and for a field that is 0 everywhere.
  LinearVibration(const VibratingBody& body, std::vector<int> free_parameters);

  const TetrahedralMesh& reference() const { return reference_; }
  const VibratingBody& body() const { return body_; }
  TetrahedralMesh mesh(const std::vector<double>& parameters) const;
  bool is_held(int vertex) const { return held_[std::size_t(vertex)]; }

  // omega^2 [1/s^2] at values of the free parameters. False where an element is inverted or the material is none: `problem`
  // tells. The factorization of the last values is used again for the same ones.
  bool evaluate(const Eigen::VectorXd& values, DesignDerivatives& result);
  // The same without derivatives.
  bool evaluate(const Eigen::VectorXd& values, double& omega_squared);
  const std::string& problem() const { return problem_; }
  int factorizations() const { return solver_->factorizations(); }

  // Of the last values: u [3 * vertex] [m], K as a lower triangle of all coordinates, where those of held vertices have a unit
  // diagonal, and the masses [vertex] [kg].
  const Eigen::VectorXd& displacements() const { return u_; }
  const SparseMatrix& stiffness() const { return stiffness_; }
  const std::vector<double>& masses() const { return masses_; }
  const std::vector<Vector3<double>>& field() const { return field_; }  // a, of held vertices too [vertex] [m/s^2]
  std::vector<double> parameters(const Eigen::VectorXd& values) const;  // all, with the free ones at `values`

 private:
  bool check(const std::vector<double>& parameters);
  bool solve(const std::vector<double>& parameters);
  void assemble(const std::vector<Vector3<double>>& positions, double lambda, double mu);

  VibratingBody body_;
  std::vector<int> free_;
  TetrahedralMesh reference_;
  std::vector<char> held_;              // [vertex]
  std::vector<Vector3<double>> field_;  // [vertex] [m/s^2]
  std::unique_ptr<SparseSolver> solver_;
  SparseMatrix stiffness_;
  std::vector<double> masses_;
  Eigen::VectorXd u_;
  std::vector<double> solved_;  // parameters of the last solution; empty: none
  std::string problem_;
};

}  // namespace holo
