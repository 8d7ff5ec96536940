#pragma once
// The batched operations of a material, made from its energy: compiled graphs where the compiler can trace the energy, else the
// interpreted graph; and its hand-written stress and stress differential, over lanes as they stand.

#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "holo/core/abi.h"
#include "holo/diff/graph/emit.h"
#include "holo/diff/graph/formula.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/lanes.h"
#include "holo/diff/tetrahedron_chain.h"
#include "holo/plugin/detail/material_traits.h"

namespace holo::plugin {

// The energy as a function of the entries of F, with the coefficients as parameters.
template <class M>
struct EnergyFunction {
  static constexpr int input_count = 9;
  static constexpr int parameter_count = coefficient_count<M>();
  static constexpr int output_count = 1;
  static constexpr int graph_capacity = [] {
    if constexpr (requires { M::graph_capacity; }) {
      return M::graph_capacity;
    } else {
      return graph::default_graph_capacity;
    }
  }();

  template <class S>
  static constexpr void evaluate(const S* F, const S* coefficients, S* energy) {
    energy[0] = M::energy_density(Matrix3<S>{F[0], F[1], F[2], F[3], F[4], F[5], F[6], F[7], F[8]},
                                  coefficients_of<M, S>(coefficients));
  }
};

// One block of a batch. Leaves of a graph: F, coefficients, first and second direction.
template <class M>
struct BlockInput {
  static constexpr int n = coefficient_count<M>(), width = LaneBlock::width;
  const double *F, *coefficients, *direction1, *direction2;

  BlockInput(const holo_batch& batch, std::uint64_t block)
      : F(batch.deformation_gradient + block * 9 * width),
        coefficients(batch.coefficients + block * batch.coefficient_stride),
        direction1(batch.direction1 == nullptr ? nullptr : batch.direction1 + block * 9 * width),
        direction2(batch.direction2 == nullptr ? nullptr : batch.direction2 + block * 9 * width) {}

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

template <class M, graph::Derivative derivative>
void run(const holo_batch* batch) noexcept {
  using Source = CompiledEnergy<M, derivative>;
  if constexpr (Source::compiled) {
    constexpr std::uint64_t entries = Source::program.output_count;
    for (std::uint64_t block = 0; block < batch->block_count; ++block) {
      const BlockInput<M> input(*batch, block);
      BlockOutput output{batch->output + block * entries * LaneBlock::width};
      graph::emit<Source, LaneBlock>(input, output);
    }
  } else {
    run_interpreted_or_nan<M, derivative>(*batch);
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

// "compile-time graph, 357 operations"
template <class M, graph::Derivative derivative>
const char* kernel_name() {
  static const std::string name = [] {
    using Source = CompiledEnergy<M, derivative>;
    if constexpr (Source::compiled) {
      return std::string("compile-time graph, ")
          .append(std::to_string(Source::program.counts.operations))
          .append(" operations");
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
  for (int k = 0; k < 9; ++k) names.push_back(std::string("F").append(std::to_string(k / 3)).append(std::to_string(k % 3)));
  for (int k = 0; k < n; ++k) {
    if (coefficient_names_of<M>() != nullptr) {
      names.emplace_back(coefficient_names_of<M>()[k]);
    } else {
      names.push_back(std::string("c").append(std::to_string(k)));
    }
  }
  return graph::formula<EnergyFunction<M>>(names, "psi");
}

}  // namespace holo::plugin
