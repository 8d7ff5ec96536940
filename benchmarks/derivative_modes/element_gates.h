#pragma once
// The gates of an element's derivatives, over a hand-written scalar kernel of the same output.

#include <optional>
#include <string>

#include "holo/comparison/element_kernels.h"

namespace holo::benchmark {

// Which gates a kernel is judged by: none, or those of an energy of invariants, of principal stretches, of F.
enum class Judgment { none, invariants, stretches, general };

// By the kernel's description: what its graph is of.
inline Judgment judgement_of(const holo_material& material) {
  const std::string kernel = material.kernels[HOLO_MATERIAL_STRESS];
  if (kernel.find("invariants") != std::string::npos) return Judgment::invariants;
  if (kernel.find("stretches") != std::string::npos) return Judgment::stretches;
  return Judgment::general;
}

// The hand-written coding that energies of principal stretches are judged against.
inline constexpr const char* spectral_yardstick = "hand-written, spectral in lanes";

// Element gradient 0.35 (goal 0.20); the upper half of the Hessian of an isotropic energy 0.30 (0.15), of any energy of F 0.35
// (0.22); spectral energies over a hand-written spectral kernel in lanes 1.25 (1.0). For eight lanes; four are allowed 60 %
// more, but for the spectral ones. The full Hessian, mostly stores, has no gate.
struct ElementGate {
  double gate, goal;
};
inline std::optional<ElementGate> element_gate(comparison::DerivativeKind quantity, Judgment judgment) {
  using comparison::DerivativeKind;
  if (judgment == Judgment::none || quantity == DerivativeKind::hessian || HOLO_LANE_WIDTH < 4) return std::nullopt;
  if (judgment == Judgment::stretches) return ElementGate{1.25, 1.0};
  const ElementGate eight = quantity == DerivativeKind::gradient ? ElementGate{0.35, 0.20}
                            : judgment == Judgment::invariants   ? ElementGate{0.30, 0.15}
                                                                 : ElementGate{0.35, 0.22};
  return HOLO_LANE_WIDTH == 8 ? eight : ElementGate{1.6 * eight.gate, 1.6 * eight.goal};
}

// The gradient, and the upper half of the Hessian, over comparison::lane_yardstick, a closed form in the same lanes.
inline std::optional<ElementGate> lane_gate(comparison::DerivativeKind quantity) {
  if (quantity == comparison::DerivativeKind::hessian || HOLO_LANE_WIDTH < 4) return std::nullopt;
  return ElementGate{1.4, 1.05};
}

}  // namespace holo::benchmark
