#include "report/recorded_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "holo/core/error.h"
#include "report/array_encoding.h"

namespace holo::report {

namespace {

[[noreturn]] void refuse(const Scene& scene, const std::string& text) {
  throw Error(Failure::internal, fmt::format("report scene '{}': {}", scene.title, text));
}

RecordedBody surface_of(const Scene& scene, const SceneBody& body) {
  RecordedBody recorded;
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> entry_of_vertex(body.vertex_count, none);
  auto entry_of = [&](int vertex, std::string_view user) {
    if (vertex < 0 || static_cast<std::size_t>(vertex) >= body.vertex_count)
      refuse(scene,
             fmt::format("body '{}' has {} vertices, but {} names vertex {}", body.name, body.vertex_count, user, vertex));
    std::uint32_t& entry = entry_of_vertex[vertex];
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
  recorded.fields.resize(scene.fields.size());
  return recorded;
}

void append_positions(const Scene& scene, std::size_t index, const SceneBody& body, const BodyFrame& frame,
                      RecordedBody& recorded) {
  if (frame.positions.size() != body.vertex_count)
    refuse(scene, fmt::format("frame {} has {} positions for the {} vertices of body '{}'", index, frame.positions.size(),
                              body.vertex_count, body.name));
  for (int vertex : recorded.used)
    for (float coordinate : frame.positions[vertex]) {
      if (!std::isfinite(coordinate))
        refuse(scene, fmt::format("frame {}: the position of vertex {} of body '{}' is not finite", index, vertex, body.name));
      recorded.positions.push_back(coordinate);
    }
}

// Whether the field may have the value; one that is not finite is missing.
bool is_of(const ScalarField& field, float value) {
  if (field.categories.empty() || !std::isfinite(value)) return true;
  return value >= 0 && value < static_cast<float>(field.categories.size()) && value == std::floor(value);
}

void append_fields(const Scene& scene, std::size_t index, const SceneBody& body, const BodyFrame& frame, bool first,
                   RecordedBody& recorded) {
  for (std::size_t f = 0; f < scene.fields.size(); ++f) {
    static const std::vector<float> absent;
    const std::vector<float>& values = f < frame.fields.size() ? frame.fields[f] : absent;
    const std::size_t expected = first                        ? (values.empty() ? 0 : body.vertex_count)
                                 : recorded.fields[f].empty() ? 0
                                                              : body.vertex_count;
    if (values.size() != expected)
      refuse(scene,
             fmt::format("frame {}: field '{}' has {} values for the {} vertices of body '{}'{}", index, scene.fields[f].name,
                         values.size(), body.vertex_count, body.name, first ? "" : ", unlike the frames before it"));
    if (values.empty()) continue;
    for (int vertex : recorded.used) {
      if (!is_of(scene.fields[f], values[vertex]))
        refuse(scene,
               fmt::format("frame {}: field '{}' is {} at vertex {} of body '{}'; its {} categories are numbered from 0", index,
                           scene.fields[f].name, values[vertex], vertex, body.name, scene.fields[f].categories.size()));
      recorded.fields[f].push_back(values[vertex]);
    }
  }
}

void append_frame(const Scene& scene, std::size_t index, const SceneFrame& frame, RecordedScene& recorded) {
  if (frame.bodies.size() != scene.bodies.size())
    refuse(scene, fmt::format("frame {} has {} bodies, the scene {}", index, frame.bodies.size(), scene.bodies.size()));
  if (!std::isfinite(frame.time)) refuse(scene, fmt::format("the time of frame {} is not finite", index));
  const bool first = recorded.times.empty();
  if (!first && frame.time <= recorded.times.back())
    refuse(scene, fmt::format("frame {} is at {} s, not after the {} s of the one before it", index, frame.time,
                              recorded.times.back()));
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    append_positions(scene, index, scene.bodies[b], frame.bodies[b], recorded.bodies[b]);
    append_fields(scene, index, scene.bodies[b], frame.bodies[b], first, recorded.bodies[b]);
  }
  recorded.frame_indices.push_back(index);
  recorded.times.push_back(frame.time);
}

// Positions of one body: one box for the whole clip.
nlohmann::json encode_positions(const RecordedBody& body, const std::vector<std::size_t>& frames) {
  const std::size_t entries = body.used.size();
  nlohmann::json result = {
      {"minimum", nlohmann::json::array()}, {"maximum", nlohmann::json::array()}, {"axes", nlohmann::json::array()}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Quantization range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    auto coordinate = [&](std::size_t frame, std::size_t entry) {
      return body.positions[(frame * entries + entry) * 3 + axis];
    };
    for (std::size_t frame : frames)
      for (std::size_t entry = 0; entry < entries; ++entry) {
        range.minimum = std::min<double>(range.minimum, coordinate(frame, entry));
        range.maximum = std::max<double>(range.maximum, coordinate(frame, entry));
      }
    if (range.minimum > range.maximum) range = {0, 0};
    std::vector<std::uint16_t> codes;
    codes.reserve(frames.size() * entries);
    for (std::size_t frame : frames)
      for (std::size_t entry = 0; entry < entries; ++entry) codes.push_back(range.code(coordinate(frame, entry)));
    result["minimum"].push_back(range.minimum);
    result["maximum"].push_back(range.maximum);
    result["axes"].push_back(encode_animation(codes, entries));
  }
  return result;
}

nlohmann::json encode_traces(const SceneBody& body, const RecordedBody& recorded) {
  nlohmann::json result = nlohmann::json::array();
  for (std::size_t t = 0; t < body.traces.size(); ++t)
    result.push_back({{"name", body.traces[t].name},
                      {"entry", recorded.traces[t]},
                      {"hue", to_string(body.traces[t].hue)},
                      {"reference", body.traces[t].reference}});
  return result;
}

// Codes [frame][entry] of one body's field.
std::vector<std::uint16_t> field_codes(const RecordedBody& body, std::size_t field, const Quantization& range,
                                       const std::vector<std::size_t>& frames) {
  const std::size_t entries = body.used.size();
  std::vector<std::uint16_t> codes;
  if (body.fields[field].empty()) return codes;
  codes.reserve(frames.size() * entries);
  for (std::size_t frame : frames)
    for (std::size_t entry = 0; entry < entries; ++entry)
      codes.push_back(range.code(body.fields[field][frame * entries + entry]));
  return codes;
}

Quantization field_range(const RecordedScene& recorded, std::size_t field, const std::vector<std::size_t>& frames) {
  // Categories' numbers come back exactly: the step of the codes is far below 1.
  if (const std::size_t categories = recorded.scene->fields[field].categories.size(); categories > 0)
    return {0, static_cast<double>(categories)};
  Quantization range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const RecordedBody& body : recorded.bodies) {
    if (body.fields[field].empty()) continue;
    for (std::size_t frame : frames)
      for (std::size_t entry = 0; entry < body.used.size(); ++entry) {
        const float value = body.fields[field][frame * body.used.size() + entry];
        if (!std::isfinite(value)) continue;
        range.minimum = std::min<double>(range.minimum, value);
        range.maximum = std::max<double>(range.maximum, value);
      }
  }
  return range.minimum <= range.maximum ? range : Quantization{0, 0};
}

// The range that leaves out the outermost half percent of the values at either end, so that one spike does not spoil the
// colours.
std::pair<double, double> robust_range(const std::vector<std::size_t>& histogram, const Quantization& range) {
  std::size_t total = 0;
  for (std::size_t count : histogram) total += count;
  const std::size_t tail = total / 200;
  std::size_t low = 0, high = histogram.size() - 1;
  for (std::size_t below = 0; low < high && below + histogram[low] <= tail; ++low) below += histogram[low];
  for (std::size_t above = 0; high > low && above + histogram[high] <= tail; --high) above += histogram[high];
  auto value = [&](std::size_t code) {
    return range.minimum + (range.maximum - range.minimum) * static_cast<double>(code) / Quantization::steps;
  };
  return {value(low), value(high)};
}

// Each category, and whether a vertex is of it.
nlohmann::json encode_categories(const ScalarField& field, const std::vector<std::size_t>& histogram,
                                 const Quantization& range) {
  nlohmann::json result = nlohmann::json::array();
  for (std::size_t c = 0; c < field.categories.size(); ++c)
    result.push_back({{"name", field.categories[c].name},
                      {"hue", to_string(field.categories[c].hue)},
                      {"occurs", histogram[range.code(static_cast<double>(c))] > 0}});
  return result;
}

// Describes the field and adds its codes to each body's list. One range for all bodies, so that their colours compare.
nlohmann::json encode_field(const RecordedScene& recorded, std::size_t field, const std::vector<std::size_t>& frames,
                            nlohmann::json& bodies) {
  const Quantization range = field_range(recorded, field, frames);
  std::vector<std::size_t> histogram(Quantization::missing);
  std::size_t missing = 0;
  for (std::size_t b = 0; b < recorded.bodies.size(); ++b) {
    const std::vector<std::uint16_t> codes = field_codes(recorded.bodies[b], field, range, frames);
    const std::size_t entries = recorded.bodies[b].used.size();
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (i % entries < recorded.bodies[b].surface) codes[i] == Quantization::missing ? ++missing : ++histogram[codes[i]];
    const bool absent = recorded.bodies[b].fields[field].empty();
    bodies[b]["fields"].push_back(absent ? nlohmann::json()
                                         : nlohmann::json(encode_animation(codes, recorded.bodies[b].used.size())));
  }
  const auto [low, high] = robust_range(histogram, range);
  const ScalarField& description = recorded.scene->fields[field];
  return {{"name", description.name},
          {"unit", description.unit},
          {"categories", encode_categories(description, histogram, range)},
          {"minimum", range.minimum},
          {"maximum", range.maximum},
          {"low", low},
          {"high", high},
          {"missing", missing},
          {"floor", description.floor}};
}

}  // namespace

std::vector<std::size_t> strided_indices(std::size_t count, std::size_t stride) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < count; i += stride) indices.push_back(i);
  if (count > 0 && indices.back() != count - 1) indices.push_back(count - 1);
  return indices;
}

RecordedScene record(const Scene& scene, std::size_t memory_bytes) {
  RecordedScene recorded;
  recorded.scene = &scene;
  std::size_t frame_bytes = 1;
  for (const SceneBody& body : scene.bodies) {
    recorded.bodies.push_back(surface_of(scene, body));
    frame_bytes += recorded.bodies.back().used.size() * (3 + scene.fields.size()) * sizeof(float);
  }
  if (scene.frame_count > 0 && !scene.frame)
    refuse(scene, fmt::format("{} frames, but nothing that gives them", scene.frame_count));
  const std::size_t affordable = std::max<std::size_t>(2, memory_bytes / frame_bytes);
  SceneFrame frame;
  for (std::size_t index : strided_indices(scene.frame_count, (scene.frame_count + affordable - 1) / affordable)) {
    scene.frame(index, frame);
    append_frame(scene, index, frame, recorded);
  }
  return recorded;
}

nlohmann::json encode(const RecordedScene& recorded, std::size_t stride) {
  const Scene& scene = *recorded.scene;
  const std::vector<std::size_t> frames = strided_indices(recorded.times.size(), stride);
  nlohmann::json bodies = nlohmann::json::array(), fields = nlohmann::json::array();
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    bodies.push_back({{"name", scene.bodies[b].name},
                      {"vertex_count", recorded.bodies[b].used.size()},
                      {"triangle_count", recorded.bodies[b].triangles.size() / 3},
                      {"triangles", encode_indices(recorded.bodies[b].triangles)},
                      {"positions", encode_positions(recorded.bodies[b], frames)},
                      {"traces", encode_traces(scene.bodies[b], recorded.bodies[b])},
                      {"labelled", scene.bodies[b].labelled},
                      {"fields", nlohmann::json::array()}});
  for (std::size_t f = 0; f < scene.fields.size(); ++f) fields.push_back(encode_field(recorded, f, frames, bodies));
  nlohmann::json result = {{"title", scene.title}, {"frame_count", scene.frame_count}, {"bodies", bodies}, {"fields", fields}};
  result["ground_height"] = scene.ground_height ? nlohmann::json(*scene.ground_height) : nlohmann::json();
  result["frame_indices"] = nlohmann::json::array();
  result["times"] = nlohmann::json::array();
  for (std::size_t frame : frames) {
    result["frame_indices"].push_back(recorded.frame_indices[frame]);
    result["times"].push_back(recorded.times[frame]);
  }
  return result;
}

}  // namespace holo::report
