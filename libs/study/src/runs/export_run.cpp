#include "holo/study/export_run.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string>

#include "holo/core/error.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/frames_file.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "the arrays are written as they stand in memory");

// The head of a .npy file, version 1: the array's type and shape as a Python literal, padded to a multiple of 64 bytes.
std::string npy_header(const std::string& type, const std::string& shape) {
  constexpr std::size_t alignment = 64, length_size = 2;
  const std::string magic("\x93NUMPY\x01\x00", 8);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  const std::size_t unpadded = magic.size() + length_size + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header = magic;
  header.append(reinterpret_cast<const char*>(&length), length_size);
  return header + text;
}

template <class T>
void append_values(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

void write_frames(const fs::path& file, const fs::path& out, std::vector<fs::path>& written) {
  const FramesFile frames(file);
  const Scene& scene = frames.scene();
  const auto shape = [&](std::size_t count, int width) { return fmt::format("{}, {}, {}", frames.size(), count, width); };
  std::string steps = npy_header("<i8", fmt::format("{},", frames.size()));
  std::string positions = npy_header("<f8", shape(static_cast<std::size_t>(scene.vertex_count()), 3));
  std::string poses = npy_header("<f8", shape(scene.rigid_count(), 7));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const SceneFrame frame = frames.read(i);
    append_values(steps, &frame.step, 1);
    append_values(positions, frame.positions.data(), frame.positions.size());
    append_values(poses, frame.poses.data(), frame.poses.size());
  }
  const auto write = [&](const char* name, const std::string& bytes) {
    write_whole_file(out / name, bytes);
    written.push_back(out / name);
  };
  write("steps.npy", steps);
  if (scene.vertex_count() > 0) write("positions.npy", positions);
  if (scene.rigid_count() > 0) write("poses.npy", poses);
}

}  // namespace

std::vector<fs::path> export_run(const fs::path& run, const fs::path& out) {
  if (!fs::is_regular_file(run / "metrics.csv"))
    throw Error(Failure::input,
                fmt::format("{}: no run: it holds no metrics.csv. Name a folder that `holo run` wrote", run.string()));
  if (fs::exists(out) && (!fs::is_directory(out) || !fs::is_empty(out)))
    throw Error(Failure::input, fmt::format("{}: there are files already; name a folder that is new or empty", out.string()));
  fs::create_directories(out);
  std::vector<fs::path> written{out / "columns.csv"};
  write_whole_file(written.front(), read_whole_file(run / "metrics.csv"));
  if (fs::exists(run / "frames.bin")) write_frames(run / "frames.bin", out, written);
  return written;
}

}  // namespace holo
