#include "elastic/elastic_model_builder.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "elastic/element/material_at_rest.h"
#include "elastic/element/vector3d.h"
#include "elastic/extent_text.h"
#include "holo/sim/mesh/quadratic_map.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"

namespace holo {
namespace {

// Neighbors in space get near numbers, whatever the file's were: what belongs to them then is near in memory.
void order_vertices(TetrahedralMesh& mesh) {
  const std::vector<int> order = space_filling_order(mesh.vertices);
  std::vector<int> number(order.size());
  std::vector<Vector3d> vertices;
  for (int old : order) {
    number[old] = static_cast<int>(vertices.size());
    vertices.push_back(mesh.vertices[old]);
  }
  mesh.vertices = std::move(vertices);
  renumber_vertices(mesh, number);
}

// Before the first mesh is made. Values of elements are judged once there is a mesh.
void require_materials_at_rest(const ElasticModelDefinition& model) {
  for (const ElasticBodyDefinition& body : model.bodies) {
    if (body.material_location.file.empty() || body.element_coefficients) continue;
    if (const std::string defect = defect_at_rest(*body.material, body.coefficients, body.reference); !defect.empty())
      throw_input_error(body.material_location, defect);
  }
}

}  // namespace

void place(const ElasticBodyDefinition& definition, TetrahedralMesh& mesh) {
  for (Vector3d& vertex : mesh.vertices)
    vertex = rotate(vertex, definition.rotation_axis, definition.rotation_angle) + definition.translation;
}

void ElasticModelBuilder::build() {
  require_materials_at_rest(definition_);
  model_.differentiation_ = definition_.differentiation;
  std::vector<TetrahedralMesh> meshes;
  for (const ElasticBodyDefinition& definition : definition_.bodies) {
    meshes.push_back(definition.mesh());
    has_quadratic_ |= meshes.back().is_quadratic();
  }
  for (std::size_t b = 0; b < meshes.size(); ++b) add_body(definition_.bodies[b], std::move(meshes[b]));
  copy_packed();
  embed_points();
  model_.pattern_ = make_pattern(model_);
}

// Elements and coefficients are taken from the mesh at rest; velocities from the placed one.
void ElasticModelBuilder::add_body(const ElasticBodyDefinition& definition, TetrahedralMesh mesh) {
  ElasticBody body;
  body.name = definition.name;
  body.mesh = std::move(mesh);
  validate(body.mesh);
  remove_unused_vertices(body.mesh);
  order_vertices(body.mesh);
  choose_operations(definition, body);
  std::vector<double> densities = element_densities(definition, body.mesh);
  const double volume = definition.deformation == Deformation::affine ? make_affine(definition, densities, body) : 0;
  const TetrahedralMesh rest = body.mesh;
  place_vertices(definition, body);
  pack_elements(rest, body, densities);
  if (body.is_affine) volumes_[body.first_block * ElasticModel::lanes] = volume;
  if (definition.element_coefficients) set_element_coefficients(definition.element_coefficients(rest), body);
  add_start_velocities(definition, body);
  measure_stiffness(body);
  add_subsets(definition, body);
  add_muscles(definition, rest, body);
  for (const BodyEnergyDefinition& energy : definition.energies) body.energies.push_back(make_body_energy(energy, rest));
  model_.bodies_.push_back(std::move(body));
}

void ElasticModelBuilder::choose_operations(const ElasticBodyDefinition& definition, ElasticBody& body) const {
  const holo_material& material = *definition.material;
  body.material = definition.material;
  body.energy = material.operations[HOLO_MATERIAL_ENERGY];
  try {
    ElementOperations operations = element_operations(definition_.differentiation, material, definition.reference);
    body.stress = std::move(operations.stress);
    body.hessian = std::move(operations.hessian);
    body.stress_differential = std::move(operations.stress_differential);
    body.stress_kernel = std::move(operations.stress_kernel);
    body.differential_kernel = std::move(operations.differential_kernel);
    body.hessian_kernel = std::move(operations.hessian_kernel);
  } catch (const Error& error) {
    throw_input_error(definition.location, fmt::format("body '{}': {}", definition.name, error.what()));
  }
  if (definition_.differentiation == ElementDifferentiation::compiled)  // it projects its own Hessian, no other
    body.projected_hessian = material.operations[HOLO_MATERIAL_PROJECTED_HESSIAN];
  body.singular = std::make_shared<const SingularElements>(definition.name, definition_.singular_choice, definition.reference);
  if (material.domain == HOLO_DOMAIN_POSITIVE_DETERMINANT) body.determinant_minimum = 0;
  if (material.domain == HOLO_DOMAIN_DETERMINANT_INTERVAL) {
    body.determinant_minimum = material.determinant_minimum;
    body.determinant_maximum = material.determinant_maximum;
  }
  body.mass_damping = definition.mass_damping;
  body.stiffness_damping = definition.stiffness_damping;
  body.loads = definition.loads;
  if (definition_.differentiation == ElementDifferentiation::compiled)
    body.invariant_slopes = material.operations[HOLO_MATERIAL_INVARIANT_SLOPES];
  if (!definition.element_coefficients) set_uniform_coefficients(definition.coefficients, body);
}

void ElasticModelBuilder::place_vertices(const ElasticBodyDefinition& definition, ElasticBody& body) {
  body.first_vertex = static_cast<int>(positions_.size() / 3);
  body.vertex_count = static_cast<int>(body.mesh.vertices.size());
  place(definition, body.mesh);
  for (const Vector3d& vertex : body.mesh.vertices) positions_.insert(positions_.end(), vertex.begin(), vertex.end());
  model_.masses_.resize(positions_.size() / 3, 0.0);
  if (has_quadratic_) model_.shape_masses_.resize(model_.masses_.size(), 0.0);
}

// Elements along a space-filling curve, in whole blocks; the last blocks are filled up with copies of no volume.
void ElasticModelBuilder::pack_elements(const TetrahedralMesh& rest, ElasticBody& body, const std::vector<double>& densities) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  std::vector<Vector3d> centroids;
  for (const auto& [a, b, c, d] : rest.tetrahedra)
    centroids.push_back(0.25 * (rest.vertices[a] + rest.vertices[b] + rest.vertices[c] + rest.vertices[d]));
  const std::vector<int> order = space_filling_order(centroids);
  body.first_element = model_.element_count_;
  body.element_count = static_cast<int>(order.size());
  body.nodes = rest.is_quadratic() ? 10 : 4;
  body.points = rest.is_quadratic() ? 4 : 1;
  add_blocks(body, order.size());
  for (std::size_t n = 0; n < body.block_count / body.points * lanes; ++n)
    pack_element(rest, body, n, static_cast<std::size_t>(order[std::min(n, order.size() - 1)]), n >= order.size());
  add_masses(rest, body, densities);
  model_.element_count_ += body.element_count;
}

// Makes room in the arrays for the blocks of a body. Those of the points of an element have the same vertices and stencil.
void ElasticModelBuilder::add_blocks(ElasticBody& body, std::size_t elements) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  const std::size_t multiple = has_quadratic_ ? 4 : 1, nodes = static_cast<std::size_t>(body.nodes);
  body.first_block = model_.block_offsets_.size();
  body.block_count = (elements + lanes - 1) / lanes * body.points;
  body.block_count = (body.block_count + multiple - 1) / multiple * multiple;
  std::size_t next_entry = 0;
  if (body.first_block > 0) {
    const auto& last = model_.block_offsets_.back();
    next_entry = last.first_entry + ElasticPattern::entries_of(last.nodes) * lanes;
  }
  for (std::size_t n = 0; n < body.block_count; ++n) {
    if (n % body.points == 0) {
      if (n > 0) next_entry += ElasticPattern::entries_of(body.nodes) * lanes;
      model_.vertices_of_elements_.resize(model_.vertices_of_elements_.size() + nodes * lanes);
    }
    model_.block_offsets_.push_back(
        {body.nodes, model_.vertices_of_elements_.size() - nodes * lanes, gradients_.size(), next_entry});
    gradients_.resize(gradients_.size() + (nodes - 1) * 3 * lanes);
  }
  model_.packed_elements_.resize(model_.block_offsets_.size() * lanes, -1);
  volumes_.resize(model_.block_offsets_.size() * lanes, 0.0);
}

// One lane, of the body's element number `place`: its vertices ascending, the gradients of their shape functions at each point
// and, unless it is padding, its number and volumes.
void ElasticModelBuilder::pack_element(const TetrahedralMesh& rest, const ElasticBody& body, std::size_t place,
                                       std::size_t element, bool padding) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  const std::size_t block = body.first_block + place / lanes * body.points, lane = place % lanes;
  const std::vector<int> vertices = element_vertices(rest, element);
  std::vector<std::size_t> sorted(vertices.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return vertices[a] < vertices[b]; });
  for (std::size_t v = 0; v < sorted.size(); ++v)
    model_.vertices_of_elements_[model_.block_offsets_[block].vertices + v * lanes + lane] =
        body.first_vertex + vertices[sorted[v]];
  const std::vector<ElementPoint> points = element_points(rest, element, sorted);
  for (std::size_t p = 0; p < body.points; ++p) {
    double* gradients = gradients_.data() + model_.block_offsets_[block + p].gradients;
    for (std::size_t v = 1; v < sorted.size(); ++v)
      for (std::size_t k = 0; k < 3; ++k) gradients[((v - 1) * 3 + k) * lanes + lane] = points[p].gradients[v - 1][k];
    if (padding) continue;
    model_.packed_elements_[(block + p) * lanes + lane] = body.first_element + static_cast<int>(element);
    volumes_[(block + p) * lanes + lane] = points[p].volume;
  }
}

// Lumped: a quarter of a linear element's mass for each of its vertices.
void ElasticModelBuilder::add_masses(const TetrahedralMesh& rest, const ElasticBody& body,
                                     const std::vector<double>& densities) {
  const auto first = static_cast<std::size_t>(body.first_vertex);
  for (std::size_t element = 0; element < rest.tetrahedra.size(); ++element) {
    if (rest.is_quadratic()) {
      const QuadraticMap map(rest, element);
      const std::array<double, 10> lumped = lumped_masses(map, densities[element]),
                                   of_shapes = shape_masses(map, densities[element]);
      const std::vector<int> vertices = element_vertices(rest, element);
      for (std::size_t v = 0; v < 10; ++v) {
        model_.masses_[first + static_cast<std::size_t>(vertices[v])] += lumped[v];
        model_.shape_masses_[first + static_cast<std::size_t>(vertices[v])] += of_shapes[v];
      }
      continue;
    }
    const double mass = densities[element] * signed_volume(rest, static_cast<int>(element)) / 4;
    for (const int vertex : rest.tetrahedra[element]) {
      model_.masses_[first + static_cast<std::size_t>(vertex)] += mass;
      if (has_quadratic_) model_.shape_masses_[first + static_cast<std::size_t>(vertex)] += mass;
    }
  }
}

// Rigid: v + w x (x - c) about the center of mass c.
void ElasticModelBuilder::add_start_velocities(const ElasticBodyDefinition& definition, const ElasticBody& body) {
  Vector3d center = {};
  double mass = 0;
  for (int v = 0; v < body.vertex_count; ++v) {
    center = center + model_.masses_[body.first_vertex + v] * body.mesh.vertices[v];
    mass += model_.masses_[body.first_vertex + v];
  }
  center = (1 / mass) * center;
  for (const Vector3d& vertex : body.mesh.vertices) {
    const Vector3d velocity = definition.velocity + cross(definition.angular_velocity, vertex - center);
    velocities_.insert(velocities_.end(), velocity.begin(), velocity.end());
  }
}

void ElasticModelBuilder::add_subsets(const ElasticBodyDefinition& definition, ElasticBody& body) const {
  for (const NamedSubset& named : definition.subsets) {
    ElasticSubset subset{named.name, select_vertices(named.subset, body.mesh), {}, select_triangles(named.subset, body.mesh)};
    if (subset.vertices.empty())
      throw_input_error(named.subset.location,
                        fmt::format("the subset '{}' holds none of the {} of body '{}', whose {} vertices fill {}.", named.name,
                                    parts_of(named.subset), body.name, body.vertex_count, extent_text(body.mesh)));
    if (named.subset.of == SubsetDefinition::Of::elements) subset.elements = select_elements(named.subset, body.mesh);
    for (int& vertex : subset.vertices) vertex += body.first_vertex;
    for (std::array<int, 3>& triangle : subset.triangles)
      for (int& vertex : triangle) vertex += body.first_vertex;
    body.subsets.push_back(std::move(subset));
  }
}

// Weights are found in the mesh's own coordinates: a placement does not change them.
void ElasticModelBuilder::add_muscles(const ElasticBodyDefinition& definition, const TetrahedralMesh& rest,
                                      ElasticBody& body) const {
  if (!definition.muscles) return;
  MuscleBody owner{body.name, body.first_element, body.shear_modulus, Eigen::Isometry3d::Identity()};
  owner.placement.translate(Eigen::Vector3d::Map(definition.translation.data()));
  owner.placement.rotate(Eigen::AngleAxisd(definition.rotation_angle, Eigen::Vector3d::Map(definition.rotation_axis.data())));
  body.muscles = std::make_shared<const MuscleFibers>(make_muscle_fibers(*definition.muscles, rest, owner));
}

// The arrays grow body by body; lanes are loaded from aligned memory.
void ElasticModelBuilder::copy_packed() {
  auto aligned = [](const std::vector<double>& from) {
    AlignedArray to(from.size());
    std::copy(from.begin(), from.end(), to.data());
    return to;
  };
  model_.shape_gradients_ = aligned(gradients_);
  model_.volumes_ = aligned(volumes_);
  model_.start_positions_ = Eigen::Map<const Eigen::VectorXd>(positions_.data(), static_cast<Eigen::Index>(positions_.size()));
  model_.start_velocities_ =
      Eigen::Map<const Eigen::VectorXd>(velocities_.data(), static_cast<Eigen::Index>(velocities_.size()));
  const Eigen::Map<const Eigen::Matrix3Xd> points(positions_.data(), 3, static_cast<Eigen::Index>(positions_.size() / 3));
  model_.length_ = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
}

}  // namespace holo
