// run, check, resume, report, compare, export, reproduce: what works on runs.

#include <fmt/format.h>

#include "commands.h"
#include "holo/core/error.h"
#include "holo/study/compare.h"
#include "holo/study/export_run.h"
#include "holo/study/preview.h"
#include "holo/study/reproduce.h"
#include "holo/study/run_report.h"
#include "holo/study/runner.h"
#include "holo/study/sweep.h"
#include "standard_streams.h"
#include "stop_signals.h"

namespace holo {

namespace {

// The options of a command that runs an experiment.
RunOptions run_options(const CommandLine& line) { return {line.plugin_path, line.threads, line.words, stop_request()}; }

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
  const RunRequest request = run_request(line, {line.plugin_path, 0, line.words, nullptr});
  const std::string text = check_experiment(request);
  fmt::print("{}{}", text, check_sweep(request));
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
  const std::filesystem::path run = line.arguments.at(0);
  for (const std::filesystem::path& file : export_run(run, line.out.empty() ? run / "export" : line.out))
    fmt::print("{}\n", file.string());
  return ExitCode::done;
}

ExitCode reproduce_command(const CommandLine& line) {
  stop_on_signals();
  Reproduction reproduction = reproduce({line.arguments.at(0), line.variant, line.out, run_options(line)});
  fmt::print("{}\nruns: {}\n", table(reproduction), reproduction.folder.string());
  return reproduction.exit_code();
}

}  // namespace holo
