#pragma once
// Parameters p of a body's rest shape as unknowns: a loss L(x(p)) of the equilibrium x(p) in which the body, held at one end,
// sags under gravity, with exact gradient and Hessian by implicit differentiation, for the minimizers of opt/dense. The rest
// positions X(p) are those of a ShapeFamily, held vertices have x = X(p), and r(x; X) = dE/dx = 0 at the others. With nilpotent
// units e_i of the parameters, coefficient by coefficient,
//
//   H x_i = -[r(x; X)]_i,   H y = -dL/dx
//   d2L/dp2 = x_i . d2L/dx2 . x_j + y . [r(x + x_i e_i + x_j e_j; X)]_ij + dL/dx . X_ij at held vertices
//
// of one factorization of H = d2E/dx2. docs/inverse-design.md#rest-shapes.

#include <memory>
#include <string>
#include <vector>

#include "holo/sim/control/equilibrium_problem.h"
#include "holo/sim/control/step_loss.h"
#include "holo/sim/design/shape_family.h"
#include "holo/sim/dynamics/quasi_statics.h"

namespace holo {

struct SaggingBody {
  std::shared_ptr<const ShapeFamily> family;
  int elements = 1000;             // about
  std::vector<double> parameters;  // of the family, at the start
  std::vector<int> free;           // numbers of those that are designed
  // Material, density and name; uniform, without handles and mesh.
  ElasticBodyDefinition body;
  Vector3d gravity = {0, 0, -9.81};  // [m/s^2]
};

class RestShapeDesign final : public EquilibriumProblem {
 public:
  // The loss is one of positions in the numbering of `reference()` and lives longer than the problem. Unknowns are
  // u = p/unit of the free parameters [free]. Throws Error(input) for an inverted element at the start, and for a material that
  // is not uniform or has no third derivatives.
  RestShapeDesign(const SaggingBody& body, StepLoss& loss, Eigen::VectorXd units);
  ~RestShapeDesign() override;

  bool begin(const Eigen::VectorXd& u) override;                   // lets the body sag from its rest shape
  const TetrahedralMesh& reference() const { return reference_; }  // the unit cube
  TetrahedralMesh rest_mesh(const Eigen::VectorXd& u) const;
  int dimension() const override { return int(units_.size()); }
  // +infinity for an inverted element, and where no equilibrium is found from that of the last derivatives: `diagnosis`.
  double value(const Eigen::VectorXd& u) override;
  void gradient(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) override;
  bool hessian(const Eigen::VectorXd& u, Eigen::MatrixXd& hessian) override;

 private:
  struct Scene;  // of one rest shape

  std::vector<double> parameters(const Eigen::VectorXd& u) const;
  bool check(const Eigen::VectorXd& u);
  std::unique_ptr<Scene> make_scene(const Eigen::VectorXd& u) const;
  bool solve(const Eigen::VectorXd& u, Eigen::VectorXd& x);
  std::vector<Vector3<DesignScalar>> rest_positions(const Eigen::VectorXd& u, Eigen::Index first, Eigen::Index second) const;
  std::vector<Vector3<DesignScalar>> residual(const std::vector<Vector3<DesignScalar>>& X,
                                              const std::vector<Vector3<DesignScalar>>& x) const;
  Eigen::VectorXd by_parameter(Eigen::Index k) const;
  double curvature(Eigen::Index first, Eigen::Index second) const;
  Eigen::VectorXd solve_linear(const Eigen::VectorXd& right) const;

  SaggingBody body_;
  StepLoss& loss_;
  Eigen::VectorXd units_;
  TetrahedralMesh reference_;
  std::vector<char> held_;        // [vertex]
  std::unique_ptr<Scene> scene_;  // of the last derivatives, or of `begin`
  std::unique_ptr<Scene> trial_;  // of the last value
  std::unique_ptr<SparseSolver> solver_;
  Eigen::VectorXd u_, trial_x_, trial_u_;
  Eigen::VectorXd of_x_, adjoint_;  // dL/dx, y [3 * vertex]
  Eigen::MatrixXd by_parameters_;   // x_i [3 * vertex][free]
};

}  // namespace holo
