// sweep, sweep-worker: many runs of one experiment.

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cmath>
#include <cstdlib>

#include "answer.h"
#include "commands.h"
#include "holo/core/error.h"
#include "holo/study/reproduce.h"
#include "holo/study/sweep.h"
#include "standard_streams.h"
#include "stop_signals.h"

namespace holo {

namespace {

Launcher launcher_of(const std::string& name) {
  if (name == "local") return Launcher::local;
  if (name == "slurm") return Launcher::slurm;
  if (name == "mpi") return Launcher::mpi;
  throw Error(Failure::input, fmt::format("--launcher {}: there is none of this name.{} The launchers: local, slurm, mpi", name,
                                          suggestion(name, {"local", "slurm", "mpi"})));
}

// "8G", "500M", "100000K", "12345": bytes, with units of 1024.
std::uint64_t bytes_of(const std::string& text) {
  if (text.empty()) return 0;
  char* end = nullptr;
  double bytes = std::strtod(text.c_str(), &end);
  const std::string unit = end, units = "KMGT";
  const std::size_t power = unit.size() == 1 ? units.find(unit) : std::string::npos;
  if (power != std::string::npos) bytes *= std::pow(1024., double(power + 1));
  if (end == text.c_str() || (!unit.empty() && power == std::string::npos) || !(bytes >= 1 && bytes < 1e18))
    throw Error(Failure::input, fmt::format("--memory {}: must be a size such as 8G or 500M", text));
  return static_cast<std::uint64_t>(bytes);
}

// Options of one launcher that another one would ignore.
void refuse_unused(const CommandLine::Sweep& sweep) {
  const auto refuse = [&](bool is_given, const char* option, const char* launchers) {
    if (is_given)
      throw Error(Failure::input,
                  fmt::format("--{} is an option of the launcher {}; this one is {}", option, launchers, sweep.launcher));
  };
  if (sweep.launcher != "slurm") {
    refuse(!sweep.partition.empty(), "partition", "slurm");
    refuse(!sweep.time.empty(), "time", "slurm");
    refuse(sweep.no_wait, "no-wait", "slurm");
  }
  refuse(sweep.launcher == "local" && !sweep.launcher_options.empty(), "launcher-option", "slurm or mpi");
  refuse(sweep.launcher == "mpi" && !sweep.memory.empty(), "memory", "local or slurm");
}

SweepRequest sweep_request(const CommandLine& line) {
  SweepRequest request;
  request.launch.launcher = launcher_of(line.sweep.launcher);
  refuse_unused(line.sweep);
  request.launch.jobs = line.sweep.jobs;
  request.launch.memory = bytes_of(line.sweep.memory);
  request.launch.retry_failed = line.sweep.retry_failed;
  request.launch.wait = !line.sweep.no_wait;
  request.launch.partition = line.sweep.partition;
  request.launch.time = line.sweep.time;
  request.launch.arguments = line.sweep.launcher_options;
  request.run.variant = line.variant;
  request.run.overrides = line.overrides;
  request.run.out = line.out;
  request.run.options = {line.plugin_path, line.threads, line.words, stop_request(), line.quiet};
  if (!line.arguments.empty()) {
    request.run.experiment = find_experiment(line.arguments.front());
    return request;
  }
  if (line.out.empty())
    throw Error(Failure::input, "holo sweep: name an experiment, or with --out the folder of a sweep to continue");
  if (!line.variant.empty() || !line.overrides.empty() || !line.plugin_path.empty())
    throw Error(Failure::input,
                "holo sweep --out: a sweep continues as it began; --variant, --set and --plugin-path need the experiment");
  return request;
}

std::string text_of(const char* title, const std::vector<UnfinishedRun>& runs) {
  constexpr std::size_t most = 20;
  if (runs.empty()) return "";
  std::string text = fmt::format("{}\n", title);
  for (std::size_t i = 0; i < runs.size() && i < most; ++i)
    text += fmt::format("  {}{}{}\n", runs[i].folder, runs[i].reason.empty() ? "" : ": ", runs[i].reason);
  if (runs.size() > most) text += fmt::format("  ... and {} more\n", runs.size() - most);
  return text;
}

std::string text_of(const SweepOutcome& outcome) {
  if (!outcome.submitted.empty())
    return fmt::format("job {} was submitted for {} runs; `holo sweep --out {}` waits for it and writes the table\n",
                       outcome.submitted, outcome.runs - outcome.skipped, outcome.folder.string());
  std::string text = fmt::format("{} runs: {} finished", outcome.runs, outcome.finished);
  if (outcome.skipped > 0) text += fmt::format(" ({} of them before)", outcome.skipped);
  if (outcome.missed > 0) text += fmt::format(", {} of these missed their acceptance", outcome.missed);
  text += "\n" + text_of("failed (--retry-failed runs them again):", outcome.failed) +
          text_of("stopped or not begun (the same command goes on with them):", outcome.stopped);
  text += fmt::format("table: {}\n", (outcome.folder / "table.csv").string());
  return text + (outcome.report.empty() ? "no report.html: this build has no page (npm was missing when it was made)\n"
                                        : fmt::format("report: {}\n", outcome.report.string()));
}

AnswerObject object_of(const std::vector<UnfinishedRun>& runs) {
  AnswerObject list = AnswerObject::array();
  for (const UnfinishedRun& run : runs) list.push_back({{"run", run.folder}, {"reason", run.reason}});
  return list;
}

AnswerObject object_of(const SweepOutcome& outcome) {
  return {{"sweep", outcome.folder.string()},
          {"report", outcome.report.string()},
          {"runs", outcome.runs},
          {"finished", outcome.finished},
          {"missed", outcome.missed},
          {"skipped", outcome.skipped},
          {"failed", object_of(outcome.failed)},
          {"stopped", object_of(outcome.stopped)},
          {"submitted", outcome.submitted},
          {"exit_code", static_cast<int>(outcome.exit_code())}};
}

}  // namespace

ExitCode sweep_command(const CommandLine& line) {
  stop_on_signals();
  const SweepOutcome outcome = run_sweep(sweep_request(line));
  answer(line, text_of(outcome), object_of(outcome));
  return outcome.exit_code();
}

ExitCode sweep_worker_command(const CommandLine& line) {
  stop_on_signals();
  const RunOptions options{line.plugin_path, line.threads, line.words, stop_request()};
  if (line.sweep.run >= 0) return run_of_sweep(line.arguments.at(0), static_cast<std::size_t>(line.sweep.run), options);
  // Who started it may be killed: then this worker stops, too, and its run with it.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  return work_on_sweep({line.arguments.at(0), line.sweep.start, line.sweep.list, options});
}

}  // namespace holo
