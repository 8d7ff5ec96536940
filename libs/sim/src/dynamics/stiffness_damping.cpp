#include "holo/sim/dynamics/stiffness_damping.h"

#include <algorithm>

#include "dynamics/lane_products.h"
#include "elastic/element/element_damping.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/elastic/element_fields.h"

namespace holo {
StiffnessDamping::StiffnessDamping(std::shared_ptr<const ElasticModel> model)
    : model_(std::move(model)),
      start_gradients_(model_->block_count() * 9 * W),
      lagged_gradients_(model_->block_count() * 9 * W),
      positive_parts_(model_->block_count() * 45 * W),
      lagged_hessians_(model_->block_count() * 45 * W) {
  for (const ElasticBody& body : model_->bodies())
    if (body.stiffness_damping > 0) damped_bodies_.push_back({body.first_block, body.block_count, body.stiffness_damping});
}

bool StiffnessDamping::acts_on(const ElasticModel& model) {
  return std::any_of(model.bodies().begin(), model.bodies().end(),
                     [](const ElasticBody& body) { return body.stiffness_damping > 0; });
}

void StiffnessDamping::begin_step(const StepContext& context) {
  time_step_ = context.effective_step();
  deformation_gradients(*model_, context.reference_positions(), start_gradients_);
}

// H+(F(x)) of every element, and beta/dt times it: projected, so that the damping takes energy away for every change of F.
void StiffnessDamping::update_lag(const ElasticModel& model, const Eigen::VectorXd& x) {
  parallel_for(model.block_count(), cluster_blocks, [&](std::size_t begin, std::size_t end) {
    ElementBatch batch;
    for_each_batch(model, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
      if (body.stiffness_damping == 0) return;  // its stiffness stays 0
      double *K = positive_parts_.data() + first * 45 * W, *F = lagged_gradients_.data() + first * 9 * W;
      deformation_gradients(model, x.data(), first, count, F);
      run_projected_hessian(model, body, first, count, F, K, batch.projected);
      scale(damped_bodies_[number_of(body)], first, count);
    });
  });
}

void StiffnessDamping::scale(const DampedBody& body, std::size_t first_block, std::size_t count) {
  const double factor = body.coefficient / time_step_;
  for (std::size_t i = first_block * 45 * W; i < (first_block + count) * 45 * W; ++i)
    lagged_hessians_[i] = positive_parts_[i] * factor;
}

std::size_t StiffnessDamping::number_of(const ElasticBody& body) const {
  std::size_t number = 0;
  while (damped_bodies_[number].first_block != body.first_block) ++number;
  return number;
}

Eigen::VectorXd StiffnessDamping::parameters() const {
  Eigen::VectorXd values(parameter_count());
  for (Eigen::Index k = 0; k < values.size(); ++k) values[k] = damped_bodies_[static_cast<std::size_t>(k)].coefficient;
  return values;
}

void StiffnessDamping::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    DampedBody& body = damped_bodies_[static_cast<std::size_t>(k)];
    body.coefficient = values[k];
    scale(body, body.first_block, body.block_count);
  }
}

double StiffnessDamping::energy(const ElementBlocks& blocks) const {
  double total = 0;
  for (std::size_t n = 0; n < blocks.count; ++n) {
    const std::size_t block = blocks.first_block + n;
    total += damping_energy(blocks.F + n * 9 * W, start_gradients_.data() + block * 9 * W,
                            lagged_hessians_.data() + block * 45 * W, model_->volumes().data() + block * W);
  }
  return total;
}

void StiffnessDamping::add_stress(const ElementBlocks& blocks, double* stress) const {
  add_damping_stress(blocks.count, blocks.F, start_gradients_.data() + blocks.first_block * 9 * W,
                     lagged_hessians_.data() + blocks.first_block * 45 * W, stress);
}

void StiffnessDamping::add_hessian(const ElementBlocks& blocks, double* hessian) const {
  const double* K = lagged_hessians_.data() + blocks.first_block * 45 * W;
  for (std::size_t i = 0; i < blocks.count * 45 * W; ++i) hessian[i] += K[i];
}

namespace {

// A block's matrices [45][lane] times a factor, in aligned memory.
struct ScaledBlock {
  alignas(HOLO_BLOCK_ALIGNMENT) double values[45 * W];
  ScaledBlock(const double* matrices, double factor) {
    for (std::size_t i = 0; i < 45 * W; ++i) values[i] = factor * matrices[i];
  }
};

}  // namespace

// The stress beta/dt H+ : (F - F_n) is linear in beta, H+ and F_n.
void StiffnessDamping::add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const {
  for (std::size_t n = 0; n < blocks.count; ++n) {
    const std::size_t block = blocks.first_block + n;
    const ScaledBlock change(positive_parts_.data() + block * 45 * W, direction[number_of(blocks.body)] / time_step_);
    add_damping_stress(1, blocks.F + n * 9 * W, start_gradients_.data() + block * 9 * W, change.values, stress + n * 9 * W);
  }
}

void StiffnessDamping::add_parameter_stress_change(const ElementBlocks& blocks, const double* dF, const double* direction,
                                                   double* stress) const {
  alignas(HOLO_BLOCK_ALIGNMENT) constexpr double zero[9 * W] = {};
  for (std::size_t n = 0; n < blocks.count; ++n) {
    const ScaledBlock change(positive_parts_.data() + (blocks.first_block + n) * 45 * W,
                             direction[number_of(blocks.body)] / time_step_);
    add_damping_stress(1, dF + n * 9 * W, zero, change.values, stress + n * 9 * W);
  }
}

void StiffnessDamping::add_lag_stress(const ElementBlocks& blocks, const double* lag, double* stress) const {
  for (std::size_t n = 0; n < blocks.count; ++n) {
    const std::size_t block = blocks.first_block + n;
    const ScaledBlock change(lag + block * 45 * W, damped_bodies_[number_of(blocks.body)].coefficient / time_step_);
    add_damping_stress(1, blocks.F + n * 9 * W, start_gradients_.data() + block * 9 * W, change.values, stress + n * 9 * W);
  }
}

void StiffnessDamping::add_start_stress(const ElementBlocks& blocks, const double* dF, double* stress) const {
  alignas(HOLO_BLOCK_ALIGNMENT) constexpr double zero[9 * W] = {};
  for (std::size_t n = 0; n < blocks.count; ++n)
    add_damping_stress(1, zero, dF + n * 9 * W, lagged_hessians_.data() + (blocks.first_block + n) * 45 * W,
                       stress + n * 9 * W);
}

// The residual beta/dt H+ : (F - F_n) is a product of three factors. With D = dF - dF_n its second derivative is
// 1/dt sum over both orders of dbeta_i H+ : D_j + beta dH+_i : D_j + dbeta_i dH+_j : (F - F_n), whose dbeta_i H+ : dF_j is that
// of add_parameter_stress_change.
void StiffnessDamping::add_mixed_products(const ElementBlocks& block, const double* dF_y, const ElementDirections& directions,
                                          Eigen::MatrixXd& result) const {
  const std::size_t number = number_of(block.body);
  const double beta = damped_bodies_[number].coefficient;
  const double *volume = model_->volumes().data() + block.first_block * W,
               *positive_part = positive_parts_.data() + block.first_block * 45 * W;
  const double *dF = directions.deformation, *dF_n = directions.start_deformation;
  AlignedArray D(static_cast<std::size_t>(directions.count) * 9 * W);
  for (std::size_t i = 0; i < D.size(); ++i) D[i] = dF[i] - (dF_n ? dF_n[i] : 0);
  alignas(HOLO_BLOCK_ALIGNMENT) double moved[9 * W];  // F - F_n
  for (std::size_t i = 0; i < 9 * W; ++i) moved[i] = block.F[i] - start_gradients_[block.first_block * 9 * W + i];
  const Eigen::RowVectorXd change = directions.parameters.row(static_cast<Eigen::Index>(number));  // dbeta
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(directions.count, directions.count);
  for (Eigen::Index j = 0; j < directions.count; ++j) {
    const std::size_t column = static_cast<std::size_t>(j) * 9 * W;
    if (dF_n) product.col(j) -= change.transpose() * lane_product(positive_part, dF_y, dF_n + column, volume);
    if (directions.lag.rows() == 0) continue;
    const ScaledBlock lag_j(directions.lag.col(j).data() + block.first_block * 45 * W, 1);
    product.col(j) += change.transpose() * lane_product(lag_j.values, dF_y, moved, volume);
    for (Eigen::Index i = 0; i < directions.count; ++i)
      product(i, j) += beta * lane_product(lag_j.values, dF_y, D.data() + static_cast<std::size_t>(i) * 9 * W, volume);
  }
  result += (product + product.transpose()) / time_step_;
}

}  // namespace holo
