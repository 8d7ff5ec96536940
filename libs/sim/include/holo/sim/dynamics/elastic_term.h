#pragma once
// The energy of the elements, sum_e V_e (Psi(F_e) + ...): the materials of all bodies, and further energies on the same
// elements (element_energy.h), which share deformation gradients, projection and sums over elements with them.
//
// Curvature::projected takes the negative eigenvalues off an element's Hessian in F, of its material and the energies that are
// not convex together; convex ones are added afterwards. Every cluster of elements sums its contributions in memory of its own;
// then every entry of the matrix sums those of the clusters in a fixed order (ElasticPattern). No thread waits for another, and
// the sums do not depend on who computed what.

#include <functional>
#include <memory>
#include <vector>

#include "holo/sim/dynamics/element_energy.h"
#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

struct ElementBatch;  // scratch of a few blocks of elements

class ElasticTerm final : public PotentialTerm {
 public:
  explicit ElasticTerm(std::shared_ptr<const ElasticModel> model);
  // A further energy on the elements; before begin_step.
  void add(std::unique_ptr<ElementEnergy> energy);

  // Functions of PotentialTerm: x and direction [3 * vertex] [m], energy [J], gradient [3 * vertex] [N].
  std::string name() const override { return "elasticity"; }
  void begin_step(const StepContext& context) override;
  void update_lag(const Eigen::VectorXd& x) override;
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  // The assembler's fixed pattern must be the model's.
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  void add_derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                       BlockAssembler& assembler) override;
  // Adds the gradient, and to `diagonal` [vertex][6] the lower triangles by columns of the 3x3 diagonal blocks of the Hessian.
  void add_gradient_and_diagonal(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                 std::vector<double>& diagonal);
  // product += d2E/dx2 direction, without a matrix: the forces of the elements' stress differentials. Error(input) with the
  // name of a body whose mode of differentiation has none.
  void add_product(const Eigen::VectorXd& x, const Eigen::VectorXd& direction, Eigen::VectorXd& product);
  // Throws that error, if any.
  void require_products() const;
  double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) override;
  // Whether no step may invert an element, whatever its material: then all are short enough for that, as if each material
  // needed a positive determinant.
  void prevent_inversion(bool prevented) { prevents_inversion_ = prevented; }
  double energy_scale() const override { return model_->stiffness_energy(); }
  // One part for each energy of each body.
  std::vector<Part> parts(const Eigen::VectorXd& x) override;
  // The bodies, with the coefficients that set_parameters gave.
  const ElasticModel& model() const { return *model_; }

  // The coefficients of the materials, body by body, each in its own unit; of a body whose coefficients differ from element to
  // element none. Then the parameters of each further energy, in the order in which they were added.
  Eigen::Index parameter_count() const override;
  Eigen::VectorXd parameters() const override;
  // Changes this term alone: observables keep the coefficients of the scene's model. Copies the model where coefficients
  // change. The lag keeps its value until update_lag.
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  // Those of the parameters that are activations of muscles, and their columns of d2E/(dx da) alone.
  ParameterRange activations() const;
  void add_activation_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) const;
  // Throws Error(input) for a material without directional Hessians. Takes the derivatives of the materials alone to be those
  // of the compiled energy, whatever the mode of differentiation. Those in their coefficients have relative errors of about
  // 1e-12 (coefficient_derivatives.h).
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;

  Eigen::Index lag_count() const override;
  void add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                        Eigen::Ref<Eigen::MatrixXd> columns) override;
  Eigen::MatrixXd lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& parameters) override;
  void add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                         const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result) override;
  void add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                          const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns) override;

  // Numbers of elements without finite derivatives, summed over the assemblies since begin_step.
  const SingularElementCounts& singular_counts() const { return singular_counts_; }
  // Number of elements with a projected Hessian: the largest of all assemblies since begin_step.
  int projected_elements() const { return projected_elements_; }
  // The reason why elements without finite derivatives could not be resolved; "" if there are none.
  std::string singular_obstacles() const;

 private:
  struct Pass;  // what a sweep over the elements computes
  void sweep(const Pass& pass);
  void fill_partials(const Pass& pass, std::size_t begin, std::size_t end);  // of one cluster
  void find_stress_and_hessian(const Pass& pass, const ElementBlocks& blocks, ElementBatch& batch, int& projected,
                               SingularElementCounts& singular) const;
  // Of elements with four points each, all in `count` blocks.
  void add_quadratic_stencils(std::size_t first_block, std::size_t count, const ElementBatch& batch);
  void find_directional_hessian(const Pass& pass, const ElementBlocks& blocks, ElementBatch& batch) const;
  void fill_products(const Pass& pass, std::size_t begin, std::size_t end);  // of one cluster
  void find_stress_differential(const ElementBlocks& blocks, const double* dF, ElementBatch& batch) const;
  void sum_column(const Pass& pass, std::size_t vertex) const;
  bool has_further_energies(const ElasticBody& body) const;
  void add_part_gradient(const ElasticBody& body, const ElementEnergy* energy, const Eigen::VectorXd& x,
                         Eigen::VectorXd& gradient) const;
  // The columns d2E/(dx da) of the parameters of a further energy, from the deformation gradients F [block][9][lane].
  void add_energy_parameter_gradient(const ElementEnergy& energy, const AlignedArray& F,
                                     Eigen::Ref<Eigen::MatrixXd> columns) const;
  // The forces of the stress that `stress_of(blocks, direction, stress)` adds, for the direction of each parameter [parameter].
  using ParameterStress = std::function<void(const ElementBlocks&, const double* direction, double* stress)>;
  void add_parameter_forces(const ElementEnergy& energy, const AlignedArray& F, const ParameterStress& stress_of,
                            Eigen::Ref<Eigen::MatrixXd> columns) const;
  // Adds the forces of a stress, which `stress_of(blocks, stress)` adds block by block on the bodies that `energy` acts on, in
  // all blocks or in the chosen ones.
  template <class StressOf>
  void add_forces(const ElementEnergy& energy, const AlignedArray& F, const StressOf& stress_of,
                  Eigen::Ref<Eigen::VectorXd> gradient, const std::vector<std::size_t>* chosen = nullptr) const;
  CoefficientDirections coefficient_directions(const double* parameters) const;
  // y . d3E/dx3, in the order of the pattern's matrix, and y . d3E/(dx2 da) da of the further energies [3 * vertex][column].
  std::vector<double> contracted_third_derivative(const Eigen::VectorXd& x, const Eigen::VectorXd& y);
  Eigen::MatrixXd contracted_parameter_gradient(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                                const Eigen::Ref<const Eigen::MatrixXd>& parameters) const;
  struct BlockDirections;  // of add_adjoint_hessian, at one block
  void add_coefficient_products(const BlockDirections& block, Eigen::MatrixXd& result) const;
  void add_energy_products(const BlockDirections& block, Eigen::MatrixXd& result) const;
  double part_energy(const ElasticBody& body, const ElementEnergy& energy, const double* x) const;
  void add_second_order_products(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                 std::size_t begin, std::size_t end, Eigen::MatrixXd& result) const;

  std::shared_ptr<const ElasticModel> model_;
  std::vector<std::unique_ptr<ElementEnergy>> energies_;
  AlignedArray partials_;  // [partial sum][9], see ElasticPattern
  Eigen::VectorXd ignored_gradient_;
  int projected_elements_ = 0;
  std::vector<int> projected_in_cluster_;  // [cluster]
  SingularElementCounts singular_counts_;
  std::vector<SingularElementCounts> singular_in_cluster_;  // [cluster]
  bool prevents_inversion_ = false;
};

}  // namespace holo
