#include <algorithm>

#include "holo/comparison/element_kernels.h"
#include "holo/comparison/element_lanes.h"

namespace holo::comparison {
namespace {

constexpr int blocks_at_a_time = 16 / width;  // their inputs and results fit into a cache of 32 KB

struct alignas(64) Chunk {
  double F[blocks_at_a_time * 9 * width];
  double result[blocks_at_a_time * 45 * width];
  BlockGeometry geometry[blocks_at_a_time];
};

// operation(batch) for a few blocks at a time, then scatter(F, result, geometry, output) for each of them.
template <int entries, class Scatter>
Kernel blocked_kernel(holo_batch_function operation, DerivativeKind quantity, const std::vector<double>& coefficients,
                      Scatter scatter) {
  std::shared_ptr<double[]> lanes = aligned_doubles(coefficients.size() * width + 1);
  for (std::size_t k = 0; k < coefficients.size(); ++k) std::fill_n(lanes.get() + k * width, width, coefficients[k]);
  return [operation, quantity, lanes, scatter](std::span<const ElementRecord> elements, double* output) {
    Chunk memory;
    holo_batch batch = {};
    batch.size = sizeof(batch);
    batch.deformation_gradient = memory.F;
    batch.coefficients = lanes.get();
    batch.output = memory.result;
    for (std::size_t first = 0; first < elements.size(); first += blocks_at_a_time * width) {
      const int blocks = int(std::min<std::size_t>(blocks_at_a_time, (elements.size() - first) / width));
      for (int b = 0; b < blocks; ++b)
        gather_block(elements.data() + first + b * width, memory.F + b * 9 * width, memory.geometry[b]);
      batch.block_count = std::uint64_t(blocks);
      operation(&batch);
      for (int b = 0; b < blocks; ++b) {
        const std::size_t element = first + std::size_t(b * width);
        scatter(memory.F + b * 9 * width, memory.result + b * entries * width, memory.geometry[b],
                output + element * std::size_t(entries_of(quantity)));
      }
    }
  };
}

}  // namespace

Kernel plugin_kernel(holo_batch_function operation, DerivativeKind quantity, const std::vector<double>& coefficients) {
  if (quantity == DerivativeKind::gradient)
    return blocked_kernel<9>(
        operation, quantity, coefficients,
        [](const double*, const double* P, const BlockGeometry& geometry, double* to) { scatter_gradient(P, geometry, to); });
  const auto scatter = quantity == DerivativeKind::hessian ? scatter_hessian : scatter_symmetric_hessian;
  return blocked_kernel<45>(operation, quantity, coefficients,
                            [scatter](const double*, const double* hessian, const BlockGeometry& geometry, double* to) {
                              scatter(hessian, geometry, to);
                            });
}

Kernel plugin_kernel(const holo_material& material, DerivativeKind quantity, const std::vector<double>& coefficients) {
  if (quantity == DerivativeKind::gradient)
    return plugin_kernel(material.operations[HOLO_MATERIAL_STRESS], quantity, coefficients);
  const holo_batch_function slopes = material.operations[HOLO_MATERIAL_INVARIANT_SLOPES];
  if (slopes == nullptr) return plugin_kernel(material.operations[HOLO_MATERIAL_HESSIAN], quantity, coefficients);
  const auto chain = invariant_kernel<4, VertexRows, false>(material.invariant_slopes);
  const auto scatter = quantity == DerivativeKind::hessian ? scatter_hessian_rows : scatter_symmetric_hessian_rows;
  return blocked_kernel<9>(
      slopes, quantity, coefficients,
      [chain, scatter](const double* F, const double* of_block, const BlockGeometry& geometry, double* to) {
        alignas(HOLO_BLOCK_ALIGNMENT) double rows[symmetric_hessian_entries * width];
        chain(F, of_block, geometry, rows);
        scatter(rows, to);
      });
}

}  // namespace holo::comparison
