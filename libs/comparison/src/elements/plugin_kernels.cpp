#include <algorithm>

#include "holo/comparison/element_kernels.h"
#include "holo/comparison/element_lanes.h"

namespace holo::comparison {
namespace {

constexpr int chunk = 4;  // blocks at a time: their Hessians stay in the first cache

struct alignas(64) Chunk {
  double F[chunk * 9 * width];
  double result[chunk * 45 * width];
  BlockGeometry geometry[chunk];
};

}  // namespace

Kernel plugin_kernel(holo_batch_function operation, Quantity quantity, const std::vector<double>& coefficients) {
  std::shared_ptr<double[]> lanes = aligned_doubles(coefficients.size() * width + 1);
  for (std::size_t k = 0; k < coefficients.size(); ++k) std::fill_n(lanes.get() + k * width, width, coefficients[k]);
  return [operation, quantity, lanes](std::span<const ElementRecord> elements, double* output) {
    Chunk memory;
    holo_batch batch = {};
    batch.size = sizeof(batch);
    batch.deformation_gradient = memory.F;
    batch.coefficients = lanes.get();
    batch.output = memory.result;
    for (std::size_t first = 0; first < elements.size(); first += chunk * width) {
      const int blocks = int(std::min<std::size_t>(chunk, (elements.size() - first) / width));
      for (int b = 0; b < blocks; ++b)
        gather_block(elements.data() + first + b * width, memory.F + b * 9 * width, memory.geometry[b]);
      batch.block_count = std::uint64_t(blocks);
      operation(&batch);
      for (int b = 0; b < blocks; ++b) {
        const std::size_t element = first + std::size_t(b * width);
        double* to = output + element * std::size_t(entries_of(quantity));
        switch (quantity) {
          case Quantity::gradient:
            scatter_gradient(memory.result + b * 9 * width, memory.geometry[b], to);
            break;
          case Quantity::hessian:
            scatter_hessian(memory.result + b * 45 * width, memory.geometry[b], to);
            break;
          case Quantity::symmetric_hessian:
            scatter_symmetric_hessian(memory.result + b * 45 * width, memory.geometry[b], to);
        }
      }
    }
  };
}

Kernel store_kernel(Quantity quantity) {
  return [quantity](std::span<const ElementRecord> elements, double* output) {
    for (std::size_t first = 0; first < elements.size(); first += width) {
      double* to = output + first * std::size_t(entries_of(quantity));
      if (quantity == Quantity::gradient)
        scatter_constant_gradient(to);
      else if (quantity == Quantity::hessian)
        scatter_constant_hessian(to);
      else
        scatter_constant_symmetric_hessian(to);
    }
  };
}

}  // namespace holo::comparison
