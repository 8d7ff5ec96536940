// holo: the command line of the framework. `holo --help` lists the commands.

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <new>
#include <string_view>
#include <system_error>

#include "answer.h"
#include "command_line.h"
#include "commands.h"
#include "holo/core/error.h"
#include "holo/core/plugins/plugin_faults.h"
#include "holo/core/runs/interruption.h"
#include "holo/gpu/device.h"
#include "holo/study/provenance.h"
#include "holo/study/runner.h"
#include "standard_streams.h"

namespace {

using namespace holo;

ExitCode dispatch(const CommandLine& line) {
  static const std::map<std::string, ExitCode (*)(const CommandLine&)> commands{{"run", run_command},
                                                                                {"check", check_command},
                                                                                {"list", list_command},
                                                                                {"describe", describe_command},
                                                                                {"schema", schema_command},
                                                                                {"resume", resume_command},
                                                                                {"report", report_command},
                                                                                {"compare", compare_command},
                                                                                {"export", export_command},
                                                                                {"reproduce", reproduce_command},
                                                                                {"plugin", plugin_command},
                                                                                {"runs", runs_command},
                                                                                {"completion", completion_command},
                                                                                {"complete", complete_command},
                                                                                {"sweep", sweep_command},
                                                                                {"sweep-worker", sweep_worker_command}};
  if (line.version) {
    fmt::print("{}\n{}\n", version_text(), device_summary());
    return ExitCode::done;
  }
  if (line.help) {
    fmt::print("{}", help_text(line.command));
    return ExitCode::done;
  }
  return commands.at(line.command)(line);
}

bool wants_json = false;  // so that errors are lines, too

ExitCode fail(ExitCode code, const std::string& text) {
  if (wants_json) {
    try {
      CommandLine line;
      line.json = true;
      answer(line, "", {{"error", text}, {"exit_code", static_cast<int>(code)}});
    } catch (const std::exception&) {  // the error stream has it
    }
  }
  std::fflush(stdout);
  print_error(text);
  return code;
}

ExitCode guarded(int argc, char** argv) {
  try {
    return dispatch(parse_command_line(argc, argv));
  } catch (const NotAvailable& missing) {
    return fail(ExitCode::not_available, missing.what());
  } catch (const Error& error) {
    return fail(error.failure() == Failure::input ? ExitCode::bad_input : ExitCode::failure, error.what());
  } catch (const std::system_error& error) {  // of fmt::print
    return fail(ExitCode::failure, fmt::format("cannot write to the standard output: {}", error.code().message()));
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::failure, "out of memory");
  } catch (const Interrupted&) {
    return fail(ExitCode::not_finished, "stopped by a signal before its first step; what an earlier run saved is as it was");
  } catch (const std::exception& error) {
    return fail(ExitCode::failure, fmt::format("internal failure: {}", error.what()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  wants_json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
  // A file that may not grow, or a closed pipe, is an error of the write and reported as one.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  open_standard_streams();
  report_plugin_faults();
  // Output is written when it is flushed: the error of a full disk appears here, and must not end with code 0.
  ExitCode code = guarded(argc, argv);
  if (std::fflush(stdout) != 0 && code == ExitCode::done)
    code = fail(ExitCode::failure, "cannot write to the standard output: " + std::generic_category().message(errno));
  return static_cast<int>(code);
}
