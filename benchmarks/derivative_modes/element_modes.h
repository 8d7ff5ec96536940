#pragma once
// The second part: gradient (12) and Hessian (12x12) of a tetrahedron for each material plugin, and of the plugin and the
// yardsticks the Hessian's upper half (78), which is what a simulation assembles. All modes share the gather of
// the records, the deformation gradients, the chain from F to the vertices and the stores, eight elements in lanes; what
// differs is how dpsi/dF (9) or the upper half of d2psi/dF2 (45) come about.

#include <span>
#include <vector>

#include "holo/comparison/element_kernels.h"
#include "holo/comparison/element_lanes.h"
#include "holo/diff/solid/tetrahedron_chain.h"
#include "modes.h"

namespace holo::benchmark {

using comparison::BlockGeometry;
using comparison::DerivativeKind;
using comparison::ElementRecord;
using comparison::gradient_entries;
using comparison::hessian_entries;
using comparison::width;

struct ElementInputs {
  DerivativeKind quantity;
  std::span<const ElementRecord> elements;
  std::vector<double> coefficients;

  int entries() const { return quantity == DerivativeKind::gradient ? 9 : upper_count_9; }
};

using AddModes = void (*)(std::vector<Mode>& modes, const ElementInputs& inputs);

// The modes that are compiled from a material's source, in lists by kind.
struct MaterialModes {
  const char* name;
  AddModes own, tape, adolc, boost;
};
std::span<const MaterialModes> material_modes();

// A mode from block(F [9][lane], result [entries][lane]), which is copied.
template <class Block>
Mode block_mode(std::string name, Family family, const ElementInputs& inputs, Block block) {
  const auto run = [quantity = inputs.quantity, elements = inputs.elements, block](std::size_t items, double* output) {
    alignas(64) double F[9 * width], result[upper_count_9 * width];
    BlockGeometry geometry;
    for (std::size_t first = 0; first < items; first += width) {
      comparison::gather_block(elements.data() + first, F, geometry);
      block(F, result);
      double* to = output + first * std::size_t(comparison::entries_of(quantity));
      if (quantity == DerivativeKind::gradient)
        comparison::scatter_gradient(result, geometry, to);
      else if (quantity == DerivativeKind::hessian)
        comparison::scatter_hessian(result, geometry, to);
      else
        comparison::scatter_symmetric_hessian(result, geometry, to);
    }
  };
  return {std::move(name), family, run, ""};
}

// A mode from element(F [9], result [entries]): one element after the other.
template <class Element>
Mode element_mode(std::string name, Family family, const ElementInputs& inputs, Element element) {
  const int entries = inputs.entries();
  return block_mode(std::move(name), family, inputs, [entries, element](const double* F, double* result) {
    double one[9], derivative[upper_count_9];
    for (int lane = 0; lane < width; ++lane) {
      for (int k = 0; k < 9; ++k) one[k] = F[k * width + lane];
      element(one, derivative);
      for (int k = 0; k < entries; ++k) result[k * width + lane] = derivative[k];
    }
  });
}

struct ElementOptions {
  std::size_t elements = 2000;  // a multiple of 8; records and gradients in the second cache
  int repeats = 10;
  std::vector<std::string> materials, plugin_path;
};
Results compare_elements(const ElementOptions& options);

}  // namespace holo::benchmark
