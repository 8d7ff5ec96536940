#include "holo/study/preview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "holo/core/runs/run_folder.h"
#include "holo/study/experiment.h"
#include "runs/requirements.h"
#include "runs/run_description.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> studies_with_preview(const StudyRegistry& studies, const PluginHost& plugins) {
  std::vector<std::string> names;
  for (const std::string& name : studies.names())
    if (study_has_preview(studies.get(name), plugins)) names.push_back(name);
  return names;
}

// The page's name without its ending, which names the variant, too.
std::string page_name(const Experiment& experiment, const std::string& variant) {
  return variant.empty() ? experiment.name : experiment.name + "-" + variant;
}

struct NamedReport {
  ReportData report;
  std::string name;
};

NamedReport make_preview(const RunRequest& request) {
  ConfigurationFile file = ConfigurationFile::load(request.experiment, {request.variant, request.overrides});
  require_variables(file);
  const PluginHost plugins(request.options.plugin_path);
  const StudyRegistry studies = built_in_studies();
  const Experiment experiment = load_experiment(file, studies, plugins);
  if (!experiment.plan.preview)
    throw Error(Failure::input, fmt::format("{}: the study {} has no preview; studies that have one: {}. `holo check` tells "
                                            "what a run of this experiment would do.",
                                            request.experiment.string(), experiment.study,
                                            fmt::join(studies_with_preview(studies, plugins), ", ")));
  StudyPreview preview = experiment.plan.preview();
  ReportData report;
  report.title = experiment.name;
  report.study = experiment.study;
  report.status = "preview of the experiment as it starts; no step was computed";
  report.description = head_comment(read_whole_file(request.experiment));
  report.notes = preview.notes;
  report.tables = preview.tables;
  report.provenance = {{"experiment", request.experiment.filename().string()}};
  if (!request.variant.empty()) report.provenance.emplace_back("variant", request.variant);
  for (const auto& [path, value] : request.overrides)
    report.provenance.emplace_back("changed", fmt::format("{} = {}", path, value));
  for (const fs::path& data : file.files_read()) report.provenance.emplace_back("data", data.string());
  SceneClip clip;
  clip.scene = std::move(preview.scene);
  clip.frame_count = 1;
  clip.frame = [frame = std::move(preview.frame)](std::size_t, SceneFrame& drawn) { drawn = frame; };
  report.scenes.push_back(std::move(clip));
  return {std::move(report), page_name(experiment, request.variant)};
}

}  // namespace

ReportData preview_of(const RunRequest& request) { return make_preview(request).report; }

fs::path write_preview(const RunRequest& request) {
  const NamedReport preview = make_preview(request);
  const std::string page_template = find_report_template();
  if (page_template.empty()) return {};
  const std::string page = render_report(preview.report, read_whole_file(page_template));
  const fs::path folder = request.out.empty() ? fs::path("previews") : request.out;
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem || !fs::is_directory(folder))
    throw Error(Failure::environment, fmt::format("{}: the folder cannot be made: {}", folder.string(),
                                                  problem ? problem.message() : "a file has its name"));
  fs::path path = folder / (preview.name + ".html");
  write_whole_file(path, page);
  return path;
}

}  // namespace holo
