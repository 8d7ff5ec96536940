#include "holo/study/prepared_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/runs/run_folder.h"
#include "runs/requirements.h"
#include "runs/run_description.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

std::vector<HashedFile> plugin_hashes(const StudyPlan& plan, const Study& study) {
  std::vector<UsedPlugin> plugins = plan.plugins;
  for (const UsedPlugin& plugin : study.plugins()) plugins.push_back(plugin);
  std::vector<HashedFile> result;
  for (const UsedPlugin& plugin : plugins)
    if (std::none_of(result.begin(), result.end(), [&](const HashedFile& f) { return f.name == plugin.name; }))
      result.push_back({plugin.name, plugin.path, plugin.content_hash()});
  return result;
}

PreparedRun prepare(ConfigurationFile file, const RunOptions& options) {
  PreparedRun prepared;
  prepared.plugins = std::make_unique<PluginHost>(options.plugin_path);
  prepared.file.emplace(std::move(file));
  prepared.experiment = load_experiment(*prepared.file, prepared.studies, *prepared.plugins);
  // Missing references are a question of the build, not of the experiment: they are reported only for a good one.
  require_references(*prepared.file, prepared.experiment.plan);
  prepared.study = prepared.experiment.plan.build();
  Provenance& p = prepared.provenance = current_provenance();
  p.command = options.command;
  p.threads = options.threads;
  p.seed = prepared.experiment.context.seed;
  p.plugins = plugin_hashes(prepared.experiment.plan, *prepared.study);
  p.resolved = content_hash(prepared.file->resolved());
  for (const fs::path& path : prepared.file->files_read()) p.data_files.push_back(hash_file(path.string(), path));
  return prepared;
}

// The experiment of a run as it was resolved then. Its files are relative to the experiment that it was made from, after which
// it is called.
ConfigurationFile resolved_experiment(const fs::path& run, const Provenance& provenance) {
  const fs::path path = run / "experiment.yaml";
  const std::string yaml = read_whole_file(path);
  if (!provenance.resolved.empty() && content_hash(yaml) != provenance.resolved)
    throw Error(Failure::input,
                fmt::format("{}: was changed since the run began, whose first part is of another experiment. Put it back as it "
                            "was, or run the changed one anew: holo run {} --out FOLDER",
                            path.string(), path.string()));
  return ConfigurationFile::parse(yaml, provenance.experiment.string());
}

// `text`, which places problems in lines of the run's experiment.yaml, with that file's name instead of the original's.
std::string cited(std::string text, const fs::path& original, const fs::path& run) {
  const std::string from = original.string() + ":", to = (run / "experiment.yaml").string() + ":";
  for (std::size_t line = 0; line < text.size(); line = std::min(text.find('\n', line), text.size() - 1) + 1)
    if (text.compare(line, from.size(), from) == 0) text.replace(line, from.size(), to);
  return text;
}

}  // namespace

ConfigurationFile load_requested(const RunRequest& request) {
  const ConfigurationFileOptions options{request.variant, request.overrides, request.without, request.placed_overrides};
  return request.text.empty() ? ConfigurationFile::load(request.experiment, options)
                              : ConfigurationFile::parse(request.text, request.experiment.string(), options);
}

PreparedRun prepare_run(const RunRequest& request) {
  PreparedRun prepared = prepare(load_requested(request), request.options);
  prepared.provenance.experiment = fs::absolute(request.experiment).lexically_normal();
  prepared.provenance.variant = request.variant;
  prepared.comment = head_comment(request.text.empty() ? read_whole_file(request.experiment) : request.text);
  return prepared;
}

PreparedRun prepare_resumed_run(const fs::path& run, const Provenance& then, const RunOptions& options) {
  try {
    return prepare(resolved_experiment(run, then), options);
  } catch (const NotAvailable& missing) {
    throw NotAvailable(missing.reason(), cited(missing.what(), then.experiment, run));
  } catch (const Error& error) {
    throw Error(error.failure(), cited(error.what(), then.experiment, run));
  }
}

std::string description_of(const PreparedRun& prepared) {
  const Study& study = *prepared.study;
  const std::optional<PaperReference>& paper = prepared.experiment.paper;
  return description_to_json(RunDescription{prepared.experiment.name, prepared.experiment.study, prepared.comment,
                                            study.total_steps(), study.columns(), study.timing_columns(),
                                            prepared.experiment.plan.metrics, study.plots(),
                                            paper ? paper->marks : std::vector<PaperMark>(), study.kernels()});
}

}  // namespace holo
