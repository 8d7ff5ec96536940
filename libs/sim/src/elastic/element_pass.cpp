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
void transpose_units(const LaneBlock* from, double* to) {
  for (std::size_t first = 0; first < unit_stride; first += W) {
    LaneBlock::Values rows[W];
    for (int r = 0; r < W; ++r) rows[r] = from[first + r].values;
    transpose_stages<1>(rows);
    for (int r = 0; r < W; ++r) LaneBlock::of(rows[r]).store(to + r * unit_stride + first);
  }
}

// A vertex's unit: the lower triangle of its diagonal block by columns, then its gradient.
HOLO_INLINE void diagonal_unit(const LaneBlock (&block)[3][3], const LaneBlock (&gradient)[3], LaneBlock* unit) {
  unit[0] = block[0][0], unit[1] = block[1][0], unit[2] = block[2][0];
  unit[3] = block[1][1], unit[4] = block[2][1], unit[5] = block[2][2];
  for (int i = 0; i < 3; ++i) unit[6 + i] = gradient[i];
}

HOLO_INLINE void off_diagonal_unit(const LaneBlock (&block)[3][3], LaneBlock* unit) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) unit[3 * j + i] = block[i][j];
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

// With G_v = dF/dx_v, rows 1..3 of the inverse rest matrix and G_0 = -(G_1 + G_2 + G_3):
//   gradient of vertex v, g_v[i] = V sum_k P_ik G_v[k];   block K_uv[i][j] = V sum_kl G_u[k] H_ik,jl G_v[l].
// What belongs to vertex 0 follows from the sum over all vertices being zero.
void element_units(const ElasticModel& model, std::size_t block, const double* stress, const double* hessian, double* units) {
  const LaneBlock volume = LaneBlock::load(model.volumes().data() + block * W);
  LaneBlock G[3][3], rows[unit_stride];
  for (int v = 0; v < 3; ++v)
    for (int k = 0; k < 3; ++k) G[v][k] = LaneBlock::load(model.rest_inverses().data() + (block * 9 + 3 * v + k) * W);

  LaneBlock gradient[4][3];
  for (int i = 0; i < 3; ++i) {
    for (int v = 0; v < 3; ++v) {
      LaneBlock sum = LaneBlock::load(stress + 3 * i * W) * G[v][0];
      for (int k = 1; k < 3; ++k) sum += LaneBlock::load(stress + (3 * i + k) * W) * G[v][k];
      gradient[v + 1][i] = volume * sum;
    }
    gradient[0][i] = -(gradient[1][i] + gradient[2][i] + gradient[3][i]);
  }

  LaneBlock blocks[3][3][3][3];  // K_uv of vertices 1..3, u >= v
  for (int v = 0; v < 3; ++v)
    for (int j = 0; j < 3; ++j) {
      LaneBlock column[9];  // H : (e_j x G_v) V
      const LaneBlock scaled[3] = {volume * G[v][0], volume * G[v][1], volume * G[v][2]};
#pragma GCC unroll 9
      for (int ik = 0; ik < 9; ++ik) {
        column[ik] = LaneBlock::load(hessian + upper(ik, 3 * j) * W) * scaled[0];
        for (int l = 1; l < 3; ++l) column[ik] += LaneBlock::load(hessian + upper(ik, 3 * j + l) * W) * scaled[l];
      }
      for (int u = v; u < 3; ++u)
        for (int i = 0; i < 3; ++i)
          blocks[u][v][i][j] = column[3 * i] * G[u][0] + column[3 * i + 1] * G[u][1] + column[3 * i + 2] * G[u][2];
    }

  LaneBlock first[3][3][3], corner[3][3];  // K_u0 and K_00
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      for (int u = 0; u < 3; ++u) {
        LaneBlock sum = blocks[u][u][i][j];
        for (int v = 0; v < 3; ++v)
          if (v != u) sum += v < u ? blocks[u][v][i][j] : blocks[v][u][j][i];
        first[u][i][j] = -sum;
      }
      corner[i][j] = -(first[0][i][j] + first[1][i][j] + first[2][i][j]);
    }

  diagonal_unit(corner, gradient[0], rows);
  for (int v = 0; v < 3; ++v) diagonal_unit(blocks[v][v], gradient[v + 1], rows + 9 * (v + 1));
  for (int u = 0; u < 3; ++u) off_diagonal_unit(first[u], rows + 9 * (4 + u));
  off_diagonal_unit(blocks[1][0], rows + 9 * 7);
  off_diagonal_unit(blocks[2][0], rows + 9 * 8);
  off_diagonal_unit(blocks[2][1], rows + 9 * 9);
  for (std::size_t r = 90; r < unit_stride; ++r) rows[r] = LaneBlock(0.0);
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
