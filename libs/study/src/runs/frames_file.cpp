#include "holo/study/frames_file.h"

#include <fmt/format.h>

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

constexpr std::string_view magic = "HOLOFRM2", magic_of_version_1 = "HOLOFRM1";

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

// All records have one size: step and time, positions, poses (7 numbers each), points of glyphs, fields in single
// precision, and the checksum. So frame k is found without reading those before it.
std::size_t record_size(const Scene& scene) {
  const auto vertices = static_cast<std::size_t>(scene.vertex_count());
  const std::size_t doubles = 3 * vertices + 7 * scene.rigid_count() + 3 * scene.point_count();
  return 16 + doubles * sizeof(double) + scene.fields.size() * vertices * sizeof(float) + 8;
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
  std::string bytes(magic);
  std::uint64_t size = text.size();
  append(bytes, &size, 1);
  return bytes + text;
}

std::string frame_record(const Scene& scene, const SceneFrame& frame) {
  if (const std::string misfit = misfit_of(scene, frame); !misfit.empty())
    throw Error(Failure::internal,
                fmt::format("frame of step {}: its arrays are not those of the scene: {}", frame.step, misfit));
  std::string bytes;
  bytes.reserve(record_size(scene));
  append(bytes, &frame.step, 1);
  append(bytes, &frame.time, 1);
  for (const std::vector<double>* values : {&frame.positions, &frame.poses, &frame.points})
    append(bytes, values->data(), values->size());
  for (const std::vector<float>& field : frame.fields) append(bytes, field.data(), field.size());
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
                fmt::format("{}: a file of frames of version 1, which this program does not read (it reads version 2): "
                            "run the experiment again, or use the program that wrote it",
                            path.string()));
  if (head.size() < 16 || head.substr(0, 8) != magic)
    throw Error(Failure::input, fmt::format("{}: not a file of frames (it does not begin with {})", path.string(), magic));
  std::uint64_t text_size = 0;
  take(head.data() + 8, &text_size, 1);
  // A damaged size must not allocate: the header cannot be longer than the file.
  std::uint64_t file_size = std::filesystem::file_size(path);
  if (text_size > file_size - 16) throw Error(Failure::input, fmt::format("{}: ends within its header", path.string()));
  try {
    scene_ = scene_from_json(json::parse(read_bytes(file, text_size)));
    require_sound(scene_, file_size);
  } catch (const std::exception& error) {  // of the JSON, or of a name in it
    throw Error(Failure::input, fmt::format("{}: its header is damaged ({})", path.string(), error.what()));
  }
  // A last record that is not whole, after a kill, is not counted.
  header_size_ = 16 + text_size;
  record_size_ = record_size(scene_);
  count_ = (file_size - header_size_) / record_size_;
}

SceneFrame FramesFile::head(std::size_t index) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(header_size_ + index * record_size_));
  std::string bytes = read_bytes(file, 16);
  if (bytes.size() != 16) throw Error(Failure::input, fmt::format("{}: frame {} is damaged", path_.string(), index));
  SceneFrame frame;
  take(take(bytes.data(), &frame.step, 1), &frame.time, 1);
  return frame;
}

SceneFrame FramesFile::read(std::size_t index) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(header_size_ + index * record_size_));
  std::string bytes = read_bytes(file, record_size_);
  std::uint64_t sum = 0;
  if (bytes.size() == record_size_) take(bytes.data() + record_size_ - 8, &sum, 1);
  if (bytes.size() != record_size_ || sum != checksum(std::string_view(bytes).substr(0, record_size_ - 8)))
    throw Error(Failure::input, fmt::format("{}: frame {} is damaged", path_.string(), index));
  const auto vertices = static_cast<std::size_t>(scene_.vertex_count());
  SceneFrame frame;
  const char* from = take(bytes.data(), &frame.step, 1);
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
  return frame;
}

}  // namespace holo
