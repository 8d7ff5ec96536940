// Experiments are checked without a run.
#include <fmt/format.h>

#include <sstream>

#include "holo/study/prepared_run.h"
#include "runs/requirements.h"

namespace holo {

void require_runnable(const RunRequest& request) {
  ConfigurationFile file = load_requested(request);
  require_variables(file);
  PluginHost plugins(request.options.plugin_path);
  require_references(file, load_experiment(file, built_in_studies(), plugins).plan);
}

namespace {

// Returns one line for each; throws one Error(input) with the problems of all.
std::string check_variants(RunRequest request, const std::vector<std::string>& variants) {
  std::string text, problems;
  for (const std::string& variant : variants) {
    request.variant = variant;
    try {
      require_runnable(request);
      text += fmt::format("  variant {}: good\n", variant);
    } catch (const NotAvailable& missing) {
      text += fmt::format("  variant {}: not checked to its end, {}\n", variant, missing.reason());
    } catch (const Error& error) {
      std::istringstream lines(error.what());
      for (std::string line; std::getline(lines, line);)
        problems += fmt::format("{}{} (in the variant '{}')", problems.empty() ? "" : "\n", line, variant);
    }
  }
  if (!problems.empty()) throw Error(Failure::input, problems);
  return text;
}

}  // namespace

std::string check_experiment(const RunRequest& request) {
  const PreparedRun prepared = prepare_run(request);
  std::string text =
      fmt::format("{}: {}, {} steps\n", prepared.experiment.name, prepared.experiment.study, prepared.study->total_steps());
  for (const std::string& kernel : prepared.study->kernels()) text += "  " + kernel + "\n";
  for (const std::string& line : prepared.study->contents()) text += "  " + line + "\n";
  for (const std::string& note : prepared.study->notes()) text += "  note: " + note + "\n";
  if (request.variant.empty()) text += check_variants(request, prepared.file->variants());
  return text;
}

}  // namespace holo
