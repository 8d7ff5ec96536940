#include "holo/sim/dynamics/stiffness_damping.h"

#include <algorithm>

#include "dynamics/directional_hessian.h"
#include "elastic/element/element_damping.h"
#include "elastic/element/element_pass.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/elastic/element_fields.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

// One lane of the upper half by rows [45][lane].
Matrix9 matrix_in_lane(const double* upper, std::size_t lane) {
  Matrix9 matrix;
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, upper += W) matrix(i, j) = matrix(j, i) = upper[lane];
  return matrix;
}

}  // namespace

StiffnessDamping::StiffnessDamping(std::shared_ptr<const ElasticModel> model)
    : model_(std::move(model)),
      start_gradients_(model_->block_count() * 9 * W),
      lagged_gradients_(model_->block_count() * 9 * W),
      lagged_hessians_(model_->block_count() * 45 * W) {}

bool StiffnessDamping::acts_on(const ElasticModel& model) {
  return std::any_of(model.bodies().begin(), model.bodies().end(),
                     [](const ElasticBody& body) { return body.stiffness_damping > 0; });
}

void StiffnessDamping::begin_step(const StepContext& context) {
  time_step_ = context.time_step;
  deformation_gradients(*model_, context.positions, start_gradients_);
}

// beta/dt H+(F(x)) of every element: projected, so that the damping takes energy away for every change of F.
void StiffnessDamping::update_lag(const Eigen::VectorXd& x) {
  parallel_for(model_->block_count(), cluster_blocks, [&](std::size_t begin, std::size_t end) {
    ElementBatch batch;
    for_each_batch(*model_, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
      if (body.stiffness_damping == 0) return;  // its stiffness stays 0
      double *K = lagged_hessians_.data() + first * 45 * W, *F = lagged_gradients_.data() + first * 9 * W;
      deformation_gradients(*model_, x.data(), first, count, F);
      run_projected_hessian(*model_, body, first, count, F, K, batch.projected);
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

// The stress K : (F - F_n) is linear in K, so its derivative along a change of K is the stress with that change in place of K.
void StiffnessDamping::add_lag_stress(const ElementBlocks& blocks, const double* lag, double* stress) const {
  add_damping_stress(blocks.count, blocks.F, start_gradients_.data() + blocks.first_block * 9 * W,
                     lag + blocks.first_block * 45 * W, stress);
}

// Along dF(direction): first dH = d3Psi/dF3 dF by the material, then the derivative of the positive part at H along dH, matrix
// by matrix.
void StiffnessDamping::lag_derivative(const double* direction, double* lag) const {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double change[45 * W];
  std::fill_n(lag, lagged_hessians_.size(), 0.0);
  for (const ElasticBody& body : model_->bodies()) {
    if (body.stiffness_damping == 0) continue;
    const double factor = body.stiffness_damping / time_step_;
    for (std::size_t block = body.first_block; block < body.first_block + body.block_count; ++block) {
      const double* F = lagged_gradients_.data() + block * 9 * W;
      deformation_gradients(*model_, direction, block, 1, batch.deformation);
      run_directional_hessian({body, block, 1, F}, batch.deformation, change);
      run_operation(*model_, ElementOperation::hessian, body, block, 1, F, batch.hessian);
      for (std::size_t lane = 0; lane < W; ++lane) {
        const Matrix9 derivative = positive_part_derivative(matrix_in_lane(batch.hessian, lane), matrix_in_lane(change, lane));
        double* entry = lag + block * 45 * W + lane;
        for (int i = 0; i < 9; ++i)
          for (int j = i; j < 9; ++j, entry += W) *entry = factor * derivative(i, j);
      }
    }
  }
}

}  // namespace holo
