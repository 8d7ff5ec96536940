// Gradient and Hessian of the elements' energy.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "dynamics/directional_hessian.h"
#include "dynamics/elastic_term_pass.h"
#include "elastic/element/element_nodes.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "elastic/element/quadratic_stencils.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/elastic/positive_semidefinite.h"

namespace holo {
namespace {

constexpr std::size_t vertices_per_task = 128;

// Three columns of three, each in a register of four: sums kept in memory would be written by one and read by two, for which a
// processor waits.
struct ColumnSums {
  typedef double Four __attribute__((vector_size(4 * sizeof(double))));
  Four columns[3];

  void add(const double* nine) {  // reads one double beyond
    for (int j = 0; j < 3; ++j) {
      Four column;
      std::memcpy(&column, nine + 3 * j, sizeof(column));
      columns[j] += column;
    }
  }
};

// Adds the stencils of one block of elements to their partial sums.
template <int nodes>
void add_stencils(const double* stencils, const int* sum_of_entry, double* partials) {
  for (std::size_t lane = 0; lane < W; ++lane, stencils += stencil_stride_of(nodes))
    for (std::size_t entry = 0; entry < ElasticPattern::entries_of(nodes); ++entry) {
      double* sum = partials + 9 * static_cast<std::size_t>(*sum_of_entry++);
      for (std::size_t k = 0; k < 9; ++k) sum[k] += stencils[9 * entry + k];
    }
}

}  // namespace

void ElasticTerm::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  sweep({x.data(), Curvature::exact, nullptr, gradient.data(), nullptr});
}

void ElasticTerm::add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) {
  ignored_gradient_.setZero(x.size());
  add_derivatives(x, curvature, ignored_gradient_, assembler);
}

void ElasticTerm::add_derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                  BlockAssembler& assembler) {
  sweep({x.data(), curvature, &assembler, gradient.data(), assembler.take_fixed_values()});
  projected_elements_ =
      std::max(projected_elements_, std::accumulate(projected_in_cluster_.begin(), projected_in_cluster_.end(), 0));
  for (const SingularElementCounts& counts : singular_in_cluster_) singular_counts_ += counts;
}

void ElasticTerm::add_gradient_and_diagonal(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                            std::vector<double>& diagonal) {
  sweep({x.data(), curvature, nullptr, gradient.data(), nullptr, nullptr, diagonal.data()});
  for (const SingularElementCounts& counts : singular_in_cluster_) singular_counts_ += counts;
}

void ElasticTerm::add_product(const Eigen::VectorXd& x, const Eigen::VectorXd& direction, Eigen::VectorXd& product) {
  sweep({x.data(), Curvature::exact, nullptr, product.data(), nullptr, nullptr, nullptr, direction.data()});
}

std::vector<double> ElasticTerm::contracted_third_derivative(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  std::vector<double> values(static_cast<std::size_t>(model_->pattern().matrix.nonZeros()));
  ignored_gradient_.setZero(x.size());
  sweep({x.data(), Curvature::exact, nullptr, ignored_gradient_.data(), values.data(), y.data()});
  return values;
}

// Two parallel loops: clusters of elements fill their own partial sums, then the columns of the matrix gather them. No thread
// writes what another one reads within a loop, and every sum has a fixed order.
void ElasticTerm::sweep(const Pass& pass) {
  struct Work {
    ElasticTerm& term;
    const Pass& pass;
  } work{*this, pass};
  parallel_for(model_->block_count(), cluster_blocks, [&work](std::size_t begin, std::size_t end) {
    if (work.pass.displacement)
      work.term.fill_products(work.pass, begin, end);
    else
      work.term.fill_partials(work.pass, begin, end);
  });
  parallel_for(model_->masses().size(), vertices_per_task, [&work](std::size_t begin, std::size_t end) {
    for (std::size_t vertex = begin; vertex < end; ++vertex) work.term.sum_column(work.pass, vertex);
  });
}

// The stencils of a cluster, batch by batch, into its partial sums.
void ElasticTerm::fill_partials(const Pass& pass, std::size_t begin, std::size_t end) {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double stencils[W * stencil_stride];
  const ElasticPattern& pattern = model_->pattern();
  const std::size_t cluster = begin / cluster_blocks;
  std::fill(partials_.data() + pattern.cluster_begin[cluster] * 9, partials_.data() + pattern.cluster_begin[cluster + 1] * 9,
            0.0);
  int projected = 0;
  SingularElementCounts singular;
  for_each_batch(*model_, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
    const ElementBlocks blocks{body, first, count, batch.deformation};
    deformation_gradients(*model_, pass.x, first, count, batch.deformation);
    const auto add_stencils_of = [&](std::size_t block) {
      add_stencils<4>(stencils, pattern.sum_of_entry.data() + model_->block(block).first_entry, partials_.data());
    };
    // The short way: an exact Hessian of an energy of invariants alone needs no matrix in F.
    if (pass.has_hessian() && !pass.direction && pass.curvature == Curvature::exact && body.invariant_slopes &&
        body.points == 1 && !has_further_energies(body) &&
        run_invariant_slopes(body, first, count, batch.deformation, batch.stress)) {
      for (std::size_t n = 0; n < count; ++n) {
        element_stencils_of_invariants(*model_, body, first + n, batch.deformation + n * 9 * W, batch.stress + n * 9 * W,
                                       stencils);
        add_stencils_of(first + n);
      }
      return;
    }
    if (pass.direction)
      find_directional_hessian(pass, blocks, batch);
    else
      find_stress_and_hessian(pass, blocks, batch, projected, singular);
    if (body.points > 1) return add_quadratic_stencils(first, count, batch);
    for (std::size_t n = 0; n < count; ++n) {
      element_stencils(*model_, first + n, batch.stress + n * 9 * W, batch.hessian + n * 45 * W, stencils);
      add_stencils_of(first + n);
    }
  });
  projected_in_cluster_[cluster] = projected;
  singular_in_cluster_[cluster] = singular;
}

void ElasticTerm::add_quadratic_stencils(std::size_t first_block, std::size_t count, const ElementBatch& batch) {
  alignas(HOLO_BLOCK_ALIGNMENT) double stencils[W * stencil_stride_of(10)];
  const ElasticPattern& pattern = model_->pattern();
  for (std::size_t n = 0; n < count; n += 4) {
    quadratic_stencils(*model_, first_block + n, batch.stress + n * 9 * W, batch.hessian + n * 45 * W, stencils);
    add_stencils<10>(stencils, pattern.sum_of_entry.data() + model_->block(first_block + n).first_entry, partials_.data());
  }
}

// Stress and Hessian with respect to F. Energies that are not convex are added before the projection, convex ones after it.
void ElasticTerm::find_stress_and_hessian(const Pass& pass, const ElementBlocks& blocks, ElementBatch& batch, int& projected,
                                          SingularElementCounts& singular) const {
  const auto& [body, first, count, F] = blocks;
  run_operation(*model_, ElementOperation::stress, body, first, count, F, batch.stress);
  bool joined = false;  // another energy is projected with the material's
  for (const auto& energy : energies_) {
    if (!energy->acts_on(body)) continue;
    energy->add_stress(blocks, batch.stress);
    joined |= !energy->is_convex();
  }
  if (!pass.has_hessian()) {
    std::fill_n(batch.hessian, count * 45 * W, 0.0);
    return;
  }
  const auto add_hessians = [&](bool convex) {
    for (const auto& energy : energies_)
      if (energy->acts_on(blocks.body) && energy->is_convex() == convex) energy->add_hessian(blocks, batch.hessian);
  };
  std::size_t found = 0;
  if (pass.curvature == Curvature::projected && !joined) {
    found = run_projected_hessian(*model_, body, first, count, F, batch.hessian, batch.projected, &singular);
  } else {
    run_operation(*model_, ElementOperation::hessian, body, first, count, F, batch.hessian, &singular);
    if (joined) add_hessians(false);
    if (pass.curvature == Curvature::projected) found = project_hessians(batch.hessian, F, count, batch.projected);
  }
  if (found > 0) projected += count_elements(*model_, first, count, batch.projected);
  add_hessians(true);
}

// The derivative of the Hessian with respect to F along the direction, and no stress.
void ElasticTerm::find_directional_hessian(const Pass& pass, const ElementBlocks& blocks, ElementBatch& batch) const {
  alignas(HOLO_BLOCK_ALIGNMENT) double dF[batch_blocks * 9 * W];
  deformation_gradients(*model_, pass.direction, blocks.first_block, blocks.count, dF);
  std::fill_n(batch.stress, blocks.count * 9 * W, 0.0);
  run_directional_hessian(blocks, dF, batch.hessian);
  for (const auto& energy : energies_)
    if (energy->acts_on(blocks.body)) energy->add_directional_hessian(blocks, dF, batch.hessian);
}

// The three columns of a vertex, and its gradient: each matrix entry is the sum of its partial sums. Without `values` the
// diagonal entry alone, which has the gradient. Entries of eliminated rows and columns become 0.
void ElasticTerm::sum_column(const Pass& pass, std::size_t vertex) const {
  const ElasticPattern& pattern = model_->pattern();
  const int* outer = pattern.matrix.outerIndexPtr() + 3 * vertex;
  const auto eliminated = [&](std::size_t v) { return pass.assembler && pass.assembler->is_eliminated(static_cast<int>(v)); };
  const bool fixed = eliminated(vertex);
  const int begin = pattern.entry_begin[vertex], end = pass.values ? pattern.entry_begin[vertex + 1] : begin + 1;
  double* columns[3] = {};
  for (int j = 0; pass.values && j < 3; ++j) columns[j] = pass.values + outer[j];
  for (int entry = begin; entry < end; ++entry) {
    const auto row = static_cast<std::size_t>(pattern.entry_row[entry]);
    ColumnSums sums{};
    if (!(fixed || eliminated(row)))
      for (int partial = pattern.partial_begin[entry]; partial < pattern.partial_begin[entry + 1]; ++partial) {
        const double* ahead =
            partials_.data() + 9 * static_cast<std::size_t>(pattern.partials[partial + ElasticPattern::read_ahead]);
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + 8);
        sums.add(partials_.data() + 9 * static_cast<std::size_t>(pattern.partials[partial]));
      }
    if (row != vertex) {
      for (int j = 0; j < 3; ++j, columns[j - 1] += 3) std::memcpy(columns[j], &sums.columns[j], 3 * sizeof(double));
      continue;
    }
    // The diagonal entry: its lower triangle by columns, then the gradient.
    const double block[9] = {sums.columns[0][0], sums.columns[0][1], sums.columns[0][2], sums.columns[1][0], sums.columns[1][1],
                             sums.columns[1][2], sums.columns[2][0], sums.columns[2][1], sums.columns[2][2]};
    for (int i = 0; i < 3; ++i) pass.gradient[3 * vertex + static_cast<std::size_t>(i)] += block[6 + i];
    if (pass.diagonal)
      for (std::size_t k = 0; k < 6; ++k) pass.diagonal[6 * vertex + k] += block[k];
    for (int j = 0, k = 0; pass.values && j < 3; ++j)
      for (int i = j; i < 3; ++i, ++k) *columns[j]++ = block[k];
  }
}

}  // namespace holo
