#include "runs/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "holo/core/runs/run_folder.h"

namespace holo {

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

}  // namespace

std::string number_text(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value + 0.0); }

const std::vector<double>* CsvTable::column(const std::string& name) const {
  auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

// A line counts when its newline is there: at one without, getline meets the end of the file, and the loop ends.
CsvTable read_table(const std::filesystem::path& path) {
  CsvTable table;
  if (!std::filesystem::exists(path)) return table;
  std::istringstream lines(read_whole_file(path));
  std::string line;
  if (std::getline(lines, line)) table.names = split(line);
  table.columns.resize(table.names.size());
  while (std::getline(lines, line) && !lines.eof()) {
    std::vector<std::string> cells = split(line);
    if (cells.size() != table.names.size()) break;
    for (std::size_t i = 0; i < cells.size(); ++i) table.columns[i].push_back(std::strtod(cells[i].c_str(), nullptr));
  }
  return table;
}

}  // namespace holo
