#include "elastic/element/element_pass.h"

#include "elastic/element/lane_width.h"
#include "holo/core/numerics/parallel.h"
#include "holo/diff/lanes/lane_transposition.h"
#include "holo/sim/elastic/element_frame.h"
#include "holo/sim/elastic/positive_semidefinite.h"

namespace holo {
namespace {

// Edge vectors x_j - x_0 of a block's elements, [3 edges][3][lane].
HOLO_INLINE void gather_edges(const int* vertices, const double* x, LaneBlock (&edges)[3][3]) {
  alignas(HOLO_BLOCK_ALIGNMENT) double corner[4][3][W];
  for (int v = 0; v < 4; ++v)
    for (std::size_t lane = 0; lane < W; ++lane)
      for (int i = 0; i < 3; ++i) corner[v][i][lane] = x[3 * static_cast<std::ptrdiff_t>(vertices[v * W + lane]) + i];
  for (int i = 0; i < 3; ++i) {
    const LaneBlock origin = LaneBlock::load(corner[0][i]);
    for (int j = 0; j < 3; ++j) edges[j][i] = LaneBlock::load(corner[j + 1][i]) - origin;
  }
}

// [stencil_stride][lane] to [lane][stencil_stride].
void transpose_stencils(const double* from, double* to) {
  for (std::size_t first = 0; first < stencil_stride; first += W) {
    LaneBlock::Values rows[W];
    for (std::size_t r = 0; r < W; ++r) rows[r] = LaneBlock::load(from + (first + r) * W).values;
    store_transposed(rows, to + first, stencil_stride);
  }
}

// Indices in an element's stencil (ElasticPattern) of component (i, j) of the block of vertices u and v, the lower triangle
// only for u = v, and of component i of the gradient of vertex v.
constexpr int entry_of[4][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3}};
constexpr int block_row(int u, int v, int i, int j) {
  constexpr int triangle[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  return 9 * entry_of[u][v] + (u == v ? triangle[i][j] : u > v ? 3 * j + i : 3 * i + j);
}
struct StencilLayout {
  static constexpr int gradient(int v, int i) { return 9 * v + 6 + i; }
  static constexpr int hessian(int u, int i, int v, int j) { return block_row(u, v, i, j); }
};

// The gradients of the four vertices alone.
struct ForceLayout {
  static constexpr int gradient(int v, int i) { return 3 * v + i; }
};

QuadraturePoint<4> point_of(const ElasticModel& model, std::size_t block) {
  QuadraturePoint<4> point;
  point.weight = LaneBlock::load(model.volumes().data() + block * W);
  for (int v = 0; v < 3; ++v)
    for (int k = 0; k < 3; ++k)
      point.gradients[v][k] = LaneBlock::load(model.rest_inverses().data() + (block * 9 + 3 * v + k) * W);
  return point;
}

void clear_padding(double* rows) {
  for (std::size_t r = 90; r < stencil_stride; ++r) LaneBlock(0.0).store(rows + r * W);
}

// [stencil_stride][lane]. Not inlined, and entries go to memory as soon as they are known: held in registers until they are
// transposed, they would be spilled there and back, three times as slow.
__attribute__((noinline)) void stencil_rows(const ElasticModel& model, std::size_t block, const double* stress,
                                            const double* hessian, double* rows) {
  const QuadraturePoint<4> point = point_of(model, block);
  Matrix3<LaneBlock> P;
  for (int k = 0; k < 9; ++k) P[k] = LaneBlock::load(stress + k * W);
  add_node_gradients<4, StencilLayout>(P, point, rows);
  complete_gradient<4, StencilLayout>(rows);
  add_node_hessians<4, StencilLayout>(hessian, point, rows);
  complete_hessian<4, StencilLayout>(rows);
}

void resolve_singular(const ElasticModel& model, ElementOperation operation, const ElasticBody& body, std::size_t first_block,
                      const holo_batch& batch, SingularElementCounts* counts) {
  if (body.singular)
    body.singular->resolve(batch, body.material->coefficient_count, operation, model.packed_elements().data() + first_block * W,
                           body.first_element, counts);
}

}  // namespace

void deformation_gradients(const ElasticModel& model, const double* x, std::size_t first_block, std::size_t count, double* F) {
  for (std::size_t n = 0; n < count; ++n) {
    LaneBlock edges[3][3];
    gather_edges(model.packed_vertices().data() + (first_block + n) * 4 * W, x, edges);
    const Matrix3<LaneBlock> gradient = deformation_gradient<4>(edges, point_of(model, first_block + n).gradients);
    for (int k = 0; k < 9; ++k) gradient[k].store(F + (n * 9 + static_cast<std::size_t>(k)) * W);
  }
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

void element_forces(const ElasticModel& model, std::size_t block, const double* stress, double* forces) {
  Matrix3<LaneBlock> P;
  for (int k = 0; k < 9; ++k) P[k] = LaneBlock::load(stress + k * W);
  add_node_gradients<4, ForceLayout>(P, point_of(model, block), forces);
  complete_gradient<4, ForceLayout>(forces);
}

void add_element_forces(const ElasticModel& model, std::size_t block, const double* stress, double* gradient) {
  alignas(HOLO_BLOCK_ALIGNMENT) double rows[12 * W];
  element_forces(model, block, stress, rows);
  for (std::size_t lane = 0; lane < W; ++lane) {
    const std::size_t packed = block * W + lane;
    for (int v = 0; v < 4 && model.packed_elements()[packed] >= 0; ++v) {
      const std::size_t place = (block * 4 + static_cast<std::size_t>(v)) * W + lane;
      double* at = gradient + 3 * static_cast<std::ptrdiff_t>(model.packed_vertices()[place]);
      for (int i = 0; i < 3; ++i) at[i] += rows[(3 * v + i) * W + lane];
    }
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
  clear_padding(rows);
  transpose_stencils(rows, stencils);
}

void element_stencils_of_invariants(const ElasticModel& model, const ElasticBody& body, std::size_t block, const double* F,
                                    const double* slopes, double* stencils) {
  alignas(HOLO_BLOCK_ALIGNMENT) double rows[stencil_stride * W];
  invariant_kernel<4, StencilLayout, true>(body.material->invariant_slopes)(F, slopes, point_of(model, block), rows);
  clear_padding(rows);
  transpose_stencils(rows, stencils);
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
