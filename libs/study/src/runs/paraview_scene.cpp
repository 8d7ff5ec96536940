#include "runs/paraview_scene.h"

#include <fmt/format.h>

#include <limits>

#include "holo/sim/paraview.h"

namespace holo {

ParaviewScene::ParaviewScene(const Scene& scene) : scene_(scene) {
  int first_vertex = 0;
  for (const bool rigid : {false, true})
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      const SceneBody& body = scene_.bodies[b];
      if (body.is_rigid() != rigid) continue;
      for (const std::array<int, 4>& t : body.tetrahedra)
        tetrahedra_.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex, t[3] + first_vertex});
      if (rigid)
        for (const std::array<int, 3>& t : body.triangles)
          triangles_.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex});
      body_of_cell_.insert(body_of_cell_.end(), body.tetrahedra.size() + (rigid ? body.triangles.size() : 0),
                           static_cast<double>(b));
      first_vertex += static_cast<int>(body.vertex_count);
    }
}

std::string ParaviewScene::file_of(const SceneFrame& frame) const {
  const std::vector<double> places = places_of(scene_, frame);
  const std::size_t count = places.size() / 3;
  std::vector<std::vector<double>> values;
  values.reserve(frame.fields.size() + frame.vectors.size());
  std::vector<ParaviewField> fields;
  // Rigid bodies and glyphs have no values.
  const auto add = [&](const std::string& name, const std::string& unit, int components, std::vector<double> of_deformable) {
    of_deformable.resize(static_cast<std::size_t>(components) * count, std::numeric_limits<double>::quiet_NaN());
    values.push_back(std::move(of_deformable));
    fields.push_back({fmt::format("{} [{}]", name, unit), components, values.back()});
  };
  for (std::size_t i = 0; i < frame.fields.size(); ++i)
    add(scene_.fields[i].name, scene_.fields[i].unit, 1, {frame.fields[i].begin(), frame.fields[i].end()});
  for (std::size_t i = 0; i < frame.vectors.size(); ++i)
    add(scene_.vectors[i].name, scene_.vectors[i].unit, 3, frame.vectors[i]);
  return paraview_frame(places, tetrahedra_, fields, {{"body", 1, body_of_cell_}}, triangles_);
}

}  // namespace holo
