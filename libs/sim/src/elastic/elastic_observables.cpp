// What can be observed of a state: energies, momenta, determinants, energy density and stress of elements.
#include <algorithm>
#include <cmath>

#include "elastic/element/element_pass.h"
#include "elastic/element/vector3d.h"
#include "holo/core/numerics/parallel.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;

Vector3d at(const Eigen::VectorXd& values, int vertex) {
  return {values[3 * vertex], values[3 * vertex + 1], values[3 * vertex + 2]};
}

// Sum of m_v f(v) over the vertices, in order.
template <class Function>
Vector3d mass_weighted(const ElasticModel& model, const Function& f) {
  Vector3d total = {};
  for (int vertex = 0; vertex < model.vertex_count(); ++vertex) total = total + model.masses()[vertex] * f(vertex);
  return total;
}

HOLO_INLINE LaneBlock determinant(const double* F) {
  auto f = [&](int k) { return LaneBlock::load(F + k * static_cast<int>(W)); };
  return f(0) * (f(4) * f(8) - f(5) * f(7)) - f(1) * (f(3) * f(8) - f(5) * f(6)) + f(2) * (f(3) * f(7) - f(4) * f(6));
}

// det F of one block's elements.
LaneBlock block_determinants(const ElasticModel& model, const double* x, std::size_t block) {
  alignas(HOLO_BLOCK_ALIGNMENT) double F[9 * W];
  deformation_gradients(model, x, block, 1, F);
  return determinant(F);
}

// Cauchy stress P F^T / J.
HOLO_INLINE LaneBlock von_mises(const double* P, const double* F) {
  const LaneBlock inverse = LaneBlock(1.0) / determinant(F);
  auto cauchy = [&](int i, int j) {
    LaneBlock sum(0.0);
    for (int k = 0; k < 3; ++k)
      sum += LaneBlock::load(P + (3 * i + k) * static_cast<int>(W)) * LaneBlock::load(F + (3 * j + k) * static_cast<int>(W));
    return sum * inverse;
  };
  const LaneBlock xx = cauchy(0, 0), yy = cauchy(1, 1), zz = cauchy(2, 2), xy = cauchy(0, 1), yz = cauchy(1, 2),
                  zx = cauchy(2, 0);
  const LaneBlock normal = (xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx);
  return sqrt(LaneBlock(0.5) * normal + LaneBlock(3.0) * (xy * xy + yz * yz + zx * zx));
}

void observe_chunk(const ElasticModel& model, const double* x, std::size_t begin, std::size_t end, ElementObservables& result) {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double density[batch_blocks * W];
  for_each_batch(model, begin, end, [&](const ElasticBody& body, std::size_t first, std::size_t count) {
    deformation_gradients(model, x, first, count, batch.deformation);
    run_operation(model, ElementOperation::energy, body, first, count, batch.deformation, density);
    run_operation(model, ElementOperation::stress, body, first, count, batch.deformation, batch.stress);
    for (std::size_t n = 0; n < count; ++n) {
      const LaneBlock stress = von_mises(batch.stress + n * 9 * W, batch.deformation + n * 9 * W);
      for (std::size_t lane = 0; lane < W; ++lane) {
        const int element = model.slot_elements()[(first + n) * W + lane];
        if (element < 0) continue;
        result.energy_density[element] = density[n * W + lane];
        result.von_mises_stress[element] = stress[static_cast<int>(lane)];
      }
    }
  });
}

}  // namespace

ElasticEnergies energies(const ElasticModel& model, const ElasticState& state) {
  ElasticEnergies result;
  result.elastic = elastic_energy(model, state.positions.data());
  for (int vertex = 0; vertex < model.vertex_count(); ++vertex) {
    const double mass = model.masses()[vertex];
    result.kinetic += mass / 2 * squared_length(at(state.velocities, vertex));
    result.gravity -= mass * dot(model.gravity(), at(state.positions, vertex));
  }
  return result;
}

Vector3d linear_momentum(const ElasticModel& model, const ElasticState& state) {
  return mass_weighted(model, [&](int vertex) { return at(state.velocities, vertex); });
}

Vector3d angular_momentum(const ElasticModel& model, const ElasticState& state) {
  return mass_weighted(model, [&](int vertex) { return cross(at(state.positions, vertex), at(state.velocities, vertex)); });
}

Vector3d center_of_mass(const ElasticModel& model, const ElasticState& state) {
  double mass = 0;
  for (double m : model.masses()) mass += m;
  return (1 / mass) * mass_weighted(model, [&](int vertex) { return at(state.positions, vertex); });
}

ElasticDeterminants determinants(const ElasticModel& model, const Eigen::VectorXd& positions) {
  struct Work {
    const ElasticModel& model;
    const double* x;
  } work{model, positions.data()};
  ElasticDeterminants result;
  result.minimum = parallel_minimum(model.block_count(), chunk_blocks, [&work](std::size_t begin, std::size_t end) {
    LaneBlock smallest = block_determinants(work.model, work.x, begin);
    for (std::size_t block = begin + 1; block < end; ++block)
      smallest = min(smallest, block_determinants(work.model, work.x, block));
    double lowest = smallest[0];
    for (std::size_t lane = 1; lane < W; ++lane) lowest = std::min(lowest, smallest[static_cast<int>(lane)]);
    return lowest;
  });
  result.inverted_elements =
      static_cast<int>(parallel_sum(model.block_count(), chunk_blocks, [&work](std::size_t begin, std::size_t end) {
        int count = 0;
        for (std::size_t block = begin; block < end; ++block) {
          const LaneBlock J = block_determinants(work.model, work.x, block);
          for (std::size_t lane = 0; lane < W; ++lane)
            count += work.model.slot_elements()[block * W + lane] >= 0 && !(J[static_cast<int>(lane)] > 0);
        }
        return static_cast<double>(count);
      }));
  return result;
}

void observe_elements(const ElasticModel& model, const Eigen::VectorXd& positions, ElementObservables& observables) {
  observables.energy_density.resize(model.element_count());
  observables.von_mises_stress.resize(model.element_count());
  parallel_for(model.block_count(), chunk_blocks,
               [&](std::size_t begin, std::size_t end) { observe_chunk(model, positions.data(), begin, end, observables); });
}

}  // namespace holo
