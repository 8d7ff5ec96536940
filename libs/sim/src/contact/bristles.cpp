#include "holo/sim/contact/bristles.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "elastic/element/vector3d.h"
#include "elastic/scene_numbers.h"
#include "holo/sim/contact/contact_surface.h"
#include "holo/sim/elastic/elastic_scene_definition.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"

namespace holo {
namespace {

Eigen::Vector3d bristle_vector(const Vector3d& v) { return Eigen::Vector3d(v.data()); }

// A body's mesh as the scene starts, and the number of its first vertex on the surface.
struct BristledMesh {
  const TetrahedralMesh& mesh;
  int first;
};

BristledMesh mesh_on_surface(const ElasticModel& model, std::size_t body) {
  const ElasticBody& found = model.bodies()[body];
  if (!found.is_affine) return {found.mesh, found.first_vertex};
  const EmbeddedBody& embedded = *model.embedding()->find(static_cast<int>(body));
  return {embedded.mesh, embedded.first_point};
}

// Adds V_e F_e d of an element to the rows of its vertices [m^2], and V_e to their volumes [m^3].
void add_element(const BristledMesh& body, const std::array<int, 4>& element, const Eigen::Vector3d& direction,
                 std::vector<Eigen::Triplet<double>>& rows, Eigen::VectorXd& volumes) {
  const auto at = [&](std::size_t i) { return bristle_vector(body.mesh.vertices[static_cast<std::size_t>(element[i])]); };
  Eigen::Matrix3d edges;
  edges << at(1) - at(0), at(2) - at(0), at(3) - at(0);
  const double volume = edges.determinant() / 6;
  const Eigen::Vector3d slopes = edges.partialPivLu().solve(direction);  // along d, of the barycentric weights 1 to 3
  const Eigen::Vector4d all(-slopes.sum(), slopes[0], slopes[1], slopes[2]);
  for (const int row : element) {
    volumes[body.first + row] += volume;
    for (int i = 0; i < 4; ++i)
      rows.emplace_back(body.first + row, body.first + element[static_cast<std::size_t>(i)], volume * all[i]);
  }
}

void require_convex(Configuration& scene, const ElasticBodyDefinition& body, FrictionLaw law) {
  const BristlesDefinition& bristles = *body.bristles;
  const auto [low, high] = std::minmax(bristles.forward, bristles.backward);
  const double largest = largest_directed_ratio(law);
  if (!(high > largest * low * (1 + 1e-12))) return;
  scene.problem(
      bristles.location,
      fmt::format("bristles of body '{}' have the factors {:g} forward and {:g} backward, with the ratio {:.4g}; up to {:g} "
                  "is allowed of the friction law '{}': beyond it the energy of friction is not convex.",
                  body.name, bristles.forward, bristles.backward, high / low, largest,
                  law == FrictionLaw::quintic ? "quintic" : "quadratic"));
}

}  // namespace

std::optional<BristlesDefinition> read_bristles(Configuration& body) {
  if (!body.has("bristles")) return {};
  Configuration section = body.section("bristles", "friction of the surface that depends on the direction of sliding", false);
  BristlesDefinition bristles;
  bristles.location = section.location();
  const std::size_t problems = section.problem_count();
  const Vector3d direction =
      section.vector3("direction", {.documentation = "forward, in the mesh's own coordinates; any length but 0"});
  const double length = std::sqrt(squared_length(direction));
  if (length > 0 && std::isfinite(length))
    bristles.direction = (1 / length) * direction;
  else if (!section.recording() && section.problem_count() == problems)
    section.problem(section.location("direction"), "direction is [0, 0, 0]; a direction is needed.");
  bristles.forward = section.number("forward", positive("1", "factor of the coefficient of friction for sliding forward"));
  bristles.backward = section.number("backward", positive("1", "factor for sliding backward; the ratio of both is limited"));
  bristles.lateral = section.number("lateral", not_negative("1", 1, "factor for sliding across the direction"));
  return bristles;
}

void check_bristles(Configuration& scene, const ElasticSceneDefinition& definition) {
  if (scene.recording() || scene.has_problems()) return;
  const ElasticBodyDefinition* other = nullptr;
  for (const ElasticBodyDefinition& body : definition.bodies) {
    if (!body.bristles) continue;
    require_convex(scene, body, definition.contact.friction_law);
    if (body.self_contact)
      scene.problem(
          body.bristles->location,
          fmt::format("body '{}' has bristles and self_contact: friction between two surfaces with bristles is not defined. "
                      "Leave out one of them.",
                      body.name));
    if (other && definition.contact.between_bodies)
      scene.problem(
          body.bristles->location,
          fmt::format("bodies '{}' and '{}' have bristles and can collide: friction between two surfaces with bristles is "
                      "not defined. Leave out the bristles of one, or give contact.between_bodies: false.",
                      other->name, body.name));
    other = &body;
  }
}

SurfaceBristles::SurfaceBristles(const ElasticModel& model, const ElasticModelDefinition& definition,
                                 const ContactSurface& surface) {
  const Eigen::Index count = surface.embedding ? surface.embedding->point_count() : model.vertex_count();
  body_of_.assign(static_cast<std::size_t>(count), -1);
  for (std::size_t i = 0; i < surface.vertices.size(); ++i)
    body_of_[static_cast<std::size_t>(surface.vertices[i])] = surface.bodies[i];
  std::vector<Eigen::Triplet<double>> rows;
  Eigen::VectorXd volumes = Eigen::VectorXd::Zero(count);
  for (std::size_t b = 0; b < definition.bodies.size(); ++b) {
    const ElasticBodyDefinition& body = definition.bodies[b];
    bodies_.push_back(body.bristles);
    if (!body.bristles) continue;
    const BristledMesh mesh = mesh_on_surface(model, b);
    const Eigen::Vector3d placed = bristle_vector(rotate(body.bristles->direction, body.rotation_axis, body.rotation_angle));
    for (const std::array<int, 4>& element : linear_cells(mesh.mesh)) add_element(mesh, element, placed, rows, volumes);
  }
  std::erase_if(rows, [&](const auto& entry) { return body_of_[static_cast<std::size_t>(entry.row())] < 0; });
  gradient_.resize(count, count);
  gradient_.setFromTriplets(rows.begin(), rows.end());
  for (Eigen::Index v = 0; v < count; ++v)
    for (decltype(gradient_)::InnerIterator entry(gradient_, v); entry; ++entry) entry.valueRef() /= volumes[v];
}

const BristlesDefinition* SurfaceBristles::of_body(int body) const {
  if (body < 0 || body >= static_cast<int>(bodies_.size())) return nullptr;  // an obstacle
  const auto& found = bodies_[static_cast<std::size_t>(body)];
  return found ? &*found : nullptr;
}

const BristlesDefinition& SurfaceBristles::of_vertex(int vertex) const {
  return *bodies_[static_cast<std::size_t>(body_of_[static_cast<std::size_t>(vertex)])];
}

Eigen::Vector3d SurfaceBristles::direction(int vertex, const Eigen::VectorXd& positions) const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (decltype(gradient_)::InnerIterator entry(gradient_, vertex); entry; ++entry)
    sum += entry.value() * positions.segment<3>(3 * entry.col());
  return sum;
}

Eigen::Matrix3Xd SurfaceBristles::directions(int vertex, const Eigen::Ref<const Eigen::MatrixXd>& columns) const {
  Eigen::Matrix3Xd sum = Eigen::Matrix3Xd::Zero(3, columns.cols());
  for (decltype(gradient_)::InnerIterator entry(gradient_, vertex); entry; ++entry)
    sum += entry.value() * columns.middleRows<3>(3 * entry.col());
  return sum;
}

std::shared_ptr<const SurfaceBristles> surface_bristles(const ElasticModel& model, const ElasticModelDefinition& definition,
                                                        const ContactSurface& surface) {
  if (std::none_of(definition.bodies.begin(), definition.bodies.end(), [](const auto& body) { return body.bristles; }))
    return nullptr;
  return std::make_shared<const SurfaceBristles>(model, definition, surface);
}

}  // namespace holo
