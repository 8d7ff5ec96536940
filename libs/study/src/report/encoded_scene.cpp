// A recorded scene as the page reads it; its twin is viewer/src/scene_data.js.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/array_encoding.h"
#include "report/recorded_scene.h"

namespace holo::report {

namespace {

using nlohmann::json;

// `values` [frame][entry][channel], each channel with a range of its own for the whole clip.
json encode_channels(const std::vector<float>& values, std::size_t entries, std::size_t channels,
                     const std::vector<std::size_t>& frames) {
  json result = {{"minimum", json::array()}, {"maximum", json::array()}, {"axes", json::array()}};
  for (std::size_t channel = 0; channel < channels; ++channel) {
    Quantization range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    auto value = [&](std::size_t frame, std::size_t entry) { return values[(frame * entries + entry) * channels + channel]; };
    for (std::size_t frame : frames)
      for (std::size_t entry = 0; entry < entries; ++entry) {
        range.minimum = std::min<double>(range.minimum, value(frame, entry));
        range.maximum = std::max<double>(range.maximum, value(frame, entry));
      }
    // No entry at all: any range will do.
    if (range.minimum > range.maximum) range = {0, 0};
    std::vector<std::uint16_t> codes;
    codes.reserve(frames.size() * entries);
    for (std::size_t frame : frames)
      for (std::size_t entry = 0; entry < entries; ++entry) codes.push_back(range.code(value(frame, entry)));
    result["minimum"].push_back(range.minimum);
    result["maximum"].push_back(range.maximum);
    result["axes"].push_back(encode_animation(codes, entries));
  }
  return result;
}

json encode_traces(const SceneBody& body, const RecordedBody& recorded) {
  json result = json::array();
  for (std::size_t t = 0; t < body.traces.size(); ++t)
    result.push_back({{"name", body.traces[t].name},
                      {"entry", recorded.traces[t]},
                      {"hue", to_string(body.traces[t].hue)},
                      {"reference", body.traces[t].reference}});
  return result;
}

json encode_sets(const SceneBody& body, const RecordedBody& recorded) {
  json result = json::array();
  for (std::size_t i = 0; i < body.sets.size(); ++i)
    result.push_back({{"name", body.sets[i].name},
                      {"kind", body.sets[i].kind},
                      {"hue", to_string(body.sets[i].hue)},
                      {"on_request", body.sets[i].on_request},
                      {"entries", recorded.sets[i]}});
  return result;
}

// A body all of whose values are missing lacks the field.
bool lacks(const RecordedBody& body, std::size_t field) {
  for (float value : body.fields[field])
    if (std::isfinite(value)) return false;
  return true;
}

// Codes [frame][entry] of one body's field.
std::vector<std::uint16_t> field_codes(const RecordedBody& body, std::size_t field, const Quantization& range,
                                       const std::vector<std::size_t>& frames) {
  const std::size_t entries = body.used.size();
  std::vector<std::uint16_t> codes;
  codes.reserve(frames.size() * entries);
  for (std::size_t frame : frames)
    for (std::size_t entry = 0; entry < entries; ++entry)
      codes.push_back(range.code(body.fields[field][frame * entries + entry]));
  return codes;
}

Quantization field_range(const RecordedScene& recorded, std::size_t field, const std::vector<std::size_t>& frames) {
  // Categories' numbers come back exactly: the step of the codes is far below 1.
  if (const std::size_t categories = recorded.clip->scene.fields[field].categories.size(); categories > 0)
    return {0, static_cast<double>(categories)};
  Quantization range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const RecordedBody& body : recorded.bodies)
    for (std::size_t frame : frames)
      for (std::size_t entry = 0; entry < body.used.size(); ++entry) {
        const float value = body.fields[field][frame * body.used.size() + entry];
        if (!std::isfinite(value)) continue;
        range.minimum = std::min<double>(range.minimum, value);
        range.maximum = std::max<double>(range.maximum, value);
      }
  return range.minimum <= range.maximum ? range : Quantization{0, 0};
}

// The range that leaves out the outermost half percent of the values at either end, so that one spike does not spoil the
// colors.
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
json encode_categories(const ScalarField& field, const std::vector<std::size_t>& histogram, const Quantization& range) {
  json result = json::array();
  for (std::size_t c = 0; c < field.categories.size(); ++c)
    result.push_back({{"name", field.categories[c].name},
                      {"hue", to_string(field.categories[c].hue)},
                      {"occurs", histogram[range.code(static_cast<double>(c))] > 0}});
  return result;
}

// Describes the field and adds its codes to each body's list. One range for all bodies, so that their colors compare.
json encode_field(const RecordedScene& recorded, std::size_t field, const std::vector<std::size_t>& frames, json& bodies) {
  const Quantization range = field_range(recorded, field, frames);
  std::vector<std::size_t> histogram(Quantization::missing);
  std::size_t missing = 0;
  for (std::size_t b = 0; b < recorded.bodies.size(); ++b) {
    const RecordedBody& body = recorded.bodies[b];
    if (lacks(body, field)) {
      bodies[b]["fields"].push_back(json());
      continue;
    }
    const std::vector<std::uint16_t> codes = field_codes(body, field, range, frames);
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (i % body.used.size() < body.surface) codes[i] == Quantization::missing ? ++missing : ++histogram[codes[i]];
    bodies[b]["fields"].push_back(encode_animation(codes, body.used.size()));
  }
  const auto [low, high] = robust_range(histogram, range);
  const ScalarField& description = recorded.clip->scene.fields[field];
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

json encode_bodies(const RecordedScene& recorded, const std::vector<std::size_t>& frames) {
  json bodies = json::array();
  for (const RecordedBody& body : recorded.bodies) {
    const SceneBody& described = recorded.clip->scene.bodies[body.number];
    bodies.push_back({{"name", described.name},
                      {"vertex_count", body.used.size()},
                      {"triangle_count", body.triangles.size() / 3},
                      {"triangles", encode_indices(body.triangles)},
                      {"positions", encode_channels(body.positions, body.used.size(), 3, frames)},
                      {"traces", encode_traces(described, body)},
                      {"sets", encode_sets(described, body)},
                      {"labeled", described.labeled},
                      {"group", described.group},
                      {"fields", json::array()}});
  }
  return bodies;
}

json encode_rigid(const RecordedScene& recorded, const std::vector<std::size_t>& frames) {
  json bodies = json::array();
  for (const SceneBody& body : recorded.clip->scene.bodies)
    if (body.is_rigid())
      bodies.push_back({{"name", body.name},
                        {"kind", body.kind},
                        {"hue", to_string(body.hue)},
                        {"group", body.group},
                        {"points", body.points},
                        {"triangles", body.triangles}});
  return {{"poses", encode_channels(recorded.poses, bodies.size(), 7, frames)}, {"bodies", bodies}};
}

json encode_glyphs(const RecordedScene& recorded, const std::vector<std::size_t>& frames) {
  static constexpr const char* shapes[] = {"marker", "segment", "arrow", "ring"};
  json list = json::array();
  for (const SceneGlyph& glyph : recorded.clip->scene.glyphs)
    list.push_back({{"name", glyph.name},
                    {"shape", shapes[static_cast<int>(glyph.shape)]},
                    {"kind", glyph.kind},
                    {"hue", to_string(glyph.hue)},
                    {"size", glyph.size},
                    {"trace", glyph.trace},
                    {"reference", glyph.reference},
                    {"group", glyph.group}});
  return {{"points", encode_channels(recorded.points, recorded.clip->scene.point_count(), 3, frames)},
          {"point_count", recorded.clip->scene.point_count()},
          {"list", list}};
}

// The arrows of all frames are one list of entries, as if of one frame.
json encode_arrows(const RecordedScene& recorded, const std::vector<std::size_t>& frames) {
  json list = json::array();
  for (std::size_t i = 0; i < recorded.arrows.size(); ++i) {
    const RecordedArrows& arrows = recorded.arrows[i];
    std::vector<std::size_t> first(1, 0), counts;
    for (const std::size_t count : arrows.counts) first.push_back(first.back() + count);
    std::vector<float> values;
    for (const std::size_t frame : frames) {
      counts.push_back(arrows.counts[frame]);
      const auto begin = arrows.values.begin() + static_cast<std::ptrdiff_t>(6 * first[frame]);
      values.insert(values.end(), begin, begin + static_cast<std::ptrdiff_t>(6 * arrows.counts[frame]));
    }
    const VertexArrows& described = recorded.clip->scene.arrows[i];
    list.push_back({{"name", described.name},
                    {"unit", described.unit},
                    {"hue", to_string(described.hue)},
                    {"counts", counts},
                    {"values", encode_channels(values, values.size() / 6, 6, {0})}});
  }
  return list;
}

}  // namespace

json encode(const RecordedScene& recorded, std::size_t stride) {
  const SceneClip& clip = *recorded.clip;
  const std::vector<std::size_t> frames = strided_indices(recorded.times.size(), stride);
  json bodies = encode_bodies(recorded, frames), fields = json::array(), groups = json::array();
  for (std::size_t f = 0; f < clip.scene.fields.size(); ++f) fields.push_back(encode_field(recorded, f, frames, bodies));
  for (const SceneGroup& group : clip.scene.groups) groups.push_back({{"name", group.name}, {"beside", group.beside}});
  json result = {{"title", clip.title},
                 {"frame_count", clip.frame_count},
                 {"bodies", bodies},
                 {"fields", fields},
                 {"groups", groups},
                 {"rigid", encode_rigid(recorded, frames)},
                 {"glyphs", encode_glyphs(recorded, frames)},
                 {"arrows", encode_arrows(recorded, frames)}};
  result["ground_height"] = clip.ground_height ? json(*clip.ground_height) : json();
  result["frame_indices"] = json::array();
  result["times"] = json::array();
  for (std::size_t frame : frames) {
    result["frame_indices"].push_back(recorded.frame_indices[frame]);
    result["times"].push_back(recorded.times[frame]);
  }
  return result;
}

}  // namespace holo::report
