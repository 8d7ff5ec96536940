#pragma once
// Operations of an energy of three arguments, the invariants or the principal stretches of F: the compile-time graph over these
// three, chained to F in closed form. Derivatives of third order run the same graphs and chains on nilpotent numbers over
// lanes.

#include <algorithm>

#include "holo/diff/graph/emit.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/solid/invariants.h"
#include "holo/diff/tensor/stretch_projection.h"
#include "holo/diff/tensor/stretch_third_order.h"
#include "holo/plugin/detail/block_input.h"

namespace holo::plugin {

// The energy of three arguments, with the coefficients as parameters.
template <class M>
struct ReducedEnergy {
  static constexpr int input_count = 3;
  static constexpr int parameter_count = coefficient_count<M>();
  static constexpr int output_count = 1;
  static constexpr int graph_capacity = capacity_of<M>();

  template <class S>
  static constexpr void evaluate(const S* x, const S* coefficients, S* energy) {
    if constexpr (HasStretchEnergy<M, S>) {
      energy[0] = M::energy_of_stretches(x[0], x[1], x[2], coefficients_of<M, S>(coefficients));
    } else {
      energy[0] = M::energy_of_invariants(x[0], x[1], x[2], coefficients_of<M, S>(coefficients));
    }
  }
};

template <class M, graph::Derivative derivative>
using CompiledReduced = graph::Compiled<ReducedEnergy<M>, derivative>;

template <class S>
struct ReducedInput {
  const Vector3<S>& x;
  const double* coefficients;

  template <int k>
  HOLO_INLINE S leaf() const {
    if constexpr (k < 3) {
      return x[k];
    } else {
      return S(LaneBlock::load(coefficients + (k - 3) * LaneBlock::width));
    }
  }
};

template <class S, int n>
struct ReducedOutput {
  S values[std::max(n, 1)];
  template <int i>
  HOLO_INLINE void output(const S& value) {
    values[i] = value;
  }
};

// The derivative of the energy in its three arguments x, with the coefficients of a block.
template <class M, graph::Derivative derivative, class S>
HOLO_INLINE auto reduced(const Vector3<S>& x, const double* coefficients) {
  using Source = CompiledReduced<M, derivative>;
  ReducedOutput<S, Source::program.output_count> result;
  graph::emit<Source, S>(ReducedInput<S>{x, coefficients}, result);
  return result;
}

// ---- Invariants

template <class M>
constexpr InvariantPattern invariant_pattern() {
  constexpr const auto& program = CompiledReduced<M, graph::Derivative::gradient_and_hessian>::program;
  InvariantPattern pattern;
  for (int a = 0; a < 3; ++a) pattern.first[a] = program.outputs[a] != graph::zero;
  for (int ab = 0; ab < 6; ++ab) pattern.second[ab] = program.outputs[3 + ab] != graph::zero;
  return pattern;
}

template <class M, class S>
HOLO_INLINE Matrix3<S> stress_of_invariants(const Matrix3<S>& F, const double* coefficients) {
  constexpr InvariantPattern pattern = invariant_pattern<M>();
  const Vector3<S> I = invariants<pattern.uses_I2()>(F);
  return invariant_stress<pattern>(F, I, reduced<M, graph::Derivative::jacobian>(I, coefficients).values);
}

template <class M, class S, class Store>
HOLO_INLINE void hessian_of_invariants(const Matrix3<S>& F, const double* coefficients, const Store& store) {
  constexpr InvariantPattern pattern = invariant_pattern<M>();
  const Vector3<S> I = invariants<pattern.uses_I2()>(F);
  const auto jet = reduced<M, graph::Derivative::gradient_and_hessian>(I, coefficients);
  InvariantSlopes<S> slopes;
  for (int a = 0; a < 3; ++a) slopes.first[a] = jet.values[a];
  for (int ab = 0; ab < 6; ++ab) slopes.second[ab] = jet.values[3 + ab];
  invariant_hessian<pattern>(F, I, slopes, store);
}

template <class M, graph::Derivative derivative>
HOLO_INLINE void run_block_of_invariants(const BlockInput<M>& input, double* to) {
  using graph::Derivative;
  constexpr int width = LaneBlock::width;
  constexpr InvariantPattern pattern = invariant_pattern<M>();
  const Matrix3<LaneBlock> F = input.deformation_gradient();
  const auto store_all = [to](const Matrix3<LaneBlock>& P) HOLO_INLINE_LAMBDA {
    for (int k = 0; k < 9; ++k) P[k].store(to + k * width);
  };
  if constexpr (derivative == Derivative::jacobian) {
    store_all(stress_of_invariants<M>(F, input.coefficients));
  } else if constexpr (derivative == Derivative::hessian) {
    hessian_of_invariants<M>(F, input.coefficients,
                             [to](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { value.store(to + k * width); });
  } else if constexpr (derivative == Derivative::directional_hessian) {
    using S = Nilpotent<1, LaneBlock>;
    Matrix3<S> seeded{};
    for (int k = 0; k < 9; ++k) seeded[k] = S::seed(F[k], {LaneBlock::load(input.direction1 + k * width)});
    hessian_of_invariants<M>(seeded, input.coefficients,
                             [to](int k, const S& value) HOLO_INLINE_LAMBDA { value.derivative().store(to + k * width); });
  } else if constexpr (derivative == Derivative::third_order_contraction) {
    using S = Nilpotent<2, LaneBlock>;
    Matrix3<S> seeded{};
    for (int k = 0; k < 9; ++k)
      seeded[k] = S::seed(F[k], {LaneBlock::load(input.direction1 + k * width), LaneBlock::load(input.direction2 + k * width)});
    const Matrix3<S> P = stress_of_invariants<M>(seeded, input.coefficients);
    for (int k = 0; k < 9; ++k) P[k].derivative().store(to + k * width);
  } else {
    const Vector3<LaneBlock> I = invariants<pattern.uses_I2()>(F);
    const auto result = reduced<M, derivative>(I, input.coefficients);
    const auto& values = result.values;
    if constexpr (derivative == Derivative::parameter_gradient_slope) {
      for (int p = 0; p < BlockInput<M>::n; ++p, to += 9 * width) {
        const LaneBlock slope[3] = {values[3 * p], values[3 * p + 1], values[3 * p + 2]};
        const Matrix3<LaneBlock> P = invariant_stress<pattern>(F, I, slope);
        for (int k = 0; k < 9; ++k) P[k].store(to + k * width);
      }
    } else {
      for (int k = 0; k < CompiledReduced<M, derivative>::program.output_count; ++k) values[k].store(to + k * width);
    }
  }
}

// The slopes alone, for hosts that chain them to an element's nodes.
template <class M>
void run_invariant_slopes(const holo_batch* batch) noexcept {
  constexpr InvariantPattern pattern = invariant_pattern<M>();
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    const Vector3<LaneBlock> I = invariants<pattern.uses_I2()>(input.deformation_gradient());
    const auto slopes = reduced<M, graph::Derivative::gradient_and_hessian>(I, input.coefficients);
    for (int k = 0; k < 9; ++k) slopes.values[k].store(batch->output + (block * 9 + std::uint64_t(k)) * LaneBlock::width);
  }
}

// ---- Principal stretches

// g and h at given stretches. Not inlined: the chain asks for them at several points.
template <class M>
struct StretchFunctions {
  const double* coefficients;

  template <class S>
  __attribute__((noinline)) Vector3<S> gradient(const Vector3<S>& s) const {
    const auto g = reduced<M, graph::Derivative::jacobian>(s, coefficients);
    return {g.values[0], g.values[1], g.values[2]};
  }
  template <class S>
  __attribute__((noinline)) Vector<S, 6> hessian(const Vector3<S>& s) const {
    const auto h = reduced<M, graph::Derivative::hessian>(s, coefficients);
    return {h.values[0], h.values[1], h.values[2], h.values[3], h.values[4], h.values[5]};
  }
};

template <class M>
HOLO_INLINE StretchBlocks<LaneBlock> blocks_of_stretches(const Vector3<LaneBlock>& s, const double* coefficients) {
  const auto jet = reduced<M, graph::Derivative::gradient_and_hessian>(s, coefficients);
  const Vector3<LaneBlock> g{jet.values[0], jet.values[1], jet.values[2]};
  const Vector<LaneBlock, 6> h{jet.values[3], jet.values[4], jet.values[5], jet.values[6], jet.values[7], jet.values[8]};
  const StretchFunctions<M> functions{coefficients};
  return stretch_blocks(s, g, h, pair_curvature([functions](const auto& t) { return functions.hessian(t); }));
}

template <class M>
StretchThirdOrder<LaneBlock> third_order_of_stretches(const Vector3<LaneBlock>& s, const double* coefficients) {
  const StretchFunctions<M> functions{coefficients};
  return stretch_third_order(
      s, [functions](const auto& t) { return functions.gradient(t); },
      [functions](const auto& t) { return functions.hessian(t); });
}

HOLO_INLINE Matrix3<LaneBlock> load_matrix(const double* from) {
  Matrix3<LaneBlock> result{};
  for (int k = 0; k < 9; ++k) result[k] = LaneBlock::load(from + k * LaneBlock::width);
  return result;
}

template <class M, graph::Derivative derivative>
HOLO_INLINE void run_block_of_stretches(const BlockInput<M>& input, double* to) {
  using graph::Derivative;
  constexpr int width = LaneBlock::width;
  const SignedSvd<LaneBlock> svd = signed_svd(input.deformation_gradient());
  const auto store = [to](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { value.store(to + k * width); };
  const auto store_matrix = [](const Matrix3<LaneBlock>& P, double* at) HOLO_INLINE_LAMBDA {
    for (int k = 0; k < 9; ++k) P[k].store(at + k * width);
  };
  if constexpr (derivative == Derivative::hessian) {
    spectral_hessian(svd, blocks_of_stretches<M>(svd.stretches, input.coefficients), store);
  } else if constexpr (derivative == Derivative::directional_hessian || derivative == Derivative::third_order_contraction) {
    const StretchThirdOrder<LaneBlock> third = third_order_of_stretches<M>(svd.stretches, input.coefficients);
    const Matrix<LaneBlock, 9, 9> along =
        third_derivative_along(third, principal_components(svd, load_matrix(input.direction1)));
    if constexpr (derivative == Derivative::directional_hessian) {
      store_in_entries(svd, along, store);
    } else {
      const Vector<LaneBlock, 9> result = along * principal_components(svd, load_matrix(input.direction2));
      store_matrix(of_principal_components(svd, result), to);
    }
  } else {
    const auto result = reduced<M, derivative>(svd.stretches, input.coefficients);
    const auto& values = result.values;
    if constexpr (derivative == Derivative::jacobian) {
      store_matrix(spectral_stress(svd, {values[0], values[1], values[2]}), to);
    } else if constexpr (derivative == Derivative::parameter_gradient_slope) {
      for (int p = 0; p < BlockInput<M>::n; ++p)
        store_matrix(spectral_stress(svd, {values[3 * p], values[3 * p + 1], values[3 * p + 2]}), to + 9 * p * width);
    } else {
      for (int k = 0; k < CompiledReduced<M, derivative>::program.output_count; ++k) values[k].store(to + k * width);
    }
  }
}

// The negative eigenvalues set to 0: those of the pairs stand there, those of the three stretches take a few rotations.
template <class M>
void run_projected_hessian_of_stretches(const holo_batch* batch) noexcept {
  constexpr int width = LaneBlock::width;
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    const SignedSvd<LaneBlock> svd = signed_svd(input.deformation_gradient());
    StretchBlocks<LaneBlock> blocks = blocks_of_stretches<M>(svd.stretches, input.coefficients);
    const auto negative = project_positive_semidefinite(blocks);
    for (int lane = 0; batch->projected != nullptr && lane < width; ++lane)
      batch->projected[block * width + std::uint64_t(lane)] = negative[lane];
    double* to = batch->output + block * upper_count_9 * width;
    spectral_hessian(svd, blocks, [to](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { value.store(to + k * width); });
  }
}

}  // namespace holo::plugin
