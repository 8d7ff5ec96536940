// Products of the elements' Hessian with a displacement p, element by element: the forces of the stress differentials along
// dF = grad p, summed as those of the stress itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dynamics/elastic_term_pass.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/core/error.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/sim/dynamics/elastic_term.h"

namespace holo {
namespace {

// dP [9][lane] += H dF, with H [45][lane] the upper half by rows.
void add_hessian_product(const double* H, const double* dF, double* dP) {
  for (std::size_t i = 0, entry = 0; i < 9; ++i)
    for (std::size_t j = i; j < 9; ++j, ++entry) {
      const LaneBlock h = LaneBlock::load(H + entry * W);
      (LaneBlock::load(dP + i * W) + h * LaneBlock::load(dF + j * W)).store(dP + i * W);
      if (j > i) (LaneBlock::load(dP + j * W) + h * LaneBlock::load(dF + i * W)).store(dP + j * W);
    }
}

bool all_finite(const double* rows, std::size_t count) {
  LaneBlock::Mask finite = LaneBlock(0.0) == LaneBlock(0.0);
  for (std::size_t r = 0; r < count; ++r) finite = finite & isfinite(LaneBlock::load(rows + r * W));
  return all(finite);
}

}  // namespace

void ElasticTerm::require_products() const {
  for (const ElasticBody& body : model_->bodies())
    if (!body.stress_differential)
      throw Error(Failure::input, fmt::format("body '{}': products of the Hessian with a vector need the derivative of the "
                                              "stress along a direction, which differentiation.elements {} of the material "
                                              "'{}' does not have; it has it in: {}.",
                                              body.name, to_string(model_->differentiation()), body.material->name,
                                              fmt::join(modes_with_stress_differential(*body.material), ", ")));
}

// The forces of a cluster, batch by batch, into its partial sums of the diagonal entries, where gradients are.
void ElasticTerm::fill_products(const Pass& pass, std::size_t begin, std::size_t end) {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double dF[batch_blocks * 9 * W];
  alignas(HOLO_BLOCK_ALIGNMENT) double forces[3 * most_nodes * W];
  const ElasticPattern& pattern = model_->pattern();
  const std::size_t cluster = begin / cluster_blocks;
  std::fill(partials_.data() + pattern.cluster_begin[cluster] * 9, partials_.data() + pattern.cluster_begin[cluster + 1] * 9,
            0.0);
  for_each_batch(*model_, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
    deformation_gradients(*model_, pass.x, first, count, batch.deformation);
    deformation_gradients(*model_, pass.displacement, first, count, dF);
    find_stress_differential({body, first, count, batch.deformation}, dF, batch);
    for (std::size_t n = 0; n < count; ++n) {
      const ElementBlock block = model_->block(first + n);
      const auto nodes = static_cast<std::size_t>(block.nodes), entries = ElasticPattern::entries_of(block.nodes);
      element_forces(block, batch.stress + n * 9 * W, forces);
      for (std::size_t lane = 0; lane < W; ++lane)
        for (std::size_t v = 0; v < nodes; ++v) {
          const int sum = pattern.sum_of_entry[block.first_entry + lane * entries + v];
          double* at = partials_.data() + 9 * static_cast<std::size_t>(sum) + 6;
          for (std::size_t i = 0; i < 3; ++i) at[i] += forces[(3 * v + i) * W + lane];
        }
    }
  });
}

// Into batch.stress. Where the material's differential is not finite, at singular elements, it is the product with the Hessian
// that takes its place there.
void ElasticTerm::find_stress_differential(const ElementBlocks& blocks, const double* dF, ElementBatch& batch) const {
  const auto& [body, first, count, F] = blocks;
  holo_batch of_material = batch_of(body, first, count, F, batch.stress);
  of_material.direction1 = dF;
  body.stress_differential(&of_material);
  if (!all_finite(batch.stress, 9 * count)) {
    run_operation(*model_, ElementOperation::hessian, body, first, count, F, batch.hessian);
    std::fill_n(batch.stress, count * 9 * W, 0.0);
    for (std::size_t n = 0; n < count; ++n)
      add_hessian_product(batch.hessian + n * 45 * W, dF + n * 9 * W, batch.stress + n * 9 * W);
  }
  if (!has_further_energies(body)) return;
  std::fill_n(batch.hessian, count * 45 * W, 0.0);
  for (const auto& energy : energies_)
    if (energy->acts_on(body)) energy->add_hessian(blocks, batch.hessian);
  for (std::size_t n = 0; n < count; ++n)
    add_hessian_product(batch.hessian + n * 45 * W, dF + n * 9 * W, batch.stress + n * 9 * W);
}

}  // namespace holo
