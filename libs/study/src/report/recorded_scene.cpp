#include "report/recorded_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "holo/core/error.h"

namespace holo::report {

namespace {

[[noreturn]] void refuse(const SceneClip& clip, const std::string& text) {
  throw Error(Failure::internal, fmt::format("report scene '{}': {}", clip.title, text));
}

RecordedBody surface_of(const SceneClip& clip, const SceneBody& body) {
  RecordedBody recorded;
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> entry_of_vertex(static_cast<std::size_t>(body.vertex_count), none);
  auto entry_of = [&](int vertex, std::string_view user) {
    if (vertex < 0 || vertex >= body.vertex_count)
      refuse(clip,
             fmt::format("body '{}' has {} vertices, but {} names vertex {}", body.name, body.vertex_count, user, vertex));
    std::uint32_t& entry = entry_of_vertex[static_cast<std::size_t>(vertex)];
    if (entry == none) {
      entry = static_cast<std::uint32_t>(recorded.used.size());
      recorded.used.push_back(vertex);
    }
    return entry;
  };
  for (const auto& triangle : body.triangles)
    for (int vertex : triangle) recorded.triangles.push_back(entry_of(vertex, "a triangle"));
  recorded.surface = recorded.used.size();
  for (const VertexTrace& trace : body.traces)
    recorded.traces.push_back(entry_of(trace.vertex, fmt::format("the trace '{}'", trace.name)));
  for (const VertexSet& set : body.sets) {
    auto& entries = recorded.sets.emplace_back();
    for (int vertex : set.vertices) entries.push_back(entry_of(vertex, fmt::format("the set '{}'", set.name)));
  }
  recorded.fields.resize(clip.scene.fields.size());
  return recorded;
}

void require_rigid_triangles(const SceneClip& clip, const SceneBody& body) {
  for (const auto& triangle : body.triangles)
    for (int vertex : triangle)
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= body.points.size())
        refuse(clip,
               fmt::format("body '{}' has {} vertices, but a triangle names vertex {}", body.name, body.points.size(), vertex));
}

void append_positions(const SceneClip& clip, std::size_t index, const SceneFrame& frame, RecordedBody& recorded) {
  for (int vertex : recorded.used)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto coordinate =
          static_cast<float>(frame.positions[3 * (recorded.first_vertex + static_cast<std::size_t>(vertex)) + k]);
      if (!std::isfinite(coordinate))
        refuse(clip, fmt::format("frame {}: the position of vertex {} of body '{}' is not finite", index, vertex,
                                 clip.scene.bodies[recorded.number].name));
      recorded.positions.push_back(coordinate);
    }
}

// Whether the field may have the value; one that is not finite is missing.
bool is_of(const ScalarField& field, float value) {
  if (field.categories.empty() || !std::isfinite(value)) return true;
  return value >= 0 && value < static_cast<float>(field.categories.size()) && value == std::floor(value);
}

void append_fields(const SceneClip& clip, std::size_t index, const SceneFrame& frame, RecordedBody& recorded) {
  for (std::size_t f = 0; f < clip.scene.fields.size(); ++f)
    for (int vertex : recorded.used) {
      const ScalarField& field = clip.scene.fields[f];
      const float value = frame.fields[f][recorded.first_vertex + static_cast<std::size_t>(vertex)];
      if (!is_of(field, value))
        refuse(clip,
               fmt::format("frame {}: field '{}' is {} at vertex {} of body '{}'; its {} categories are numbered from 0", index,
                           field.name, value, vertex, clip.scene.bodies[recorded.number].name, field.categories.size()));
      recorded.fields[f].push_back(value);
    }
}

void append_finite(const SceneClip& clip, std::size_t index, const std::vector<double>& values, std::string_view what,
                   std::vector<float>& recorded) {
  for (double value : values) {
    if (!std::isfinite(static_cast<float>(value))) refuse(clip, fmt::format("frame {}: {} is not finite", index, what));
    recorded.push_back(static_cast<float>(value));
  }
}

void append_arrows(const SceneClip& clip, std::size_t index, const SceneFrame& frame, RecordedScene& recorded) {
  for (std::size_t i = 0; i < frame.arrows.size(); ++i) {
    RecordedArrows& arrows = recorded.arrows[i];
    arrows.counts.push_back(frame.arrows[i].size());
    for (const VertexArrow& arrow : frame.arrows[i]) {
      for (std::size_t k = 0; k < 3; ++k)
        arrows.values.push_back(static_cast<float>(frame.positions[3 * static_cast<std::size_t>(arrow.vertex) + k]));
      for (const float component : arrow.vector) {
        if (!std::isfinite(component)) refuse(clip, fmt::format("frame {}: an arrow is not finite", index));
        arrows.values.push_back(component);
      }
    }
  }
}

void append_frame(const SceneClip& clip, std::size_t index, const SceneFrame& frame, RecordedScene& recorded) {
  if (const std::string misfit = misfit_of(clip.scene, frame); !misfit.empty())
    refuse(clip, fmt::format("frame {}: {}", index, misfit));
  if (!std::isfinite(frame.time)) refuse(clip, fmt::format("the time of frame {} is not finite", index));
  if (!recorded.times.empty() && frame.time <= recorded.times.back())
    refuse(clip, fmt::format("frame {} is at {} s, not after the {} s of the one before it", index, frame.time,
                             recorded.times.back()));
  for (RecordedBody& body : recorded.bodies) {
    append_positions(clip, index, frame, body);
    append_fields(clip, index, frame, body);
  }
  append_finite(clip, index, frame.poses, "the pose of a rigid body", recorded.poses);
  append_finite(clip, index, frame.points, "a point of a glyph", recorded.points);
  append_arrows(clip, index, frame, recorded);
  recorded.frame_indices.push_back(index);
  recorded.times.push_back(frame.time);
}

}  // namespace

std::vector<std::size_t> strided_indices(std::size_t count, std::size_t stride) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < count; i += stride) indices.push_back(i);
  if (count > 0 && indices.back() != count - 1) indices.push_back(count - 1);
  return indices;
}

RecordedScene record(const SceneClip& clip, std::size_t memory_bytes) {
  RecordedScene recorded;
  recorded.clip = &clip;
  recorded.arrows.resize(clip.scene.arrows.size());
  std::size_t frame_bytes = 1 + (7 * clip.scene.rigid_count() + 3 * clip.scene.point_count()) * sizeof(float), first_vertex = 0;
  for (std::size_t b = 0; b < clip.scene.bodies.size(); ++b) {
    const SceneBody& body = clip.scene.bodies[b];
    if (body.is_rigid()) {
      require_rigid_triangles(clip, body);
      continue;
    }
    RecordedBody& surface = recorded.bodies.emplace_back(surface_of(clip, body));
    surface.number = b;
    surface.first_vertex = first_vertex;
    first_vertex += static_cast<std::size_t>(body.vertex_count);
    frame_bytes += surface.used.size() * (3 + clip.scene.fields.size()) * sizeof(float);
  }
  if (clip.frame_count > 0 && !clip.frame)
    refuse(clip, fmt::format("{} frames, but nothing that gives them", clip.frame_count));
  const std::size_t affordable = std::max<std::size_t>(2, memory_bytes / frame_bytes);
  SceneFrame frame;
  for (std::size_t index : strided_indices(clip.frame_count, (clip.frame_count + affordable - 1) / affordable)) {
    clip.frame(index, frame);
    append_frame(clip, index, frame, recorded);
  }
  return recorded;
}

}  // namespace holo::report
