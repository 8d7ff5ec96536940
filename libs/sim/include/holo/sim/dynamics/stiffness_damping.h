#pragma once
// Damping proportional to the stiffness, beta/(2 dt) sum_e V_e (F_e - F_n,e) : H+(F_lag,e) : (F_e - F_n,e): the Rayleigh force
// -beta K v_{n+1} of a step of implicit Euler, with the stiffness K (positive part H+ of d2Psi/dF2) lagged, the dissipation
// potential of [Brown2018]. Of another formula (time_integration.h) dt is h and F_n the deformation gradient of y. A quadratic
// in x, so the step stays a minimization with a symmetric Hessian; its forces keep the linear momentum and vanish for x = x_n;
// and because the stiffness is that of the current, rotated shape, a body that has turned is damped like one that has not.

#include <memory>
#include <vector>

#include "holo/sim/dynamics/element_energy.h"

namespace holo {

class StiffnessDamping final : public ElementEnergy {
 public:
  // The coefficient beta [s] of each body is its `stiffness_damping`.
  explicit StiffnessDamping(std::shared_ptr<const ElasticModel> model);
  // Whether any body is damped.
  static bool acts_on(const ElasticModel& model);

  std::string name(const ElasticBody& body) const override {
    return "damping proportional to the stiffness of '" + body.name + "'";
  }
  // Functions of ElementEnergy: energy [J], stress [block][9][lane] [Pa], hessian [block][45][lane] [Pa].
  bool acts_on(const ElasticBody& body) const override { return body.stiffness_damping > 0; }
  bool is_convex() const override { return true; }
  void begin_step(const StepContext& context) override;
  void update_lag(const ElasticModel& model, const Eigen::VectorXd& x) override;
  double energy(const ElementBlocks& blocks) const override;
  void add_stress(const ElementBlocks& blocks, double* stress) const override;
  void add_hessian(const ElementBlocks& blocks, double* hessian) const override;
  void add_directional_hessian(const ElementBlocks&, const double*, double*) const override {}
  // The coefficient beta of each body that is damped, in the order of the bodies [s].
  Eigen::Index parameter_count() const override { return static_cast<Eigen::Index>(damped_bodies_.size()); }
  Eigen::VectorXd parameters() const override;
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const override;
  void add_parameter_stress_change(const ElementBlocks& blocks, const double* dF, const double* direction,
                                   double* stress) const override;
  // H+(F_lag) of all elements, [block][45][lane] [Pa]. Its derivative needs directional Hessians of the materials: throws
  // Error(input) without them.
  Eigen::Index lag_count() const override { return static_cast<Eigen::Index>(positive_parts_.size()); }
  void add_lag_stress(const ElementBlocks& blocks, const double* lag, double* stress) const override;
  void lag_derivative(const ElasticModel& model, const double* positions, const CoefficientDirections& coefficients,
                      double* lag) const override;
  // Fourth derivatives of the materials, in which the plugin ABI ends at third ones, are central differences of sixth order of
  // these; the relative error is about 1e-11.
  void add_lag_curvature(const ElasticModel& model, const ElementBlocks& block, const double* dF_y,
                         const Eigen::Ref<const Eigen::MatrixXd>& positions,
                         const std::vector<CoefficientDirections>& coefficients, Eigen::MatrixXd& result) const override;
  bool depends_on_start() const override { return true; }
  void add_start_stress(const ElementBlocks& blocks, const double* dF, double* stress) const override;
  void add_mixed_products(const ElementBlocks& block, const double* dF_y, const ElementDirections& directions,
                          Eigen::MatrixXd& result) const override;

 private:
  struct DampedBody {
    std::size_t first_block, block_count;
    double coefficient;  // beta [s]
  };
  std::size_t number_of(const ElasticBody& body) const;  // in damped_bodies_
  void scale(const DampedBody& body, std::size_t first_block, std::size_t count);

  std::shared_ptr<const ElasticModel> model_;
  std::vector<DampedBody> damped_bodies_;
  double time_step_ = 1;           // h [s]
  AlignedArray start_gradients_;   // F_n, or that of y [block][9][lane]
  AlignedArray lagged_gradients_;  // F_lag of each element, in the same layout
  AlignedArray positive_parts_;    // H+(F_lag) [block][45][lane] [Pa]
  AlignedArray lagged_hessians_;   // beta/dt H+(F_lag) in the same layout [Pa]
};

}  // namespace holo
