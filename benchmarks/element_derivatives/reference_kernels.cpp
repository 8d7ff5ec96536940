#include "holo/comparison/element_lanes.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/plugin/detail/material_operations.h"
#include "holo/plugin/material.h"
#include "kernels.h"

// The plugins' own sources, for their energies alone.
#undef HOLO_MATERIAL
#define HOLO_MATERIAL(Type, name, summary) using Material = Type;
namespace stvk {
#include "../../plugins/materials/stvk.cpp"
}
namespace neo_hookean {
#include "../../plugins/materials/neo_hookean.cpp"
}
namespace neo_hookean_paper {
#include "../../plugins/materials/neo_hookean_paper.cpp"
}
namespace stable_neo_hookean {
#include "../../plugins/materials/stable_neo_hookean.cpp"
}

namespace holo::benchmark {
namespace {

// A kernel from an operation on one block, operation(F [9][lane], result [9 or 45][lane]).
template <class Operation>
Kernel block_kernel(DerivativeKind quantity, Operation operation) {
  return [quantity, operation](std::span<const ElementRecord> elements, double* output) {
    alignas(64) double F[9 * width], result[45 * width];
    BlockGeometry geometry;
    for (std::size_t first = 0; first < elements.size(); first += width) {
      gather_block(elements.data() + first, F, geometry);
      operation(F, result);
      double* to = output + first * std::size_t(entries_of(quantity));
      if (quantity == DerivativeKind::gradient)
        scatter_gradient(result, geometry, to);
      else if (quantity == DerivativeKind::hessian)
        scatter_hessian(result, geometry, to);
      else
        scatter_symmetric_hessian(result, geometry, to);
    }
  };
}

template <class M>
Kernel interpreted(DerivativeKind quantity, const std::vector<double>& coefficients) {
  const auto derivative = quantity == DerivativeKind::gradient ? graph::Derivative::jacobian : graph::Derivative::hessian;
  const auto interpreter = std::make_shared<const graph::Interpreter>(graph::interpret<plugin::EnergyFunction<M>>(derivative));
  const auto values = std::make_shared<std::vector<LaneBlock>>(std::size_t(interpreter->counts().nodes) + 1);
  return block_kernel(quantity, [interpreter, values, coefficients](const double* F, double* result) {
    interpreter->run(
        values->data(),
        [&](int k) { return k < 9 ? LaneBlock::load(F + k * width) : LaneBlock(coefficients[std::size_t(k - 9)]); },
        [&](int k, const LaneBlock& value) { value.store(result + k * width); });
  });
}

template <class M, class S>
S energy(const double* F, const std::vector<double>& coefficients, int first, int second) {
  Matrix3<S> seeded{};
  for (int k = 0; k < 9; ++k) {
    const double one = k == first ? 1 : 0, two = k == second ? 1 : 0;
    if constexpr (S::order == 1)
      seeded[k] = S::seed(LaneBlock::load(F + k * width), {LaneBlock(one)});
    else
      seeded[k] = S::seed(LaneBlock::load(F + k * width), {LaneBlock(one), LaneBlock(two)});
  }
  return plugin::energy_density<M, S>(seeded, typename M::template Coefficients<S>{coefficients[0], coefficients[1]});
}

// Complex steps in the entries of F, one direction or pair of directions at a time, elements in lanes.
template <class M>
Kernel complex_step(DerivativeKind quantity, const std::vector<double>& coefficients) {
  return block_kernel(quantity, [quantity, coefficients](const double* F, double* result) {
    int entry = 0;
    for (int i = 0; i < 9; ++i) {
      if (quantity == DerivativeKind::gradient) {
        energy<M, Nilpotent<1, LaneBlock>>(F, coefficients, i, i).derivative().store(result + i * width);
      } else {
        for (int j = i; j < 9; ++j, ++entry)
          energy<M, Nilpotent<2, LaneBlock>>(F, coefficients, i, j).derivative().store(result + entry * width);
      }
    }
  });
}

template <class M>
std::vector<NamedKernel> kernels_of(DerivativeKind quantity, const std::vector<double>& coefficients) {
  return {{"run-time graph", interpreted<M>(quantity, coefficients)},
          {quantity == DerivativeKind::gradient ? "complex step, 9 directions" : "complex step, 45 pairs",
           complex_step<M>(quantity, coefficients)}};
}

}  // namespace

std::vector<NamedKernel> reference_kernels(const std::string& material, DerivativeKind quantity, const std::vector<double>& c) {
  if (c.size() != 2) return {};
  if (material == "stvk") return kernels_of<stvk::Material>(quantity, c);
  if (material == "neo_hookean") return kernels_of<neo_hookean::Material>(quantity, c);
  if (material == "neo_hookean_paper") return kernels_of<neo_hookean_paper::Material>(quantity, c);
  if (material == "stable_neo_hookean") return kernels_of<stable_neo_hookean::Material>(quantity, c);
  return {};
}

}  // namespace holo::benchmark
