#include "holo/study/export_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "export/array_files.h"
#include "export/export_folder.h"
#include "export/frame_selection.h"
#include "export/gltf_scene.h"
#include "export/mesh_files.h"
#include "export/pictures.h"
#include "export/robot_copies.h"
#include "export/run_frames.h"
#include "holo/core/error.h"
#include "holo/core/name_list.h"
#include "holo/core/runs/run_folder.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// The frames that a format writes when none are named.
enum class DefaultFrames { none, all, last };

struct FormatWriter {
  ExportFormat format;
  DefaultFrames frames;
  void (*write)(const RunFrames& frames, ExportFolder& folder);  // null: csv and the robots, which have no frames
};

const std::vector<FormatWriter>& writers() {
  static const std::vector<FormatWriter> list = {
      {{"csv", "columns.csv, the run's columns, and the tables of the study"}, DefaultFrames::none, nullptr},
      {{"npy", "NumPy arrays of the steps, positions and poses"}, DefaultFrames::all, write_npy},
      {{"npz", "run.npz, one NumPy archive: the frames with all fields, and the bodies' names and meshes"},
       DefaultFrames::all,
       write_npz},
      {{"vtu", "frames for ParaView"}, DefaultFrames::all, write_vtu},
      {{"gltf", "scene.glb, an animated scene"}, DefaultFrames::all, write_gltf},
      {{"obj", "the surfaces of all bodies in a frame"}, DefaultFrames::last, write_obj},
      {{"msh", "the tetrahedra of a frame for gmsh"}, DefaultFrames::last, write_msh},
      {{"png", "a picture of a frame, by Chromium"}, DefaultFrames::last, write_png},
      {{"mp4", "a movie of the motion, by Chromium and ffmpeg"}, DefaultFrames::all, write_mp4},
      {{"mjcf", "the robot that the run designed, for MuJoCo, and its joints' positions"}, DefaultFrames::none, nullptr},
      {{"urdf", "the same as URDF with a loop file"}, DefaultFrames::none, nullptr}};
  return list;
}

const FormatWriter& writer_named(const std::string& name) {
  std::vector<std::string> names;
  for (const FormatWriter& writer : writers()) {
    if (writer.format.name == name) return writer;
    names.push_back(writer.format.name);
  }
  throw Error(Failure::input,
              fmt::format("--format {}: no such format.{} There are: {}", name, suggestion(name, names), joined(names)));
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

// The table without a last line that a killed run did not finish.
std::string whole_lines(std::string text) {
  const std::size_t end = text.rfind('\n');
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

void write_csv(const fs::path& run, ExportFolder& folder) {
  folder.write("columns.csv", whole_lines(read_whole_file(run / "metrics.csv")));
  for (const std::string& table : names_of_tables(run)) folder.write(table, read_whole_file(run / "tables" / table));
}

class RunExport {
 public:
  explicit RunExport(const ExportRequest& request) : request_(request) {
    if (!fs::is_regular_file(request.run / "metrics.csv"))
      throw Error(Failure::input, fmt::format("{}: no run: it holds no metrics.csv. Name a folder that `holo run` wrote",
                                              request.run.string()));
    for (const std::string& name : request.formats) formats_.push_back(&writer_named(name));
    names_formats_ = !formats_.empty();
    if (!names_formats_) formats_ = {&writer_named("csv"), &writer_named("npy")};
    std::vector<std::string> sources = {"metrics.csv", "frames.bin"};
    for (const std::string& table : names_of_tables(request.run)) sources.push_back("tables/" + table);
    for (const std::string& file : robot_files(request.run)) sources.push_back(file);
    require_undamaged(request.run, sources);
    if (fs::exists(request.run / "frames.bin")) file_ = std::make_unique<FramesFile>(request.run / "frames.bin");
    check_frames();
  }

  std::vector<fs::path> write() const {
    ExportFolder folder(request_.out.empty() ? request_.run / "export" : request_.out);
    for (const FormatWriter* writer : formats_) {
      const std::string& name = writer->format.name;
      if (name == "csv")
        write_csv(request_.run, folder);
      else if (!writer->write)
        copy_robot(request_.run, name, folder);
      else if (has_frames())
        writer->write(frames_of(*writer), folder);
    }
    return folder.finish();
  }

 private:
  bool has_frames() const { return file_ && file_->size() > 0; }

  // Before the folder is made.
  void check_frames() const {
    bool takes_frames = false;
    for (const FormatWriter* writer : formats_) {
      if (!writer->write) continue;
      takes_frames = true;
      if (!has_frames() && (names_formats_ || !request_.frames.empty()))
        throw Error(Failure::input, fmt::format("--format {}: the run {} has no frames; what it has is written by --format csv",
                                                writer->format.name, request_.run.string()));
      if (has_frames()) frames_of(*writer);
    }
    if (!takes_frames && !request_.frames.empty())
      throw Error(Failure::input, fmt::format("--frame {}: none of the formats has frames", request_.frames));
  }

  RunFrames frames_of(const FormatWriter& writer) const {
    const std::string otherwise = writer.frames == DefaultFrames::all ? "all" : "last";
    return {*file_, selected_frames(request_.frames.empty() ? otherwise : request_.frames, file_->size())};
  }

  const ExportRequest& request_;
  std::vector<const FormatWriter*> formats_;
  bool names_formats_ = false;
  std::unique_ptr<FramesFile> file_;  // null: the run has none
};

}  // namespace

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = [] {
    std::vector<ExportFormat> list;
    for (const FormatWriter& writer : writers()) list.push_back(writer.format);
    return list;
  }();
  return formats;
}

std::vector<fs::path> export_run(const ExportRequest& request) { return RunExport(request).write(); }

}  // namespace holo
