#include "elastic/element_pass.h"

#include <utility>

#include "holo/core/parallel.h"
#include "holo/diff/lanes.h"
#include "holo/sim/positive_semidefinite.h"

namespace holo {
namespace {

constexpr int W = HOLO_LANE_WIDTH;
constexpr int upper(int i, int j) { return i <= j ? i * 9 - i * (i - 1) / 2 + (j - i) : upper(j, i); }

// Edge vectors x_j - x_0 of a block's elements, [3 edges][3][lane].
HOLO_INLINE void gather_edges(const int* vertices, const double* x, LaneBlock (&edges)[3][3]) {
  alignas(HOLO_BLOCK_ALIGNMENT) double corner[4][3][W];
  for (int v = 0; v < 4; ++v)
    for (int lane = 0; lane < W; ++lane)
      for (int i = 0; i < 3; ++i) corner[v][i][lane] = x[3 * static_cast<std::ptrdiff_t>(vertices[v * W + lane]) + i];
  for (int i = 0; i < 3; ++i) {
    const LaneBlock origin = LaneBlock::load(corner[0][i]);
    for (int j = 0; j < 3; ++j) edges[j][i] = LaneBlock::load(corner[j + 1][i]) - origin;
  }
}

// One stage of a transposition in registers: exchanges lanes with bit S unset of row r + S with lanes with bit S set of row r.
template <int S, int... lane>
HOLO_INLINE void exchange(LaneBlock::Values& a, LaneBlock::Values& b, std::integer_sequence<int, lane...>) {
  const LaneBlock::Values low = __builtin_shufflevector(a, b, ((lane & S) ? W + lane - S : lane)...);
  const LaneBlock::Values high = __builtin_shufflevector(a, b, ((lane & S) ? W + lane : lane + S)...);
  a = low;
  b = high;
}

template <int S>
HOLO_INLINE void transpose_stages(LaneBlock::Values* rows) {
  if constexpr (S < W) {
    for (int r = 0; r < W; ++r)
      if (!(r & S)) exchange<S>(rows[r], rows[r + S], std::make_integer_sequence<int, W>{});
    transpose_stages<2 * S>(rows);
  }
}

// [unit_stride][lane] to [lane][unit_stride].
void transpose_units(const double* from, double* to) {
  for (std::size_t first = 0; first < unit_stride; first += W) {
    LaneBlock::Values rows[W];
    for (std::size_t r = 0; r < W; ++r) rows[r] = LaneBlock::load(from + (first + r) * W).values;
    transpose_stages<1>(rows);
    for (int r = 0; r < W; ++r) LaneBlock::of(rows[r]).store(to + r * unit_stride + first);
  }
}

// Where a slot's units (ElasticPattern) hold entry (i, j) of the block of vertices u and v, the lower triangle alone for u = v,
// and entry i of the gradient of vertex v.
constexpr int unit_of[4][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3}};
constexpr int block_row(int u, int v, int i, int j) {
  constexpr int triangle[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  return 9 * unit_of[u][v] + (u == v ? triangle[i][j] : u > v ? 3 * j + i : 3 * i + j);
}
constexpr int gradient_row(int v, int i) { return 9 * v + 6 + i; }

// g_v[i] = V sum_k P_ik G_v[k].
HOLO_INLINE void gradient_rows(const LaneBlock& volume, const LaneBlock (&G)[3][3], const double* stress, double* rows) {
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    LaneBlock row[3], sum(0.0);
    for (int k = 0; k < 3; ++k) row[k] = volume * LaneBlock::load(stress + (3 * i + k) * W);
    for (int v = 0; v < 3; ++v) {
      const LaneBlock entry = row[0] * G[v][0] + row[1] * G[v][1] + row[2] * G[v][2];
      entry.store(rows + gradient_row(v + 1, i) * W);
      sum += entry;
    }
    (-sum).store(rows + gradient_row(0, i) * W);
  }
}

// K_uv[i][j] = V sum_kl G_u[k] H_ik,jl G_v[l] of vertices 1, 2, 3.
HOLO_INLINE void block_rows(const LaneBlock& volume, const LaneBlock (&G)[3][3], const double* hessian, double* rows) {
#pragma GCC unroll 3
  for (int v = 0; v < 3; ++v) {
    const LaneBlock scaled[3] = {volume * G[v][0], volume * G[v][1], volume * G[v][2]};
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
      LaneBlock column[9];  // H : (e_j x G_v) V
#pragma GCC unroll 9
      for (int ik = 0; ik < 9; ++ik) {
        column[ik] = LaneBlock::load(hessian + upper(ik, 3 * j) * W) * scaled[0];
        for (int l = 1; l < 3; ++l) column[ik] += LaneBlock::load(hessian + upper(ik, 3 * j + l) * W) * scaled[l];
      }
#pragma GCC unroll 9
      for (int ui = 3 * v; ui < 9; ++ui) {
        const int u = ui / 3, i = ui % 3;
        if (u == v && i < j) continue;
        const LaneBlock entry = column[3 * i] * G[u][0] + column[3 * i + 1] * G[u][1] + column[3 * i + 2] * G[u][2];
        entry.store(rows + block_row(u + 1, v + 1, i, j) * W);
      }
    }
  }
}

// K_u0 = -(K_u1 + K_u2 + K_u3), and so for K_00.
HOLO_INLINE void first_vertex_rows(double* rows) {
#pragma GCC unroll 9
  for (int ij = 0; ij < 9; ++ij) {
    const int i = ij / 3, j = ij % 3;
    LaneBlock corner(0.0);
#pragma GCC unroll 3
    for (int u = 1; u < 4; ++u) {
      LaneBlock sum = LaneBlock::load(rows + block_row(u, 1, i, j) * W);
      for (int v = 2; v < 4; ++v) sum += LaneBlock::load(rows + block_row(u, v, i, j) * W);
      (-sum).store(rows + block_row(u, 0, i, j) * W);
      corner += sum;
    }
    if (i >= j) corner.store(rows + block_row(0, 0, i, j) * W);
  }
}

// [unit_stride][lane]. Not inlined, and entries go to memory as soon as they are known: held in registers until they are
// transposed, they would be spilled there and back, three times as slow.
__attribute__((noinline)) void unit_rows(const ElasticModel& model, std::size_t block, const double* stress,
                                         const double* hessian, double* rows) {
  const LaneBlock volume = LaneBlock::load(model.volumes().data() + block * W);
  LaneBlock G[3][3];
  for (int v = 0; v < 3; ++v)
    for (int k = 0; k < 3; ++k) G[v][k] = LaneBlock::load(model.rest_inverses().data() + (block * 9 + 3 * v + k) * W);
  gradient_rows(volume, G, stress, rows);
  block_rows(volume, G, hessian, rows);
  first_vertex_rows(rows);
  for (std::size_t r = 90; r < unit_stride; ++r) LaneBlock(0.0).store(rows + r * W);
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

void resolve_singular(const ElasticModel& model, ElementOperation operation, const ElasticBody& body, std::size_t first_block,
                      const holo_batch& batch, SingularElementCounts* counts) {
  if (body.singular)
    body.singular->resolve(batch, body.material->coefficient_count, operation, model.slot_elements().data() + first_block * W,
                           body.first_element, counts);
}

}  // namespace

void deformation_gradients(const ElasticModel& model, const double* x, std::size_t first_block, std::size_t count, double* F) {
  for (std::size_t n = 0; n < count; ++n) {
    LaneBlock edges[3][3];
    gather_edges(model.slot_vertices().data() + (first_block + n) * 4 * W, x, edges);
    const double* inverse = model.rest_inverses().data() + (first_block + n) * 9 * W;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        LaneBlock sum = edges[0][i] * LaneBlock::load(inverse + k * W);
        for (int j = 1; j < 3; ++j) sum += edges[j][i] * LaneBlock::load(inverse + (3 * j + k) * W);
        sum.store(F + (n * 9 + 3 * i + k) * W);
      }
  }
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
    return project_positive_semidefinite(output, F, count, projected);
  }
  holo_batch batch = batch_of(body, first_block, count, F, output);
  batch.projected = projected;
  body.projected_hessian(&batch);
  SingularElementCounts found;
  resolve_singular(model, ElementOperation::hessian, body, first_block, batch, &found);
  if (found.total() > 0) {  // what takes the place of a Hessian that is not finite is not projected
    std::uint8_t late[batch_blocks * W];
    project_positive_semidefinite(output, F, count, late);
    for (std::size_t slot = 0; slot < count * W; ++slot) projected[slot] |= late[slot];
    if (counts) *counts += found;
  }
  return static_cast<std::size_t>(std::count(projected, projected + count * W, 1));
}

// With G_v = dF/dx_v, rows 1..3 of the inverse rest matrix and G_0 = -(G_1 + G_2 + G_3): what belongs to vertex 0 follows from
// the sum over all vertices being zero.
void element_units(const ElasticModel& model, std::size_t block, const double* stress, const double* hessian, double* units) {
  alignas(HOLO_BLOCK_ALIGNMENT) double rows[unit_stride * W];
  unit_rows(model, block, stress, hessian, rows);
  transpose_units(rows, units);
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
  return parallel_sum(model.block_count(), chunk_blocks,
                      [&work](std::size_t begin, std::size_t end) { return elastic_energy(work.model, work.x, begin, end); });
}

double elastic_energy(const ElasticModel& model, const ElasticBody& body, const double* x) {
  return parallel_sum(body.block_count, chunk_blocks, [&](std::size_t begin, std::size_t end) {
    return elastic_energy(model, x, body.first_block + begin, body.first_block + end);
  });
}

void deformation_gradients(const ElasticModel& model, const Eigen::VectorXd& positions, AlignedArray& result) {
  if (result.size() != model.block_count() * 9 * W) result = AlignedArray(model.block_count() * 9 * W);
  parallel_for(model.block_count(), chunk_blocks, [&](std::size_t begin, std::size_t end) {
    deformation_gradients(model, positions.data(), begin, end - begin, result.data() + begin * 9 * W);
  });
}

}  // namespace holo
