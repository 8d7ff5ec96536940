#include "runs/run_output.h"

#include <fmt/format.h>

#include "runs/csv_table.h"
#include "holo/sim/paraview.h"
#include "holo/study/frames_file.h"

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
      layout_(study.frame_layout()) {
  auto begin_table = [&](const char* name, const std::vector<Quantity>& columns) {
    GrowingFile& file = folder_.growing(name);
    if (file.size() == 0 && !columns.empty()) file.append_line(header(columns));
  };
  begin_table("metrics.csv", study.columns());
  begin_table("timings.csv", study.timing_columns());
  if (!layout_) return;
  GrowingFile& frames = folder_.growing("frames.bin");
  if (frames.size() == 0) frames.append(frames_file_header(*layout_));
  int first_vertex = 0;
  for (std::size_t b = 0; b < layout_->bodies.size(); ++b) {
    for (const std::array<int, 4>& t : layout_->bodies[b].tetrahedra) {
      tetrahedra_.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex, t[3] + first_vertex});
      body_of_element_.push_back(static_cast<double>(b));
    }
    first_vertex += static_cast<int>(layout_->bodies[b].vertex_count);
  }
}

void RunOutput::row(const std::vector<double>& values) { folder_.growing("metrics.csv").append_line(csv(values, columns_)); }

void RunOutput::timings(const std::vector<double>& values) {
  folder_.growing("timings.csv").append_line(csv(values, timing_columns_));
}

void RunOutput::frame(const Frame& frame) {
  if (!layout_) return;
  folder_.growing("frames.bin").append(frame_record(*layout_, frame));
  write_paraview(frame);
}

void RunOutput::write_paraview(const Frame& frame) {
  std::vector<std::vector<double>> values;
  values.reserve(frame.fields.size());
  std::vector<ParaviewField> fields;
  for (std::size_t i = 0; i < frame.fields.size(); ++i) {
    values.emplace_back(frame.fields[i].begin(), frame.fields[i].end());
    fields.push_back({fmt::format("{} [{}]", layout_->fields[i].name, layout_->fields[i].unit), 1, values.back()});
  }
  if (frame.vectors.size() != layout_->vectors.size())
    throw Error(Failure::internal, fmt::format("frame of step {}: {} vector fields, the layout names {}", frame.step,
                                               frame.vectors.size(), layout_->vectors.size()));
  for (std::size_t i = 0; i < frame.vectors.size(); ++i)
    fields.push_back({fmt::format("{} [{}]", layout_->vectors[i].name, layout_->vectors[i].unit), 3, frame.vectors[i]});
  folder_.write(paraview_file(frame.step),
                paraview_frame(frame.positions, tetrahedra_, fields, {{"body", 1, body_of_element_}}));
}

std::string paraview_file(std::int64_t step) { return fmt::format("frames/step_{:07}.vtu", step); }

std::string paraview_collection_of(const std::filesystem::path& folder) {
  FramesFile frames(folder / "frames.bin");
  std::vector<ParaviewFrameEntry> entries;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Frame frame = frames.head(i);
    entries.push_back({frame.time, paraview_file(frame.step)});
  }
  return paraview_collection(entries);
}

}  // namespace holo
