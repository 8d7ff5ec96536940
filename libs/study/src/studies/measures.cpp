#include "studies/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace holo {

std::string read_measure_name(Parameters& entry, const std::vector<Quantity>& others) {
  std::string name = entry.text("name", {.documentation = "of the metric"});
  if (entry.recording()) return name;
  for (const Quantity& other : others)
    if (other.name == name) entry.problem(entry.location("name"), fmt::format("two metrics are named '{}'", name));
  if (name.empty()) entry.problem(entry.location("name"), "a metric needs a name");
  return name;
}

std::string read_measure_kind(Parameters& entry, const std::vector<MeasureKind>& kinds, const ReadMeasure& read) {
  std::string chosen = kinds.front().name;
  std::vector<Parameters::Branch> branches;
  for (const MeasureKind& kind : kinds)
    branches.push_back({kind.name, kind.documentation, [&](Parameters& parameters) {
                          chosen = kind.name;
                          if (read) read(parameters, kind.name);
                        }});
  entry.branch("measure", branches, {}, "what is measured");
  return chosen;
}

Quantity measured(const std::string& name, const std::string& kind, const std::vector<MeasureKind>& kinds,
                  const std::string& of) {
  auto found = std::find_if(kinds.begin(), kinds.end(), [&](const MeasureKind& k) { return k.name == kind; });
  return {name, found->unit, fmt::format("{}: {}", of, found->documentation)};
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

std::string serialize_columns(const std::vector<std::vector<double>>& columns) {
  std::string bytes;
  auto append = [&](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); };
  std::uint64_t count = columns.size();
  append(&count, sizeof(count));
  for (const std::vector<double>& column : columns) {
    count = column.size();
    append(&count, sizeof(count));
    append(column.data(), column.size() * sizeof(double));
  }
  return bytes;
}

void deserialize_columns(std::string_view bytes, std::vector<std::vector<double>>& columns) {
  const auto refuse = [] { throw Error(Failure::input, "the checkpoint is not one of this experiment"); };
  const auto take = [&](void* to, std::size_t size) {
    if (bytes.size() < size) refuse();
    std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  std::uint64_t count = 0;
  take(&count, sizeof(count));
  if (count != columns.size()) refuse();
  for (std::vector<double>& column : columns) {
    take(&count, sizeof(count));
    if (count > bytes.size() / sizeof(double)) refuse();
    column.resize(count);
    if (count > 0) take(column.data(), count * sizeof(double));
  }
  if (!bytes.empty()) refuse();
}

}  // namespace holo
