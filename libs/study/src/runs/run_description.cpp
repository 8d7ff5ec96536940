#include "runs/run_description.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "holo/core/runs/run_folder.h"

namespace holo {

using json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Quantity, name, unit, documentation, by_clock)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ColumnPlot, title, x, y, logarithmic, counts, logarithmic_x, timings, points, label,
                                   reference, own_names, series_column, names)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PaperMark, column, at, label)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunDescription, name, study, comment, total_steps, columns, timing_columns, metrics, plots,
                                   marks, kernels)

std::string description_to_json(const RunDescription& description) {
  return json(description).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

RunDescription run_description(const std::filesystem::path& path) {
  try {
    return json::parse(read_whole_file(path)).get<RunDescription>();
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
