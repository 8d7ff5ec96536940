#pragma once
// Parameters of a material as unknowns: a loss L(x(p)) of the equilibrium x(p) of a scene, with exact gradient and Hessian by
// implicit differentiation, for the minimizers of opt/dense. With the coefficients c(p) of the material, r = dE/dx and
// H = d2E/dx2 there,
//
//   H y = -dL/dx,   H S = -dr/dc dc/dp
//   dL/dp   = (dr/dc dc/dp)^T y
//   d2L/dp2 = S^T d2L/dx2 S + y . d2r[(S, dc/dp), (S, dc/dp)] + (y . dr/dc) . d2c/dp2
//
// of one factorization. docs/inverse-design.md#materials.

#include <memory>
#include <string>
#include <vector>

#include "holo/core/plugins/material_plugin.h"
#include "holo/sim/control/equilibrium_problem.h"
#include "holo/sim/control/step_loss.h"
#include "holo/sim/dynamics/quasi_statics.h"

namespace holo {

// Coefficients of a plugin as functions of some of its parameters.
class MaterialParameters {
 public:
  // `values`: all parameters that are not to have their defaults, `designed` among them. Throws Error(input) for a name that
  // is not among the values.
  MaterialParameters(std::shared_ptr<const MaterialPlugin> plugin, std::vector<std::pair<std::string, double>> values,
                     const std::vector<std::string>& designed);

  Eigen::Index count() const { return Eigen::Index(places_.size()); }
  Eigen::VectorXd start() const;  // the designed among the values
  // Throw Error(input) where the material refuses the parameters.
  std::vector<double> coefficients(const Eigen::VectorXd& designed) const;
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& designed) const;  // [coefficient][designed]
  // sum_k weights_k d2c_k/dp2, by central differences of sixth order of the exact Jacobian, with steps of 2^-8 of a parameter.
  Eigen::MatrixXd curvature(const Eigen::VectorXd& designed, const Eigen::VectorXd& weights) const;

 private:
  std::vector<std::pair<std::string, double>> at(const Eigen::VectorXd& designed) const;

  std::shared_ptr<const MaterialPlugin> plugin_;
  std::vector<std::pair<std::string, double>> values_;
  std::vector<std::size_t> places_;  // of the designed ones among the values
};

class EquilibriumDesign final : public EquilibriumProblem {
 public:
  // The scene's first body has the material, uniform; its equilibrium is that at the end of the scene's time. `units` are
  // those of the unknowns u = p/unit. All arguments live longer than the problem.
  EquilibriumDesign(const ElasticScene& scene, StepLoss& loss, const MaterialParameters& material, Eigen::VectorXd units);

  bool begin(const Eigen::VectorXd& u) override;  // loads the bodies step by step
  int dimension() const override { return int(units_.size()); }
  // +infinity where there is no equilibrium near that of the last derivatives.
  double value(const Eigen::VectorXd& u) override;
  void gradient(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) override;
  // Throws Error(input) for a material without directional Hessians.
  bool hessian(const Eigen::VectorXd& u, Eigen::MatrixXd& hessian) override;

 private:
  bool solve(const Eigen::VectorXd& u, Eigen::VectorXd& x);
  bool set_material(const Eigen::VectorXd& u);

  QuasiStatics statics_;
  StepLoss& loss_;
  const MaterialParameters& material_;
  Eigen::VectorXd units_;
  Eigen::VectorXd trial_u_, trial_x_;
  ElasticState end_;
  NewtonWorkspace workspace_;
  std::unique_ptr<SparseSolver> solver_;
  SparseMatrix hessian_;
  Eigen::VectorXd adjoint_;          // y
  Eigen::MatrixXd by_coefficients_;  // dr/dc [3 * vertex][coefficient]
};

}  // namespace holo
