#pragma once
// Input and output of the operations of a material: the energy as a function of F, and blocks of a batch.

#include "holo/core/abi.h"
#include "holo/diff/graph/program.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/plugin/detail/material_traits.h"

namespace holo::plugin {

template <class M>
constexpr int capacity_of() {
  if constexpr (requires { M::graph_capacity; }) {
    return M::graph_capacity;
  } else {
    return graph::default_graph_capacity;
  }
}

// The energy as a function of the entries of F, with the coefficients as parameters.
template <class M>
struct EnergyFunction {
  static constexpr int input_count = 9;
  static constexpr int parameter_count = coefficient_count<M>();
  static constexpr int output_count = 1;
  static constexpr int graph_capacity = capacity_of<M>();

  template <class S>
  static constexpr void evaluate(const S* F, const S* coefficients, S* energy) {
    energy[0] = energy_density<M, S>(Matrix3<S>{F[0], F[1], F[2], F[3], F[4], F[5], F[6], F[7], F[8]},
                                     coefficients_of<M, S>(coefficients));
  }
};

// One block of a batch. Leaves of a graph: F, coefficients, first and second direction. A third direction is of no graph.
template <class M>
struct BlockInput {
  static constexpr int n = coefficient_count<M>(), width = LaneBlock::width;
  const double *F, *coefficients, *direction1, *direction2, *direction3;

  BlockInput(const holo_batch& batch, std::uint64_t block)
      : F(batch.deformation_gradient + block * 9 * width),
        coefficients(batch.coefficients + block * batch.coefficient_stride),
        direction1(batch.direction1 == nullptr ? nullptr : batch.direction1 + block * 9 * width),
        direction2(batch.direction2 == nullptr ? nullptr : batch.direction2 + block * 9 * width),
        direction3(batch.direction3 == nullptr ? nullptr : batch.direction3 + block * 9 * width) {}

  HOLO_INLINE LaneBlock leaf(int k) const {
    if (k < 9) return LaneBlock::load(F + k * width);
    if (k < 9 + n) return LaneBlock::load(coefficients + (k - 9) * width);
    if (k < 18 + n) return LaneBlock::load(direction1 + (k - 9 - n) * width);
    return LaneBlock::load(direction2 + (k - 18 - n) * width);
  }
  template <int k>
  HOLO_INLINE LaneBlock leaf() const {
    return leaf(k);
  }
  Matrix3<LaneBlock> deformation_gradient() const {
    Matrix3<LaneBlock> result{};
    for (int k = 0; k < 9; ++k) result[k] = leaf(k);
    return result;
  }
  auto material_coefficients() const {
    LaneBlock values[n > 0 ? n : 1];
    for (int k = 0; k < n; ++k) values[k] = leaf(9 + k);
    return coefficients_of<M, LaneBlock>(values);
  }
};

struct BlockOutput {
  double* to;
  template <int i>
  HOLO_INLINE void output(const LaneBlock& value) {
    value.store(to + i * LaneBlock::width);
  }
};

}  // namespace holo::plugin
