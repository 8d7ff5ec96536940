#include "sweep/sweep_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "holo/core/runs/run_folder.h"
#include "holo/study/prepared_run.h"
#include "holo/study/provenance.h"
#include "runs/requirements.h"
#include "runs/run_description.h"

namespace holo {

namespace fs = std::filesystem;
using json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlannedParameter, path, name, unit, logarithmic)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlannedRun, folder, values)

namespace {

constexpr int plan_version = 1;

// Parts of a folder's name may be anything that a file system takes; other characters are left out.
std::string folder_text(const std::string& text) {
  std::string result;
  for (const char c : text)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        std::string_view("_+-.").find(c) != std::string_view::npos)
      result += c;
  return result.substr(0, 24);
}

std::string run_folder_name(const SweepPlan& plan, std::size_t run, const SweepPoint& values) {
  constexpr std::size_t longest = 100;
  std::string name = plan.number(run);
  for (std::size_t p = 0; p < values.size(); ++p) {
    const std::string part = "-" + folder_text(plan.parameters[p].name) + "=" + folder_text(values[p]);
    if (name.size() + part.size() <= longest) name += part;
  }
  return "runs/" + name;
}

std::vector<PlacedOverride> overrides_of(const std::vector<SweptParameter>& parameters, const SweepPoint& values) {
  std::vector<PlacedOverride> overrides;
  for (std::size_t p = 0; p < values.size(); ++p) {
    // A listed value is reported where it stands, a value of a range where its parameter does.
    const auto& listed = parameters[p].values;
    const auto same = std::find_if(listed.begin(), listed.end(), [&](const auto& entry) { return entry.text == values[p]; });
    overrides.push_back({parameters[p].path, values[p], same == listed.end() ? parameters[p].place : same->location});
  }
  return overrides;
}

// Problems of all runs, each line once.
class Problems {
 public:
  void add(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (seen_.insert(line).second) lines_.push_back(line);
  }
  void throw_them() const {
    constexpr std::size_t most = 50;
    if (lines_.empty()) return;
    std::vector<std::string> shown(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(std::min(most, lines_.size())));
    if (lines_.size() > most) shown.push_back(fmt::format("... and {} more lines", lines_.size() - most));
    throw Error(Failure::input, fmt::format("{}", fmt::join(shown, "\n")));
  }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> lines_;
};

// Reads every run as its own process will, without building it.
void check_runs(RunRequest request, const std::vector<SweptParameter>& parameters, const std::vector<SweepPoint>& points,
                const PluginHost& plugins) {
  const StudyRegistry studies = built_in_studies();
  Problems problems;
  request.without = {"sweep"};
  for (const SweepPoint& point : points) {
    request.placed_overrides = overrides_of(parameters, point);
    try {
      ConfigurationFile file = load_requested(request);
      require_variables(file);
      require_references(file, load_experiment(file, studies, plugins).plan);
    } catch (const NotAvailable&) {
      throw;
    } catch (const Error& error) {
      if (error.failure() != Failure::input) throw;
      problems.add(error.what());
    }
  }
  problems.throw_them();
}

std::string with_comment(const std::string& comment, const std::string& yaml) {
  std::istringstream lines(comment);
  std::string text;
  for (std::string line; std::getline(lines, line);) text += line.empty() ? "#\n" : "# " + line + "\n";
  return text + yaml;
}

std::string as_text(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

// Scalars by their paths, for a comparison that names them.
void flatten(const std::string& yaml, std::map<std::string, std::string>& out) {
  std::vector<std::string> keys;
  std::vector<std::size_t> indents;
  std::istringstream lines(yaml);
  std::map<std::string, int> entries;
  for (std::string line; std::getline(lines, line);) {
    std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos || line[indent] == '#') continue;
    while (!indents.empty() && indents.back() >= indent) indents.pop_back(), keys.pop_back();
    while (line.compare(indent, 2, "- ") == 0) {  // an entry of a list: its number is a key
      const std::string parent = fmt::format("{}", fmt::join(keys, "."));
      indents.push_back(indent);
      keys.push_back(std::to_string(entries[parent]++));
      indent += 2;
    }
    const std::size_t colon = line.find(": ", indent);
    const bool section = colon == std::string::npos && line.back() == ':';
    const std::string key = colon != std::string::npos ? line.substr(indent, colon - indent)
                            : section                  ? line.substr(indent, line.size() - 1 - indent)
                                                       : std::string();
    if (!key.empty()) indents.push_back(indent), keys.push_back(key);
    if (!section) out[fmt::format("{}", fmt::join(keys, "."))] = key.empty() ? line.substr(indent) : line.substr(colon + 2);
  }
}

std::vector<std::string> value_differences(const std::string& then, const std::string& now) {
  std::map<std::string, std::string> old_values, new_values;
  flatten(then, old_values);
  flatten(now, new_values);
  std::vector<std::string> lines;
  for (const auto& [path, value] : old_values) {
    const auto found = new_values.find(path);
    if (found == new_values.end())
      lines.push_back(fmt::format("{} was {}, and is not there now", path, value));
    else if (found->second != value)
      lines.push_back(fmt::format("{} was {}, and is {} now", path, value, found->second));
  }
  for (const auto& [path, value] : new_values)
    if (old_values.count(path) == 0) lines.push_back(fmt::format("{} is {} now, and was not there", path, value));
  return lines;
}

// Below the comments.
std::string without_comment(const std::string& yaml) {
  std::size_t start = 0;
  while (start < yaml.size() && yaml[start] == '#') start = std::min(yaml.find('\n', start), yaml.size() - 1) + 1;
  return yaml.substr(start);
}

}  // namespace

std::size_t SweepPlan::digits() const { return std::max<std::size_t>(4, std::to_string(runs.size()).size()); }

std::string SweepPlan::number(std::size_t run) const { return fmt::format("{:0{}}", run, digits()); }

SweepPlan make_plan(const RunRequest& given) {
  RunRequest request = given;
  if (request.text.empty()) request.text = read_whole_file(request.experiment);
  ConfigurationFile file = load_requested(request);
  PluginHost plugins(request.options.plugin_path);
  require_variables(file);
  const Experiment experiment = load_experiment(file, built_in_studies(), plugins);
  if (!experiment.sweep)
    throw Error(Failure::input,
                fmt::format("{}: the experiment has no `sweep` section, which names the parameters and values of "
                            "its runs; docs/sweeps.md shows one",
                            request.experiment.string()));
  SweepPlan plan;
  plan.name = experiment.name;
  plan.study = experiment.study;
  plan.experiment = as_text(request.experiment);
  plan.variant = request.variant;
  for (const fs::path& path : request.options.plugin_path) plan.plugin_path.push_back(as_text(path));
  plan.program = current_provenance().program.hash;
  plan.metrics = experiment.sweep->metrics;
  plan.yaml = with_comment(head_comment(request.text), file.resolved());
  const std::vector<SweptParameter> parameters = sweep_parameters(*experiment.sweep);
  for (const SweptParameter& each : parameters)
    plan.parameters.push_back({each.path, each.name, each.unit, each.range && each.range->logarithmic});
  const std::vector<SweepPoint> points = sweep_points(*experiment.sweep, experiment.context.seed);
  check_runs(request, parameters, points, plugins);
  for (const SweepPoint& point : points) plan.runs.push_back({"", point});
  for (std::size_t i = 0; i < points.size(); ++i) plan.runs[i].folder = run_folder_name(plan, i, points[i]);
  return plan;
}

void write_plan(const fs::path& folder, const SweepPlan& plan) {
  write_whole_file(folder / "sweep.yaml", plan.yaml);
  const json text{{"version", plan_version},
                  {"name", plan.name},
                  {"study", plan.study},
                  {"experiment", plan.experiment.string()},
                  {"variant", plan.variant},
                  {"plugin_path", plan.plugin_path},
                  {"program", plan.program},
                  {"experiment_hash", content_hash(plan.yaml)},
                  {"parameters", plan.parameters},
                  {"metrics", plan.metrics},
                  {"runs", plan.runs}};
  write_whole_file(folder / "sweep.json", text.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

bool has_plan(const fs::path& folder) { return fs::exists(folder / "sweep.json"); }

SweepPlan read_plan(const fs::path& folder) {
  const fs::path path = folder / "sweep.json";
  if (!fs::exists(path)) throw Error(Failure::input, fmt::format("{}: there is no sweep in this folder", folder.string()));
  SweepPlan plan;
  std::string hash;
  try {
    const json text = json::parse(read_whole_file(path));
    if (text.at("version") != plan_version) throw Error(Failure::input, "it has another version");
    plan.name = text.at("name");
    plan.study = text.at("study");
    plan.experiment = text.at("experiment").get<std::string>();
    plan.variant = text.at("variant");
    text.at("plugin_path").get_to(plan.plugin_path);
    plan.program = text.at("program");
    hash = text.at("experiment_hash");
    text.at("parameters").get_to(plan.parameters);
    text.at("metrics").get_to(plan.metrics);
    text.at("runs").get_to(plan.runs);
  } catch (const std::exception& error) {
    throw Error(Failure::input, fmt::format("{}: not the plan of a sweep ({})", path.string(), error.what()));
  }
  plan.yaml = read_whole_file(folder / "sweep.yaml");
  if (content_hash(plan.yaml) != hash)
    throw Error(Failure::input, fmt::format("{}: was changed since the sweep began. Put it back as it was, or begin a sweep of "
                                            "the changed one: holo sweep FILE --out FOLDER",
                                            (folder / "sweep.yaml").string()));
  return plan;
}

std::vector<std::string> plan_differences(const SweepPlan& then, const SweepPlan& now) {
  std::vector<std::string> lines;
  if (then.experiment != now.experiment)
    lines.push_back(fmt::format("the experiment was {}, and is {} now", then.experiment.string(), now.experiment.string()));
  const std::string old_yaml = without_comment(then.yaml), new_yaml = without_comment(now.yaml);
  if (old_yaml != new_yaml) {
    const std::vector<std::string> values = value_differences(old_yaml, new_yaml);
    lines.insert(lines.end(), values.begin(), values.end());
    if (values.empty()) lines.emplace_back("the order of the experiment's keys has changed");
  }
  if (then.plugin_path != now.plugin_path)
    lines.push_back(fmt::format("the plugin path was {}, and is {} now", fmt::join(then.plugin_path, ":"),
                                fmt::join(now.plugin_path, ":")));
  return lines;
}

RunRequest request_of_run(const SweepPlan& plan, const fs::path& folder, std::size_t run, const RunOptions& options) {
  RunRequest request;
  request.experiment = plan.experiment;
  request.out = folder / plan.runs.at(run).folder;
  request.options = options;
  request.text = plan.yaml;
  request.without = {"sweep"};
  for (std::size_t p = 0; p < plan.parameters.size(); ++p)
    request.placed_overrides.push_back({plan.parameters[p].path, plan.runs[run].values.at(p), {}});
  return request;
}

}  // namespace holo
