#pragma once
// Data of a run's report, and its rendering as one self-contained page, report.html.
//
//   ReportData report;
//   report.title = "fig08_dragged_body";
//   SceneClip clip;
//   clip.scene.bodies = {{.name = "body", .vertex_count = n, .triangles = boundary_triangles(mesh)}};
//   clip.scene.fields = {{.name = "von_mises_stress", .unit = "Pa"}};
//   clip.frame_count = 400;
//   clip.frame = [&](std::size_t i, SceneFrame& frame) { read_frame(i, frame); };
//   report.scenes.push_back(std::move(clip));
//   std::string path = find_report_template();
//   if (!path.empty()) run.write("report.html", render_report(report, read_whole_file(path)));
//
// Everything here is plain data. A report without scenes is a page of plots and tables. Several scenes stand side by side and
// share one timeline. Another kind of thing to draw is one more list in Scene (scene.h) and its moving half in SceneFrame, with
// a view of its own in viewer/src.
//
// Every text may hold anything (a user wrote it): the page shows it as text, never as markup.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "holo/study/parameter_model.h"
#include "holo/study/scene.h"
#include "holo/study/table.h"

namespace holo {

// A scene over time.
struct SceneClip {
  std::string title = {};  // above the picture where there are several
  Scene scene = {};
  std::optional<double> ground_height = {};  // m: draws the ground there; none: just below the bodies
  std::size_t frame_count = 0;
  // Fills frame `index`. Called once for each frame that goes into the page, in order; `frame` comes back from the call before,
  // so that its arrays can be used again.
  std::function<void(std::size_t index, SceneFrame& frame)> frame = {};
};

struct Axis {
  std::string label = {};
  std::string unit = {};  // "" : none is shown
  bool logarithmic = false;
};

enum class SeriesStyle {
  line,
  steps,  // y[i] holds from x[i-1] to x[i], as for a time step that ends at x[i]
  points
};

struct Series {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y = {};  // as many; not finite: a gap
  SeriesStyle style = SeriesStyle::line;
  bool reference = false;  // the paper's, or another one to compare with: drawn dashed
};

// A place on a plot's x axis that is worth a line, with its label: where a paper saw something happen.
struct PlotMark {
  double x = 0;
  std::string label = {};
};

struct Plot {
  std::string title = {};
  std::string caption = {};  // may be empty
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  bool x_is_time = false;  // x is the scenes' time [s]: the cursor follows the animation, and a click sets it
  std::vector<PlotMark> marks = {};
};

// A row of the acceptance table; the conditions decide the exit code.
struct AcceptanceRow {
  std::string metric = {};
  std::string bound = {};  // "at most 8"
  Cell value = {};
  Verdict verdict = Verdict::none;
  std::string section = {};  // page and section that derive the condition; may be empty
  std::string unit = {};     // of the value and of the numbers in `bound`; "": none
};

// A row of the table of the paper's values.
struct PaperRow {
  std::string figure = {};  // "Luo2019, Fig 8"
  std::string quantity = {};
  Cell paper = {};
  Cell ours = {};
  Verdict verdict = Verdict::not_attempted;
  std::string cause = {};  // of a difference, as measured
};

// An event: a tick on the timeline and a line in the plots over time.
struct Mark {
  double time = 0;  // s
  std::string label = {};
};

struct ReportData {
  std::string title = {};
  std::string description = {};  // the experiment's head comment, its lines kept
  std::string study = {};        // "elastic_dynamics"
  Verdict verdict = Verdict::none;
  std::string status = {};              // one sentence: "finished after 400 steps", or why the solver could not go on
  std::vector<std::string> notes = {};  // what a reader must know ("the frames before step 40 were lost"), each a paragraph
  std::vector<std::pair<std::string, std::string>> provenance = {};
  std::vector<SceneClip> scenes = {};
  std::vector<ParameterModel> models = {};  // with sliders, below the scenes
  std::vector<Mark> marks = {};
  std::vector<Plot> plots = {};
  std::vector<AcceptanceRow> acceptance = {};
  std::vector<PaperRow> paper = {};
  std::vector<Table> tables = {};
};

struct ReportLimits {
  // Frames are left out evenly (first and last stay) until the page is about this small; the page says so.
  std::size_t page_bytes = 25'000'000;
};

// The whole page. A position is off by at most 1/131068 of the extent of its body's path along each axis, a field's value by as
// much of its range; the pose of a rigid body by as much of the poses' range. Throws Error(internal) when the data do not fit
// together (an index out of range, a field of another length, a number of no category, a position that is not finite, times
// that do not grow, a row of another width), with the place, and Error(environment) when `page_template` is no template.
std::string render_report(const ReportData& data, std::string_view page_template, const ReportLimits& limits = {});

// The path of the page's template: in share/holo beside the folder of the running program, in the build tree as in an
// installation.
// "" when the build had no npm to make it.
std::string find_report_template();

}  // namespace holo
