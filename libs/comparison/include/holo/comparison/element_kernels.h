#pragma once
// Kernels for the derivatives of elements, which are compared in results and times. Each reads all records and writes all
// gradients [element][12], Hessians [element][144] or their upper halves [element][80].

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "holo/comparison/elements.h"
#include "holo/core/abi.h"

namespace holo::comparison {

// The symmetric Hessian is the upper half of the 12x12 Hessian by rows, which a simulation assembles.
enum class DerivativeKind { gradient, hessian, symmetric_hessian };
inline constexpr DerivativeKind derivative_kinds[] = {DerivativeKind::gradient, DerivativeKind::hessian,
                                                      DerivativeKind::symmetric_hessian};
constexpr int entries_of(DerivativeKind quantity) {
  switch (quantity) {
    case DerivativeKind::gradient:
      return gradient_entries;
    case DerivativeKind::hessian:
      return hessian_entries;
    case DerivativeKind::symmetric_hessian:
      return symmetric_hessian_entries;
  }
  return 0;
}

using Kernel = std::function<void(std::span<const ElementRecord> elements, double* output)>;

struct NamedKernel {
  std::string name;
  Kernel run;
};

// The yardsticks: closed forms written by hand for one element at a time, in two codings, for all materials of plugins/ but
// `singular`, and for `fiber_reinforced` of examples/; empty for others. Energies of principal stretches have one in lanes,
// too: "hand-written, spectral in lanes". The coefficients are the plugin's.
std::vector<NamedKernel> hand_written_kernels(const std::string& material, DerivativeKind quantity,
                                              const std::vector<double>& coefficients);

// The closed forms of neo_hookean and stable_neo_hookean in the same lanes as the plugins' kernels; empty for others.
inline constexpr const char* lane_yardstick = "hand-written, in lanes";
std::vector<NamedKernel> hand_written_lane_kernels(const std::string& material, DerivativeKind quantity,
                                                   const std::vector<double>& coefficients);

// Gathers a few blocks of elements, runs a plugin's batched operation on them, and chains the results to the vertices.
Kernel plugin_kernel(holo_batch_function operation, DerivativeKind quantity, const std::vector<double>& coefficients);

// The same for the operations that a simulation uses: Hessians by the slopes in the invariants, if the plugin has them.
Kernel plugin_kernel(const holo_material& material, DerivativeKind quantity, const std::vector<double>& coefficients);

}  // namespace holo::comparison
