#include "holo/sim/elastic/elastic_observations.h"

#include <algorithm>

#include "elastic/element/block_determinant.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/vector3d.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/elastic_state.h"

namespace holo {
namespace {

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

// det F of one block's elements.
LaneBlock block_determinants(const ElasticModel& model, const double* x, std::size_t block) {
  alignas(HOLO_BLOCK_ALIGNMENT) double F[9 * ElasticModel::lanes];
  deformation_gradients(model, x, block, 1, F);
  return block_determinant(F);
}

}  // namespace

ElasticEnergies energies(const ElasticModel& model, const Vector3d& gravity, const ElasticState& state) {
  ElasticEnergies result;
  result.elastic = elastic_energy(model, state.positions.data());
  for (int vertex = 0; vertex < model.vertex_count(); ++vertex) {
    const double mass = model.masses()[vertex];
    result.kinetic += mass / 2 * squared_length(at(state.velocities, vertex));
    result.gravity -= mass * dot(gravity, at(state.positions, vertex));
  }
  return result;
}

Vector3d angular_momentum(const ElasticModel& model, const ElasticState& state) {
  return mass_weighted(model, [&](int vertex) { return cross(at(state.positions, vertex), at(state.velocities, vertex)); });
}

Vector3d center_of_mass(const ElasticModel& model, const ElasticState& state) {
  double mass = 0;
  for (double m : model.masses()) mass += m;
  return (1 / mass) * mass_weighted(model, [&](int vertex) { return at(state.positions, vertex); });
}

// Two deterministic reductions over blocks. The minimum runs in lanes; its last comparison is among the lanes of one.
ElasticDeterminants determinants(const ElasticModel& model, const Eigen::VectorXd& positions) {
  constexpr std::size_t W = ElasticModel::lanes;
  struct Work {
    const ElasticModel& model;
    const double* x;
  } work{model, positions.data()};
  ElasticDeterminants result;
  result.minimum = parallel_minimum(model.block_count(), cluster_blocks, [&work](std::size_t begin, std::size_t end) {
    LaneBlock smallest = block_determinants(work.model, work.x, begin);
    for (std::size_t block = begin + 1; block < end; ++block)
      smallest = min(smallest, block_determinants(work.model, work.x, block));
    double lowest = smallest[0];
    for (std::size_t lane = 1; lane < W; ++lane) lowest = std::min(lowest, smallest[static_cast<int>(lane)]);
    return lowest;
  });
  result.inverted_elements =
      static_cast<int>(parallel_sum(model.block_count(), cluster_blocks, [&work](std::size_t begin, std::size_t end) {
        std::uint8_t inverted[cluster_blocks * W];
        for (std::size_t block = begin; block < end; ++block) {
          const LaneBlock J = block_determinants(work.model, work.x, block);
          for (std::size_t lane = 0; lane < W; ++lane) inverted[(block - begin) * W + lane] = !(J[static_cast<int>(lane)] > 0);
        }
        return static_cast<double>(count_elements(work.model, begin, end - begin, inverted));
      }));
  return result;
}

}  // namespace holo
