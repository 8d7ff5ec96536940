#pragma once
// Small scenes for the tests of the dynamics.

#include <algorithm>
#include <memory>

#include "hand_material.h"
#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/dynamics/potential_terms.h"
#include "holo/sim/mesh/shapes.h"

namespace holo::test {

inline ElasticBodyDefinition hand_body(HandEnergy energy, MeshSource mesh, double youngs_modulus = 1e5,
                                       double poissons_ratio = 0.4) {
  ElasticBodyDefinition body;
  body.name = "body";
  body.mesh = std::move(mesh);
  const holo_material& material =
      energy == HandEnergy::stable ? HandMaterial<HandEnergy::stable>::material() : HandMaterial<HandEnergy::log>::material();
  body.material = std::shared_ptr<const holo_material>(std::shared_ptr<void>(), &material);
  const double mu = youngs_modulus / (2 * (1 + poissons_ratio));
  const double lambda = youngs_modulus * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
  body.coefficients = {mu, energy == HandEnergy::stable ? lambda + mu : lambda};
  return body;
}

inline MeshSource box_source(std::array<double, 3> size, int elements) {
  return [=] { return box_mesh(size, elements); };
}

inline HandleDefinition box_handle(Vector3d minimum, Vector3d maximum, MotionDefinition motion = {}) {
  HandleDefinition handle;
  handle.subset.kind = SubsetDefinition::Kind::box;
  handle.subset.minimum = minimum;
  handle.subset.maximum = maximum;
  handle.motion = std::move(motion);
  return handle;
}

// A muscle for each polyline, in the mesh's coordinates, with one activation [Pa] each.
inline std::shared_ptr<const MusclesDefinition> line_muscles(MuscleLaw law, double width, const std::vector<Polyline>& lines,
                                                             const std::vector<double>& activations) {
  MusclesDefinition muscles;
  muscles.law = law;
  muscles.width = width;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    MuscleDefinition muscle;
    muscle.name = "muscle" + std::to_string(i + 1);
    muscle.curves.fibers = {lines[i]};
    muscle.activation.value = activations[i];
    muscles.list.push_back(muscle);
  }
  return std::make_shared<const MusclesDefinition>(muscles);
}

inline std::shared_ptr<const ElasticModel> build(const ElasticModelDefinition& definition) {
  return std::make_shared<const ElasticModel>(definition);
}

inline Vector3d linear_momentum(const ElasticModel& model, const ElasticState& state) {  // [kg m/s]
  Vector3d total = {};
  for (int vertex = 0; vertex < model.vertex_count(); ++vertex)
    for (int i = 0; i < 3; ++i) total[i] += model.masses()[vertex] * state.velocities[3 * vertex + i];
  return total;
}

// A deterministic number in [-1, 1].
inline double wiggle(std::size_t index) {
  std::uint64_t h = (index + 1) * 0x9E3779B97F4A7C15ull;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
  return static_cast<double>((h ^ (h >> 31)) >> 11) / 9007199254740992.0 * 2 - 1;
}

inline Eigen::VectorXd disturbed(const Eigen::VectorXd& x, double amplitude, std::size_t seed = 0) {
  Eigen::VectorXd result = x;
  for (Eigen::Index i = 0; i < x.size(); ++i) result[i] += amplitude * wiggle(static_cast<std::size_t>(i) + seed * 1000003);
  return result;
}

}  // namespace holo::test
