// Gradient and Hessian of the incremental potential. Every element writes what it adds to a place of its own; then every place
// of the matrix sums its contributions in a fixed order. No thread waits for another, and the sums do not depend on who
// computed what.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "elastic/element/element_damping.h"
#include "elastic/element/element_pass.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;
constexpr std::size_t chunk_vertices = 128;

int count_projected(const ElasticModel& model, std::size_t first_block, std::size_t count, const std::uint8_t* projected) {
  int total = 0;
  for (std::size_t slot = 0; slot < count * W; ++slot)
    total += projected[slot] && model.slot_elements()[first_block * W + slot] >= 0;
  return total;
}

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

// Adds the units of one block's slots to their partial sums.
void add_units(const double* units, const int* unit_partials, double* partials) {
  for (std::size_t lane = 0; lane < W; ++lane, units += unit_stride)
    for (std::size_t unit = 0; unit < 10; ++unit) {
      double* sum = partials + 9 * static_cast<std::size_t>(*unit_partials++);
      for (std::size_t k = 0; k < 9; ++k) sum[k] += units[9 * unit + k];
    }
}

}  // namespace

void IncrementalPotential::assemble(const Eigen::VectorXd& x, bool eliminate, Eigen::VectorXd& gradient,
                                    SparseMatrix& hessian) {
  if (hessian.nonZeros() != model_->pattern().matrix.nonZeros()) hessian = model_->pattern().matrix;
  if (gradient.size() != x.size()) gradient.resize(x.size());
  struct Work {
    IncrementalPotential& potential;
    const double* x;
    bool eliminate;
    double *gradient, *values;
  } work{*this, x.data(), eliminate, gradient.data(), hessian.valuePtr()};
  parallel_for(model_->block_count(), chunk_blocks,
               [&work](std::size_t begin, std::size_t end) { work.potential.fill_partials(work.x, begin, end); });
  projected_elements_ =
      std::max(projected_elements_, std::accumulate(projected_in_chunk_.begin(), projected_in_chunk_.end(), 0));
  for (const SingularElementCounts& counts : singular_in_chunk_) singular_counts_ += counts;
  parallel_for(prescribed_.size(), chunk_vertices, [&work](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      work.potential.sum_column(n, work.x, work.eliminate, work.gradient + 3 * n, work.values);
    }
  });
}

void IncrementalPotential::fill_partials(const double* x, std::size_t begin, std::size_t end) {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double units[W * unit_stride];
  const ElasticPattern& pattern = model_->pattern();
  const std::size_t chunk = begin / chunk_blocks;
  std::fill(partials_.data() + pattern.chunk_partials[chunk] * 9, partials_.data() + pattern.chunk_partials[chunk + 1] * 9,
            0.0);
  int projected = 0;
  SingularElementCounts singular;
  for_each_batch(*model_, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
    deformation_gradients(*model_, x, first, count, batch.deformation);
    const auto add_units_of = [&](std::size_t block) {
      add_units(units, pattern.unit_partials.data() + block * W * 10, partials_.data());
    };
    if (!projection_ && body.invariant_slopes && run_invariant_slopes(body, first, count, batch.deformation, batch.stress)) {
      for (std::size_t n = 0; n < count; ++n) {
        element_units_of_invariants(*model_, body, first + n, batch.deformation + n * 9 * W, batch.stress + n * 9 * W, units);
        add_units_of(first + n);
      }
      return;
    }
    run_operation(*model_, ElementOperation::stress, body, first, count, batch.deformation, batch.stress);
    if (!projection_)
      run_operation(*model_, ElementOperation::hessian, body, first, count, batch.deformation, batch.hessian, &singular);
    else if (run_projected_hessian(*model_, body, first, count, batch.deformation, batch.hessian, batch.projected, &singular))
      projected += count_projected(*model_, first, count, batch.projected);
    if (body.stiffness_damping > 0)
      add_damping(count, batch.deformation, start_gradients_.data() + first * 9 * W, start_hessians_.data() + first * 45 * W,
                  batch.stress, batch.hessian);
    for (std::size_t n = 0; n < count; ++n) {
      element_units(*model_, first + n, batch.stress + n * 9 * W, batch.hessian + n * 45 * W, units);
      add_units_of(first + n);
    }
  });
  projected_in_chunk_[chunk] = projected;
  singular_in_chunk_[chunk] = singular;
}

// The three columns of a vertex, and its gradient.
void IncrementalPotential::sum_column(std::size_t vertex, const double* x, bool eliminate, double* gradient,
                                      double* values) const {
  const ElasticPattern& pattern = model_->pattern();
  const int* outer = pattern.matrix.outerIndexPtr() + 3 * vertex;
  const double dt = model_->time_step(), mass = model_->masses()[vertex];
  const double inertia = mass / (dt * dt), damping = mass * mass_damping_[vertex] / dt;
  const bool fixed = eliminate && prescribed_[vertex];
  double* columns[3] = {values + outer[0], values + outer[1], values + outer[2]};
  for (int place = pattern.place_begin[vertex]; place < pattern.place_begin[vertex + 1]; ++place) {
    const auto row = static_cast<std::size_t>(pattern.place_row[place]);
    ColumnSums sums{};
    if (!(fixed || (eliminate && prescribed_[row])))
      for (int entry = pattern.partial_begin[place]; entry < pattern.partial_begin[place + 1]; ++entry) {
        const double* ahead =
            partials_.data() + 9 * static_cast<std::size_t>(pattern.partials[entry + ElasticPattern::read_ahead]);
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + 8);
        sums.add(partials_.data() + 9 * static_cast<std::size_t>(pattern.partials[entry]));
      }
    if (row != vertex) {
      for (int j = 0; j < 3; ++j, columns[j - 1] += 3) std::memcpy(columns[j], &sums.columns[j], 3 * sizeof(double));
      continue;
    }
    const double block[9] = {sums.columns[0][0], sums.columns[0][1], sums.columns[0][2], sums.columns[1][0], sums.columns[1][1],
                             sums.columns[1][2], sums.columns[2][0], sums.columns[2][1], sums.columns[2][2]};
    for (int j = 0, k = 0; j < 3; ++j)
      for (int i = j; i < 3; ++i, ++k) *columns[j]++ = block[k] + (i == j ? inertia + damping : 0);
    for (int i = 0; i < 3; ++i) {
      const auto c = static_cast<Eigen::Index>(3 * vertex) + i;
      gradient[i] =
          fixed ? 0
                : block[6 + i] + inertia * (x[c] - predicted_[c]) + damping * (x[c] - start_[c]) - mass * model_->gravity()[i];
    }
  }
}

void IncrementalPotential::eliminate_prescribed(Eigen::VectorXd& gradient, SparseMatrix& hessian) const {
  const double dt = model_->time_step();
  for (int column = 0; column < hessian.outerSize(); ++column) {
    const int vertex = column / 3;
    if (prescribed_[vertex]) gradient[column] = 0;
    for (SparseMatrix::InnerIterator entry(hessian, column); entry; ++entry) {
      if (!prescribed_[vertex] && !prescribed_[entry.row() / 3]) continue;
      const double diagonal = model_->masses()[vertex] * (1 / (dt * dt) + mass_damping_[vertex] / dt);
      entry.valueRef() = entry.row() == column ? diagonal : 0;
    }
  }
}

}  // namespace holo
