#pragma once
// An energy of a body beside its material's, of which a plugin has the density (elastic/body_energy.h):
//
//   E(x) = sum_e V_e psi(F_e, o, T_e),  o = o(z), z = B x
//
// with quantities o that all elements share, functions of a few points and centers of mass z, and target strains T_e. With
// J = do/dz, W = sum V F'^T psi_Fo and s = sum V psi_o its derivatives are
//
//   dE/dx   = sum V F'^T psi_F + B^T J^T s
//   d2E/dx2 = sum V F'^T psi_FF F' + U C U^T,  U = [W B^T],  C = [0 J; J^T J^T A J + sum s_i o_i''],  A = sum V psi_oo
//
// where the first part has the pattern of the elements, and the second one is of low rank: BlockAssembler::add_low_rank.
// Curvature::projected projects the elements' part; Newton's method projects the other one in its metric (opt/low_rank.h).

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/numerics/aligned_array.h"
#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

class BodyEnergyTerm final : public PotentialTerm {
 public:
  // The energy number `energy` of the body number `body`. Throws Error(input), with its place in the experiment,
  // where its quantities have no finite values and derivatives at the start.
  BodyEnergyTerm(std::shared_ptr<const ElasticModel> model, std::size_t body, std::size_t energy);

  // "body energy 'example_based' of 'box'"
  std::string name() const override;
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // It has no derivatives of third order: throws Error(internal). Studies that need them refuse body energies.
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;

  // o at the positions, each in its own unit.
  Eigen::VectorXd quantities(const Eigen::VectorXd& x) const;
  const BodyEnergyInstance& instance() const { return *energy_.instance; }

 private:
  const ElasticBody& body() const { return model_->bodies()[body_]; }
  void pack_targets();
  void bind_observables();
  void require_quantities_at_start() const;
  // Runs an operation on all elements, with the outputs [block][entries][lane] in outputs_.
  void run(holo_body_energy_operation operation, const Eigen::VectorXd& x, const Eigen::VectorXd& o);
  // Sum of V times an entry of the outputs.
  double sum(std::size_t entry, std::size_t entries) const;
  void add_element_blocks(Curvature curvature, BlockAssembler& assembler);
  LowRankMatrix low_rank(const Eigen::MatrixXd& J) const;

  std::shared_ptr<const ElasticModel> model_;
  std::size_t body_;
  const BodyEnergy& energy_;     // of the model
  Eigen::MatrixXd observables_;  // B^T [3 * vertex][nz]
  Eigen::VectorXd start_;        // z at the start [nz]
  AlignedArray targets_;         // [block of the body][target][9][lane]
  AlignedArray deformation_;     // [block of the body][9][lane]
  AlignedArray outputs_;
};

// One term for each body energy of the model.
std::vector<std::unique_ptr<PotentialTerm>> body_energy_terms(const std::shared_ptr<const ElasticModel>& model);

// Their sum at positions [3 * vertex] [J].
double body_energies(const std::shared_ptr<const ElasticModel>& model, const Eigen::VectorXd& positions);

}  // namespace holo
