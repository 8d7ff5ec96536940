#include "holo/study/reproduce.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "build_information.h"
#include "holo/core/runs/interruption.h"
#include "holo/core/runs/program_files.h"
#include "holo/core/runs/run_folder.h"
#include "runs/run_description.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// A robot's file has bodies and no study. What cannot be read is taken for an experiment, which is then refused with the
// reason.
bool is_robot(const fs::path& file) try {
  const Configuration root = ConfigurationFile::load(file).root();
  return root.has("bodies") && !root.has("study");
} catch (const Error&) {
  return false;
}

std::vector<fs::path> experiment_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".yaml" && !is_robot(entry.path()))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// A suite of the build's experiments by its name; else a folder of the user's.
fs::path suite_folder(const std::string& suite) {
  fs::path root = experiments_folder();
  std::vector<std::string> suites;
  for (const fs::directory_entry& entry : fs::directory_iterator(root))
    if (entry.is_directory()) suites.push_back(entry.path().filename().string());
  std::sort(suites.begin(), suites.end());
  if (std::find(suites.begin(), suites.end(), suite) != suites.end()) return root / suite;
  if (!fs::is_directory(suite))
    throw Error(Failure::input, fmt::format("no suite '{}' in {}, and no folder of that name.{} There are: {}", suite,
                                            root.string(), suggestion(suite, suites), fmt::join(suites, ", ")));
  const fs::path folder = fs::absolute(suite).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();  // "suite/" is "suite"
}

fs::path output_folder(const ReproduceRequest& request) {
  std::string stem = suite_folder(request.suite).filename().string();
  if (!request.variant.empty()) stem += "-" + request.variant;
  fs::path path = request.out;
  for (int number = 1; path.empty() || (request.out.empty() && fs::exists(path)); ++number)
    path = fs::path("runs") / fmt::format("{}-{:03}", stem, number);
  std::error_code error;
  if (fs::exists(path) && !fs::is_empty(path, error))
    throw Error(Failure::input, fmt::format("{}: must be a new or an empty folder", path.string()));
  return path;
}

// An experiment of the suite, and what running it asks for.
struct Candidate {
  ReproducedExperiment result;
  RunRequest request;
};

// Throws Error(input) for a bad experiment.
// Reads the experiment without building it: what cannot run here is known before the first run begins.
Candidate judge(const fs::path& file, const ReproduceRequest& request) {
  Candidate candidate;
  ReproducedExperiment& result = candidate.result;
  result.name = file.stem().string();
  std::vector<std::string> variants = ConfigurationFile::load(file).variants();
  result.has_variant =
      request.variant.empty() || std::find(variants.begin(), variants.end(), request.variant) != variants.end();
  candidate.request = {file, result.has_variant ? request.variant : std::string(), {}, {}, request.options};
  try {
    require_runnable(candidate.request);
  } catch (const NotAvailable& missing) {
    result.error = missing.what();
    result.not_run = missing.reason();
    result.exit_code = ExitCode::not_available;
  }
  return candidate;
}

std::vector<Candidate> judge_all(const ReproduceRequest& request) {
  std::vector<Candidate> candidates;
  std::string problems;
  for (const fs::path& file : experiment_files(suite_folder(request.suite))) {
    try {
      candidates.push_back(judge(file, request));
    } catch (const Error& error) {
      if (error.failure() != Failure::input) throw;
      problems += (problems.empty() ? "" : "\n") + std::string(error.what());
    }
  }
  if (!problems.empty()) throw Error(Failure::input, problems);
  return candidates;
}

void run(Candidate& candidate) {
  ReproducedExperiment& result = candidate.result;
  try {
    result.outcome = run_experiment(candidate.request);
    result.exit_code = result.outcome.result.exit_code();
  } catch (const NotAvailable& missing) {  // it was there when the suite was read
    result.error = missing.what();
    result.not_run = missing.reason();
    result.exit_code = ExitCode::not_available;
  } catch (const Interrupted&) {
    result.error = "stopped by a signal before its first step";
    result.not_run = "stopped by a signal";
    result.exit_code = ExitCode::not_finished;
  } catch (const Error& error) {
    result.error = error.what();
    result.exit_code = error.failure() == Failure::input ? ExitCode::bad_input : ExitCode::failure;
  }
}

std::string row(const std::string& name, const std::string& figure, const std::string& quantity, const std::string& paper,
                const std::string& ours, const std::string& verdict, const std::string& acceptance) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, figure, quantity, paper, ours, verdict, acceptance);
}

std::string rows(const ReproducedExperiment& experiment) {
  std::string name = experiment.name + (experiment.has_variant ? "" : " (without the variant: it has none of that name)");
  if (!experiment.error.empty())
    return row(name, "", "", "", "", "not_attempted",
               experiment.not_run.empty() ? "could not be run" : "not run: " + experiment.not_run);
  const RunResult& result = experiment.outcome.result;
  std::string acceptance = result.status != RunStatus::finished ? to_string(result.status)
                           : result.accepted()                  ? "holds"
                                                                : "MISSED";
  if (!result.attempt.empty()) acceptance += ", an attempt";
  std::string text;
  for (const PaperResult& paper : result.paper)
    text += row(name, result.paper_source, paper.name, paper.stated(), paper.ours ? fmt::format("{:.6g}", *paper.ours) : "-",
                to_string(paper.verdict), acceptance);
  return text.empty() ? row(name, result.paper_source, "", "", "", "", acceptance) : text;
}

}  // namespace

fs::path experiments_folder() {
  std::error_code error;
  for (const fs::path& path : {program_prefix() / "share/holo/experiments", fs::path(HOLO_SOURCE_FOLDER) / "experiments"})
    if (fs::is_directory(path, error)) return path.lexically_normal();
  throw Error(Failure::environment,
              "the experiments that belong to this program are missing (share/holo/experiments beside its folder)");
}

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  fs::path root = experiments_folder();
  for (const fs::path& file : experiment_files(root))
    names.push_back(file.lexically_relative(root).replace_extension().string());
  return names;
}

fs::path find_experiment(const std::string& path_or_name) {
  std::error_code error;
  if (fs::exists(path_or_name, error) && !fs::is_directory(path_or_name, error)) return path_or_name;
  std::vector<std::string> names = experiment_names();
  if (std::find(names.begin(), names.end(), path_or_name) != names.end())
    return experiments_folder() / (path_or_name + ".yaml");
  if (fs::exists(path_or_name, error)) return path_or_name;  // a folder, which its reader refuses
  const auto ends_so = [&](const std::string& name) { return fs::path(name).filename() == path_or_name; };
  const auto whole = std::find_if(names.begin(), names.end(), ends_so);
  throw Error(
      Failure::input,
      fmt::format("{}: no such file, and no experiment of this name.{} `holo list experiments` prints the names", path_or_name,
                  whole == names.end() ? suggestion(path_or_name, names) : " Did you mean '" + *whole + "'?"));
}

std::string describe_experiment(const fs::path& path) {
  ConfigurationFile file = ConfigurationFile::load(path);
  Configuration root = file.root();
  const std::vector<std::string> variants = file.variants();
  return fmt::format("experiment {}, of the study {}\n{}\nvariants: {}\n{}\n", root.text("name"), root.text("study"),
                     head_comment(read_whole_file(path)),
                     variants.empty() ? "none" : fmt::format("{}", fmt::join(variants, ", ")), path.string());
}

bool ReproducedExperiment::decides() const {
  const RunResult& result = outcome.result;
  return result.attempt.empty() || !error.empty() || result.status == RunStatus::interrupted;
}

ExitCode Reproduction::exit_code() const {
  for (ExitCode code :
       {ExitCode::failure, ExitCode::bad_input, ExitCode::not_finished, ExitCode::acceptance_missed, ExitCode::not_available})
    for (const ReproducedExperiment& experiment : experiments)
      if (experiment.exit_code == code && experiment.decides()) return code;
  return stopped ? ExitCode::not_finished : ExitCode::done;
}

Reproduction reproduce(const ReproduceRequest& request) {
  Reproduction reproduction;
  reproduction.folder = output_folder(request);
  const auto is_stopped = [&] { return request.options.stop && request.options.stop->load(); };
  for (Candidate& candidate : judge_all(request)) {
    reproduction.stopped = is_stopped();
    if (reproduction.stopped) break;
    candidate.request.out = reproduction.folder / candidate.result.name;
    if (candidate.result.not_run.empty()) run(candidate);
    reproduction.stopped = is_stopped() && candidate.result.exit_code == ExitCode::not_finished;
    reproduction.experiments.push_back(std::move(candidate.result));
  }
  fs::create_directories(reproduction.folder);
  write_whole_file(reproduction.folder / "table.md", table(reproduction));
  return reproduction;
}

std::string table(const Reproduction& reproduction) {
  std::string text = row("experiment", "figure", "quantity", "paper", "ours", "verdict", "acceptance");
  text += row("---", "---", "---", "---", "---", "---", "---");
  for (const ReproducedExperiment& experiment : reproduction.experiments) text += rows(experiment);
  if (reproduction.stopped) text += "\nStopped by a signal: experiments that are missing here were not run.\n";
  for (const ReproducedExperiment& experiment : reproduction.experiments) {
    for (const PaperResult& paper : experiment.outcome.result.paper)
      if (!paper.cause.empty()) text += fmt::format("\n{}, {}: {}\n", experiment.name, paper.name, paper.cause);
    if (!experiment.error.empty()) text += fmt::format("\n{} could not be run: {}\n", experiment.name, experiment.error);
    if (const RunResult& result = experiment.outcome.result; !result.attempt.empty())
      text += fmt::format("\n{} is an attempt, which decides nothing: {}\n", experiment.name, result.attempt);
  }
  return text;
}

}  // namespace holo
