#pragma once
// A sample scene with what lies within a body: a muscle, the vertices of a subset, and forces of contact.

#include "holo/study/report.h"
#include "sample_surfaces.h"

namespace holo_test {

// A bar of 1.2 x 0.2 x 0.2 m on a plane, with a muscle along its axis. In frame 0 forces of 4 N and 8 N lift two vertices of
// its lower face, in frame 1 none does.
inline holo::SceneClip muscle_scene(std::size_t frames) {
  using namespace holo;
  const Surface bar = box_surface({12, 2, 2});
  SceneClip clip;
  clip.scene.bodies = {
      {.name = "bar", .vertex_count = static_cast<std::int64_t>(bar.points.size()), .triangles = bar.triangles}};
  VertexSet& half = clip.scene.bodies[0].sets.emplace_back(VertexSet{"bar.half", "subset", {}, Hue::teal, true});
  std::vector<std::uint32_t> below;
  for (std::size_t i = 0; i < bar.points.size(); ++i) {
    if (bar.points[i][0] > 0.5f) half.vertices.push_back(static_cast<int>(i));
    if (bar.points[i][2] == 0) below.push_back(static_cast<std::uint32_t>(i));
  }
  SceneBody plane{.name = "ground", .vertex_count = 4, .triangles = {{0, 1, 2}, {0, 2, 3}}, .kind = "obstacle"};
  plane.points = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}};
  clip.scene.bodies.push_back(plane);
  clip.scene.glyphs = {
      {.name = "bar.spine", .shape = GlyphShape::segment, .kind = "muscle spine", .hue = Hue::red, .size = 0.02}};
  clip.scene.arrows = {{"contact_force", "N", "on a vertex", Hue::green}};
  clip.frame_count = frames;
  clip.frame = [bar, below](std::size_t index, SceneFrame& frame) {
    frame = {};
    frame.time = 0.1 * static_cast<double>(index);
    for (const auto& p : bar.points) frame.positions.insert(frame.positions.end(), {1.2 * p[0], 0.2 * p[1], 0.01 + 0.2 * p[2]});
    frame.poses = {0, 0, 0, 1, 0, 0, 0};
    frame.points = {0.1, 0.1, 0.11, 1.1, 0.1, 0.11};
    frame.arrows.resize(1);
    if (index == 0) frame.arrows[0] = {{below.front(), {0, 0, 4}}, {below.back(), {0, 0, 8}}};
  };
  return clip;
}

// Also of one frame alone, as a preview has it.
inline holo::ReportData muscle_report(const std::string& title, std::size_t frames) {
  holo::ReportData report;
  report.title = title;
  report.scenes = {muscle_scene(frames)};
  report.tables = {{"Subsets", "", {{"name"}, {"vertices"}}, {{"bar.half", 45.0}}},
                   {"Muscles", "", {{"name"}, {"length", "m"}}, {{"bar.spine", 1.0}}}};
  return report;
}

}  // namespace holo_test
