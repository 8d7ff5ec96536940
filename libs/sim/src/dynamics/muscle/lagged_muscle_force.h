#pragma once
// The muscles of [Shen2024] Eqs 6-8: the Cauchy stress a w (R d)(R d)^T with the polar rotation R of F, whose forces have no
// energy. They are those of the start of a step, constant while it is minimized: the energy is their work, and the stress
// a w (R d)(R d)^T cof F for a = 1 is the lag.

#include "dynamics/muscle/muscle_energy.h"

namespace holo {

class LaggedMuscleForce final : public MuscleEnergy {
 public:
  explicit LaggedMuscleForce(std::shared_ptr<const ElasticModel> model);
  static bool has_no_energy(MuscleLaw law) { return law == MuscleLaw::paper; }

  bool is_convex() const override { return true; }  // linear
  // Throws Error(input) with the body and the element, where F has no polar rotation.
  void update_lag(const ElasticModel& model, const Eigen::VectorXd& x) override;
  double energy(const ElementBlocks& blocks) const override;
  void add_stress(const ElementBlocks& blocks, double* stress) const override;
  void add_hessian(const ElementBlocks&, double*) const override {}
  void add_directional_hessian(const ElementBlocks&, const double*, double*) const override {}
  void add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const override;
  void add_parameter_stress_change(const ElementBlocks&, const double*, const double*, double*) const override {}
  Eigen::Index lag_count() const override { return static_cast<Eigen::Index>(stresses_.size()); }
  void add_lag_stress(const ElementBlocks& blocks, const double* lag, double* stress) const override;
  void lag_derivative(const ElasticModel& model, const double* positions, const CoefficientDirections& coefficients,
                      double* lag) const override;
  void add_lag_curvature(const ElasticModel& model, const ElementBlocks& block, const double* dF_y,
                         const Eigen::Ref<const Eigen::MatrixXd>& positions,
                         const std::vector<CoefficientDirections>& coefficients, Eigen::MatrixXd& result) const override;
  void add_mixed_products(const ElementBlocks& block, const double* dF_y, const ElementDirections& directions,
                          Eigen::MatrixXd& result) const override;

 private:
  template <class Reach, class Visit>
  void each_lane(const ElementBlocks& block, const Reach& reach, const Visit& visit) const;
  void add_stress_of(const ElementBlocks& blocks, const double* activations, const double* stresses, double* stress) const;

  AlignedArray lagged_gradients_;  // F of the last update_lag [block][9][lane]
  AlignedArray stresses_;          // for the activation 1, weighted [fiber][9][lane]
};

}  // namespace holo
