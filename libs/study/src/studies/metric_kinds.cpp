#include "studies/metric_kinds.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/runs/archive.h"

namespace holo {

std::string read_metric_name(Configuration& entry, const std::vector<Quantity>& others) {
  std::string name = entry.text("name", {.documentation = "name of the metric"});
  if (entry.recording()) return name;
  for (const Quantity& other : others)
    if (other.name == name) entry.problem(entry.location("name"), fmt::format("two metrics are named '{}'", name));
  if (name.empty()) entry.problem(entry.location("name"), "a metric needs a name");
  return name;
}

std::string read_metric_kind(Configuration& entry, const std::vector<Quantity>& kinds, const ReadMetric& read) {
  std::string chosen = kinds.front().name;
  std::vector<Configuration::Branch> branches;
  branches.reserve(kinds.size());
  for (const Quantity& kind : kinds)
    branches.push_back({kind.name, kind.documentation, [&](Configuration& parameters) {
                          chosen = kind.name;
                          if (read) read(parameters, kind.name);
                        }});
  entry.branch("kind", branches, {}, "kind of the metric");
  return chosen;
}

Quantity measured(const std::string& name, const std::string& kind, const std::vector<Quantity>& kinds, const std::string& of) {
  auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Quantity& k) { return k.name == kind; });
  return {name, found->unit, fmt::format("{}: {}", of, found->documentation), found->by_clock};
}

void Extremes::add(double value, double place) {
  if (std::isnan(value) || std::isnan(smallest)) {
    smallest = largest = place_of_smallest = std::nan("");
    return;
  }
  if (value < smallest) {
    smallest = value;
    place_of_smallest = place;
  }
  largest = std::max(largest, value);
}

namespace {

void visit(Archive& archive, std::vector<std::vector<double>>& columns) {
  std::size_t count = columns.size();
  archive.visit(count, 0x1p53);
  if (count != columns.size()) Archive::refuse("it has another number of columns");
  for (std::vector<double>& column : columns) archive.visit(column);
}

}  // namespace

std::string serialize_columns(std::vector<std::vector<double>> columns) {
  Archive archive("columns", 1);
  visit(archive, columns);
  return archive.take_bytes();
}

void deserialize_columns(std::string_view bytes, std::vector<std::vector<double>>& columns) {
  Archive archive("columns", 1, bytes);
  visit(archive, columns);
  archive.require_end();
}

}  // namespace holo
