#pragma once
// The commands of `holo`. Each returns the exit code, or throws holo::Error.

#include "command_line.h"
#include "holo/study/result.h"

namespace holo {

ExitCode run_command(const CommandLine& line);
ExitCode check_command(const CommandLine& line);
ExitCode resume_command(const CommandLine& line);
ExitCode report_command(const CommandLine& line);
ExitCode compare_command(const CommandLine& line);
ExitCode export_command(const CommandLine& line);
ExitCode reproduce_command(const CommandLine& line);
ExitCode list_command(const CommandLine& line);
ExitCode describe_command(const CommandLine& line);
ExitCode schema_command(const CommandLine& line);
ExitCode plugin_command(const CommandLine& line);
ExitCode runs_command(const CommandLine& line);
ExitCode completion_command(const CommandLine& line);
ExitCode complete_command(const CommandLine& line);
ExitCode sweep_command(const CommandLine& line);
ExitCode sweep_worker_command(const CommandLine& line);

}  // namespace holo
