#pragma once
// The batched operations of a material from its energy: compiled graphs (of the invariants or the principal stretches if the
// energy is declared in these, else of F) if the compiler can trace the energy, else the interpreted graph; and stress and
// stress differential as the author wrote them, over lanes.

#include <cstring>
#include <limits>
#include <memory>

#include "holo/core/abi.h"
#include "holo/diff/graph/emit.h"
#include "holo/diff/graph/formula.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/lanes/double_double_lanes.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/solid/tetrahedron_chain.h"
#include "holo/diff/tensor/stretch_projection.h"
#include "holo/plugin/detail/block_input.h"
#include "holo/plugin/detail/reduced_operations.h"

namespace holo::plugin {

template <class M, graph::Derivative derivative>
using CompiledEnergy = graph::Compiled<EnergyFunction<M>, derivative>;

// Built when it is first needed.
template <class M, graph::Derivative derivative>
const graph::Interpreter& interpreted_energy() {
  static const graph::Interpreter interpreter = graph::interpret<EnergyFunction<M>>(derivative);
  return interpreter;
}

template <class M, graph::Derivative derivative>
void run_interpreted(const holo_batch& batch) {
  const graph::Interpreter& interpreter = interpreted_energy<M, derivative>();
  const std::unique_ptr<LaneBlock[]> values(new LaneBlock[std::size_t(interpreter.counts().nodes) + 1]);
  for (std::uint64_t block = 0; block < batch.block_count; ++block) {
    const BlockInput<M> input(batch, block);
    double* to = batch.output + block * std::uint64_t(interpreter.output_count()) * LaneBlock::width;
    interpreter.run(
        values.get(), [&input](int k) { return input.leaf(k); },
        [to](int i, const LaneBlock& value) { value.store(to + i * LaneBlock::width); });
  }
}

// An operation cannot report an error: where memory runs out, its output is NaN, which no solver accepts.
template <class M, graph::Derivative derivative>
void run_interpreted_or_nan(const holo_batch& batch) noexcept {
  try {
    run_interpreted<M, derivative>(batch);
  } catch (...) {
    const std::uint64_t entries = graph::output_count<EnergyFunction<M>>(derivative);
    for (std::uint64_t k = 0; k < batch.block_count * entries * LaneBlock::width; ++k)
      batch.output[k] = std::numeric_limits<double>::quiet_NaN();
  }
}

// The method of an operation.
enum class Path { invariants, stretches, compiled_graph, interpreted_graph };

template <class M, graph::Derivative derivative>
constexpr Path path_of() {
  if constexpr (HasStretchEnergy<M, double>) {
    static_assert(CompiledReduced<M, graph::Derivative::gradient_and_hessian>::compiled,
                  "energy_of_stretches must be constexpr, and its graph must not exceed graph_capacity");
    return Path::stretches;
  } else if constexpr (HasInvariantEnergy<M, double>) {
    if constexpr (CompiledReduced<M, graph::Derivative::gradient_and_hessian>::compiled)
      return Path::invariants;
    else
      return CompiledEnergy<M, derivative>::compiled ? Path::compiled_graph : Path::interpreted_graph;
  } else {
    return CompiledEnergy<M, derivative>::compiled ? Path::compiled_graph : Path::interpreted_graph;
  }
}

// +inf where F is outside the domain that the author declares.
template <class M>
HOLO_INLINE void guard_domain(const BlockInput<M>& input, double* energy) {
  constexpr Domain domain = domain_of<M>();
  if constexpr (domain.is_bounded()) {
    const LaneBlock J = determinant(input.deformation_gradient());
    auto inside = J > LaneBlock(domain.determinant_minimum);
    if constexpr (domain.is_bounded_above()) inside = inside & (J < LaneBlock(domain.determinant_maximum));
    select(inside, LaneBlock::load(energy), LaneBlock(std::numeric_limits<double>::infinity())).store(energy);
  }
}

template <class M, graph::Derivative derivative>
HOLO_INLINE void run_block(const BlockInput<M>& input, double* to) {
  constexpr Path path = path_of<M, derivative>();
  if constexpr (path == Path::invariants) {
    run_block_of_invariants<M, derivative>(input, to);
  } else if constexpr (path == Path::stretches) {
    run_block_of_stretches<M, derivative>(input, to);
  } else {
    BlockOutput output{to};
    graph::emit<CompiledEnergy<M, derivative>, LaneBlock>(input, output);
  }
}

template <class M, graph::Derivative derivative>
void run(const holo_batch* batch) noexcept {
  constexpr std::uint64_t size = std::uint64_t(graph::output_count<EnergyFunction<M>>(derivative)) * LaneBlock::width;
  if constexpr (path_of<M, derivative>() == Path::interpreted_graph) {
    run_interpreted_or_nan<M, derivative>(*batch);
  } else {
    for (std::uint64_t block = 0; block < batch->block_count; ++block)
      run_block<M, derivative>(BlockInput<M>(*batch, block), batch->output + block * size);
  }
}

// Memory for the nodes of an interpreted energy in double-double lanes; null where there is none.
template <class M>
std::unique_ptr<DoubleDoubleLanes<LaneBlock>[]> accurate_scratch() noexcept {
  try {
    const graph::Interpreter& interpreter = interpreted_energy<M, graph::Derivative::value>();
    return std::unique_ptr<DoubleDoubleLanes<LaneBlock>[]>(
        new DoubleDoubleLanes<LaneBlock>[std::size_t(interpreter.counts().nodes) + 1]);
  } catch (...) {
    return nullptr;
  }
}

// psi(F) in double-double lanes: an energy near rest is a small difference of large terms. `scratch` is for run-time graphs.
template <class M>
__attribute__((noinline)) LaneBlock
    accurate_energy(const BlockInput<M>& input, [[maybe_unused]] DoubleDoubleLanes<LaneBlock>* scratch) {
  using graph::Derivative;
  using S = DoubleDoubleLanes<LaneBlock>;
  constexpr Path path = path_of<M, Derivative::value>();
  if constexpr (path == Path::invariants) {
    Matrix3<S> F{};
    for (int k = 0; k < 9; ++k) F[k] = input.leaf(k);
    const Vector3<S> I = invariants<invariant_pattern<M>().uses_I2()>(F);
    return reduced<M, Derivative::value>(I, input.coefficients).values[0].value();
  } else if constexpr (path == Path::stretches) {
    // The slopes in the stretches are of the order of the strain: the stretches' own rounding errors do little.
    const Vector3<LaneBlock> s = signed_svd(input.deformation_gradient()).stretches;
    return reduced<M, Derivative::value>(Vector3<S>{s[0], s[1], s[2]}, input.coefficients).values[0].value();
  } else if constexpr (path == Path::compiled_graph) {
    ReducedOutput<S, 1> psi;
    graph::emit<CompiledEnergy<M, Derivative::value>, S>(input, psi);
    return psi.values[0].value();
  } else {
    LaneBlock psi(0.0);
    interpreted_energy<M, Derivative::value>().run(
        scratch, [&input](int k) { return input.leaf(k); }, [&psi](int, const S& value) { psi = value.value(); });
    return psi;
  }
}

// psi; where double-double numbers overflow, or there is no memory for them, as plain lanes give it. Plain lanes alone say
// whether there is an energy.
template <class M>
void run_energy(const holo_batch* batch) noexcept {
  run<M, graph::Derivative::value>(batch);
  constexpr bool is_interpreted = path_of<M, graph::Derivative::value>() == Path::interpreted_graph;
  std::unique_ptr<DoubleDoubleLanes<LaneBlock>[]> scratch;
  if constexpr (is_interpreted) scratch = accurate_scratch<M>();
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    double* energy = batch->output + block * LaneBlock::width;
    if (!is_interpreted || scratch != nullptr) {
      const LaneBlock plain = LaneBlock::load(energy), accurate = accurate_energy(input, scratch.get());
      select(isfinite(accurate) & isfinite(plain), accurate, plain).store(energy);
    }
    guard_domain(input, energy);
  }
}

template <class M>
void run_analytic_stress(const holo_batch* batch) noexcept {
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    const Matrix3<LaneBlock> P = M::first_piola_stress(input.deformation_gradient(), input.material_coefficients());
    for (int k = 0; k < 9; ++k) P[k].store(batch->output + (block * 9 + k) * LaneBlock::width);
  }
}

// Column by column, from the stress differential in each unit direction. Flattened: what depends on F alone is computed once.
template <class M>
__attribute__((flatten)) void run_analytic_hessian(const holo_batch* batch) noexcept {
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    const BlockInput<M> input(*batch, block);
    const Matrix3<LaneBlock> F = input.deformation_gradient();
    const auto c = input.material_coefficients();
    double* to = batch->output + block * upper_count_9 * LaneBlock::width;
    holo::detail::unroll<9>([&](auto column_constant) HOLO_INLINE_LAMBDA {
      constexpr int column = column_constant;
      Matrix3<LaneBlock> direction{};
      for (int k = 0; k < 9; ++k) direction[k] = LaneBlock(k == column ? 1.0 : 0.0);
      const Matrix3<LaneBlock> dP = M::first_piola_stress_differential(F, direction, c);
      for (int row = 0; row <= column; ++row) dP[row].store(to + upper_index<9>(row, column) * LaneBlock::width);
    });
  }
}

template <class Function, graph::Derivative derivative>
std::string count_operations() {
  return std::to_string(graph::Compiled<Function, derivative>::program.counts.operations).append(" operations");
}

// The graph that the operation of an energy of invariants or stretches runs.
constexpr graph::Derivative reduced_derivative(graph::Derivative derivative) {
  switch (derivative) {
    case graph::Derivative::hessian:
    case graph::Derivative::directional_hessian:
      return graph::Derivative::gradient_and_hessian;
    case graph::Derivative::third_order_contraction:
      return graph::Derivative::jacobian;
    default:
      return derivative;
  }
}

// "compile-time graph, 357 operations"
template <class M, graph::Derivative derivative>
const char* kernel_name() {
  static const std::string name = [] {
    constexpr Path path = path_of<M, derivative>();
    constexpr graph::Derivative reduced = reduced_derivative(derivative);
    if constexpr (path == Path::invariants) {
      return "compile-time graph of the invariants, " + count_operations<ReducedEnergy<M>, reduced>();
    } else if constexpr (path == Path::stretches) {
      return "compile-time graph of the principal stretches, " + count_operations<ReducedEnergy<M>, reduced>();
    } else if constexpr (path == Path::compiled_graph) {
      return "compile-time graph, " + count_operations<EnergyFunction<M>, derivative>();
    } else {
      const int operations = interpreted_energy<M, derivative>().counts().operations;
      return std::string("run-time graph, ").append(std::to_string(operations)).append(" operations");
    }
  }();
  return name.c_str();
}

template <class M>
std::string energy_formula() {
  constexpr int n = coefficient_count<M>();
  std::vector<std::string> names;
  if constexpr (HasInvariantEnergy<M, double>) {
    names = {"I1", "I2", "J"};
  } else if constexpr (HasStretchEnergy<M, double>) {
    names = {"s1", "s2", "s3"};
  } else {
    for (int k = 0; k < 9; ++k) names.push_back(std::string("F").append(std::to_string(k / 3)).append(std::to_string(k % 3)));
  }
  for (int k = 0; k < n; ++k) {
    if (coefficient_names_of<M>() != nullptr) {
      names.emplace_back(coefficient_names_of<M>()[k]);
    } else {
      names.push_back(std::string("c").append(std::to_string(k)));
    }
  }
  if constexpr (HasInvariantEnergy<M, double>) {
    return graph::formula<ReducedEnergy<M>>(names, "psi") + "with I1 = tr C, I2 = (I1^2 - tr C^2)/2, J = det F, C = F^T F\n";
  } else if constexpr (HasStretchEnergy<M, double>) {
    return graph::formula<ReducedEnergy<M>>(names, "psi") + "with the signed principal stretches s1, s2, s3 of F\n";
  } else {
    return graph::formula<EnergyFunction<M>>(names, "psi");
  }
}

}  // namespace holo::plugin
