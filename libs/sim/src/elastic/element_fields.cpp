#include "holo/sim/elastic/element_fields.h"

#include "elastic/element/block_determinant.h"
#include "elastic/element/element_pass.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {
namespace {

// Von Mises stress of the symmetric Cauchy stress sigma = P F^T / J: sqrt(1/2 sum of squared differences of its diagonal + 3
// sum of squared shear stresses).
HOLO_INLINE LaneBlock von_mises(const double* P, const double* F) {
  constexpr int W = HOLO_LANE_WIDTH;
  const LaneBlock inverse = LaneBlock(1.0) / block_determinant(F);
  auto cauchy = [&](int i, int j) {
    LaneBlock sum(0.0);
    for (int k = 0; k < 3; ++k) sum += LaneBlock::load(P + (3 * i + k) * W) * LaneBlock::load(F + (3 * j + k) * W);
    return sum * inverse;
  };
  const LaneBlock xx = cauchy(0, 0), yy = cauchy(1, 1), zz = cauchy(2, 2), xy = cauchy(0, 1), yz = cauchy(1, 2),
                  zx = cauchy(2, 0);
  const LaneBlock normal = (xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx);
  return sqrt(LaneBlock(0.5) * normal + LaneBlock(3.0) * (xy * xy + yz * yz + zx * zx));
}

void evaluate_fields_of(const ElasticModel& model, const double* x, std::size_t begin, std::size_t end, ElementFields& result) {
  constexpr std::size_t W = ElasticModel::lanes;
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double density[batch_blocks * W];
  for_each_batch(model, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
    deformation_gradients(model, x, first, count, batch.deformation);
    const double share = 1.0 / static_cast<double>(body.points);
    run_operation(model, ElementOperation::energy, body, first, count, batch.deformation, density);
    run_operation(model, ElementOperation::stress, body, first, count, batch.deformation, batch.stress);
    for (std::size_t n = 0; n < count; ++n) {
      const LaneBlock stress = von_mises(batch.stress + n * 9 * W, batch.deformation + n * 9 * W);
      for (std::size_t lane = 0; lane < W; ++lane) {
        const int element = model.packed_elements()[(first + n) * W + lane];
        if (element < 0) continue;
        if ((first + n - body.first_block) % body.points == 0)
          result.energy_density[element] = result.von_mises_stress[element] = 0;
        result.energy_density[element] += share * density[n * W + lane];
        result.von_mises_stress[element] += share * stress[static_cast<int>(lane)];
      }
    }
  });
}

}  // namespace

void evaluate_element_fields(const ElasticModel& model, const Eigen::VectorXd& positions, ElementFields& fields) {
  fields.energy_density.resize(model.element_count());
  fields.von_mises_stress.resize(model.element_count());
  parallel_for(model.block_count(), cluster_blocks,
               [&](std::size_t begin, std::size_t end) { evaluate_fields_of(model, positions.data(), begin, end, fields); });
}

void deformation_gradients(const ElasticModel& model, const Eigen::VectorXd& positions, AlignedArray& result) {
  constexpr std::size_t W = ElasticModel::lanes;
  if (result.size() != model.block_count() * 9 * W) result = AlignedArray(model.block_count() * 9 * W);
  parallel_for(model.block_count(), cluster_blocks, [&](std::size_t begin, std::size_t end) {
    deformation_gradients(model, positions.data(), begin, end - begin, result.data() + begin * 9 * W);
  });
}

}  // namespace holo
