#pragma once
// Operations on a few blocks of elements at a time: deformation gradients, the material's operations, and the elements'
// contributions to gradient and Hessian.

#include <algorithm>
#include <cstdint>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

constexpr std::size_t batch_blocks = 4;  // blocks that a material's operation gets at once: all that is done to them fits the
                                         // first cache, of 48 or 32 KB
constexpr std::size_t cluster_blocks = ElasticPattern::cluster_blocks;
constexpr std::size_t stencil_stride = 96;  // doubles from one linear element's stencil to the next: whole cache lines
constexpr std::size_t most_nodes = 10;      // of an element

// Scratch of one batch, on the stack.
struct ElementBatch {
  alignas(HOLO_BLOCK_ALIGNMENT) double deformation[batch_blocks * 9 * HOLO_LANE_WIDTH];
  alignas(HOLO_BLOCK_ALIGNMENT) double stress[batch_blocks * 9 * HOLO_LANE_WIDTH];
  alignas(HOLO_BLOCK_ALIGNMENT) double hessian[batch_blocks * 45 * HOLO_LANE_WIDTH];
  std::uint8_t projected[batch_blocks * HOLO_LANE_WIDTH];
};

// visit(body, first_block, count) for the batches of blocks [begin, end), none across two bodies. Between ends of clusters a
// batch of quadratic elements has all four points of each.
template <class Visit>
void for_each_batch(const ElasticModel& model, std::size_t begin, std::size_t end, const Visit& visit) {
  for (const ElasticBody& body : model.bodies()) {
    const std::size_t last = std::min(end, body.first_block + body.block_count);
    for (std::size_t block = std::max(begin, body.first_block); block < last; block += batch_blocks)
      visit(body, block, std::min(batch_blocks, last - block));
  }
}

// F = sum of x_a grad N_a of `count` blocks, [block][9][lane]. Also maps a displacement to its dF.
void deformation_gradients(const ElasticModel& model, const double* x, std::size_t first_block, std::size_t count, double* F);

// Elements that are marked at one of their points at least, padding apart: `marked` [block][lane] of `count` blocks, which are
// those of whole elements, as clusters and batches are.
int count_elements(const ElasticModel& model, std::size_t first_block, std::size_t count, const std::uint8_t* marked);

// The arguments of an operation of the body's material: `count` of its blocks from `first_block` of the model on, F
// [block][9][lane].
holo_batch batch_of(const ElasticBody& body, std::size_t first_block, std::size_t count, const double* F, double* output);

// Runs an operation of the body's material on blocks of it; elements at which it gives no finite numbers are resolved, and
// counted unless `counts` is null (singular_elements.h).
void run_operation(const ElasticModel& model, ElementOperation operation, const ElasticBody& body, std::size_t first_block,
                   std::size_t count, const double* F, double* output, SingularElementCounts* counts = nullptr);

// The Hessians of blocks of a body with their negative eigenvalues set to 0, by the material's own operation where it has one,
// else by project_hessians; `projected` and the return value are those of that function.
std::size_t run_projected_hessian(const ElasticModel& model, const ElasticBody& body, std::size_t first_block,
                                  std::size_t count, const double* F, double* output, std::uint8_t* projected,
                                  SingularElementCounts* counts = nullptr);

// The ten stencil entries (ElasticPattern) of each linear element of one block, [lane][stencil_stride], from stress [9][lane]
// and the upper half of the Hessian [45][lane] with respect to F.
void element_stencils(const ElasticModel& model, std::size_t block, const double* stress, const double* hessian,
                      double* stencils);

// The forces alone: V P grad N of the points of one block, [node][3][lane].
void element_forces(const ElementBlock& block, const double* stress, double* forces);

// gradient [3 * vertex] += V P grad N of the points of one block, from the stress P [9][lane].
void add_element_forces(const ElasticModel& model, std::size_t block, const double* stress, double* gradient);

// The slopes of the energy in the invariants (HOLO_MATERIAL_INVARIANT_SLOPES), [block][9][lane], of a body that has them. False
// where one is not finite: the other operations then tell what takes their place.
bool run_invariant_slopes(const ElasticBody& body, std::size_t first_block, std::size_t count, const double* F, double* output);

// The stencil entries of linear elements from these slopes and F [9][lane], without the Hessian with respect to F.
void element_stencils_of_invariants(const ElasticModel& model, const ElasticBody& body, std::size_t block, const double* F,
                                    const double* slopes, double* stencils);

// Sum of volume times energy density over blocks [begin, end) [J].
double elastic_energy(const ElasticModel& model, const double* x, std::size_t begin, std::size_t end);
double elastic_energy(const ElasticModel& model, const double* x);                           // of all, in parallel
double elastic_energy(const ElasticModel& model, const ElasticBody& body, const double* x);  // of one body, in parallel

}  // namespace holo
