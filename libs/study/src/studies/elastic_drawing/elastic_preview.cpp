#include "studies/elastic_drawing/elastic_preview.h"

#include <fmt/format.h>

#include <array>

#include "holo/sim/mesh/mesh_description.h"
#include "holo/sim/muscle/muscle_definition.h"
#include "studies/elastic_contact.h"
#include "studies/elastic_drawing/body_drawing.h"
#include "studies/elastic_drawing/position_targets.h"

namespace holo {

namespace {

constexpr double muscle_width = 0.004;      // half the width of a segment, over the scene's length
constexpr std::size_t listed_muscles = 12;  // of these each has its line in the legend; more are told by the pointer alone
constexpr std::array muscle_hues = {Hue::red, Hue::blue, Hue::green, Hue::pink, Hue::violet, Hue::teal};

using Triple = std::array<double, 3>;

// The edges of the bounding box, as text.
std::string extent_of(const TetrahedralMesh& mesh) {
  const Eigen::Map<const Eigen::Matrix3Xd> x(mesh.vertices.front().data(), 3, static_cast<Eigen::Index>(mesh.vertices.size()));
  const Eigen::Vector3d extent = x.rowwise().maxCoeff() - x.rowwise().minCoeff();
  return fmt::format("{:.4g} x {:.4g} x {:.4g}", extent[0], extent[1], extent[2]);
}

Table body_table(const ElasticModel& model) {
  Table table{"Bodies", "", {{"body"}, {"vertices"}, {"elements"}, {"volume", "m^3"}, {"mass", "kg"}, {"extent", "m"}}, {}};
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const ElasticBody& body = model.bodies()[b];
    const TetrahedralMesh& mesh = drawn_mesh(model, b);
    double mass = 0;
    for (int v = 0; v < body.vertex_count; ++v) mass += model.masses()[static_cast<std::size_t>(body.first_vertex + v)];
    table.rows.push_back({body.name + (body.is_affine ? " (affine)" : ""), static_cast<double>(mesh.vertices.size()),
                          static_cast<double>(mesh.tetrahedra.size()), total_volume(mesh), mass, extent_of(mesh)});
  }
  return table;
}

std::string activation_of(const MuscleActivation& activation) {
  return activation.signal.empty() ? fmt::format("{:.6g}", activation.value) : "signal " + activation.signal;
}

// A line for each fiber, named "BODY.FIBER" as losses call it.
Table muscle_table(const ElasticModel& model) {
  Table table{"Muscles", "", {{"muscle"}, {"segments"}, {"length", "m"}, {"activation", "Pa"}}, {}};
  for (const ElasticBody& body : model.bodies()) {
    if (!body.muscles) continue;
    for (const Muscle& muscle : body.muscles->muscles) {
      double length = 0;
      for (int i = 0; i < muscle.segment_count; ++i) {
        const MuscleSegment& segment = body.muscles->segments[static_cast<std::size_t>(muscle.first_segment + i)];
        length += (segment.end - segment.start).norm();
      }
      table.rows.push_back(
          {body.name + "." + muscle.name, static_cast<double>(muscle.segment_count), length, activation_of(muscle.activation)});
    }
  }
  return table;
}

Table set_table(const Scene& scene) {
  Table table{"Subsets and handles", "", {{"name"}, {"kind"}, {"vertices"}}, {}};
  for (const SceneBody& body : scene.bodies)
    for (const VertexSet& set : body.sets) table.rows.push_back({set.name, set.kind, static_cast<double>(set.vertices.size())});
  return table;
}

Table obstacle_table(const ContactDefinition& contact) {
  Table table{"Obstacles", "", {{"obstacle"}, {"kind"}, {"friction"}, {"motion"}}, {}};
  const auto add = [&](const auto& obstacle, const char* kind) {
    table.rows.push_back(
        {obstacle.name, std::string(kind), obstacle.friction, std::string(obstacle.motion.moves() ? "moves" : "fixed")});
  };
  for (const PlaneDefinition& plane : contact.planes) add(plane, "plane");
  for (const MeshObstacleDefinition& mesh : contact.meshes) add(mesh, mesh.shape ? "shape" : "mesh");
  return table;
}

std::string point_text(const Eigen::Vector3d& x) { return fmt::format("{:.5g}, {:.5g}, {:.5g}", x[0], x[1], x[2]); }

Table target_table(const std::vector<std::optional<PositionTargets::Target>>& targets) {
  Table table{"Targets at the start", "", {{"loss"}, {"position", "m"}, {"target", "m"}, {"distance", "m"}}, {}};
  for (const auto& target : targets)
    if (target)
      table.rows.push_back(
          {target->loss, point_text(target->observed), point_text(target->wanted), (target->wanted - target->observed).norm()});
  return table;
}

void add_segment(const Triple& start, const Triple& end, SceneFrame& frame) {
  for (const Triple& point : {start, end}) frame.points.insert(frame.points.end(), point.begin(), point.end());
}

Triple triple(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

std::size_t count_of_muscles(const ElasticSceneDefinition& definition) {
  std::size_t count = 0;
  for (const ElasticBodyDefinition& body : definition.bodies) count += body.muscles ? body.muscles->list.size() : 0;
  return count;
}

// Fibers of one entry of `muscles.list` have one color.
void draw_muscles(const ElasticSceneDefinition& definition, const ElasticModel& model, Scene& scene, SceneFrame& frame) {
  const bool are_listed = count_of_muscles(definition) <= listed_muscles;
  std::size_t number = 0;
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const ElasticBody& body = model.bodies()[b];
    if (!body.muscles) continue;
    auto fiber = body.muscles->muscles.begin();
    for (const MuscleDefinition& muscle : definition.bodies[b].muscles->list) {
      const Hue hue = muscle_hues[number++ % muscle_hues.size()];
      for (std::size_t k = 0; k < muscle.curves.fibers.size(); ++k, ++fiber)
        for (int i = 0; i < fiber->segment_count; ++i) {
          const MuscleSegment& segment = body.muscles->segments[static_cast<std::size_t>(fiber->first_segment + i)];
          scene.glyphs.push_back({.name = body.name + "." + fiber->name,
                                  .shape = GlyphShape::segment,
                                  .kind = are_listed ? "muscle " + muscle.name : "",
                                  .hue = hue,
                                  .size = muscle_width * model.length()});
          add_segment(triple(segment.start), triple(segment.end), frame);
        }
    }
  }
}

}  // namespace

StudyPreview elastic_preview(const ElasticSceneDefinition& definition, const SignalStore& signals,
                             const std::vector<NamedLoss>& losses) {
  const ElasticScene elastic_scene(definition);
  const ElasticModel& model = *elastic_scene.model;
  const ElasticContact contact(elastic_scene.contact);
  StudyPreview preview;
  Scene& scene = preview.scene;
  scene.length = model.length();
  scene.bodies = drawn_bodies(model, elastic_scene.schedule);
  for (std::size_t b = 0; b < model.bodies().size(); ++b)
    for (VertexSet& subset : drawn_subsets(model.bodies()[b])) scene.bodies[b].sets.push_back(std::move(subset));
  for (SceneBody& obstacle : contact.drawn_obstacles(model)) scene.bodies.push_back(std::move(obstacle));
  assign_drawn(model, model.start_positions(), preview.frame.positions);
  preview.frame.poses = contact.poses(0);
  draw_muscles(definition, model, scene, preview.frame);
  PositionTargets drawn_targets(elastic_scene.model, signals, definition.time_step);
  drawn_targets.add(losses);
  const auto targets = drawn_targets.at(initial_state(model));
  drawn_targets.add_to(scene);
  drawn_targets.draw(targets, preview.frame);
  preview.notes = model.notes();
  for (Table& table : std::array{body_table(model), muscle_table(model), set_table(scene), obstacle_table(definition.contact),
                                 target_table(targets)})
    if (!table.rows.empty()) preview.tables.push_back(std::move(table));
  return preview;
}

}  // namespace holo
