#include "holo/sim/dynamics/stiffness_damping.h"

#include <algorithm>

#include "elastic/element/element_damping.h"
#include "elastic/element/element_pass.h"
#include "holo/core/numerics/parallel.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;

}  // namespace

StiffnessDamping::StiffnessDamping(std::shared_ptr<const ElasticModel> model)
    : model_(std::move(model)),
      start_gradients_(model_->block_count() * 9 * W),
      lagged_hessians_(model_->block_count() * 45 * W) {}

bool StiffnessDamping::acts_on(const ElasticModel& model) {
  return std::any_of(model.bodies().begin(), model.bodies().end(),
                     [](const ElasticBody& body) { return body.stiffness_damping > 0; });
}

void StiffnessDamping::begin_step(const StepContext& context) {
  time_step_ = context.time_step;
  deformation_gradients(*model_, context.positions, start_gradients_);
}

void StiffnessDamping::update_lag(const Eigen::VectorXd& x) {
  parallel_for(model_->block_count(), chunk_blocks, [&](std::size_t begin, std::size_t end) {
    ElementBatch batch;
    for_each_batch(*model_, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
      if (body.stiffness_damping == 0) return;  // its stiffness stays 0
      double* K = lagged_hessians_.data() + first * 45 * W;
      deformation_gradients(*model_, x.data(), first, count, batch.deformation);
      run_projected_hessian(*model_, body, first, count, batch.deformation, K, batch.projected);
      const double factor = body.stiffness_damping / time_step_;
      for (std::size_t i = 0; i < count * 45 * W; ++i) K[i] *= factor;
    });
  });
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

}  // namespace holo
