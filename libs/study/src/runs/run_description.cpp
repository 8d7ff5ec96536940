#include "runs/run_description.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "holo/core/runs/run_folder.h"

namespace holo {

namespace {

using json = nlohmann::ordered_json;

json to_json(const std::vector<Quantity>& quantities) {
  json list = json::array();
  for (const Quantity& q : quantities) list.push_back({{"name", q.name}, {"unit", q.unit}, {"documentation", q.documentation}});
  return list;
}

std::vector<Quantity> quantities(const json& list) {
  std::vector<Quantity> result;
  for (const json& q : list) result.push_back({q.at("name"), q.at("unit"), q.at("documentation")});
  return result;
}

RunDescription read(const json& text) {
  RunDescription d;
  d.name = text.at("name");
  d.study = text.at("study");
  d.comment = text.at("comment");
  d.total_steps = text.at("total_steps");
  d.columns = quantities(text.at("columns"));
  d.timing_columns = quantities(text.at("timing_columns"));
  d.metrics = quantities(text.at("metrics"));
  for (const json& p : text.at("plots"))
    d.plots.push_back({p.at("title"), p.at("x"), p.at("y").get<std::vector<std::string>>(), p.at("logarithmic"), p.at("counts"),
                       p.at("logarithmic_x"), p.at("timings"), p.at("points"), p.at("label"),
                       p.at("reference").get<std::vector<std::string>>(), p.value("own_names", false)});
  for (const json& m : text.at("marks")) d.marks.push_back({m.at("column"), m.at("at"), m.at("label")});
  d.kernels = text.at("kernels").get<std::vector<std::string>>();
  return d;
}

}  // namespace

std::string to_json(const RunDescription& d) {
  json plots = json::array();
  for (const ColumnPlot& p : d.plots)
    plots.push_back({{"title", p.title},
                     {"x", p.x},
                     {"y", p.y},
                     {"logarithmic", p.logarithmic},
                     {"counts", p.counts},
                     {"logarithmic_x", p.logarithmic_x},
                     {"timings", p.timings},
                     {"points", p.points},
                     {"label", p.label},
                     {"reference", p.reference},
                     {"own_names", p.own_names}});
  json marks = json::array();
  for (const PaperMark& m : d.marks) marks.push_back({{"column", m.column}, {"at", m.at}, {"label", m.label}});
  json text{{"name", d.name},
            {"study", d.study},
            {"comment", d.comment},
            {"total_steps", d.total_steps},
            {"columns", to_json(d.columns)},
            {"timing_columns", to_json(d.timing_columns)},
            {"metrics", to_json(d.metrics)},
            {"plots", plots},
            {"marks", marks},
            {"kernels", d.kernels}};
  return text.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

RunDescription run_description(const std::filesystem::path& path) {
  try {
    return read(json::parse(read_whole_file(path)));
  } catch (const std::exception& error) {
    throw Error(Failure::input, fmt::format("{}: not the description of a run ({})", path.string(), error.what()));
  }
}

std::string head_comment(const std::string& yaml) {
  std::istringstream lines(yaml);
  std::string comment;
  for (std::string line; std::getline(lines, line) && !line.empty() && line.front() == '#';) {
    std::size_t start = line.find_first_not_of("# ");
    comment += (start == std::string::npos ? "" : line.substr(line.rfind("# ", 0) == 0 ? 2 : 1)) + "\n";
  }
  return comment;
}

}  // namespace holo
