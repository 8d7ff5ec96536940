// Second derivatives of the elements' forces, contracted with an adjoint, in positions, parameters, lag and the start of the
// step.
#include <algorithm>

#include "dynamics/coefficient_derivatives.h"
#include "dynamics/lane_products.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "elastic/pattern_products.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/elastic/element_fields.h"

namespace holo {
// S^T T S of the directions S of positions with the sparse T = y . d3E/dx3, assembled like a Hessian; with parameters da the
// columns B = y . d2(dE/da)/dx2 da, and S^T B + B^T S. What remains, of coefficients, lag and start, is summed block by block:
// each cluster of blocks sums into a matrix of its own, and these are added in order, so that the sum does not depend on the
// threads.
void ElasticTerm::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                      Eigen::MatrixXd& result) {
  add_quadratic_products(model_->pattern(), contracted_third_derivative(x, y).data(), directions.positions,
                         contracted_parameter_gradient(x, y, directions.parameters), result);
  const bool moves_coefficients = !directions.parameters.topRows(coefficient_parameter_count(*model_)).isZero(0);
  if (!moves_coefficients && directions.lag.rows() == 0 && directions.start_positions.rows() == 0) return;
  std::vector<Eigen::MatrixXd> of_clusters(projected_in_cluster_.size());
  parallel_for(model_->block_count(), cluster_blocks, [&](std::size_t begin, std::size_t end) {
    Eigen::MatrixXd& own = of_clusters[begin / cluster_blocks];
    own.setZero(result.rows(), result.cols());
    add_second_order_products(x, y, directions, begin, end, own);
  });
  for (const Eigen::MatrixXd& of_cluster : of_clusters) result += of_cluster;
}

// The forces of a change of each parameter, differentiated along y, then their sums in the directions.
Eigen::MatrixXd ElasticTerm::contracted_parameter_gradient(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                                           const Eigen::Ref<const Eigen::MatrixXd>& parameters) const {
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(x.size(), parameters.cols());
  AlignedArray F, dF;
  deformation_gradients(*model_, x, F);
  deformation_gradients(*model_, y, dF);
  Eigen::Index first = coefficient_parameter_count(*model_);
  for (const auto& energy : energies_) {
    const auto changes = parameters.middleRows(first, energy->parameter_count());
    first += changes.rows();
    if (changes.isZero(0)) continue;
    Eigen::MatrixXd of_parameters = Eigen::MatrixXd::Zero(x.size(), changes.rows());
    add_parameter_forces(
        *energy, F,
        [&](const ElementBlocks& block, const double* direction, double* stress) {
          energy->add_parameter_stress_change(block, dF.data() + block.first_block * 9 * W, direction, stress);
        },
        of_parameters);
    for (Eigen::Index j = 0; j < changes.cols(); ++j)
      for (Eigen::Index k = 0; k < changes.rows(); ++k)
        if (changes(k, j) != 0) sums.col(j) += changes(k, j) * of_parameters.col(k);
  }
  return sums;
}

struct ElasticTerm::BlockDirections {
  ElementBlocks block;
  const TermDirections& directions;
  Eigen::Index count;              // columns
  Eigen::Index first_coefficient;  // of the body, among the parameters
  const double* dF_y;              // [9][lane]
  const double *dF, *start;        // [column][9][lane]; `start` null: zero
  const double* volume;            // [lane]

  const double* column(const double* gradients, Eigen::Index i) const {
    return gradients + static_cast<std::size_t>(i) * 9 * W;
  }
};

void ElasticTerm::add_second_order_products(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                            const TermDirections& directions, std::size_t begin, std::size_t end,
                                            Eigen::MatrixXd& result) const {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double dF_y[9 * W];
  const Eigen::Index columns = directions.positions.cols();
  const bool has_start = directions.start_positions.rows() > 0;
  AlignedArray dF(static_cast<std::size_t>(columns) * 9 * W), start(has_start ? dF.size() : 0);
  Eigen::Index first_coefficient = 0;
  for (const ElasticBody& body : model_->bodies()) {
    const std::size_t last = std::min(end, body.first_block + body.block_count);
    for (std::size_t n = std::max(begin, body.first_block); n < last; ++n) {
      deformation_gradients(*model_, x.data(), n, 1, batch.deformation);
      deformation_gradients(*model_, y.data(), n, 1, dF_y);
      for (Eigen::Index i = 0; i < columns; ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * 9 * W;
        deformation_gradients(*model_, directions.positions.col(i).data(), n, 1, dF.data() + at);
        if (has_start) deformation_gradients(*model_, directions.start_positions.col(i).data(), n, 1, start.data() + at);
      }
      const BlockDirections block{{body, n, 1, batch.deformation},
                                  directions,
                                  columns,
                                  first_coefficient,
                                  dF_y,
                                  dF.data(),
                                  has_start ? start.data() : nullptr,
                                  model_->volumes().data() + n * W};
      if (coefficient_parameter_count(body) > 0) add_coefficient_products(block, result);
      add_energy_products(block, result);
    }
    first_coefficient += coefficient_parameter_count(body);
  }
}

// With a_k = dF_y : dH/dc_k : dF_j and b_kl = dF_y : d2P/(dc_k dc_l): sum_k (dc_ik a_kj + dc_jk a_ki) + dc_i . b dc_j.
void ElasticTerm::add_coefficient_products(const BlockDirections& block, Eigen::MatrixXd& result) const {
  const Eigen::Index count = coefficient_parameter_count(block.block.body);
  const auto dc = block.directions.parameters.middleRows(block.first_coefficient, count);
  if (dc.isZero(0)) return;
  const auto size = static_cast<std::size_t>(count);
  AlignedArray hessians(size * 45 * W), stresses(size * size * 9 * W);
  coefficient_hessians(block.block, hessians.data());
  second_coefficient_stresses(block.block, stresses.data());
  Eigen::MatrixXd mixed(count, block.count), second(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    for (Eigen::Index j = 0; j < block.count; ++j)
      mixed(k, j) = lane_product(hessians.data() + static_cast<std::size_t>(k) * 45 * W, block.dF_y, block.column(block.dF, j),
                                 block.volume);
    for (Eigen::Index l = 0; l < count; ++l)
      second(k, l) = lane_product(stresses.data() + static_cast<std::size_t>(k * count + l) * 9 * W, block.dF_y, block.volume);
  }
  const Eigen::MatrixXd product = dc.transpose() * mixed;
  result += product + product.transpose() + dc.transpose() * (0.5 * (second + second.transpose())) * dc;
}

void ElasticTerm::add_energy_products(const BlockDirections& block, Eigen::MatrixXd& result) const {
  const auto& [positions, parameters, lag, start_positions, start_velocities] = block.directions;
  Eigen::Index first_parameter = coefficient_parameter_count(*model_), first_lag = 0;
  for (const auto& energy : energies_) {
    const Eigen::Index own_lag = lag.rows() > 0 ? energy->lag_count() : 0;
    if (energy->acts_on(block.block.body))
      energy->add_mixed_products(
          block.block, block.dF_y,
          {block.count, block.dF, block.start, parameters.middleRows(first_parameter, energy->parameter_count()),
           lag.middleRows(own_lag > 0 ? first_lag : 0, own_lag)},
          result);
    first_parameter += energy->parameter_count();
    first_lag += own_lag;
  }
}

}  // namespace holo
