#pragma once
// The parsed command line after `holo`. Boost.Program_options stays in command_line.cpp.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace holo {

struct CommandLine {
  std::string command;                 // "run"; empty for --help and --version alone
  std::vector<std::string> arguments;  // as many as the command takes
  bool help = false, version = false;
  std::string variant;
  std::vector<std::pair<std::string, std::string>> overrides;  // --set path=value
  std::filesystem::path out;
  std::vector<std::filesystem::path> plugin_path;
  int threads = 0;
  double tolerance = 1e-9;
  bool preview = false;
  bool json = false;                 // --json: one JSON object a line on the standard output
  bool quiet = false;                // neither text nor progress; errors and warnings are there
  std::vector<std::string> formats;  // of an export
  std::string frames;
  struct Sweep {
    std::string launcher = "local", memory, partition, time, list;
    std::vector<std::string> launcher_options;
    int jobs = 0;
    std::int64_t run = -1, start = 0;  // of a worker
    bool retry_failed = false, no_wait = false;
  } sweep;
  std::vector<std::string> words;  // everything, the program's name too
};

// Throws Error(input) for an unknown command or option (with the nearest one), a missing or superfluous argument, a bad value.
CommandLine parse_command_line(int argc, const char* const* argv);

// Those that a user calls, in the order of the help.
std::vector<std::string> command_names();
std::string command_summary(const std::string& command);
std::vector<std::string> command_options(const std::string& command);  // long names without their dashes

// The help of one command, or of the program when `command` is empty.
std::string help_text(const std::string& command);

}  // namespace holo
