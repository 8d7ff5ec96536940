#include "holo/study/frames_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "holo/core/runs/run_folder.h"
#include "runs/scene_json.h"

namespace holo {

static_assert(std::endian::native == std::endian::little, "frames.bin is little-endian");

namespace {

constexpr std::string_view magic_of_version_1 = "HOLOFRM1", magic_of_version_2 = "HOLOFRM2", magic_of_version_3 = "HOLOFRM3";
constexpr std::size_t arrow_size = sizeof(std::uint32_t) + 3 * sizeof(float);

using json = nlohmann::json;

std::uint64_t checksum(std::string_view bytes) { return std::stoull(content_hash(bytes), nullptr, 16); }

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
  if (count > 0) bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
const char* take(const char* from, T* values, std::size_t count) {
  if (count > 0) std::memcpy(values, from, count * sizeof(T));  // an empty vector has no memory
  return from + count * sizeof(T);
}

bool has_arrows(const Scene& scene) { return !scene.arrows.empty(); }

// Of a record without arrows: step and time, positions, poses (7 numbers each), points of glyphs, fields in single precision,
// and the checksum. Arrows come with their counts, and with the record's size before all.
std::size_t least_record_size(const Scene& scene) {
  const auto vertices = static_cast<std::size_t>(scene.vertex_count());
  const std::size_t doubles = 3 * vertices + 7 * scene.rigid_count() + 3 * scene.point_count();
  const std::size_t of_arrows = has_arrows(scene) ? 8 + scene.arrows.size() * sizeof(std::uint32_t) : 0;
  return 16 + doubles * sizeof(double) + scene.fields.size() * vertices * sizeof(float) + 8 + of_arrows;
}

void append_arrows(std::string& bytes, const std::vector<VertexArrow>& arrows) {
  const auto count = static_cast<std::uint32_t>(arrows.size());
  append(bytes, &count, 1);
  for (const VertexArrow& arrow : arrows) {
    append(bytes, &arrow.vertex, 1);
    append(bytes, arrow.vector.data(), 3);
  }
}

// False where they do not end before `end`, or one is at none of the vertices.
bool take_arrows(const char*& from, const char* end, std::size_t vertices, std::vector<VertexArrow>& arrows) {
  std::uint32_t count = 0;
  if (end - from < static_cast<std::ptrdiff_t>(sizeof count)) return false;
  from = take(from, &count, 1);
  if (static_cast<std::size_t>(end - from) / arrow_size < count) return false;
  arrows.resize(count);
  for (VertexArrow& arrow : arrows) from = take(take(from, &arrow.vertex, 1), arrow.vector.data(), 3);
  return std::all_of(arrows.begin(), arrows.end(), [&](const VertexArrow& arrow) { return arrow.vertex < vertices; });
}

std::string read_bytes(std::ifstream& file, std::size_t count) {
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace

std::string frames_file_header(const Scene& scene) {
  std::string text = scene_to_json(scene).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string bytes(has_arrows(scene) ? magic_of_version_3 : magic_of_version_2);
  std::uint64_t size = text.size();
  append(bytes, &size, 1);
  return bytes + text;
}

std::string frame_record(const Scene& scene, const SceneFrame& frame) {
  if (const std::string misfit = misfit_of(scene, frame); !misfit.empty())
    throw Error(Failure::internal,
                fmt::format("frame of step {}: its arrays are not those of the scene: {}", frame.step, misfit));
  std::string bytes;
  std::uint64_t size = least_record_size(scene);
  for (const std::vector<VertexArrow>& arrows : frame.arrows) size += arrows.size() * arrow_size;
  bytes.reserve(size);
  if (has_arrows(scene)) append(bytes, &size, 1);
  append(bytes, &frame.step, 1);
  append(bytes, &frame.time, 1);
  for (const std::vector<double>* values : {&frame.positions, &frame.poses, &frame.points})
    append(bytes, values->data(), values->size());
  for (const std::vector<float>& field : frame.fields) append(bytes, field.data(), field.size());
  for (const std::vector<VertexArrow>& arrows : frame.arrows) append_arrows(bytes, arrows);
  std::uint64_t sum = checksum(bytes);
  append(bytes, &sum, 1);
  return bytes;
}

FramesFile::FramesFile(const std::filesystem::path& path) : path_(path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Failure::input, fmt::format("{}: cannot be read", path.string()));
  std::string head = read_bytes(file, 16);
  // The magic is judged before the sizes, so that a file of another version is called that, and not damaged.
  if (head.substr(0, 8) == magic_of_version_1)
    throw Error(Failure::input,
                fmt::format("{}: a file of frames of version 1, which this program does not read (it reads versions 2 and 3): "
                            "run the experiment again, or use the program that wrote it",
                            path.string()));
  const bool is_version_3 = head.substr(0, 8) == magic_of_version_3;
  if (head.size() < 16 || (head.substr(0, 8) != magic_of_version_2 && !is_version_3))
    throw Error(Failure::input, fmt::format("{}: not a file of frames (it does not begin with {} or {})", path.string(),
                                            magic_of_version_2, magic_of_version_3));
  std::uint64_t text_size = 0;
  take(head.data() + 8, &text_size, 1);
  // A damaged size must not allocate: the header cannot be longer than the file.
  std::uint64_t file_size = std::filesystem::file_size(path);
  if (text_size > file_size - 16) throw Error(Failure::input, fmt::format("{}: ends within its header", path.string()));
  try {
    scene_ = scene_from_json(json::parse(read_bytes(file, text_size)));
    require_sound(scene_, file_size);
    if (is_version_3 != has_arrows(scene_)) throw Error(Failure::input, "its version and its arrows do not fit together");
  } catch (const std::exception& error) {  // of the JSON, or of a name in it
    throw Error(Failure::input, fmt::format("{}: its header is damaged ({})", path.string(), error.what()));
  }
  ends_ = {16 + text_size};
  find_records(file, file_size);
}

// A last record that is not whole, after a kill, is not counted.
void FramesFile::find_records(std::ifstream& file, std::uint64_t file_size) {
  const std::uint64_t least = least_record_size(scene_);
  for (std::uint64_t size = least; file_size - ends_.back() >= least; ends_.push_back(ends_.back() + size)) {
    if (!has_arrows(scene_)) continue;
    file.seekg(static_cast<std::streamoff>(ends_.back()));
    take(read_bytes(file, sizeof size).data(), &size, 1);
    if (size < least || size > file_size - ends_.back()) return;
  }
}

SceneFrame FramesFile::head(std::size_t index) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(ends_[index] + (has_arrows(scene_) ? 8 : 0)));
  std::string bytes = read_bytes(file, 16);
  if (bytes.size() != 16) throw Error(Failure::input, fmt::format("{}: frame {} is damaged", path_.string(), index));
  SceneFrame frame;
  take(take(bytes.data(), &frame.step, 1), &frame.time, 1);
  return frame;
}

SceneFrame FramesFile::read(std::size_t index) const {
  std::ifstream file(path_, std::ios::binary);
  const auto damaged = [&] { return Error(Failure::input, fmt::format("{}: frame {} is damaged", path_.string(), index)); };
  const std::size_t size = ends_[index + 1] - ends_[index];
  file.seekg(static_cast<std::streamoff>(ends_[index]));
  std::string bytes = read_bytes(file, size);
  std::uint64_t sum = 0;
  if (bytes.size() == size) take(bytes.data() + size - 8, &sum, 1);
  if (bytes.size() != size || sum != checksum(std::string_view(bytes).substr(0, size - 8))) throw damaged();
  const auto vertices = static_cast<std::size_t>(scene_.vertex_count());
  SceneFrame frame;
  const char* from = take(bytes.data() + (has_arrows(scene_) ? 8 : 0), &frame.step, 1);
  from = take(from, &frame.time, 1);
  frame.positions.resize(3 * vertices);
  frame.poses.resize(7 * scene_.rigid_count());
  frame.points.resize(3 * scene_.point_count());
  for (std::vector<double>* values : {&frame.positions, &frame.poses, &frame.points})
    from = take(from, values->data(), values->size());
  frame.fields.resize(scene_.fields.size());
  for (std::vector<float>& field : frame.fields) {
    field.resize(vertices);
    from = take(from, field.data(), vertices);
  }
  frame.arrows.resize(scene_.arrows.size());
  for (std::vector<VertexArrow>& arrows : frame.arrows)
    if (!take_arrows(from, bytes.data() + size - 8, vertices, arrows)) throw damaged();
  return frame;
}

}  // namespace holo
