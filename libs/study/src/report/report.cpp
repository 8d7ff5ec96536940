#include "holo/study/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "holo/core/error.h"
#include "report/encoded_model.h"
#include "report/recorded_scene.h"
#include "report/table_json.h"

namespace holo {

namespace {

using nlohmann::json;

constexpr std::string_view placeholder = "HOLOMORPH_REPORT_DATA";
constexpr int format_version = 4;

json encode(const std::vector<double>& values) {
  json result = json::array();
  for (double value : values) result.push_back(std::isfinite(value) ? json(value) : json());
  return result;
}

json encode(const Axis& axis) { return {{"label", axis.label}, {"unit", axis.unit}, {"logarithmic", axis.logarithmic}}; }

json encode(const Series& series, const Plot& plot) {
  const std::string name = fmt::format("report plot '{}', series '{}': ", plot.title, series.name);
  if (series.x.size() != series.y.size())
    throw Error(Failure::internal, fmt::format("{}{} values of x, {} of y", name, series.x.size(), series.y.size()));
  if (series.style != SeriesStyle::points)
    for (std::size_t i = 1; i < series.x.size(); ++i)
      if (series.x[i] < series.x[i - 1])
        throw Error(Failure::internal,
                    fmt::format("{}x falls from {} to {} at point {}; only points may", name, series.x[i - 1], series.x[i], i));
  static constexpr const char* styles[] = {"line", "steps", "points"};
  return {{"name", series.name},
          {"x", encode(series.x)},
          {"y", encode(series.y)},
          {"style", styles[static_cast<int>(series.style)]},
          {"reference", series.reference}};
}

json encode(const Plot& plot) {
  json series = json::array();
  for (const Series& each : plot.series) series.push_back(encode(each, plot));
  json marks = json::array();
  for (const PlotMark& mark : plot.marks) marks.push_back({{"x", number_to_json(mark.x)}, {"label", mark.label}});
  return {{"title", plot.title}, {"caption", plot.caption},     {"x", encode(plot.x)}, {"y", encode(plot.y)},
          {"marks", marks},      {"x_is_time", plot.x_is_time}, {"series", series}};
}

json encode(const Table& table) { return table_to_json(table); }

json encode(const AcceptanceRow& row) {
  return {
      {"metric", row.metric},   {"bound", row.bound}, {"value", cell_to_json(row.value)}, {"verdict", to_string(row.verdict)},
      {"section", row.section}, {"unit", row.unit}};
}

json encode(const PaperRow& row) {
  return {{"figure", row.figure},           {"quantity", row.quantity},          {"paper", cell_to_json(row.paper)},
          {"ours", cell_to_json(row.ours)}, {"verdict", to_string(row.verdict)}, {"cause", row.cause}};
}

json encode(const ParameterModel& model) { return report::encode(model); }

json encode(const Mark& mark) { return {{"time", number_to_json(mark.time)}, {"label", mark.label}}; }

template <class Entry>
json encode_all(const std::vector<Entry>& entries) {
  json result = json::array();
  for (const Entry& entry : entries) result.push_back(encode(entry));
  return result;
}

json encode_all_but_scenes(const ReportData& data) {
  return {{"format", format_version},
          {"title", data.title},
          {"description", data.description},
          {"study", data.study},
          {"verdict", to_string(data.verdict)},
          {"status", data.status},
          {"notes", data.notes},
          {"provenance", json(data.provenance)},
          {"models", encode_all(data.models)},
          {"marks", encode_all(data.marks)},
          {"plots", encode_all(data.plots)},
          {"acceptance", encode_all(data.acceptance)},
          {"paper", encode_all(data.paper)},
          {"tables", encode_all(data.tables)}};
}

// JSON that cannot end its script element or be taken for markup. Outside of strings JSON has none of these characters; all
// beyond ASCII (U+2028 too) is escaped by dump(), and bytes that are not UTF-8 become U+FFFD.
std::string page_text(const json& data) {
  std::string plain = data.dump(-1, ' ', true, json::error_handler_t::replace), safe;
  safe.reserve(plain.size());
  for (char c : plain) {
    if (c == '<' || c == '>' || c == '&')
      safe += fmt::format("\\u{:04x}", c);
    else
      safe += c;
  }
  return safe;
}

// All scenes within about `bytes`, by leaving out frames of all alike. Each pass knows from the one before how far off it is.
std::string encode_within(json& page, const std::vector<report::RecordedScene>& scenes, std::size_t bytes) {
  std::size_t longest = 1;
  for (const auto& scene : scenes) longest = std::max(longest, scene.times.size());
  for (std::size_t stride = 1;;) {
    page["scenes"] = json::array();
    for (const auto& scene : scenes) page["scenes"].push_back(report::encode(scene, stride));
    std::string text = page_text(page);
    if (text.size() <= bytes || stride >= longest) return text;
    const double excess = static_cast<double>(text.size()) / static_cast<double>(std::max<std::size_t>(bytes, 1));
    stride = std::max(stride + 1,
                      static_cast<std::size_t>(std::min(static_cast<double>(stride) * excess, static_cast<double>(longest))));
  }
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::none:
      return "none";
    case Verdict::accepted:
      return "accepted";
    case Verdict::missed:
      return "missed";
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::differs:
      return "differs";
    case Verdict::not_attempted:
      return "not_attempted";
    case Verdict::interrupted:
      return "interrupted";
    case Verdict::failed:
      return "failed";
  }
  return "none";
}

std::string render_report(const ReportData& data, std::string_view page_template, const ReportLimits& limits) {
  const std::size_t place = page_template.find(placeholder);
  if (place == std::string_view::npos || page_template.find(placeholder, place + 1) != std::string_view::npos)
    throw Error(Failure::environment,
                fmt::format("the report page's template must hold {} once; it is damaged or of another version: "
                            "build the target report_page again",
                            placeholder));
  json page = encode_all_but_scenes(data);
  // A page inflates to several times its size; what is recorded for nothing is bounded by as much.
  const std::size_t memory_bytes = 16 * limits.page_bytes / std::max<std::size_t>(1, data.scenes.size());
  std::vector<report::RecordedScene> scenes;
  for (const SceneClip& clip : data.scenes) scenes.push_back(report::record(clip, memory_bytes));
  const std::size_t room = limits.page_bytes > page_template.size() ? limits.page_bytes - page_template.size() : 0;

  std::string text(page_template.substr(0, place));
  text += encode_within(page, scenes, room);
  text += page_template.substr(place + placeholder.size());
  return text;
}

}  // namespace holo
