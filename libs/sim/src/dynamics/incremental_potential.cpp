#include "holo/sim/dynamics/incremental_potential.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastic/element/element_damping.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/feasible_step.h"
#include "holo/core/numerics/parallel.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;
constexpr std::size_t chunk_vertices = 1024;

}  // namespace

IncrementalPotential::IncrementalPotential(std::shared_ptr<const ElasticModel> model) : model_(std::move(model)) {
  const auto vertices = static_cast<std::size_t>(model_->vertex_count());
  prescribed_.assign(vertices, 0);
  targets_.setZero(3 * model_->vertex_count());
  start_ = predicted_ = targets_;
  mass_damping_.assign(vertices, 0);
  for (const ElasticBody& body : model_->bodies()) {
    std::fill_n(mass_damping_.begin() + body.first_vertex, body.vertex_count, body.mass_damping);
    stiffness_damping_ |= body.stiffness_damping > 0;
  }
  if (stiffness_damping_) {
    start_gradients_ = AlignedArray(model_->block_count() * 9 * W);
    start_hessians_ = AlignedArray(model_->block_count() * 45 * W);
  }
  partials_ = AlignedArray(model_->pattern().chunk_partials.back() * 9 + 1);  // the last is read four at a time
  projected_in_chunk_.assign((model_->block_count() + chunk_blocks - 1) / chunk_blocks, 0);
  singular_in_chunk_.resize(projected_in_chunk_.size());
}

void IncrementalPotential::begin_step(const ElasticState& state) {
  const double end = static_cast<double>(state.step + 1) * model_->time_step();
  singular_counts_ = {};
  projected_elements_ = 0;
  start_ = state.positions;
  predicted_ = state.positions + model_->time_step() * state.velocities;
  std::fill(prescribed_.begin(), prescribed_.end(), std::uint8_t{0});
  for (const ElasticHandle& handle : model_->handles()) {
    if (end >= handle.release_time * (1 + 1e-12)) continue;  // the step that ends at the release is still held
    for (int vertex : handle.vertices) {
      const auto& X = model_->start_positions();
      const Vector3d target = handle.motion.position({X[3 * vertex], X[3 * vertex + 1], X[3 * vertex + 2]}, end);
      std::copy(target.begin(), target.end(), targets_.data() + 3 * vertex);
      prescribed_[vertex] = 1;
    }
  }
  if (stiffness_damping_) freeze_stiffness();
}

void IncrementalPotential::freeze_stiffness() {
  parallel_for(model_->block_count(), chunk_blocks, [this](std::size_t begin, std::size_t end) {
    std::uint8_t projected[batch_blocks * W];
    for_each_batch(*model_, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
      double* F = start_gradients_.data() + first * 9 * W;
      double* K = start_hessians_.data() + first * 45 * W;
      deformation_gradients(*model_, start_.data(), first, count, F);
      if (body.stiffness_damping == 0) return;  // K stays 0
      run_projected_hessian(*model_, body, first, count, F, K, projected);
      const double factor = body.stiffness_damping / model_->time_step();
      for (std::size_t i = 0; i < count * 45 * W; ++i) K[i] *= factor;
    });
  });
}

void IncrementalPotential::apply_targets(Eigen::VectorXd& x) const {
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex)
    if (prescribed_[vertex]) x.segment<3>(3 * vertex) = targets_.segment<3>(3 * vertex);
}

// Inertia, gravity and damping proportional to the mass, of vertices [begin, end).
IncrementalPotential::VertexEnergies IncrementalPotential::vertex_energies(const double* x, std::size_t begin,
                                                                           std::size_t end) const {
  const double dt = model_->time_step();
  VertexEnergies total;
  for (std::size_t vertex = begin; vertex < end; ++vertex) {
    double inertia = 0, work = 0, moved = 0;
    for (std::size_t i = 3 * vertex; i < 3 * vertex + 3; ++i) {
      const double ahead = x[i] - predicted_[i], change = x[i] - start_[i];
      inertia += ahead * ahead;
      moved += change * change;
      work += model_->gravity()[i - 3 * vertex] * change;
    }
    const double mass = model_->masses()[vertex];
    total.inertia += mass / (2 * dt * dt) * inertia;
    total.gravity -= mass * work;
    total.damping += mass * mass_damping_[vertex] / (2 * dt) * moved;
  }
  return total;
}

double IncrementalPotential::stiffness_damping_energy(const double* x, std::size_t begin, std::size_t end) const {
  ElementBatch batch;
  double total = 0;
  for_each_batch(*model_, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
    if (body.stiffness_damping == 0) return;
    deformation_gradients(*model_, x, first, count, batch.deformation);
    for (std::size_t n = 0; n < count; ++n)
      total += damping_energy(batch.deformation + n * 9 * W, start_gradients_.data() + (first + n) * 9 * W,
                              start_hessians_.data() + (first + n) * 45 * W, model_->volumes().data() + (first + n) * W);
  });
  return total;
}

double IncrementalPotential::energy(const Eigen::VectorXd& x) {
  struct Work {
    const IncrementalPotential& potential;
    const double* x;
  } work{*this, x.data()};
  double total = parallel_sum(prescribed_.size(), chunk_vertices, [&work](std::size_t begin, std::size_t end) {
    const VertexEnergies energies = work.potential.vertex_energies(work.x, begin, end);
    return energies.inertia + energies.gravity + energies.damping;
  });
  total += elastic_energy(*model_, x.data());
  if (stiffness_damping_)
    total += parallel_sum(model_->block_count(), chunk_blocks, [&work](std::size_t begin, std::size_t end) {
      return work.potential.stiffness_damping_energy(work.x, begin, end);
    });
  return std::isfinite(total) ? total : std::numeric_limits<double>::infinity();
}

void IncrementalPotential::derivatives(const Eigen::VectorXd& x, Eigen::VectorXd& gradient, SparseMatrix& hessian) {
  assemble(x, true, gradient, hessian);
}

void IncrementalPotential::free_derivatives(const Eigen::VectorXd& x, Eigen::VectorXd& gradient, SparseMatrix& hessian) {
  assemble(x, false, gradient, hessian);
}

double IncrementalPotential::feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) {
  const auto& bodies = model_->bodies();
  if (std::none_of(bodies.begin(), bodies.end(), [](const ElasticBody& body) { return body.limits_determinant(); })) return 1;
  return holo::feasible_step(*model_, x.data(), direction.data());
}

double IncrementalPotential::step_size(const Eigen::VectorXd& direction) const {
  double largest = 0;
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex)
    largest = std::max(largest, direction.segment<3>(3 * vertex).squaredNorm());
  return std::sqrt(largest) / model_->length();
}

// An upper bound: the elastic energies of elements have rounding errors of order strain times stiffness energy, strains of one.
double IncrementalPotential::energy_resolution(double energy) const {
  return 8 * std::numeric_limits<double>::epsilon() * (std::abs(energy) + model_->stiffness_energy());
}

}  // namespace holo
