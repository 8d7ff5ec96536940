#include "runs/run_output.h"

#include <fmt/format.h>

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
  paraview_.emplace(*scene_);
}

void RunOutput::row(const std::vector<double>& values) { folder_.growing("metrics.csv").append_line(csv(values, columns_)); }

void RunOutput::timings(const std::vector<double>& values) {
  folder_.growing("timings.csv").append_line(csv(values, timing_columns_));
}

void RunOutput::frame(const SceneFrame& frame) {
  if (!scene_) return;
  folder_.growing("frames.bin").append(frame_record(*scene_, frame));
  if (frame.vectors.size() != scene_->vectors.size())
    throw Error(Failure::internal, fmt::format("frame of step {}: {} vector fields, the scene names {}", frame.step,
                                               frame.vectors.size(), scene_->vectors.size()));
  folder_.write(paraview_file(frame.step), paraview_->file_of(frame));
}

void RunOutput::table(const std::string& name, const std::string& csv) { folder_.write("tables/" + name + ".csv", csv); }

void RunOutput::robot(const std::string& name, const std::string& text) { folder_.write("robot/" + name, text); }

void RunOutput::model(const ParameterModel& model) { folder_.write("model.json", model_to_json(model)); }

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
