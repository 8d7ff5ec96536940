#pragma once
// The elastic energy of a body whose displacements are u = Psi q, as a function of the amplitudes q: of all elements, or of a
// few with weights, a cubature (cubature.h).

#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <vector>

#include "holo/core/numerics/aligned_array.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// Elements of a model with weights that take the place of all.
struct Cubature {
  std::vector<int> elements;  // places block * lane width + lane in ElasticModel::packed_elements(), ascending
  Eigen::VectorXd weights;    // [element] > 0, multiples of the element's rest volume
  double training_error = 0;  // of train_cubature(), relative
};

class ReducedElasticity {
 public:
  // All elements. positions [3 * vertex] [m], basis Psi [3 * vertex][column]; takes 72 bytes for each element and column.
  // Throws Error(input) for sizes that do not fit the model, and a basis without columns.
  ReducedElasticity(std::shared_ptr<const ElasticModel> model, const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis);
  // Those of a cubature. Throws Error(input) for elements that do not exist or that come twice, and weights that are not above
  // 0, too.
  ReducedElasticity(std::shared_ptr<const ElasticModel> model, const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis,
                    const Cubature& cubature);

  Eigen::Index size() const { return columns_; }
  int element_count() const { return element_count_; }
  // At amplitudes q [column]; +inf or not finite where the materials' energies are (outside their domains, at singular points).
  // Throws Error(internal) for another number of amplitudes.
  // Rounding errors of an energy E of this size are of the order of 2^-53 sqrt(E K), K that of ElasticModel::stiffness_energy.
  double energy_rounding(double energy) const { return 0x1p-53 * std::sqrt(std::abs(energy) * model_->stiffness_energy()); }
  double energy(const Eigen::VectorXd& q) const;             // [J]
  Eigen::VectorXd gradient(const Eigen::VectorXd& q) const;  // dE/dq = Psi^T dE/dx [column]
  Eigen::MatrixXd hessian(const Eigen::VectorXd& q) const;   // Psi^T K Psi, exact [column][column]

 private:
  // Elements of one body in lanes; the rest of the last block has no weight.
  struct Block {
    const ElasticBody* body;
    AlignedArray coefficients;  // [coefficient][lane]
    AlignedArray F;             // at q = 0 [9][lane]
    AlignedArray slopes;        // dF/dq [column][9][lane]
    AlignedArray volumes;       // times the weights [lane] [m^3]
  };

  void gather(const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis, const std::vector<int>& elements,
              const Eigen::VectorXd& weights);
  void require_fitting(const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis) const;
  void require_size(const Eigen::VectorXd& q) const;
  // Runs the operation at q on one block.
  void run(const Block& block, holo_material_operation operation, const Eigen::VectorXd& q, double* output) const;

  std::shared_ptr<const ElasticModel> model_;
  Eigen::Index columns_ = 0;
  int element_count_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace holo
