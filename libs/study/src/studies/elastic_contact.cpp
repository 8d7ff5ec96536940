#include "studies/elastic_contact.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

namespace {

const QuantityTable<ContactSummary>& contact_columns() {
  using C = const ContactSummary&;
  static const QuantityTable<ContactSummary> table{
      {{"smallest_gap", "m", "between a surface and an obstacle or another surface"}, [](C c) { return c.smallest_gap; }},
      {{"normal_force", "N", "sum of the normal forces of all contacts"}, [](C c) { return c.normal_force; }},
      {{"touching_vertices", "1", "vertices that are repelled"}, [](C c) { return static_cast<double>(c.touching_vertices); }}};
  return table;
}

// Circles around the axis from one pole to the other, of which the second half belongs to the end of the axis. Of a sphere both
// ends are its center.
void add_round_surface(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius, SceneBody& body) {
  constexpr int around = 32, rings = 16;  // an even number of the latter
  const Eigen::Vector3d axis = end == start ? Eigen::Vector3d(0, 0, 1) : Eigen::Vector3d((end - start).normalized()),
                        first = axis.unitOrthogonal(), second = axis.cross(first);
  for (int ring = 0; ring <= rings + 1; ++ring) {
    const bool is_late = ring > rings / 2;
    const double height = M_PI * ((is_late ? ring - 1 : ring) / static_cast<double>(rings) - 0.5);
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * M_PI * i / around;
      const Eigen::Vector3d across = std::cos(angle) * first + std::sin(angle) * second;
      const Eigen::Vector3d x = (is_late ? end : start) + radius * (std::sin(height) * axis + std::cos(height) * across);
      body.points.push_back({x[0], x[1], x[2]});
      if (ring == 0) continue;
      const int a = (ring - 1) * around + i, b = (ring - 1) * around + (i + 1) % around, c = a + around, d = b + around;
      body.triangles.insert(body.triangles.end(), {{a, b, d}, {a, d, c}});
    }
  }
}

// Obstacles that are meshes, with the vertices of their surfaces.
void add_drawn_meshes(const MeshContact& contact, std::vector<SceneBody>& drawn) {
  const CollisionMesh& mesh = *contact.mesh;
  for (int obstacle = contact.model_bodies; obstacle < mesh.body_count; ++obstacle) {
    SceneBody body{.name = contact.names[static_cast<std::size_t>(obstacle)], .kind = "obstacle", .hue = Hue::gray};
    const auto [first, last] = std::equal_range(mesh.vertex_bodies.begin(), mesh.vertex_bodies.end(), obstacle);
    const auto begin = mesh.vertices.begin() + (first - mesh.vertex_bodies.begin()),
               end = mesh.vertices.begin() + (last - mesh.vertex_bodies.begin());
    for (auto vertex = begin; vertex != end; ++vertex) {
      const Eigen::Vector3d x = contact.obstacle_positions.segment<3>(3 * (*vertex - contact.model_vertices));
      body.points.push_back({x[0], x[1], x[2]});
    }
    if (const double radius = mesh.radius_of(obstacle); radius > 0) {
      const Eigen::Vector3d start(body.points.front().data()), end_of_axis(body.points.back().data());
      body.points.clear();
      add_round_surface(start, end_of_axis, radius, body);
    }
    body.vertex_count = static_cast<std::int64_t>(body.points.size());
    const auto number = [&](int vertex) { return static_cast<int>(std::lower_bound(begin, end, vertex) - begin); };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      if (mesh.triangle_bodies[t] == obstacle)
        body.triangles.push_back({number(mesh.triangles[t][0]), number(mesh.triangles[t][1]), number(mesh.triangles[t][2])});
    drawn.push_back(std::move(body));
  }
}

}  // namespace

const QuantityTable<ContactTotals>& contact_metrics() {
  using T = const ContactTotals&;
  static const QuantityTable<ContactTotals> table{
      {{"smallest_gap", "m", "between a surface and an obstacle or another surface, over all steps"},
       [](T t) { return t.smallest_gap; }},
      {{"normal_force", "N", "sum of the normal forces at the end"}, [](T t) { return t.last_force; }},
      {{"normal_force_maximum", "N", "largest sum of the normal forces"}, [](T t) { return t.largest_force; }},
      {{"touching_vertices", "1", "vertices that are repelled at the end"}, [](T t) { return t.last_touching; }}};
  return table;
}

std::vector<Quantity> ElasticContact::columns() const {
  return has_contact() ? quantities_of(contact_columns()) : std::vector<Quantity>{};
}

std::vector<ColumnPlot> ElasticContact::plots() const {
  if (!has_contact()) return {};
  return {{"Normal force of the contacts", "time", {"normal_force"}},
          {"Smallest gap", "time", {"smallest_gap"}},
          {"Vertices that are repelled", "time", {"touching_vertices"}, false, true}};
}

void ElasticContact::observe(const ElasticState& state, std::vector<double>& row) {
  if (!has_contact()) return;
  const ContactSummary summary = summarize_contact(contact_, state.positions, state.time);
  totals_.smallest_gap = std::min(totals_.smallest_gap, summary.smallest_gap);
  totals_.last_force = summary.normal_force;
  totals_.last_touching = summary.touching_vertices;
  totals_.largest_force = std::max(totals_.largest_force, summary.normal_force);
  for (const double value : row_of(contact_columns(), summary)) row.push_back(value);
}

std::vector<Metric> ElasticContact::metrics() const {
  return has_contact() ? metrics_of(contact_metrics(), totals_) : std::vector<Metric>{};
}

std::vector<SceneBody> ElasticContact::drawn_obstacles(const ElasticModel& model) const {
  std::vector<SceneBody> drawn;
  std::vector<double> vertices;
  assign_drawn(model, model.start_positions(), vertices);
  const Eigen::Map<const Eigen::Matrix3Xd> positions(vertices.data(), 3, static_cast<Eigen::Index>(vertices.size() / 3));
  const Eigen::Vector3d middle = 0.5 * (positions.rowwise().minCoeff() + positions.rowwise().maxCoeff());
  for (const PlaneDefinition& plane : contact_.planes) {
    const Eigen::Vector3d normal(plane.normal.data()), point(plane.point.data());
    // A square around the foot of the bodies' middle.
    const Eigen::Vector3d foot = middle - normal.dot(middle - point) * normal;
    const Eigen::Vector3d side = model.length() * normal.unitOrthogonal(), across = normal.cross(side);
    SceneBody body{
        .name = plane.name, .vertex_count = 4, .triangles = {{0, 1, 2}, {0, 2, 3}}, .kind = "obstacle", .hue = Hue::gray};
    for (const auto& [s, t] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)}) {
      const Eigen::Vector3d corner = foot + s * side + t * across;
      body.points.push_back({corner[0], corner[1], corner[2]});
    }
    drawn.push_back(std::move(body));
  }
  if (contact_.mesh) add_drawn_meshes(*contact_.mesh, drawn);
  return drawn;
}

std::vector<double> ElasticContact::poses(double time) const {
  std::vector<double> poses;
  const auto add = [&](const MotionDefinition& motion) {
    const RigidPose pose = motion.pose(time);
    const Eigen::Quaterniond turned = Eigen::Quaterniond(pose.rotation).normalized();
    const Eigen::Vector3d& p = pose.position;
    poses.insert(poses.end(), {p[0], p[1], p[2], turned.w(), turned.x(), turned.y(), turned.z()});
  };
  for (const PlaneDefinition& plane : contact_.planes) add(plane.motion);
  if (contact_.mesh)
    for (const MeshContact::Motion& obstacle : contact_.mesh->motions) add(obstacle.motion);
  return poses;
}

void ElasticContact::visit(Archive& archive) {
  archive.visit(totals_.smallest_gap);
  archive.visit(totals_.largest_force);
  archive.visit(totals_.last_force);
  archive.visit(totals_.last_touching);
}

}  // namespace holo
