#include "runs/sweep_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "holo/core/name_list.h"

namespace holo {

namespace {

constexpr std::int64_t most_runs = 100'000;

std::string last_key(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

bool is_sampled(SweepBlockKind kind) { return kind == SweepBlockKind::random || kind == SweepBlockKind::latin_hypercube; }

// Reads the range of `entry`, whose count is the block's if it is sampled.
SweptRange read_range(Configuration& entry, bool sampled) {
  SweptRange range;
  range.from = entry.number("from", {.unit = "the parameter's", .documentation = "first value of a range"});
  range.to = entry.number("to", {.unit = "the parameter's", .documentation = "last value of the range, above `from`"});
  if (!sampled) range.count = entry.integer("count", {.minimum = 2, .maximum = most_runs, .documentation = "number of values"});
  range.logarithmic =
      entry.text("scale", {.choices = {"linear", "logarithmic"},
                           .default_value = "linear",
                           .documentation = "equal differences or equal ratios between values"}) == "logarithmic";
  range.whole_numbers = entry.boolean("whole_numbers", false, "round the values to whole numbers");
  return range;
}

// Stand-ins of missing values are not checked: problems of their own were reported.
void check_range(Configuration& entry, const SweptRange& range) {
  if (!(range.from < range.to))
    entry.problem(entry.location("from"),
                  fmt::format("the range from {} to {} is empty; `from` must be below `to`", range.from, range.to));
  else if (range.logarithmic && !(range.from > 0))
    entry.problem(entry.location("from"),
                  fmt::format("a logarithmic range must begin above 0, and this one begins at {}", range.from));
  else if (range.whole_numbers && range.count > 0 && double(range.count - 1) > std::round(range.to) - std::round(range.from))
    entry.problem(entry.location("count"),
                  fmt::format("there are no {} different whole numbers from {} to {}", range.count, range.from, range.to));
}

void read_values(Configuration& entry, SweptParameter& parameter) {
  parameter.values = entry.list_entries("values", "list of values, as in --set");
}

void read_checked_range(Configuration& entry, SweptParameter& parameter, bool sampled) {
  const std::size_t problems = entry.problem_count();
  parameter.range = read_range(entry, sampled);
  if (!entry.recording() && entry.problem_count() == problems) check_range(entry, *parameter.range);
}

SweptParameter read_parameter(Configuration& entry, SweepBlockKind kind) {
  SweptParameter parameter;
  parameter.path = entry.text("path", {.documentation = "path of a value, as in --set"});
  parameter.place = entry.location("path");
  parameter.name = entry.text("name", {.default_value = last_key(parameter.path),
                                       .documentation = "column of the sweep's table; without it the path's last key"});
  parameter.unit = entry.text("unit", {.default_value = "", .documentation = "unit of the values, for the report"});
  if (is_sampled(kind))
    read_checked_range(entry, parameter, true);
  else
    entry.branch_on_key(
        {{"values", "list of values", [&](Configuration& list) { read_values(list, parameter); }},
         {"from", "range of numbers", [&](Configuration& range) { read_checked_range(range, parameter, false); }}},
        "the values of the parameter");
  return parameter;
}

std::size_t value_count(const SweptParameter& parameter) {
  return parameter.range ? static_cast<std::size_t>(parameter.range->count) : parameter.values.size();
}

void check_equal_counts(Configuration& root, const SweepBlock& block) {
  for (const SweptParameter& parameter : block.parameters)
    if (value_count(parameter) != value_count(block.parameters.front()))
      root.problem(
          parameter.place,
          fmt::format("'{}' has {} values and '{}' has {}; parameters of a list must have equally many", parameter.path,
                      value_count(parameter), block.parameters.front().path, value_count(block.parameters.front())));
}

void read_listed(Configuration& section, const char* key, SweepBlockKind kind, const char* documentation,
                 SweepDefinition& sweep) {
  if (!section.has(key)) return;
  SweepBlock block{kind, 0, {}};
  const std::size_t problems = section.problem_count();
  section.each(
      key, [&](Configuration& entry) { block.parameters.push_back(read_parameter(entry, kind)); }, documentation, 1);
  if (kind == SweepBlockKind::list && !section.recording() && section.problem_count() == problems)
    check_equal_counts(section, block);
  sweep.blocks.push_back(std::move(block));
}

void read_sampled(Configuration& section, const char* key, SweepBlockKind kind, const char* documentation,
                  SweepDefinition& sweep) {
  if (!section.has(key)) return;
  Configuration samples = section.section(key, documentation, false);
  SweepBlock block{kind, 0, {}};
  block.count = samples.integer("count", {.minimum = 1, .maximum = most_runs, .documentation = "number of samples"});
  samples.each(
      "parameters", [&](Configuration& entry) { block.parameters.push_back(read_parameter(entry, kind)); },
      "sampled parameters and their ranges", 1);
  sweep.blocks.push_back(std::move(block));
}

bool is_below(const std::string& path, const std::string& other) { return path.rfind(other + ".", 0) == 0; }

// Two parameters of one value, or of a value and a part of it, would undo each other.
void check_pair(Configuration& section, const SweptParameter& parameter, const SweptParameter& before) {
  if (parameter.path == before.path)
    section.problem(parameter.place, fmt::format("'{}' is swept twice, first at {}", parameter.path, to_string(before.place)));
  else if (is_below(parameter.path, before.path) || is_below(before.path, parameter.path))
    section.problem(parameter.place, fmt::format("'{}' and '{}', which is swept at {}, are a value and a part of it",
                                                 parameter.path, before.path, to_string(before.place)));
  else if (parameter.name == before.name)
    section.problem(parameter.place, fmt::format("'{}' and '{}' have the same name '{}'; give one of them a `name` of its own",
                                                 parameter.path, before.path, parameter.name));
}

bool is_column_name(const std::string& name) {
  return !name.empty() &&
         std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == '"' || c == ','; });
}

void check_parameter(Configuration& section, const SweepDefinition& sweep, const SweptParameter& parameter) {
  const std::string first = parameter.path.substr(0, parameter.path.find('.'));
  if (first == "sweep" || first == "variants")
    section.problem(parameter.place, fmt::format("'{}' is no value of a run", parameter.path));
  if (parameter.path == "seed" && sweep.repeat > 1)
    section.problem(parameter.place, "'seed' is swept, and `repeat` changes it, too; leave out one of them");
  if (!is_column_name(parameter.name) || parameter.name == "run" || parameter.name == "verdict")
    section.problem(parameter.place,
                    fmt::format("'{}' cannot be a column's name; give the parameter another `name`", parameter.name));
}

void check_parameters(Configuration& section, const SweepDefinition& sweep) {
  std::vector<const SweptParameter*> before;
  for (const SweepBlock& block : sweep.blocks)
    for (const SweptParameter& parameter : block.parameters) {
      check_parameter(section, sweep, parameter);
      for (const SweptParameter* other : before) check_pair(section, parameter, *other);
      before.push_back(&parameter);
    }
}

// Of all points and repetitions; at most a bit above most_runs where it is larger.
double run_count(const SweepDefinition& sweep) {
  double count = double(sweep.repeat);
  for (const SweepBlock& block : sweep.blocks) {
    if (is_sampled(block.kind)) count *= double(block.count);
    if (block.kind == SweepBlockKind::list) count *= double(value_count(block.parameters.front()));
    if (block.kind == SweepBlockKind::grid)
      for (const SweptParameter& parameter : block.parameters) count *= double(value_count(parameter));
  }
  return count;
}

void check_metrics(Configuration& section, const SweepDefinition& sweep, const std::vector<std::string>& metrics) {
  for (const std::string& name : sweep.metrics)
    if (!metrics.empty() && !contains(metrics, name))
      section.problem(section.location("metrics"), fmt::format("no metric '{}'.{} The study's metrics: {}", name,
                                                               suggestion(name, metrics), fmt::join(metrics, ", ")));
}

void check_sweep(Configuration& section, const SweepDefinition& sweep) {
  check_parameters(section, sweep);
  if (sweep.blocks.empty() && sweep.repeat == 1)
    section.problem(section.location(),
                    "the sweep has no parameters; give one of: grid, list, random, latin_hypercube, repeat");
  if (const double runs = run_count(sweep); runs > double(most_runs))
    section.problem(section.location(), fmt::format("the sweep has {:.0f} runs, and at most {} are possible", runs, most_runs));
}

}  // namespace

std::optional<SweepDefinition> read_sweep(Configuration& root, const std::vector<std::string>& metrics) {
  if (!root.has("sweep")) return {};
  const std::size_t problems = root.problem_count();
  Configuration section = root.section("sweep", "runs of `holo sweep`: the values of parameters; `holo run` ignores it", false);
  SweepDefinition sweep;
  sweep.place = root.location("sweep");
  sweep.seed = static_cast<std::uint64_t>(section.integer(
      "seed", {.minimum = 0, .default_value = 1, .documentation = "seed of the samples of random and latin_hypercube"}));
  sweep.repeat =
      section.integer("repeat", {.minimum = 1,
                                 .maximum = most_runs,
                                 .default_value = 1,
                                 .documentation = "runs of each point, which have the experiment's seed and those after it"});
  sweep.metrics =
      section.texts("metrics", 0, 1000, {.documentation = "metrics that the report plots; without it all that differ"});
  read_listed(section, "grid", SweepBlockKind::grid, "parameters of which each value meets each of the others", sweep);
  read_listed(section, "list", SweepBlockKind::list, "parameters whose first values meet, and second values, ...", sweep);
  read_sampled(section, "random", SweepBlockKind::random, "independent, evenly distributed samples", sweep);
  read_sampled(section, "latin_hypercube", SweepBlockKind::latin_hypercube,
               "samples with one of each parameter in each of `count` equal parts of its range", sweep);
  if (!root.recording() && root.problem_count() == problems) {
    check_sweep(section, sweep);
    check_metrics(section, sweep, metrics);
  }
  return sweep;
}

}  // namespace holo
