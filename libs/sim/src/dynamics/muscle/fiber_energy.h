#pragma once
// Muscles as fibers in the elements: the sum of V_e a_s w_es psi(|F_e d_s|) over elements e and segments s, with the activation
// a_s [Pa] of a segment, its weight w_es in an element and its direction d_s at rest. A positive activation contracts.
//
// psi(l) is sqrt(l^2 + e^2), the length of the fiber with a small e against a fiber of no length, or l^2/2. Both give the
// forces of [Shen2024] Eqs 6-8 at rest, and unlike those they have an energy.

#include "dynamics/muscle/fiber_moments.h"
#include "dynamics/muscle/muscle_energy.h"

namespace holo {

class FiberEnergy final : public MuscleEnergy {
 public:
  explicit FiberEnergy(std::shared_ptr<const ElasticModel> model);
  static bool has_energy(MuscleLaw law) { return law != MuscleLaw::paper; }

  bool is_convex() const override { return false; }  // fibers that extend are not
  double energy(const ElementBlocks& blocks) const override;
  void add_stress(const ElementBlocks& blocks, double* stress) const override;
  void add_hessian(const ElementBlocks& blocks, double* hessian) const override;
  void add_directional_hessian(const ElementBlocks& blocks, const double* dF, double* hessian) const override;
  void add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const override;
  void add_parameter_stress_change(const ElementBlocks& blocks, const double* dF, const double* direction,
                                   double* stress) const override;

 private:
  // visit(block, moments) with the moments of the activations; `Moments` sums slopes, and curvatures too where wanted.
  template <bool curvatures, class Visit>
  void each_moments(const ElementBlocks& blocks, const Visit& visit) const;

  std::vector<DirectionMonomials> monomials_;  // [segment]
};

}  // namespace holo
