#pragma once
// The contraction of a material's fourth derivative, d4psi/dF4 [D1, D2, D3, .]. It costs the compiler no graph of its own: the
// stress of an energy of invariants or of F, compiled or interpreted, runs in numbers with three directions over lanes, and an
// energy of principal stretches is chained to F in closed form (holo/diff/tensor/stretch_fourth_order.h).

#include "holo/diff/tensor/stretch_fourth_order.h"
#include "holo/plugin/detail/material_operations.h"

namespace holo::plugin {

using ThreeDirections = Nilpotent<3, LaneBlock>;

// The leaf k of a graph of the stress: an entry of F that moves along all directions, or a coefficient.
template <class M>
HOLO_INLINE ThreeDirections moving_leaf(const BlockInput<M>& input, int k) {
  if (k >= 9) return ThreeDirections(input.leaf(k));
  const int at = k * LaneBlock::width;
  return ThreeDirections::seed(input.leaf(k), {LaneBlock::load(input.direction1 + at), LaneBlock::load(input.direction2 + at),
                                               LaneBlock::load(input.direction3 + at)});
}

template <class M>
void run_fourth_order_of_invariants(const holo_batch& batch) {
  for (std::uint64_t block = 0; block < batch.block_count; ++block) {
    const BlockInput<M> input(batch, block);
    Matrix3<ThreeDirections> F{};
    for (int k = 0; k < 9; ++k) F[k] = moving_leaf(input, k);
    const Matrix3<ThreeDirections> P = stress_of_invariants<M>(F, input.coefficients);
    for (int k = 0; k < 9; ++k) P[k].derivative().store(batch.output + (block * 9 + std::uint64_t(k)) * LaneBlock::width);
  }
}

// What depends on the deformation alone is found again only where it or the coefficients differ from those of the block before:
// hosts ask for many directions of one deformation in a row.
template <class M>
void run_fourth_order_of_stretches(const holo_batch& batch) {
  constexpr std::size_t entries = 9 * LaneBlock::width;
  SignedSvd<LaneBlock> svd{};
  StretchFourthOrder<LaneBlock> fourth{};
  for (std::uint64_t block = 0; block < batch.block_count; ++block) {
    const BlockInput<M> input(batch, block);
    if (block == 0 || batch.coefficient_stride > 0 || std::memcmp(input.F, input.F - entries, entries * sizeof(double)) != 0) {
      const StretchFunctions<M> functions{input.coefficients};
      svd = signed_svd(input.deformation_gradient());
      fourth = stretch_fourth_order(
          svd.stretches, [functions](const auto& t) { return functions.gradient(t); },
          [functions](const auto& t) { return functions.hessian(t); });
    }
    const Matrix3<LaneBlock> directions[3] = {load_matrix(input.direction1), load_matrix(input.direction2),
                                              load_matrix(input.direction3)};
    const Matrix3<LaneBlock> Q = fourth_order_contraction(svd, fourth, directions);
    for (int k = 0; k < 9; ++k) Q[k].store(batch.output + block * entries + std::size_t(k) * LaneBlock::width);
  }
}

template <class M>
struct MovingInput {
  const BlockInput<M>& input;
  template <int k>
  HOLO_INLINE ThreeDirections leaf() const {
    return moving_leaf(input, k);
  }
};

struct DerivativeOutput {
  double* to;
  template <int i>
  HOLO_INLINE void output(const ThreeDirections& value) {
    value.derivative().store(to + i * LaneBlock::width);
  }
};

template <class M>
void run_fourth_order_of_graph(const holo_batch& batch) {
  for (std::uint64_t block = 0; block < batch.block_count; ++block) {
    DerivativeOutput output{batch.output + block * 9 * LaneBlock::width};
    const BlockInput<M> input(batch, block);
    graph::emit<CompiledEnergy<M, graph::Derivative::jacobian>, ThreeDirections>(MovingInput<M>{input}, output);
  }
}

template <class M>
void run_fourth_order_interpreted(const holo_batch& batch) {
  const graph::Interpreter& interpreter = interpreted_energy<M, graph::Derivative::jacobian>();
  const std::unique_ptr<ThreeDirections[]> values(new ThreeDirections[std::size_t(interpreter.counts().nodes) + 1]);
  for (std::uint64_t block = 0; block < batch.block_count; ++block) {
    const BlockInput<M> input(batch, block);
    double* to = batch.output + block * 9 * LaneBlock::width;
    interpreter.run(
        values.get(), [&input](int k) { return moving_leaf(input, k); },
        [to](int i, const ThreeDirections& value) { value.derivative().store(to + i * LaneBlock::width); });
  }
}

// NaN where memory runs out, as an operation reports no errors.
template <class M>
void run_fourth_order(const holo_batch* batch) noexcept {
  constexpr Path path = path_of<M, graph::Derivative::jacobian>();
  if constexpr (path == Path::invariants) {
    run_fourth_order_of_invariants<M>(*batch);
  } else if constexpr (path == Path::stretches) {
    run_fourth_order_of_stretches<M>(*batch);
  } else if constexpr (path == Path::compiled_graph) {
    run_fourth_order_of_graph<M>(*batch);
  } else {
    try {
      run_fourth_order_interpreted<M>(*batch);
    } catch (...) {
      for (std::uint64_t k = 0; k < batch->block_count * 9 * LaneBlock::width; ++k)
        batch->output[k] = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

// "compile-time graph of the invariants, 31 operations, along three directions"
template <class M>
const char* fourth_order_kernel_name() {
  static const std::string name = std::string(kernel_name<M, graph::Derivative::jacobian>()).append(", along three directions");
  return name.c_str();
}

}  // namespace holo::plugin
