#pragma once
// The stress differential d/dt P(F + t D): what a product of the stiffness matrix with a vector takes, without the Hessian.
//
//   compiled   the compiled gradient of the energy, evaluated at F + e D in nilpotent numbers, e^2 = 0
//   csfd       Im P(F + i h D)/h of [Luo2019] section 8.1: the author's energy runs in accelerated complex-step numbers
//   analytic   as the author wrote it
//
// Energies of principal stretches take the closed form of the chain in the principal axes, where singular vectors are never
// differentiated.

#include "holo/plugin/detail/material_csfd.h"
#include "holo/plugin/detail/material_operations.h"

namespace holo::plugin {

using LaneDifferential = Nilpotent<1, LaneBlock>;

// F + e D1.
template <class M>
HOLO_INLINE Matrix3<LaneDifferential> moved_deformation(const BlockInput<M>& input) {
  Matrix3<LaneDifferential> result{};
  for (int k = 0; k < 9; ++k)
    result[k] = LaneDifferential::seed(input.leaf(k), {LaneBlock::load(input.direction1 + k * LaneBlock::width)});
  return result;
}

HOLO_INLINE void store_differential(const Matrix3<LaneDifferential>& P, double* to) {
  for (int k = 0; k < 9; ++k) P[k].derivative().store(to + k * LaneBlock::width);
}

// H D in the principal axes, from the blocks of H there.
HOLO_INLINE Matrix3<LaneBlock> stress_differential_of_stretches(const SignedSvd<LaneBlock>& svd,
                                                                const StretchBlocks<LaneBlock>& blocks,
                                                                const Matrix3<LaneBlock>& direction) {
  const Vector<LaneBlock, 9> along = principal_components(svd, direction);
  Vector<LaneBlock, 9> result{};
  for (int i = 0; i < 3; ++i) {
    result[i] = LaneBlock(0.0);
    for (int j = 0; j < 3; ++j) result[i] = result[i] + blocks.stretch[holo::detail::stretch_index[i][j]] * along[j];
    result[3 + i] = blocks.symmetric[i] * along[3 + i];
    result[6 + i] = blocks.skew[i] * along[6 + i];
  }
  return of_principal_components(svd, result);
}

// ---- compiled

// F + e D1 and the coefficients as leaves of a graph.
template <class M>
struct MovedInput {
  const BlockInput<M>& input;

  HOLO_INLINE LaneDifferential leaf(int k) const {
    if (k >= 9) return LaneDifferential(input.leaf(k));
    return LaneDifferential::seed(input.leaf(k), {LaneBlock::load(input.direction1 + k * LaneBlock::width)});
  }
  template <int k>
  HOLO_INLINE LaneDifferential leaf() const {
    return leaf(k);
  }
};

struct DifferentialOutput {
  double* to;
  template <int i>
  HOLO_INLINE void output(const LaneDifferential& value) {
    value.derivative().store(to + i * LaneBlock::width);
  }
};

template <class M>
void run_interpreted_stress_differential(const holo_batch& batch) {
  const graph::Interpreter& interpreter = interpreted_energy<M, graph::Derivative::jacobian>();
  const std::unique_ptr<LaneDifferential[]> values(new LaneDifferential[std::size_t(interpreter.counts().nodes) + 1]);
  for (std::uint64_t block = 0; block < batch.block_count; ++block) {
    const BlockInput<M> input(batch, block);
    const MovedInput<M> moved{input};
    double* to = batch.output + block * 9 * LaneBlock::width;
    interpreter.run(
        values.get(), [&moved](int k) { return moved.leaf(k); },
        [to](int i, const LaneDifferential& value) { value.derivative().store(to + i * LaneBlock::width); });
  }
}

template <class M>
void run_stress_differential(const holo_batch* batch) noexcept {
  constexpr Path path = path_of<M, graph::Derivative::jacobian>();
  if constexpr (path == Path::interpreted_graph) {
    try {
      run_interpreted_stress_differential<M>(*batch);
    } catch (...) {  // no memory: NaN, which no solver accepts
      for (std::uint64_t k = 0; k < batch->block_count * 9 * LaneBlock::width; ++k)
        batch->output[k] = std::numeric_limits<double>::quiet_NaN();
    }
  } else {
    for (std::uint64_t block = 0; block < batch->block_count; ++block) {
      const BlockInput<M> input(*batch, block);
      double* to = batch->output + block * 9 * LaneBlock::width;
      if constexpr (path == Path::invariants) {
        store_differential(stress_of_invariants<M>(moved_deformation(input), input.coefficients), to);
      } else if constexpr (path == Path::stretches) {
        const SignedSvd<LaneBlock> svd = signed_svd(input.deformation_gradient());
        const Matrix3<LaneBlock> dP = stress_differential_of_stretches(
            svd, blocks_of_stretches<M>(svd.stretches, input.coefficients), load_matrix(input.direction1));
        for (int k = 0; k < 9; ++k) dP[k].store(to + k * LaneBlock::width);
      } else {
        DifferentialOutput output{to};
        graph::emit<CompiledEnergy<M, graph::Derivative::jacobian>, LaneDifferential>(MovedInput<M>{input}, output);
      }
    }
  }
}

// The blocks of an energy of stretches are those of its Hessian; the other energies run their gradient.
template <class M>
const char* stress_differential_kernel() {
  if constexpr (path_of<M, graph::Derivative::jacobian>() == Path::stretches)
    return kernel_name<M, graph::Derivative::hessian>();
  else
    return kernel_name<M, graph::Derivative::jacobian>();
}

// ---- csfd

// The slopes in the invariants become numbers g + h dI of the step, from the energy's own second-order numbers.
template <class M>
HOLO_INLINE void csfd_stress_differential_of_invariants(const BlockInput<M>& input, double* to) {
  using V = InvariantVariables<M>;
  const Matrix3<LaneDifferential> F = moved_deformation(input);
  const Vector3<LaneDifferential> I = invariants<V::pattern.uses_I2()>(F);
  const auto psi = csfd_of_invariants<M, 2>({I[0].value(), I[1].value(), I[2].value()}, input.coefficients);
  LaneDifferential slopes[3] = {LaneDifferential(0.0), LaneDifferential(0.0), LaneDifferential(0.0)};
  for (int a = 0; a < 3; ++a) {
    if (!V::pattern.first[a]) continue;
    LaneBlock change(0.0);
    for (int b = 0; b < 3; ++b)
      if (V::pattern.first[b]) change = change + psi.hessian(V::index(a), V::index(b)) * I[b].derivative();
    slopes[a] = LaneDifferential::seed(psi.gradient(V::index(a)), {change});
  }
  store_differential(invariant_stress<V::pattern>(F, I, slopes), to);
}

template <class M>
HOLO_INLINE void csfd_stress_differential_of_stretches(const BlockInput<M>& input, double* to) {
  using S = Jet<2, 3, LaneBlock>;
  const SignedSvd<LaneBlock> svd = signed_svd(input.deformation_gradient());
  const Vector3<LaneBlock>& s = svd.stretches;
  const LaneEnergy<M> energy{input.coefficients};
  const S psi = energy(S::variable(0, s[0]), S::variable(1, s[1]), S::variable(2, s[2]));
  const Vector3<LaneBlock> g{psi.gradient(0), psi.gradient(1), psi.gradient(2)};
  const Vector<LaneBlock, 6> h{psi.hessian(0, 0), psi.hessian(0, 1), psi.hessian(0, 2),
                               psi.hessian(1, 1), psi.hessian(1, 2), psi.hessian(2, 2)};
  const Matrix3<LaneBlock> dP =
      stress_differential_of_stretches(svd, stretch_blocks(s, g, h, energy_curvature(energy)), load_matrix(input.direction1));
  for (int k = 0; k < 9; ++k) dP[k].store(to + k * LaneBlock::width);
}

// Two directions of the step: an entry of F, and D1.
template <class M>
void csfd_stress_differential_of_entries(const BlockInput<M>& input, double* to) {
  using S = Nilpotent<2, LaneBlock>;
  for (int i = 0; i < 9; ++i) {
    Matrix3<S> seeded{};
    for (int k = 0; k < 9; ++k)
      seeded[k] =
          S::seed(input.leaf(k), {LaneBlock(k == i ? 1.0 : 0.0), LaneBlock::load(input.direction1 + k * LaneBlock::width)});
    csfd_derivative<M>(seeded, input.coefficients).store(to + i * LaneBlock::width);
  }
}

template <class M>
void run_csfd_stress_differential(const holo_batch* batch) noexcept {
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    double* to = batch->output + block * 9 * LaneBlock::width;
    if constexpr (HasInvariantEnergy<M, double>)
      csfd_stress_differential_of_invariants<M>(input, to);
    else if constexpr (HasStretchEnergy<M, double>)
      csfd_stress_differential_of_stretches<M>(input, to);
    else
      csfd_stress_differential_of_entries<M>(input, to);
  }
}

// ---- analytic

template <class M>
void run_analytic_stress_differential(const holo_batch* batch) noexcept {
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    const Matrix3<LaneBlock> dP = M::first_piola_stress_differential(
        input.deformation_gradient(), load_matrix(input.direction1), input.material_coefficients());
    for (int k = 0; k < 9; ++k) dP[k].store(batch->output + (block * 9 + std::uint64_t(k)) * LaneBlock::width);
  }
}

}  // namespace holo::plugin
