#include "holo/study/export_run.h"

#include <fmt/format.h>

#include <algorithm>
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
  if (count > 0) bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

struct ExportedFile {
  std::string name, bytes;
};

// The table without a last line that a killed run did not finish.
std::string whole_lines(std::string text) {
  const std::size_t end = text.rfind('\n');
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

void add_frames(const fs::path& file, std::vector<ExportedFile>& exported) {
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
  exported.push_back({"steps.npy", std::move(steps)});
  if (scene.vertex_count() > 0) exported.push_back({"positions.npy", std::move(positions)});
  if (scene.rigid_count() > 0) exported.push_back({"poses.npy", std::move(poses)});
}

// Of the study's own tables, sorted.
std::vector<std::string> names_of_tables(const fs::path& run) {
  std::vector<std::string> names;
  if (fs::is_directory(run / "tables"))
    for (const fs::directory_entry& entry : fs::directory_iterator(run / "tables"))
      if (entry.path().extension() == ".csv") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void make_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    throw Error(Failure::input, fmt::format("--out {}: the folder cannot be made: {}", folder.string(), problem.message()));
}

}  // namespace

std::vector<fs::path> export_run(const fs::path& run, const fs::path& out) {
  if (!fs::is_regular_file(run / "metrics.csv"))
    throw Error(Failure::input,
                fmt::format("{}: no run: it holds no metrics.csv. Name a folder that `holo run` wrote", run.string()));
  if (fs::exists(out) && (!fs::is_directory(out) || !fs::is_empty(out)))
    throw Error(Failure::input, fmt::format("{}: there are files already; name a folder that is new or empty", out.string()));
  std::vector<std::string> sources = {"metrics.csv", "frames.bin"};
  const std::vector<std::string> tables = names_of_tables(run);
  for (const std::string& table : tables) sources.push_back("tables/" + table);
  require_undamaged(run, sources);
  // All is read before the first file is written.
  std::vector<ExportedFile> exported{{"columns.csv", whole_lines(read_whole_file(run / "metrics.csv"))}};
  for (const std::string& table : tables) exported.push_back({table, read_whole_file(run / "tables" / table)});
  if (fs::exists(run / "frames.bin")) add_frames(run / "frames.bin", exported);
  make_folder(out);
  std::vector<fs::path> written;
  for (const ExportedFile& file : exported) {
    written.push_back(out / file.name);
    write_whole_file(written.back(), file.bytes);
  }
  return written;
}

}  // namespace holo
