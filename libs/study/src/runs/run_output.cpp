#include "runs/run_output.h"

#include <fmt/format.h>

#include <limits>

#include "holo/sim/paraview.h"
#include "holo/study/frames_file.h"
#include "holo/study/parameter_model.h"
#include "runs/csv_table.h"

namespace holo {

namespace {

std::string header(const std::vector<Quantity>& columns) {
  std::string line;
  for (const Quantity& column : columns) line += (line.empty() ? "" : ",") + column.name;
  return line;
}

std::string csv(const std::vector<double>& values, std::size_t columns) {
  if (values.size() != columns)
    throw Error(Failure::internal, fmt::format("a row of {} values for {} columns", values.size(), columns));
  std::string line;
  for (double value : values) line += (line.empty() ? "" : ",") + number_text(value);
  return line;
}

}  // namespace

RunOutput::RunOutput(RunFolder& folder, const Study& study)
    : folder_(folder),
      log_(&folder.growing("log.jsonl")),
      columns_(study.columns().size()),
      timing_columns_(study.timing_columns().size()),
      scene_(study.scene()) {
  auto begin_table = [&](const char* name, const std::vector<Quantity>& columns) {
    GrowingFile& file = folder_.growing(name);
    if (file.size() == 0 && !columns.empty()) file.append_line(header(columns));
  };
  begin_table("metrics.csv", study.columns());
  begin_table("timings.csv", study.timing_columns());
  if (!scene_) return;
  GrowingFile& frames = folder_.growing("frames.bin");
  if (frames.size() == 0)
    frames.append(frames_file_header(*scene_));
  else
    FramesFile(folder.path() / "frames.bin");  // throws where another version of the program wrote it
  collect_cells();
}

// Tetrahedra of the deformable bodies, then the triangles of the rigid ones, whose vertices stand behind those of the others.
void RunOutput::collect_cells() {
  int first_vertex = 0;
  for (const bool rigid : {false, true})
    for (std::size_t b = 0; b < scene_->bodies.size(); ++b) {
      const SceneBody& body = scene_->bodies[b];
      if (body.is_rigid() != rigid) continue;
      for (const std::array<int, 4>& t : body.tetrahedra)
        tetrahedra_.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex, t[3] + first_vertex});
      if (rigid)
        for (const std::array<int, 3>& t : body.triangles)
          triangles_.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex});
      body_of_cell_.insert(body_of_cell_.end(), body.tetrahedra.size() + (rigid ? body.triangles.size() : 0),
                           static_cast<double>(b));
      first_vertex += static_cast<int>(body.vertex_count);
    }
}

void RunOutput::row(const std::vector<double>& values) { folder_.growing("metrics.csv").append_line(csv(values, columns_)); }

void RunOutput::timings(const std::vector<double>& values) {
  folder_.growing("timings.csv").append_line(csv(values, timing_columns_));
}

void RunOutput::frame(const SceneFrame& frame) {
  if (!scene_) return;
  folder_.growing("frames.bin").append(frame_record(*scene_, frame));
  write_paraview(frame);
}

void RunOutput::table(const std::string& name, const std::string& csv) { folder_.write("tables/" + name + ".csv", csv); }

void RunOutput::model(const ParameterModel& model) { folder_.write("model.json", model_to_json(model)); }

void RunOutput::write_paraview(const SceneFrame& frame) {
  if (frame.vectors.size() != scene_->vectors.size())
    throw Error(Failure::internal, fmt::format("frame of step {}: {} vector fields, the scene names {}", frame.step,
                                               frame.vectors.size(), scene_->vectors.size()));
  const std::vector<double> places = places_of(*scene_, frame);
  const std::size_t count = places.size() / 3;
  std::vector<std::vector<double>> values;
  values.reserve(frame.fields.size() + frame.vectors.size());
  std::vector<ParaviewField> fields;
  // Rigid bodies and glyphs have no values.
  const auto add = [&](const std::string& name, const std::string& unit, int components, std::vector<double> of_deformable) {
    of_deformable.resize(static_cast<std::size_t>(components) * count, std::numeric_limits<double>::quiet_NaN());
    values.push_back(std::move(of_deformable));
    fields.push_back({fmt::format("{} [{}]", name, unit), components, values.back()});
  };
  for (std::size_t i = 0; i < frame.fields.size(); ++i)
    add(scene_->fields[i].name, scene_->fields[i].unit, 1, {frame.fields[i].begin(), frame.fields[i].end()});
  for (std::size_t i = 0; i < frame.vectors.size(); ++i)
    add(scene_->vectors[i].name, scene_->vectors[i].unit, 3, frame.vectors[i]);
  folder_.write(paraview_file(frame.step),
                paraview_frame(places, tetrahedra_, fields, {{"body", 1, body_of_cell_}}, triangles_));
}

std::string paraview_file(std::int64_t step) { return fmt::format("frames/step_{:07}.vtu", step); }

std::string paraview_collection_of(const std::filesystem::path& folder) {
  FramesFile frames(folder / "frames.bin");
  std::vector<ParaviewFrameEntry> entries;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    SceneFrame frame = frames.head(i);
    entries.push_back({frame.time, paraview_file(frame.step)});
  }
  return paraview_collection(entries);
}

}  // namespace holo
