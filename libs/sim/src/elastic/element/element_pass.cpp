#include "elastic/element/element_pass.h"

#include "elastic/element/element_nodes.h"
#include "elastic/element/lane_width.h"
#include "elastic/element/transposed_stencils.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/elastic/positive_semidefinite.h"

namespace holo {
namespace {

// Edge vectors x_j - x_0 of a block's elements.
template <int nodes>
HOLO_INLINE void gather_edges(const int* vertices, const double* x, LaneBlock (&edges)[nodes - 1][3]) {
  alignas(HOLO_BLOCK_ALIGNMENT) double corner[nodes][3][W];
  for (int v = 0; v < nodes; ++v)
    for (std::size_t lane = 0; lane < W; ++lane)
      for (int i = 0; i < 3; ++i) corner[v][i][lane] = x[3 * static_cast<std::ptrdiff_t>(vertices[v * W + lane]) + i];
  for (int i = 0; i < 3; ++i) {
    const LaneBlock origin = LaneBlock::load(corner[0][i]);
    for (int j = 0; j < nodes - 1; ++j) edges[j][i] = LaneBlock::load(corner[j + 1][i]) - origin;
  }
}

template <int nodes>
HOLO_INLINE void store_gradient(const ElementBlock& block, const LaneBlock (&edges)[nodes - 1][3], double* F) {
  const Matrix3<LaneBlock> gradient = deformation_gradient<nodes>(edges, point_of<nodes>(block).gradients);
  for (int k = 0; k < 9; ++k) gradient[k].store(F + k * W);
}

// Of the quadratic blocks in a row from `first_block` on, at most `count`; returns how many these are. Points of the same
// elements share what was gathered.
__attribute__((noinline)) std::size_t quadratic_gradients(const ElasticModel& model, const double* x, std::size_t first_block,
                                                          std::size_t count, double* F) {
  LaneBlock edges[9][3];
  const int* gathered = nullptr;
  for (std::size_t n = 0; n < count; ++n) {
    const ElementBlock block = model.block(first_block + n);
    if (block.nodes == 4) return n;
    if (block.vertices != gathered) gather_edges<10>(block.vertices, x, edges);
    gathered = block.vertices;
    store_gradient<10>(block, edges, F + n * 9 * W);
  }
  return count;
}

template <int nodes>
void forces_of(const ElementBlock& block, const double* stress, double* forces) {
  Matrix3<LaneBlock> P;
  for (int k = 0; k < 9; ++k) P[k] = LaneBlock::load(stress + k * W);
  add_node_gradients<nodes, ForceLayout>(P, point_of<nodes>(block), forces);
  complete_gradient<nodes, ForceLayout>(forces);
}

// [stencil_stride][lane]. Not inlined, and entries go to memory as soon as they are known: held in registers until they are
// transposed, they would be spilled there and back, three times as slow.
__attribute__((noinline)) void stencil_rows(const ElasticModel& model, std::size_t block, const double* stress,
                                            const double* hessian, double* rows) {
  const QuadraturePoint<4> point = point_of<4>(model.block(block));
  Matrix3<LaneBlock> P;
  for (int k = 0; k < 9; ++k) P[k] = LaneBlock::load(stress + k * W);
  add_node_gradients<4, StencilLayout<4>>(P, point, rows);
  complete_gradient<4, StencilLayout<4>>(rows);
  add_node_hessians<4, StencilLayout<4>>(hessian, point, rows);
  complete_hessian<4, StencilLayout<4>>(rows);
}

void resolve_singular(const ElasticModel& model, ElementOperation operation, const ElasticBody& body, std::size_t first_block,
                      const holo_batch& batch, SingularElementCounts* counts) {
  if (body.singular)
    body.singular->resolve(batch, body.material->coefficient_count, operation, model.packed_elements().data() + first_block * W,
                           body.first_element, counts);
}

}  // namespace

void deformation_gradients(const ElasticModel& model, const double* x, std::size_t first_block, std::size_t count, double* F) {
  for (std::size_t n = 0; n < count;) {
    const ElementBlock block = model.block(first_block + n);
    if (block.nodes != 4) {
      n += quadratic_gradients(model, x, first_block + n, count - n, F + n * 9 * W);
      continue;
    }
    LaneBlock edges[3][3];
    gather_edges<4>(block.vertices, x, edges);
    store_gradient<4>(block, edges, F + n * 9 * W);
    ++n;
  }
}

int count_elements(const ElasticModel& model, std::size_t first_block, std::size_t count, const std::uint8_t* marked) {
  int total = 0;
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin + 1; end < count && model.block(first_block + end).vertices == model.block(first_block + begin).vertices;)
      ++end;
    for (std::size_t lane = 0; lane < W; ++lane) {
      bool any_point = false;
      for (std::size_t n = begin; n < end; ++n) any_point = any_point || marked[n * W + lane] != 0;
      total += any_point && model.packed_elements()[(first_block + begin) * W + lane] >= 0;
    }
  }
  return total;
}

holo_batch batch_of(const ElasticBody& body, std::size_t first_block, std::size_t count, const double* F, double* output) {
  holo_batch batch{};
  batch.size = sizeof(holo_batch);
  batch.block_count = count;
  batch.deformation_gradient = F;
  batch.coefficients = body.coefficients.data() + (first_block - body.first_block) * body.coefficient_stride;
  batch.coefficient_stride = body.coefficient_stride;
  batch.output = output;
  return batch;
}

void run_operation(const ElasticModel& model, ElementOperation operation, const ElasticBody& body, std::size_t first_block,
                   std::size_t count, const double* F, double* output, SingularElementCounts* counts) {
  const holo_batch batch = batch_of(body, first_block, count, F, output);
  body.operation(operation)(&batch);
  resolve_singular(model, operation, body, first_block, batch, counts);
}

std::size_t run_projected_hessian(const ElasticModel& model, const ElasticBody& body, std::size_t first_block,
                                  std::size_t count, const double* F, double* output, std::uint8_t* projected,
                                  SingularElementCounts* counts) {
  if (!body.projected_hessian) {
    run_operation(model, ElementOperation::hessian, body, first_block, count, F, output, counts);
    return project_hessians(output, F, count, projected);
  }
  holo_batch batch = batch_of(body, first_block, count, F, output);
  batch.projected = projected;
  body.projected_hessian(&batch);
  SingularElementCounts found;
  resolve_singular(model, ElementOperation::hessian, body, first_block, batch, &found);
  if (found.total() > 0) {  // what takes the place of a Hessian that is not finite is not projected
    std::uint8_t late[batch_blocks * W];
    project_hessians(output, F, count, late);
    for (std::size_t packed = 0; packed < count * W; ++packed) projected[packed] |= late[packed];
    if (counts) *counts += found;
  }
  return static_cast<std::size_t>(std::count(projected, projected + count * W, 1));
}

void element_forces(const ElementBlock& block, const double* stress, double* forces) {
  if (block.nodes == 4)
    forces_of<4>(block, stress, forces);
  else
    forces_of<10>(block, stress, forces);
}

void add_element_forces(const ElasticModel& model, std::size_t number, const double* stress, double* gradient) {
  alignas(HOLO_BLOCK_ALIGNMENT) double rows[3 * most_nodes * W];
  const ElementBlock block = model.block(number);
  element_forces(block, stress, rows);
  for (std::size_t lane = 0; lane < W; ++lane)
    for (int v = 0; v < block.nodes && model.packed_elements()[number * W + lane] >= 0; ++v) {
      double* at = gradient + 3 * static_cast<std::ptrdiff_t>(block.vertices[static_cast<std::size_t>(v) * W + lane]);
      for (int i = 0; i < 3; ++i) at[i] += rows[(3 * v + i) * W + lane];
    }
}

bool run_invariant_slopes(const ElasticBody& body, std::size_t first_block, std::size_t count, const double* F,
                          double* output) {
  const holo_batch batch = batch_of(body, first_block, count, F, output);
  body.invariant_slopes(&batch);
  LaneBlock::Mask finite = LaneBlock(0.0) == LaneBlock(0.0);
  for (std::size_t r = 0; r < count * 9; ++r) finite = finite & isfinite(LaneBlock::load(output + r * W));
  return all(finite);
}

void element_stencils(const ElasticModel& model, std::size_t block, const double* stress, const double* hessian,
                      double* stencils) {
  alignas(HOLO_BLOCK_ALIGNMENT) double rows[stencil_stride * W];
  stencil_rows(model, block, stress, hessian, rows);
  store_transposed_stencils<4>(rows, stencils);
}

void element_stencils_of_invariants(const ElasticModel& model, const ElasticBody& body, std::size_t block, const double* F,
                                    const double* slopes, double* stencils) {
  alignas(HOLO_BLOCK_ALIGNMENT) double rows[stencil_stride * W];
  invariant_kernel<4, StencilLayout<4>, true>(body.material->invariant_slopes)(F, slopes, point_of<4>(model.block(block)),
                                                                               rows);
  store_transposed_stencils<4>(rows, stencils);
}

double elastic_energy(const ElasticModel& model, const double* x, std::size_t begin, std::size_t end) {
  ElementBatch batch;
  LaneBlock total(0.0);
  for_each_batch(model, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
    deformation_gradients(model, x, first, count, batch.deformation);
    run_operation(model, ElementOperation::energy, body, first, count, batch.deformation, batch.stress);
    for (std::size_t n = 0; n < count; ++n)
      total += LaneBlock::load(model.volumes().data() + (first + n) * W) * LaneBlock::load(batch.stress + n * W);
  });
  return sum(total);
}

double elastic_energy(const ElasticModel& model, const double* x) {
  struct Work {
    const ElasticModel& model;
    const double* x;
  } work{model, x};  // one reference to capture: the function object then needs no memory of its own
  return parallel_sum(model.block_count(), cluster_blocks,
                      [&work](std::size_t begin, std::size_t end) { return elastic_energy(work.model, work.x, begin, end); });
}

double elastic_energy(const ElasticModel& model, const ElasticBody& body, const double* x) {
  return parallel_sum(body.block_count, cluster_blocks, [&](std::size_t begin, std::size_t end) {
    return elastic_energy(model, x, body.first_block + begin, body.first_block + end);
  });
}

}  // namespace holo
