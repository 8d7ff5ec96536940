#include "elastic/elastic_model_builder.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "elastic/element/material_at_rest.h"
#include "elastic/element/vector3d.h"
#include "elastic/extent_text.h"

namespace holo {
namespace {

using Matrix3d = std::array<Vector3d, 3>;  // rows

// Columns b - a, c - a, d - a.
Matrix3d edge_matrix(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  Matrix3d edges;
  for (int i = 0; i < 3; ++i) edges[i] = {b[i] - a[i], c[i] - a[i], d[i] - a[i]};
  return edges;
}

double determinant(const Matrix3d& m) { return dot(m[0], cross(m[1], m[2])); }

Matrix3d inverse(const Matrix3d& m) {
  const double scale = 1 / determinant(m);
  const Vector3d a = scale * cross(m[1], m[2]), b = scale * cross(m[2], m[0]), c = scale * cross(m[0], m[1]);
  return {{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}}};
}

// Neighbors in space get near numbers, whatever the file's were: what belongs to them then is near in memory.
void renumber_vertices(TetrahedralMesh& mesh) {
  const std::vector<int> order = space_filling_order(mesh.vertices);
  std::vector<int> number(order.size());
  std::vector<Vector3d> vertices;
  for (int old : order) {
    number[old] = static_cast<int>(vertices.size());
    vertices.push_back(mesh.vertices[old]);
  }
  mesh.vertices = std::move(vertices);
  for (auto& tetrahedron : mesh.tetrahedra)
    for (int& vertex : tetrahedron) vertex = number[vertex];
  renumber_mesh_data(mesh, number);
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
  for (const ElasticBodyDefinition& definition : definition_.bodies) add_body(definition);
  copy_packed();
  embed_points();
  model_.pattern_ = make_pattern(model_.vertex_count(), model_.packed_vertices_, model_.packed_elements_);
}

// Elements and coefficients are taken from the mesh at rest; velocities from the placed one.
void ElasticModelBuilder::add_body(const ElasticBodyDefinition& definition) {
  ElasticBody body;
  body.name = definition.name;
  body.mesh = definition.mesh();
  validate(body.mesh);
  remove_unused_vertices(body.mesh);
  renumber_vertices(body.mesh);
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
}

// Elements along a space-filling curve, in whole blocks; the last block is filled up with copies of no volume.
void ElasticModelBuilder::pack_elements(const TetrahedralMesh& rest, ElasticBody& body, const std::vector<double>& densities) {
  std::vector<Vector3d> centroids;
  for (const auto& [a, b, c, d] : rest.tetrahedra)
    centroids.push_back(0.25 * (rest.vertices[a] + rest.vertices[b] + rest.vertices[c] + rest.vertices[d]));
  const std::vector<int> order = space_filling_order(centroids);
  body.first_element = model_.element_count_;
  body.element_count = static_cast<int>(order.size());
  body.first_block = model_.packed_elements_.size() / ElasticModel::lanes;
  body.block_count = (order.size() + ElasticModel::lanes - 1) / ElasticModel::lanes;
  const std::size_t count = (body.first_block + body.block_count) * ElasticModel::lanes;
  model_.packed_elements_.resize(count, -1);
  model_.packed_vertices_.resize(4 * count);
  rest_inverses_.resize(9 * count);
  volumes_.resize(count, 0.0);
  for (std::size_t n = 0; n < body.block_count * ElasticModel::lanes; ++n)
    pack_element(rest, body, body.first_block * ElasticModel::lanes + n, order[std::min(n, order.size() - 1)],
                 n >= order.size());
  // Lumped masses: a quarter of an element's mass for each of its vertices.
  for (const auto& tetrahedron : rest.tetrahedra) {
    const auto element = &tetrahedron - rest.tetrahedra.data();
    const double volume = signed_volume(rest, static_cast<int>(element));
    for (int vertex : tetrahedron) model_.masses_[body.first_vertex + vertex] += densities[element] * volume / 4;
  }
  model_.element_count_ += body.element_count;
}

// One lane: its four vertices ascending, the inverse of its rest edges and, unless it is padding, its number and volume.
void ElasticModelBuilder::pack_element(const TetrahedralMesh& rest, const ElasticBody& body, std::size_t packed, int element,
                                       bool padding) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  const std::size_t block = packed / lanes, lane = packed % lanes;
  std::array<int, 4> vertices = rest.tetrahedra[element];
  std::sort(vertices.begin(), vertices.end());  // an odd order turns the element over, at rest and deformed alike: F stays
  const auto& X = rest.vertices;
  const Matrix3d edges = edge_matrix(X[vertices[0]], X[vertices[1]], X[vertices[2]], X[vertices[3]]);
  const Matrix3d inverted = inverse(edges);
  for (int i = 0; i < 9; ++i) rest_inverses_[(block * 9 + i) * lanes + lane] = inverted[i / 3][i % 3];
  for (int i = 0; i < 4; ++i) model_.packed_vertices_[(block * 4 + i) * lanes + lane] = body.first_vertex + vertices[i];
  if (padding) return;
  model_.packed_elements_[packed] = body.first_element + element;
  volumes_[packed] = std::abs(determinant(edges)) / 6;
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
  model_.rest_inverses_ = aligned(rest_inverses_);
  model_.volumes_ = aligned(volumes_);
  model_.start_positions_ = Eigen::Map<const Eigen::VectorXd>(positions_.data(), static_cast<Eigen::Index>(positions_.size()));
  model_.start_velocities_ =
      Eigen::Map<const Eigen::VectorXd>(velocities_.data(), static_cast<Eigen::Index>(velocities_.size()));
  const Eigen::Map<const Eigen::Matrix3Xd> points(positions_.data(), 3, static_cast<Eigen::Index>(positions_.size() / 3));
  model_.length_ = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
}

}  // namespace holo
