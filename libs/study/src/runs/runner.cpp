#include "holo/study/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>

#include "holo/core/numerics/parallel.h"
#include "holo/core/runs/interruption.h"
#include "holo/core/runs/progress.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/provenance.h"
#include "holo/study/run_report.h"
#include "runs/requirements.h"
#include "runs/run_description.h"
#include "runs/run_output.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// Everything that stands before the first file is written.
struct Prepared {
  std::unique_ptr<PluginHost> plugins;
  StudyRegistry studies = built_in_studies();
  std::optional<ParameterFile> file;
  Experiment experiment;
  std::unique_ptr<Study> study;
  Provenance provenance;
  std::string comment;
};

std::vector<HashedFile> plugin_hashes(const StudyPlan& plan) {
  std::vector<HashedFile> result;
  for (const auto& plugin : plan.plugins)
    if (std::none_of(result.begin(), result.end(), [&](const HashedFile& f) { return f.name == plugin.name; }))
      result.push_back({plugin.name, plugin.path, plugin.content_hash()});
  return result;
}

void prepare(Prepared& prepared, ParameterFile file, const RunOptions& options) {
  prepared.plugins = std::make_unique<PluginHost>(options.plugin_path);
  prepared.file.emplace(std::move(file));
  prepared.experiment = load_experiment(*prepared.file, prepared.studies, *prepared.plugins);
  require_references(*prepared.file, prepared.experiment.plan);
  prepared.study = prepared.experiment.plan.build();
  Provenance& p = prepared.provenance = current_provenance();
  p.command = options.command;
  p.threads = options.threads;
  p.seed = prepared.experiment.context.seed;
  p.plugins = plugin_hashes(prepared.experiment.plan);
  p.resolved = content_hash(prepared.file->resolved());
  for (const fs::path& path : prepared.file->files_read()) p.data_files.push_back(hash_file(path.string(), path));
}

void prepare(Prepared& prepared, const RunRequest& request) {
  prepare(prepared, ParameterFile::load(request.experiment, {request.variant, request.overrides}), request.options);
  prepared.provenance.experiment = fs::absolute(request.experiment).lexically_normal();
  prepared.provenance.variant = request.variant;
  prepared.comment = head_comment(read_whole_file(request.experiment));
}

std::string description(const Prepared& prepared) {
  const Study& study = *prepared.study;
  const std::optional<PaperReference>& paper = prepared.experiment.paper;
  return to_json(RunDescription{prepared.experiment.name, prepared.experiment.study, prepared.comment, study.total_steps(),
                                study.columns(), study.timing_columns(), prepared.experiment.plan.metrics, study.plots(),
                                paper ? paper->marks : std::vector<PaperMark>(), study.kernels()});
}

// runs/NAME[-VARIANT]-NNN, the first number that is free.
fs::path next_run_folder(const std::string& name, const std::string& variant) {
  std::string stem = variant.empty() ? name : name + "-" + variant;
  for (int number = 1;; ++number) {
    fs::path path = fs::path("runs") / fmt::format("{}-{:03}", stem, number);
    if (!fs::exists(path)) return path;
  }
}

// Steps on from where the study stands, to its end, a failure or a signal.
class Drive {
 public:
  Drive(Prepared& prepared, RunFolder& folder, RunOutput& output, const RunOptions& options)
      : prepared_(prepared), study_(*prepared.study), folder_(folder), output_(output), options_(options) {}

  RunResult run();
  void checkpoint();

 private:
  bool stopped() const { return options_.stop && options_.stop->load(); }
  bool checkpoint_is_due() const;
  RunResult run_steps(Progress& progress);
  RunResult end(RunStatus status, const std::string& message);
  RunResult stop_at_checkpoint();
  std::string stopped_message(std::int64_t step) const;

  Prepared& prepared_;
  Study& study_;
  RunFolder& folder_;
  RunOutput& output_;
  const RunOptions& options_;
  std::int64_t checkpoint_step_ = 0;
  std::chrono::steady_clock::time_point checkpoint_time_ = std::chrono::steady_clock::now();
};

void Drive::checkpoint() {
  folder_.save_checkpoint({study_.steps_done(), study_.serialize()});
  checkpoint_step_ = study_.steps_done();
  checkpoint_time_ = std::chrono::steady_clock::now();
}

bool Drive::checkpoint_is_due() const {
  if (std::int64_t every = prepared_.experiment.checkpoint_every) return study_.steps_done() - checkpoint_step_ >= every;
  return std::chrono::steady_clock::now() - checkpoint_time_ > std::chrono::seconds(2);
}

RunResult Drive::run() {
  checkpoint_step_ = study_.steps_done();
  Progress progress(prepared_.experiment.name, study_.total_steps(), "step");
  try {
    return run_steps(progress);
  } catch (const Interrupted&) {  // within a step, or while the results are made
    if (study_.steps_done() < study_.total_steps()) progress.finish("stopped");
    return stop_at_checkpoint();
  }
}

std::string Drive::stopped_message(std::int64_t step) const {
  return fmt::format("stopped by a signal after {} of {} steps; holo resume {} goes on from there", step, study_.total_steps(),
                     folder_.path().string());
}

// What was computed since the last checkpoint is done again: resuming cuts off what the log says of it, this event too.
RunResult Drive::stop_at_checkpoint() {
  const std::string message = stopped_message(checkpoint_step_);
  output_.log(to_string(RunStatus::interrupted), {{"step", checkpoint_step_}, {"message", message}});
  return unfinished(prepared_.experiment, checkpoint_step_, RunStatus::interrupted, message);
}

RunResult Drive::run_steps(Progress& progress) {
  while (study_.steps_done() < study_.total_steps()) {
    if (stopped()) {
      progress.finish("stopped");
      return end(RunStatus::interrupted, stopped_message(study_.steps_done()));
    }
    StepResult result = study_.step(output_);
    if (result.failed) {
      progress.finish("failed");
      return end(RunStatus::failed, result.diagnosis);
    }
    progress.set_total(study_.total_steps());
    progress.update(study_.steps_done());
    if (checkpoint_is_due()) checkpoint();
  }
  progress.finish();
  return end(RunStatus::finished, {});
}

RunResult Drive::end(RunStatus status, const std::string& message) {
  RunResult result = status == RunStatus::finished ? judge(prepared_.experiment, study_.steps_done(), study_.finish())
                                                   : unfinished(prepared_.experiment, study_.steps_done(), status, message);
  if (status == RunStatus::finished) {
    result.tables = study_.tables();
    result.diagnoses = study_.diagnoses();
  }
  output_.log(to_string(status), {{"step", study_.steps_done()}, {"message", result.message}});
  checkpoint();
  if (study_.scene()) write_whole_file(folder_.path() / "frames.pvd", paraview_collection_of(folder_.path()));
  // An interrupted run has no result yet: this file is what tells a finished one.
  if (status != RunStatus::interrupted) write_whole_file(folder_.path() / "result.json", result_to_json(result));
  return result;
}

RunOutcome finish(RunResult result, const fs::path& folder) {
  fs::path report = write_report(folder);
  return {std::move(result), folder, report, false};
}

void log_start(StudyOutput& output, const Prepared& prepared, const char* event, LogFields fields) {
  fields.insert(fields.end(), {{"command", fmt::format("{}", fmt::join(prepared.provenance.command, " "))},
                               {"version", version_text()},
                               {"started", prepared.provenance.started}});
  output.log(event, fields);
  for (const std::string& kernel : prepared.study->kernels()) output.log("kernel", {{"name", kernel}});
  for (const std::string& note : prepared.study->notes()) {
    output.log("note", {{"text", note}});
    fmt::print(stderr, "note: {}\n", note);
  }
}

// From the beginning: a new run, or one that was killed before its first step could be saved.
RunResult begin(Prepared& prepared, RunFolder& folder, RunOutput& output, const RunOptions& options) {
  prepared.study->begin(output);
  Drive drive(prepared, folder, output, options);
  drive.checkpoint();
  return drive.run();
}

void write_descriptions(RunFolder& folder, const Prepared& prepared) {
  folder.write("experiment.yaml", prepared.file->resolved());
  folder.write("study.json", description(prepared));
  folder.write("provenance.json", provenance_to_json(prepared.provenance));
}

// A folder that the user named and that cannot be made is a bad argument, unless the disk is full or broken.
RunFolder create_folder(const fs::path& path, bool named) {
  std::error_code error;
  if (named) fs::create_directories(path, error);
  const bool is_of_the_machine = error == std::errc::no_space_on_device || error == std::errc::io_error;
  if (error && !is_of_the_machine)  // else what follows fails in the same way, as the machine's failure
    throw Error(Failure::input, fmt::format("--out {}: the folder cannot be made: {}", path.string(), error.message()));
  return RunFolder::create(path);
}

// Whole lines of metrics.csv below its header, the starting row apart: steps whose rows a checkpoint may not know yet.
std::int64_t steps_in_table(const fs::path& path) {
  if (!fs::exists(path)) return 0;
  std::string text = read_whole_file(path);
  return std::max<std::int64_t>(0, std::count(text.begin(), text.end(), '\n') - 2);
}

// The experiment of a run as it was resolved then. Its files are relative to the experiment that it was made from, after which
// it is called.
ParameterFile resolved_experiment(const fs::path& run, const Provenance& provenance) {
  const fs::path path = run / "experiment.yaml";
  const std::string yaml = read_whole_file(path);
  if (!provenance.resolved.empty() && content_hash(yaml) != provenance.resolved)
    throw Error(Failure::input,
                fmt::format("{}: was changed since the run began, whose first part is of another experiment. Put it back as it "
                            "was, or run the changed one anew: holo run {} --out FOLDER",
                            path.string(), path.string()));
  return ParameterFile::parse(yaml, provenance.experiment.string());
}

// `text`, which places problems in lines of the run's experiment.yaml, with that file's name instead of the original's.
std::string cited(std::string text, const fs::path& original, const fs::path& run) {
  const std::string from = original.string() + ":", to = (run / "experiment.yaml").string() + ":";
  for (std::size_t line = 0; line < text.size(); line = std::min(text.find('\n', line), text.size() - 1) + 1)
    if (text.compare(line, from.size(), from) == 0) text.replace(line, from.size(), to);
  return text;
}

void prepare_again(Prepared& prepared, const fs::path& run, const Provenance& then, const RunOptions& options) {
  try {
    prepare(prepared, resolved_experiment(run, then), options);
  } catch (const NotAvailable& missing) {
    throw NotAvailable(missing.reason(), cited(missing.what(), then.experiment, run));
  } catch (const Error& error) {
    throw Error(error.failure(), cited(error.what(), then.experiment, run));
  }
}

}  // namespace

void require_runnable(const RunRequest& request) {
  ParameterFile file = ParameterFile::load(request.experiment, {request.variant, request.overrides});
  require_variables(file);
  PluginHost plugins(request.options.plugin_path);
  require_references(file, load_experiment(file, built_in_studies(), plugins).plan);
}

RunOutcome run_experiment(const RunRequest& request) {
  ThreadLimit threads(request.options.threads);
  InterruptionScope interruption(request.options.stop);
  Prepared prepared;
  prepare(prepared, request);
  fs::path path = request.out.empty() ? next_run_folder(prepared.experiment.name, request.variant) : request.out;
  RunFolder folder = create_folder(path, !request.out.empty());
  write_descriptions(folder, prepared);
  folder.save_checkpoint({0, {}});  // from here on the run can be resumed
  RunOutput output(folder, *prepared.study);
  if (!folder.note().empty()) output.warn(folder.note());
  log_start(output, prepared, "run", {});
  return finish(begin(prepared, folder, output, request.options), folder.path());
}

RunOutcome resume_run(const fs::path& path, const RunOptions& options) {
  require_run_folder(path);
  Provenance then = provenance_from_json(path / "provenance.json");
  if (fs::exists(path / "result.json")) {
    RunOutcome outcome{result_from_json(path / "result.json"), path, path / "report.html", true};
    if (!fs::exists(outcome.report)) outcome.report = write_report(path);
    return outcome;
  }
  ThreadLimit threads(options.threads);
  InterruptionScope interruption(options.stop);
  Prepared prepared;
  prepare_again(prepared, path, then, options);
  std::vector<std::string> changed = differences(then, prepared.provenance);
  if (!changed.empty())
    throw Error(Failure::input,
                fmt::format("{}: cannot be resumed to the same results:\n  {}\nRun the experiment anew instead.", path.string(),
                            fmt::join(changed, "\n  ")));
  std::int64_t steps_written = steps_in_table(path / "metrics.csv");
  Checkpoint checkpoint;
  RunFolder folder = RunFolder::resume(path, checkpoint);
  RunOutput output(folder, *prepared.study);
  if (!folder.note().empty()) output.warn(folder.note());
  log_start(output, prepared, "resume",
            {{"step", checkpoint.step}, {"steps_done_again", std::max<std::int64_t>(0, steps_written - checkpoint.step)}});
  if (checkpoint.state.empty()) return finish(begin(prepared, folder, output, options), folder.path());
  prepared.study->deserialize(checkpoint.state);
  return finish(Drive(prepared, folder, output, options).run(), folder.path());
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
  Prepared prepared;
  prepare(prepared, request);
  std::string text =
      fmt::format("{}: {}, {} steps\n", prepared.experiment.name, prepared.experiment.study, prepared.study->total_steps());
  for (const std::string& kernel : prepared.study->kernels()) text += "  " + kernel + "\n";
  for (const std::string& line : prepared.study->contents()) text += "  " + line + "\n";
  for (const std::string& note : prepared.study->notes()) text += "  note: " + note + "\n";
  if (request.variant.empty()) text += check_variants(request, prepared.file->variants());
  return text;
}

}  // namespace holo
