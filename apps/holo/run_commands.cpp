// run, check, resume, report, compare, export, reproduce: what works on runs.

#include <fmt/format.h>
#include <signal.h>

#include <atomic>

#include "commands.h"
#include "holo/core/error.h"
#include "holo/study/compare.h"
#include "holo/study/export_run.h"
#include "holo/study/preview.h"
#include "holo/study/reproduce.h"
#include "holo/study/run_report.h"
#include "holo/study/runner.h"
#include "standard_streams.h"

namespace holo {

namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

// The first SIGINT, SIGTERM or SIGHUP ends the run at its next step; the second one ends the program. A SIGHUP that was to be
// ignored (nohup) still is.
void stop_on_signals() {
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

// The options of a command that runs an experiment.
RunOptions run_options(const CommandLine& line) { return {line.plugin_path, line.threads, line.words, &stop_requested}; }

RunRequest run_request(const CommandLine& line, RunOptions options) {
  return {find_experiment(line.arguments.at(0)), line.variant, line.overrides, line.out, std::move(options)};
}

ExitCode conclude(const RunOutcome& outcome) {
  if (outcome.already_finished) fmt::print("{}: already {}\n", outcome.folder.string(), to_string(outcome.result.status));
  fmt::print("{}run: {}\n", summary(outcome.result), outcome.folder.string());
  if (outcome.report.empty())
    fmt::print("no report.html: this build has no page (npm was missing when it was made)\n");
  else
    fmt::print("report: {}\n", std::filesystem::absolute(outcome.report).lexically_normal().string());
  if (outcome.result.status == RunStatus::failed) print_error(outcome.result.message);
  return outcome.result.exit_code();
}

}  // namespace

ExitCode run_command(const CommandLine& line) {
  stop_on_signals();
  return conclude(run_experiment(run_request(line, run_options(line))));
}

ExitCode check_command(const CommandLine& line) {
  fmt::print("{}", check_experiment(run_request(line, {line.plugin_path, 0, line.words, nullptr})));
  return ExitCode::done;
}

ExitCode resume_command(const CommandLine& line) {
  stop_on_signals();
  return conclude(resume_run(line.arguments.at(0), run_options(line)));
}

ExitCode report_command(const CommandLine& line) {
  const std::filesystem::path report = line.preview
                                           ? write_preview(run_request(line, {line.plugin_path, 0, line.words, nullptr}))
                                           : write_report(line.arguments.at(0));
  if (report.empty()) throw Error(Failure::environment, "this build has no report page: npm was missing when it was made");
  fmt::print("{}: {}\n", line.preview ? "preview" : "report", std::filesystem::absolute(report).lexically_normal().string());
  return ExitCode::done;
}

ExitCode compare_command(const CommandLine& line) {
  Comparison comparison = compare_runs(line.arguments.at(0), line.arguments.at(1), line.tolerance);
  for (const std::string& text : comparison.lines) fmt::print("{}\n", text);
  return comparison.same ? ExitCode::done : ExitCode::acceptance_missed;
}

ExitCode export_command(const CommandLine& line) {
  const ExportRequest request = {line.arguments.at(0), line.out, line.formats, line.frames};
  for (const std::filesystem::path& file : export_run(request)) fmt::print("{}\n", file.string());
  return ExitCode::done;
}

ExitCode reproduce_command(const CommandLine& line) {
  stop_on_signals();
  Reproduction reproduction = reproduce({line.arguments.at(0), line.variant, line.out, run_options(line)});
  fmt::print("{}\nruns: {}\n", table(reproduction), reproduction.folder.string());
  return reproduction.exit_code();
}

}  // namespace holo
