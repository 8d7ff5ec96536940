#include "runs/scene_json.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"

namespace holo {

using json = nlohmann::json;

NLOHMANN_JSON_SERIALIZE_ENUM(GlyphShape, {{GlyphShape::marker, "marker"},
                                          {GlyphShape::segment, "segment"},
                                          {GlyphShape::arrow, "arrow"},
                                          {GlyphShape::ring, "ring"}})

// Found by name lookup from nlohmann's macros.
void to_json(json& text, const Hue& hue) { text = to_string(hue); }
void from_json(const json& text, Hue& hue) { hue = hue_named(text.get<std::string>()); }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FieldCategory, name, hue)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ScalarField, name, unit, documentation, categories, floor)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VectorField, name, unit, documentation)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VertexTrace, name, vertex, hue, reference)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VertexSet, name, kind, vertices, hue)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SceneBody, name, vertex_count, tetrahedra, triangles, traces, labeled, sets, points, kind,
                                   hue, group)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SceneGlyph, name, shape, kind, hue, size, trace, reference, group)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SceneGroup, name, beside)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VertexArrows, name, unit, documentation, hue)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Scene, bodies, fields, vectors, glyphs, groups, length)

// Scenes without arrows and without quadratic elements are written without these keys, as those of version 2 of the file are.
json scene_to_json(const Scene& scene) {
  json text = scene;
  if (!scene.arrows.empty()) text["arrows"] = scene.arrows;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    if (scene.bodies[b].quadratic) text["bodies"][b]["quadratic"] = true;
  return text;
}

Scene scene_from_json(const json& text) {
  Scene scene = text.get<Scene>();
  if (text.contains("arrows")) text.at("arrows").get_to(scene.arrows);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) scene.bodies[b].quadratic = text["bodies"][b].value("quadratic", false);
  return scene;
}

namespace {

// The fault of a body, or "". More vertices than fit in the file are a fault.
std::string fault_of_body(const SceneBody& body, std::uint64_t file_size) {
  if (body.vertex_count < 1 || static_cast<std::uint64_t>(body.vertex_count) > file_size)
    return fmt::format("has {} vertices, in a file of {} bytes", body.vertex_count, file_size);
  if (body.is_rigid() && body.points.size() != static_cast<std::size_t>(body.vertex_count))
    return fmt::format("has {} vertices, but {} points", body.vertex_count, body.points.size());
  if (body.quadratic && body.tetrahedra.size() % 8 != 0)
    return fmt::format("has {} tetrahedra, which are not eight for each quadratic element", body.tetrahedra.size());
  const auto outside = [&](int vertex) { return vertex < 0 || vertex >= body.vertex_count; };
  const auto named_by = [&](const std::string& user, int vertex) {
    return fmt::format("has {} vertices, but {} names vertex {}", body.vertex_count, user, vertex);
  };
  for (const auto& corners : body.tetrahedra)
    for (int vertex : corners)
      if (outside(vertex)) return named_by("a tetrahedron", vertex);
  for (const auto& corners : body.triangles)
    for (int vertex : corners)
      if (outside(vertex)) return named_by("a triangle", vertex);
  for (const VertexTrace& trace : body.traces)
    if (outside(trace.vertex)) return named_by(fmt::format("the trace '{}'", trace.name), trace.vertex);
  for (const VertexSet& set : body.sets)
    for (int vertex : set.vertices)
      if (outside(vertex)) return named_by(fmt::format("the set '{}'", set.name), vertex);
  return "";
}

void require_group(const Scene& scene, const std::string& owner, int group) {
  if (group < -1 || group >= static_cast<int>(scene.groups.size()))
    throw Error(Failure::input, fmt::format("'{}' is of group {}, of {} groups", owner, group, scene.groups.size()));
}

}  // namespace

void require_sound(const Scene& scene, std::uint64_t file_size) {
  for (const SceneBody& body : scene.bodies) {
    if (const std::string fault = fault_of_body(body, file_size); !fault.empty())
      throw Error(Failure::input, fmt::format("the body '{}' {}", body.name, fault));
    require_group(scene, body.name, body.group);
  }
  for (const SceneGlyph& glyph : scene.glyphs) require_group(scene, glyph.name, glyph.group);
  if (scene.bodies.empty() && scene.glyphs.empty()) throw Error(Failure::input, "it names no body");
  if (!std::isfinite(scene.length) || scene.length <= 0)
    throw Error(Failure::input, fmt::format("the length of its scene is {}", scene.length));
  if (static_cast<std::uint64_t>(scene.vertex_count()) > file_size || scene.fields.size() > file_size ||
      scene.arrows.size() > file_size)
    throw Error(Failure::input, fmt::format("it names {} vertices and {} fields, in a file of {} bytes", scene.vertex_count(),
                                            scene.fields.size(), file_size));
}

}  // namespace holo
