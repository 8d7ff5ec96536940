// run, check, resume, report, compare, export, reproduce: what works on runs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer.h"
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
RunOptions run_options(const CommandLine& line) {
  return {line.plugin_path, line.threads, line.words, stop_request(), line.quiet};
}

RunRequest run_request(const CommandLine& line, RunOptions options) {
  return {find_experiment(line.arguments.at(0)), line.variant, line.overrides, line.out, std::move(options)};
}

std::string absolute_text(const std::filesystem::path& path) {
  return path.empty() ? "" : std::filesystem::absolute(path).lexically_normal().string();
}

AnswerObject object_of(const RunOutcome& outcome) {
  AnswerObject object{{"run", absolute_text(outcome.folder)},
                      {"report", absolute_text(outcome.report)},
                      {"exit_code", static_cast<int>(outcome.result.exit_code())}};
  object["result"] = AnswerObject::parse(result_to_json(outcome.result));
  return object;
}

ExitCode conclude(const CommandLine& line, const RunOutcome& outcome) {
  std::string text;
  if (outcome.already_finished)
    text = fmt::format("{}: already {}\n", outcome.folder.string(), to_string(outcome.result.status));
  text += fmt::format("{}run: {}\n", with_colored_verdicts(summary(outcome.result)), outcome.folder.string());
  if (outcome.report.empty())
    text += "no report.html: this build has no page (npm was missing when it was made)\n";
  else
    text += fmt::format("report: {}\n", absolute_text(outcome.report));
  answer(line, text, object_of(outcome));
  if (outcome.result.status == RunStatus::failed) print_error(outcome.result.message);
  return outcome.result.exit_code();
}

}  // namespace

ExitCode run_command(const CommandLine& line) {
  stop_on_signals();
  return conclude(line, run_experiment(run_request(line, run_options(line))));
}

ExitCode check_command(const CommandLine& line) {
  const RunRequest request = run_request(line, {line.plugin_path, 0, line.words, nullptr});
  const std::string experiment = check_experiment(request), description = experiment + check_sweep(request);
  answer(line, description, {{"experiment", line.arguments.at(0)}, {"description", description}});
  return ExitCode::done;
}

ExitCode resume_command(const CommandLine& line) {
  stop_on_signals();
  return conclude(line, resume_run(line.arguments.at(0), run_options(line)));
}

ExitCode report_command(const CommandLine& line) {
  const std::filesystem::path report = line.preview
                                           ? write_preview(run_request(line, {line.plugin_path, 0, line.words, nullptr}))
                                           : write_report(line.arguments.at(0));
  if (report.empty()) throw Error(Failure::environment, "this build has no report page: npm was missing when it was made");
  const char* what = line.preview ? "preview" : "report";
  answer(line, fmt::format("{}: {}\n", what, absolute_text(report)), {{what, absolute_text(report)}});
  return ExitCode::done;
}

ExitCode compare_command(const CommandLine& line) {
  Comparison comparison = compare_runs(line.arguments.at(0), line.arguments.at(1), line.tolerance);
  answer(line, fmt::format("{}\n", fmt::join(comparison.lines, "\n")),
         {{"same", comparison.same}, {"comparisons", comparison.lines}});
  return comparison.same ? ExitCode::done : ExitCode::acceptance_missed;
}

ExitCode export_command(const CommandLine& line) {
  const ExportRequest request = {line.arguments.at(0), line.out, line.formats, line.frames};
  for (const std::filesystem::path& file : export_run(request))
    answer(line, file.string() + "\n", {{"file", absolute_text(file)}});
  return ExitCode::done;
}

ExitCode reproduce_command(const CommandLine& line) {
  stop_on_signals();
  Reproduction reproduction = reproduce({line.arguments.at(0), line.variant, line.out, run_options(line)});
  for (const ReproducedExperiment& experiment : reproduction.experiments) {
    AnswerObject object = experiment.error.empty() ? object_of(experiment.outcome) : AnswerObject{{"error", experiment.error}};
    object["experiment"] = experiment.name;
    object["exit_code"] = static_cast<int>(experiment.exit_code);
    object["decides"] = experiment.decides();
    answer(line, "", object);
  }
  answer(line, fmt::format("{}\nruns: {}\n", table(reproduction), reproduction.folder.string()),
         {{"runs", absolute_text(reproduction.folder)}, {"exit_code", static_cast<int>(reproduction.exit_code())}});
  return reproduction.exit_code();
}

}  // namespace holo
