#include "holo/study/run_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "holo/core/name_list.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/frames_file.h"
#include "holo/study/provenance.h"
#include "holo/study/result.h"
#include "runs/csv_table.h"
#include "runs/run_description.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

std::string unit_of(const std::vector<Quantity>& columns, const std::string& column) {
  for (const Quantity& q : columns)
    if (q.name == column) return q.unit == "1" ? "" : q.unit;
  return {};
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// A line must not fall back in x: rows that go down, as steps that are halved do, are taken in reverse.
Series series(const std::string& name, std::vector<double> x, std::vector<double> y, SeriesStyle style, bool reference) {
  if (x.size() > 1 && x.back() < x.front()) {
    std::reverse(x.begin(), x.end());
    std::reverse(y.begin(), y.end());
  }
  return {name, std::move(x), std::move(y), style, reference};
}

// Rows behind the last checkpoint may be anything, such as what a failing disk left of them.
void require_growing(const fs::path& file, const std::string& column, const std::vector<double>& x) {
  const auto falls = std::adjacent_find(x.begin(), x.end(), std::greater<>());
  if (falls != x.end())
    throw Error(Failure::input, fmt::format("{}: the column '{}' goes back from {} to {}; the file was changed or damaged",
                                            file.string(), column, *falls, *(falls + 1)));
}

// A series for each name, with the rows that have its number. A series without rows, as of a run that was killed, is left out.
std::vector<Series> split_series(const ColumnPlot& plot, const CsvTable& table, SeriesStyle style) {
  std::vector<Series> result;
  const std::vector<double>*x = table.column(plot.x), *number = table.column(plot.series_column);
  const std::vector<double>* y = plot.y.empty() ? nullptr : table.column(plot.y.front());
  for (std::size_t k = 0; x && y && number && k < plot.names.size(); ++k) {
    std::vector<double> own_x, own_y;
    for (std::size_t row = 0; row < number->size(); ++row)
      if ((*number)[row] == double(k)) {
        own_x.push_back((*x)[row]);
        own_y.push_back((*y)[row]);
      }
    if (!own_x.empty())
      result.push_back(
          series(plot.names[k], std::move(own_x), std::move(own_y), style, contains(plot.reference, plot.names[k])));
  }
  return result;
}

// Columns that the table lacks are left out: a run that was killed early may have a header alone.
Plot make_plot(const RunDescription& run, const ColumnPlot& plot, const CsvTable& table, const fs::path& file) {
  Plot result;
  const std::vector<Quantity>& columns = plot.timings ? run.timing_columns : run.columns;
  result.title = plot.title;
  result.x = {spaced(plot.x), unit_of(columns, plot.x), plot.logarithmic_x};
  result.x_is_time = plot.x == "time";
  SeriesStyle style = plot.points ? SeriesStyle::points : plot.counts ? SeriesStyle::steps : SeriesStyle::line;
  if (!plot.series_column.empty())
    result.series = split_series(plot, table, style);
  else if (const std::vector<double>* x = table.column(plot.x))
    for (const std::string& name : plot.y)
      if (const std::vector<double>* y = table.column(name))
        result.series.push_back(series(plot.own_names ? name : spaced(name), *x, *y, style, contains(plot.reference, name)));
  if (style != SeriesStyle::points)
    for (const Series& drawn : result.series) require_growing(file, plot.x, drawn.x);
  std::string label = plot.label;
  if (label.empty() && plot.y.size() == 1) label = plot.own_names ? plot.y.front() : spaced(plot.y.front());
  result.y = {label, plot.y.empty() ? "" : unit_of(columns, plot.y.front()), plot.logarithmic};
  for (const PaperMark& mark : run.marks)
    if (mark.column == plot.x) result.marks.push_back({mark.at, mark.label});
  return result;
}

// The fault for which a frame cannot be drawn, or "". `before`: the time of the frame before it [s].
std::string fault_of(const Scene& scene, const SceneFrame& frame, double before) {
  if (!std::isfinite(frame.time) || !(frame.time > before))
    return fmt::format("its time is {} s, after the {} s of the frame before it", frame.time, before);
  for (double coordinate : frame.positions)
    if (!std::isfinite(static_cast<float>(coordinate))) return fmt::format("a vertex is at the coordinate {} m", coordinate);
  for (const std::vector<double>* numbers : {&frame.poses, &frame.points})
    for (double number : *numbers)
      if (!std::isfinite(static_cast<float>(number))) return fmt::format("a pose or a glyph has the coordinate {}", number);
  for (const std::vector<VertexArrow>& arrows : frame.arrows)
    for (const VertexArrow& arrow : arrows)
      for (const float component : arrow.vector)
        if (!std::isfinite(component)) return fmt::format("an arrow has the component {}", component);
  for (std::size_t f = 0; f < scene.fields.size(); ++f) {
    const std::size_t categories = scene.fields[f].categories.size();
    for (float value : frame.fields[f])
      if (categories > 0 && std::isfinite(value) &&
          (value < 0 || value >= static_cast<float>(categories) || value != std::floor(value)))
        return fmt::format("its field '{}' is {}, which is none of {} categories", scene.fields[f].name, value, categories);
  }
  return "";
}

// A frame from the file of a run, which another program may have written; an error of the input if it cannot be drawn.
SceneFrame drawable_frame(const FramesFile& frames, const fs::path& path, std::size_t index) {
  SceneFrame frame = frames.read(index);
  const double before = index == 0 ? -std::numeric_limits<double>::infinity() : frames.head(index - 1).time;
  if (const std::string fault = fault_of(frames.scene(), frame, before); !fault.empty())
    throw Error(Failure::input, fmt::format("{}: frame {} cannot be drawn: {}", path.string(), index, fault));
  return frame;
}

// Frames are read one by one while the page is written: all of them may not fit into memory.
void add_scene(ReportData& report, const fs::path& path) {
  if (!fs::exists(path)) return;
  auto frames = std::make_shared<FramesFile>(path);
  if (frames->size() == 0) return;
  SceneClip clip;
  clip.scene = frames->scene();
  clip.frame_count = frames->size();
  clip.frame = [frames, path](std::size_t index, SceneFrame& frame) { frame = drawable_frame(*frames, path, index); };
  report.scenes.push_back(std::move(clip));
}

Verdict verdict_of(PaperVerdict verdict) {
  switch (verdict) {
    case PaperVerdict::reproduced:
      return Verdict::reproduced;
    case PaperVerdict::differs:
      return Verdict::differs;
    case PaperVerdict::not_attempted:
      return Verdict::not_attempted;
  }
  return Verdict::none;
}

void add_result(ReportData& report, const RunResult& result, const RunDescription& run) {
  report.status = result.message;
  report.verdict = result.status == RunStatus::failed        ? Verdict::failed
                   : result.status == RunStatus::interrupted ? Verdict::interrupted
                   : result.accepted()                       ? Verdict::accepted
                                                             : Verdict::missed;
  for (const Diagnosis& row : result.diagnoses) report.notes.push_back(row.text);
  for (const AcceptanceResult& row : result.acceptance)
    report.acceptance.push_back({row.metric, row.bound, row.value, row.holds ? Verdict::accepted : Verdict::missed, row.section,
                                 unit_of(run.metrics, row.metric)});
  for (const PaperResult& row : result.paper)
    report.paper.push_back({result.paper_source, row.name, row.bound.empty() ? Cell(row.paper) : Cell(row.bound),
                            row.ours ? Cell(*row.ours) : Cell(std::string("-")), verdict_of(row.verdict), row.cause});
  report.tables = result.tables;
  Table metrics{"Metrics", {}, {{"metric", ""}, {"value", ""}, {"unit", ""}, {"meaning", ""}}, {}};
  for (const Metric& metric : result.metrics) {
    auto same = [&](const Quantity& q) { return q.name == metric.name; };
    auto known = std::find_if(run.metrics.begin(), run.metrics.end(), same);
    bool found = known != run.metrics.end();
    metrics.rows.push_back({metric.name, metric.value, found && known->unit != "1" ? known->unit : std::string(),
                            found ? known->documentation : std::string()});
  }
  if (!metrics.rows.empty()) report.tables.push_back(std::move(metrics));
}

std::string hashes(const std::vector<HashedFile>& files) {
  std::vector<std::string> texts;
  texts.reserve(files.size());
  for (const HashedFile& file : files) texts.push_back(fmt::format("{} ({})", file.name, file.hash));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void add_provenance(ReportData& report, const Provenance& p, const RunDescription& run) {
  report.provenance = {{"command", fmt::format("{}", fmt::join(p.command, " "))},
                       {"experiment", p.experiment.filename().string() + (p.variant.empty() ? "" : ", variant " + p.variant)},
                       {"version", fmt::format("{}, commit {}", p.version, p.commit)},
                       {"compiler", fmt::format("{}, {}, {}", p.compiler, p.build_type, p.flags)},
                       {"machine", fmt::format("{}, {} processors, {}", p.processor, p.processors, p.system)},
                       {"BLAS kernels", p.blas_kernel},
                       {"started", p.started},
                       {"seed", fmt::format("{}", p.seed)},
                       {"program", p.program.hash},
                       {"plugins", hashes(p.plugins)}};
  if (!p.data_files.empty()) report.provenance.emplace_back("data", hashes(p.data_files));
  for (const std::string& kernel : run.kernels) report.provenance.emplace_back("kernel", kernel);
}

}  // namespace

ReportData report_of_run(const fs::path& folder) {
  require_undamaged(folder, {"study.json", "provenance.json", "metrics.csv", "timings.csv", "frames.bin", "model.json"});
  RunDescription run = run_description(folder / "study.json");
  ReportData report;
  report.title = run.name;
  report.study = run.study;
  report.description = run.comment;
  CsvTable table = read_table(folder / "metrics.csv");
  if (fs::exists(folder / "result.json")) {
    add_result(report, result_from_json(folder / "result.json"), run);
  } else {
    std::size_t rows = table.rows();
    report.verdict = Verdict::interrupted;
    report.status = fmt::format("ended before its time, after {} of {} steps", rows == 0 ? 0 : rows - 1, run.total_steps);
  }
  add_scene(report, folder / "frames.bin");
  if (fs::exists(folder / "model.json")) report.models.push_back(read_model(folder / "model.json"));
  CsvTable timings = read_table(folder / "timings.csv");
  for (const ColumnPlot& plot : run.plots)
    report.plots.push_back(
        make_plot(run, plot, plot.timings ? timings : table, folder / (plot.timings ? "timings.csv" : "metrics.csv")));
  add_provenance(report, provenance_from_json(folder / "provenance.json"), run);
  return report;
}

fs::path write_report(const fs::path& folder) {
  require_run_folder(folder);
  ReportData report = report_of_run(folder);
  std::string page_template = find_report_template();
  if (page_template.empty()) return {};
  write_whole_file(folder / "report.html", render_report(report, read_whole_file(page_template)));
  return folder / "report.html";
}

}  // namespace holo
