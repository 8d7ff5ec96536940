#pragma once
// The mode `csfd`: stress and Hessian by the accelerated complex step [Luo2019] section 5, the numbers of which drop all terms
// of order h^2. The author's energy itself runs in these numbers, elements in lanes:
//
//   an energy of invariants or principal stretches   once, in a number that carries all derivatives in these (Jet), chained
//                                                    to F in closed form
//   an energy of F                                   for each entry of F (Nilpotent<1>), each pair of entries (Nilpotent<2>)

#include "holo/diff/scalars/jet.h"
#include "holo/diff/tensor/stretch_energy.h"
#include "holo/plugin/detail/reduced_operations.h"

namespace holo::plugin {

// The energy of a block in three arguments, in any number over lanes.
template <class M>
struct LaneEnergy {
  const double* coefficients;

  template <class S>
  HOLO_INLINE S operator()(const S& x, const S& y, const S& z) const {
    constexpr int n = coefficient_count<M>();
    S values[n > 0 ? n : 1];
    for (int k = 0; k < n; ++k) values[k] = S(LaneBlock::load(coefficients + k * LaneBlock::width));
    if constexpr (HasStretchEnergy<M, double>) {
      return M::energy_of_stretches(x, y, z, coefficients_of<M, S>(values));
    } else {
      return M::energy_of_invariants(x, y, z, coefficients_of<M, S>(values));
    }
  }
};

// ---- Invariants

// Which of them the energy depends on: those alone carry derivatives. All, where the compiler cannot tell.
template <class M>
constexpr InvariantPattern csfd_pattern() {
  if constexpr (CompiledReduced<M, graph::Derivative::gradient_and_hessian>::compiled)
    return invariant_pattern<M>();
  else
    return {};
}

template <class M>
struct InvariantVariables {
  static constexpr InvariantPattern pattern = csfd_pattern<M>();
  static constexpr int used = pattern.first[0] + pattern.first[1] + pattern.first[2];
  static constexpr int count = used > 0 ? used : 1;
  // Among those that are used.
  static constexpr int index(int a) {
    int result = 0;
    for (int b = 0; b < a; ++b) result += pattern.first[b];
    return result;
  }
};

template <class M, int order>
HOLO_INLINE Jet<order, InvariantVariables<M>::count, LaneBlock> csfd_of_invariants(const Vector3<LaneBlock>& I,
                                                                                   const double* coefficients) {
  using V = InvariantVariables<M>;
  using S = Jet<order, V::count, LaneBlock>;
  const auto argument = [&](int a)
                            HOLO_INLINE_LAMBDA { return V::pattern.first[a] ? S::variable(V::index(a), I[a]) : S(I[a]); };
  return LaneEnergy<M>{coefficients}(argument(0), argument(1), argument(2));
}

template <class M>
HOLO_INLINE void csfd_stress_of_invariants(const BlockInput<M>& input, double* to) {
  using V = InvariantVariables<M>;
  const Matrix3<LaneBlock> F = input.deformation_gradient();
  const Vector3<LaneBlock> I = invariants<V::pattern.uses_I2()>(F);
  const auto psi = csfd_of_invariants<M, 1>(I, input.coefficients);
  LaneBlock slopes[3] = {LaneBlock(0.0), LaneBlock(0.0), LaneBlock(0.0)};
  for (int a = 0; a < 3; ++a)
    if (V::pattern.first[a]) slopes[a] = psi.gradient(V::index(a));
  const Matrix3<LaneBlock> P = invariant_stress<V::pattern>(F, I, slopes);
  for (int k = 0; k < 9; ++k) P[k].store(to + k * LaneBlock::width);
}

template <class M>
HOLO_INLINE void csfd_hessian_of_invariants(const BlockInput<M>& input, double* to) {
  using V = InvariantVariables<M>;
  const Matrix3<LaneBlock> F = input.deformation_gradient();
  const Vector3<LaneBlock> I = invariants<V::pattern.uses_I2()>(F);
  const auto psi = csfd_of_invariants<M, 2>(I, input.coefficients);
  InvariantSlopes<LaneBlock> slopes{};
  for (int a = 0, ab = 0; a < 3; ++a) {
    if (V::pattern.first[a]) slopes.first[a] = psi.gradient(V::index(a));
    for (int b = a; b < 3; ++b, ++ab)
      if (V::pattern.first[a] && V::pattern.first[b]) slopes.second[ab] = psi.hessian(V::index(a), V::index(b));
  }
  invariant_hessian<V::pattern>(
      F, I, slopes, [to](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { value.store(to + k * LaneBlock::width); });
}

// ---- Principal stretches

template <class M>
HOLO_INLINE void csfd_stress_of_stretches(const BlockInput<M>& input, double* to) {
  using S = Jet<1, 3, LaneBlock>;
  const SignedSvd<LaneBlock> svd = signed_svd(input.deformation_gradient());
  const Vector3<LaneBlock>& s = svd.stretches;
  const S psi = LaneEnergy<M>{input.coefficients}(S::variable(0, s[0]), S::variable(1, s[1]), S::variable(2, s[2]));
  const Matrix3<LaneBlock> P = spectral_stress(svd, {psi.gradient(0), psi.gradient(1), psi.gradient(2)});
  for (int k = 0; k < 9; ++k) P[k].store(to + k * LaneBlock::width);
}

template <class M>
HOLO_INLINE void csfd_hessian_of_stretches(const BlockInput<M>& input, double* to) {
  using S = Jet<2, 3, LaneBlock>;
  const SignedSvd<LaneBlock> svd = signed_svd(input.deformation_gradient());
  const Vector3<LaneBlock>& s = svd.stretches;
  const LaneEnergy<M> energy{input.coefficients};
  const S psi = energy(S::variable(0, s[0]), S::variable(1, s[1]), S::variable(2, s[2]));
  const Vector3<LaneBlock> g{psi.gradient(0), psi.gradient(1), psi.gradient(2)};
  const Vector<LaneBlock, 6> h{psi.hessian(0, 0), psi.hessian(0, 1), psi.hessian(0, 2),
                               psi.hessian(1, 1), psi.hessian(1, 2), psi.hessian(2, 2)};
  spectral_hessian(svd, stretch_blocks(s, g, h, energy_curvature(energy)),
                   [to](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { value.store(to + k * LaneBlock::width); });
}

// ---- Entries of F

// Not inlined: the compiler sees the energy once for each kind of number.
template <class M, class S>
__attribute__((noinline)) LaneBlock csfd_derivative(const Matrix3<S>& F, const double* coefficients) {
  constexpr int n = coefficient_count<M>();
  S values[n > 0 ? n : 1];
  for (int k = 0; k < n; ++k) values[k] = S(LaneBlock::load(coefficients + k * LaneBlock::width));
  return M::energy_density(F, coefficients_of<M, S>(values)).derivative();
}

template <class M>
void csfd_stress_of_entries(const BlockInput<M>& input, double* to) {
  using S = Nilpotent<1, LaneBlock>;
  const Matrix3<LaneBlock> F = input.deformation_gradient();
  for (int i = 0; i < 9; ++i) {
    Matrix3<S> seeded{};
    for (int k = 0; k < 9; ++k) seeded[k] = S::seed(F[k], {LaneBlock(k == i ? 1.0 : 0.0)});
    csfd_derivative<M>(seeded, input.coefficients).store(to + i * LaneBlock::width);
  }
}

template <class M>
void csfd_hessian_of_entries(const BlockInput<M>& input, double* to) {
  using S = Nilpotent<2, LaneBlock>;
  const Matrix3<LaneBlock> F = input.deformation_gradient();
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, to += LaneBlock::width) {
      Matrix3<S> seeded{};
      for (int k = 0; k < 9; ++k) seeded[k] = S::seed(F[k], {LaneBlock(k == i ? 1.0 : 0.0), LaneBlock(k == j ? 1.0 : 0.0)});
      csfd_derivative<M>(seeded, input.coefficients).store(to);
    }
}

// ---- The operations

template <class M>
void run_csfd_stress(const holo_batch* batch) noexcept {
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    double* to = batch->output + block * 9 * LaneBlock::width;
    if constexpr (HasInvariantEnergy<M, double>)
      csfd_stress_of_invariants<M>(input, to);
    else if constexpr (HasStretchEnergy<M, double>)
      csfd_stress_of_stretches<M>(input, to);
    else
      csfd_stress_of_entries<M>(input, to);
  }
}

template <class M>
void run_csfd_hessian(const holo_batch* batch) noexcept {
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    double* to = batch->output + block * upper_count_9 * LaneBlock::width;
    if constexpr (HasInvariantEnergy<M, double>)
      csfd_hessian_of_invariants<M>(input, to);
    else if constexpr (HasStretchEnergy<M, double>)
      csfd_hessian_of_stretches<M>(input, to);
    else
      csfd_hessian_of_entries<M>(input, to);
  }
}

template <class M>
constexpr const char* csfd_kernel_name(int order) {
  if constexpr (HasInvariantEnergy<M, double>)
    return order == 1 ? "accelerated complex step in the invariants, first order"
                      : "accelerated complex step in the invariants, second order";
  else if constexpr (HasStretchEnergy<M, double>)
    return order == 1 ? "accelerated complex step in the principal stretches, first order"
                      : "accelerated complex step in the principal stretches, second order";
  else
    return order == 1 ? "accelerated complex step in each entry of F" : "accelerated complex step in each pair of entries of F";
}

}  // namespace holo::plugin
