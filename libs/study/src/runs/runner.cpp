#include "holo/study/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "holo/core/numerics/parallel.h"
#include "holo/core/runs/interruption.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/prepared_run.h"
#include "holo/study/provenance.h"
#include "holo/study/run_report.h"
#include "runs/run_drive.h"
#include "runs/run_output.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// runs/NAME[-VARIANT]-NNN, the first number that is free.
fs::path next_run_folder(const std::string& name, const std::string& variant) {
  std::string stem = variant.empty() ? name : name + "-" + variant;
  for (int number = 1;; ++number) {
    fs::path path = fs::path("runs") / fmt::format("{}-{:03}", stem, number);
    if (!fs::exists(path)) return path;
  }
}

RunOutcome finish(RunResult result, const fs::path& folder) {
  fs::path report = write_report(folder);
  return {std::move(result), folder, report, false};
}

void log_start(StudyOutput& output, const PreparedRun& prepared, const RunOptions& options, const char* event,
               LogFields fields) {
  fields.insert(fields.end(), {{"command", fmt::format("{}", fmt::join(prepared.provenance.command, " "))},
                               {"version", version_text()},
                               {"started", prepared.provenance.started}});
  output.log(event, fields);
  for (const std::string& kernel : prepared.study->kernels()) output.log("kernel", {{"name", kernel}});
  std::vector<std::string> notes = prepared.study->notes();
  if (prepared.experiment.sweep) notes.emplace_back("the file has a sweep, of which this run is none; `holo sweep` runs it");
  for (const std::string& note : notes) {
    output.log("note", {{"text", note}});
    if (!options.quiet) fmt::print(stderr, "note: {}\n", note);
  }
}

// Starts from the beginning: a new run, or one that was killed before its first checkpoint.
RunResult begin(PreparedRun& prepared, RunFolder& folder, RunOutput& output, const RunOptions& options) {
  prepared.study->begin(output);
  RunDrive drive(prepared, folder, output, options);
  drive.checkpoint();
  return drive.run();
}

void write_descriptions(RunFolder& folder, const PreparedRun& prepared) {
  folder.write("experiment.yaml", prepared.file->resolved());
  folder.write("study.json", description_of(prepared));
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

}  // namespace

RunOutcome run_experiment(const RunRequest& request) {
  ThreadLimit threads(request.options.threads);
  InterruptionScope interruption(request.options.stop);
  PreparedRun prepared = prepare_run(request);
  fs::path path = request.out.empty() ? next_run_folder(prepared.experiment.name, request.variant) : request.out;
  RunFolder folder = create_folder(path, !request.out.empty());
  write_descriptions(folder, prepared);
  folder.save_checkpoint({0, {}});  // from here on the run can be resumed
  RunOutput output(folder, *prepared.study);
  if (!folder.note().empty()) output.warn(folder.note());
  log_start(output, prepared, request.options, "run", {});
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
  PreparedRun prepared = prepare_resumed_run(path, then, options);
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
  log_start(output, prepared, options, "resume",
            {{"step", checkpoint.step}, {"steps_done_again", std::max<std::int64_t>(0, steps_written - checkpoint.step)}});
  if (checkpoint.state.empty()) return finish(begin(prepared, folder, output, options), folder.path());
  prepared.study->deserialize(checkpoint.state);
  return finish(RunDrive(prepared, folder, output, options).run(), folder.path());
}

}  // namespace holo
