#include "holo/study/frames_file.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "holo/core/runs/run_folder.h"

namespace holo {

static_assert(std::endian::native == std::endian::little, "frames.bin is little-endian");

namespace {

constexpr std::string_view magic = "HOLOFRM1";

using json = nlohmann::json;

std::uint64_t checksum(std::string_view bytes) { return std::stoull(content_hash(bytes), nullptr, 16); }

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
const char* take(const char* from, T* values, std::size_t count) {
  std::memcpy(values, from, count * sizeof(T));
  return from + count * sizeof(T);
}

std::size_t record_size(const FrameLayout& layout) {
  auto vertices = static_cast<std::size_t>(layout.vertex_count());
  return 16 + vertices * 24 + layout.fields.size() * vertices * 4 + 8;
}

json to_json(const std::vector<FieldCategory>& categories) {
  json result = json::array();
  for (const FieldCategory& category : categories) result.push_back({{"name", category.name}, {"hue", to_string(category.hue)}});
  return result;
}

json to_json(const std::vector<VertexTrace>& traces) {
  json result = json::array();
  for (const VertexTrace& trace : traces)
    result.push_back(
        {{"name", trace.name}, {"vertex", trace.vertex}, {"hue", to_string(trace.hue)}, {"reference", trace.reference}});
  return result;
}

json to_json(const FrameLayout& layout) {
  json result{{"length", layout.length}, {"bodies", json::array()}, {"fields", json::array()}};
  for (const FrameBody& body : layout.bodies)
    result["bodies"].push_back({{"name", body.name},
                                {"vertex_count", body.vertex_count},
                                {"tetrahedra", body.tetrahedra},
                                {"triangles", body.triangles},
                                {"traces", to_json(body.traces)},
                                {"labelled", body.labelled}});
  for (const FrameField& field : layout.fields)
    result["fields"].push_back({{"name", field.name},
                                {"unit", field.unit},
                                {"documentation", field.documentation},
                                {"categories", to_json(field.categories)},
                                {"floor", field.floor}});
  return result;
}

// Files of earlier versions have no categories, traces and labels.
std::vector<FieldCategory> categories_from_json(const json& field) {
  std::vector<FieldCategory> categories;
  for (const json& category : field.value("categories", json::array()))
    categories.push_back({category.at("name"), hue_named(category.at("hue"))});
  return categories;
}

std::vector<VertexTrace> traces_from_json(const json& body) {
  std::vector<VertexTrace> traces;
  for (const json& trace : body.value("traces", json::array()))
    traces.push_back({trace.at("name"), trace.at("vertex"), hue_named(trace.at("hue")), trace.at("reference")});
  return traces;
}

FrameLayout layout_from_json(const json& text) {
  FrameLayout layout;
  layout.length = text.at("length");
  for (const json& body : text.at("bodies"))
    layout.bodies.push_back(
        {body.at("name"), body.at("vertex_count"), body.at("tetrahedra").get<std::vector<std::array<int, 4>>>(),
         body.at("triangles").get<std::vector<std::array<int, 3>>>(), traces_from_json(body), body.value("labelled", false)});
  for (const json& field : text.at("fields"))
    layout.fields.push_back({field.at("name"), field.at("unit"), field.at("documentation"), categories_from_json(field),
                             field.value("floor", 0.0)});
  return layout;
}

// The error in a body's header, "" when there is none. A count of vertices beyond the file's size is refused.
std::string fault_of(const FrameBody& body, std::uint64_t file_size) {
  if (body.vertex_count < 1 || static_cast<std::uint64_t>(body.vertex_count) > file_size)
    return fmt::format("has {} vertices, in a file of {} bytes", body.vertex_count, file_size);
  const auto outside = [&](int vertex) { return vertex < 0 || vertex >= body.vertex_count; };
  for (const auto& corners : body.tetrahedra)
    for (int vertex : corners)
      if (outside(vertex)) return fmt::format("has {} vertices, but a tetrahedron names vertex {}", body.vertex_count, vertex);
  for (const auto& corners : body.triangles)
    for (int vertex : corners)
      if (outside(vertex)) return fmt::format("has {} vertices, but a triangle names vertex {}", body.vertex_count, vertex);
  for (const VertexTrace& trace : body.traces)
    if (outside(trace.vertex))
      return fmt::format("has {} vertices, but the trace '{}' names vertex {}", body.vertex_count, trace.name, trace.vertex);
  return "";
}

// Throws Error(input) for a layout whose frames could not be read or drawn.
void require_sound(const FrameLayout& layout, std::uint64_t file_size) {
  for (const FrameBody& body : layout.bodies)
    if (const std::string fault = fault_of(body, file_size); !fault.empty())
      throw Error(Failure::input, fmt::format("the body '{}' {}", body.name, fault));
  if (layout.bodies.empty()) throw Error(Failure::input, "it names no body");
  if (!std::isfinite(layout.length) || layout.length <= 0)
    throw Error(Failure::input, fmt::format("the length of its scene is {}", layout.length));
  if (static_cast<std::uint64_t>(layout.vertex_count()) > file_size || layout.fields.size() > file_size)
    throw Error(Failure::input, fmt::format("it names {} vertices and {} fields, in a file of {} bytes", layout.vertex_count(),
                                            layout.fields.size(), file_size));
}

std::string read_bytes(std::ifstream& file, std::size_t count) {
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace

std::int64_t FrameLayout::vertex_count() const {
  std::int64_t count = 0;
  for (const FrameBody& body : bodies) count += body.vertex_count;
  return count;
}

std::string frames_file_header(const FrameLayout& layout) {
  std::string text = to_json(layout).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string bytes(magic);
  std::uint64_t size = text.size();
  append(bytes, &size, 1);
  return bytes + text;
}

std::string frame_record(const FrameLayout& layout, const Frame& frame) {
  auto vertices = static_cast<std::size_t>(layout.vertex_count());
  bool fits = frame.positions.size() == 3 * vertices && frame.fields.size() == layout.fields.size();
  for (const std::vector<float>& field : frame.fields) fits = fits && field.size() == vertices;
  if (!fits)
    throw Error(Failure::internal, fmt::format("frame of step {}: its arrays are not those of the layout", frame.step));
  std::string bytes;
  bytes.reserve(record_size(layout));
  append(bytes, &frame.step, 1);
  append(bytes, &frame.time, 1);
  append(bytes, frame.positions.data(), frame.positions.size());
  for (const std::vector<float>& field : frame.fields) append(bytes, field.data(), field.size());
  std::uint64_t sum = checksum(bytes);
  append(bytes, &sum, 1);
  return bytes;
}

FramesFile::FramesFile(const std::filesystem::path& path) : path_(path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Failure::input, fmt::format("{}: cannot be read", path.string()));
  std::string head = read_bytes(file, 16);
  if (head.size() < 16 || head.substr(0, 8) != magic)
    throw Error(Failure::input, fmt::format("{}: not a file of frames (it does not begin with {})", path.string(), magic));
  std::uint64_t text_size = 0;
  take(head.data() + 8, &text_size, 1);
  std::uint64_t file_size = std::filesystem::file_size(path);
  if (text_size > file_size - 16) throw Error(Failure::input, fmt::format("{}: ends within its header", path.string()));
  try {
    layout_ = layout_from_json(json::parse(read_bytes(file, text_size)));
    require_sound(layout_, file_size);
  } catch (const std::exception& error) {  // of the JSON, or of a name in it
    throw Error(Failure::input, fmt::format("{}: its header is damaged ({})", path.string(), error.what()));
  }
  header_size_ = 16 + text_size;
  record_size_ = record_size(layout_);
  count_ = (file_size - header_size_) / record_size_;
}

Frame FramesFile::head(std::size_t index) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(header_size_ + index * record_size_));
  std::string bytes = read_bytes(file, 16);
  if (bytes.size() != 16) throw Error(Failure::input, fmt::format("{}: frame {} is damaged", path_.string(), index));
  Frame frame;
  take(take(bytes.data(), &frame.step, 1), &frame.time, 1);
  return frame;
}

Frame FramesFile::read(std::size_t index) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(header_size_ + index * record_size_));
  std::string bytes = read_bytes(file, record_size_);
  std::uint64_t sum = 0;
  if (bytes.size() == record_size_) take(bytes.data() + record_size_ - 8, &sum, 1);
  if (bytes.size() != record_size_ || sum != checksum(std::string_view(bytes).substr(0, record_size_ - 8)))
    throw Error(Failure::input, fmt::format("{}: frame {} is damaged", path_.string(), index));
  auto vertices = static_cast<std::size_t>(layout_.vertex_count());
  Frame frame;
  const char* from = take(bytes.data(), &frame.step, 1);
  from = take(from, &frame.time, 1);
  frame.positions.resize(3 * vertices);
  from = take(from, frame.positions.data(), frame.positions.size());
  frame.fields.resize(layout_.fields.size());
  for (std::vector<float>& field : frame.fields) {
    field.resize(vertices);
    from = take(from, field.data(), vertices);
  }
  return frame;
}

}  // namespace holo
