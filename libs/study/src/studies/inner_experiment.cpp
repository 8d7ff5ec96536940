#include "studies/inner_experiment.h"

#include <fmt/format.h>

#include "holo/core/name_list.h"
#include "holo/study/experiment.h"

namespace holo {

namespace {

std::optional<Experiment> load_inner(Configuration& entry, const std::filesystem::path& path, const std::string& variant,
                                     const PluginHost& plugins, const StudyObjection& objection) {
  try {
    ConfigurationFile file = ConfigurationFile::load(path, {variant, {{"output", "{frames_per_second: 0}"}}});
    if (const std::string text = objection(file.root().text("study")); !text.empty()) {
      entry.problem(entry.location("file"), fmt::format("{} {}", path.string(), text));
      return {};
    }
    return load_experiment(file, built_in_studies(), plugins);
  } catch (const Error& error) {
    entry.problem(entry.location("file"), error.what());
    return {};
  }
}

}  // namespace

std::optional<InnerExperiment> read_inner_experiment(Configuration& entry, const StudyContext& context,
                                                     const std::vector<std::string>& others, const StudyObjection& objection,
                                                     std::vector<UsedPlugin>& plugins) {
  InnerExperiment result;
  const std::size_t problems = entry.problem_count();
  result.name = entry.text("name", {.documentation = "name of the experiment here; its metrics are NAME_METRIC"});
  const std::filesystem::path path = entry.file("file", "file of an experiment");
  const std::string variant =
      entry.text("variant", {.default_value = "", .documentation = "variant of that file; by default none"});
  result.label = path.filename().string() + (variant.empty() ? "" : ", " + variant);
  if (entry.recording() || entry.problem_count() != problems) return {};
  if (contains(others, result.name)) {
    entry.problem(entry.location("name"), fmt::format("two experiments are named '{}'", result.name));
    return {};
  }
  std::optional<Experiment> experiment = load_inner(entry, path, variant, *context.plugins, objection);
  if (!experiment) return {};
  result.plan = std::move(experiment->plan);
  plugins.insert(plugins.end(), result.plan.plugins.begin(), result.plan.plugins.end());
  return result;
}

}  // namespace holo
