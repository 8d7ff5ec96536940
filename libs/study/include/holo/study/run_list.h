#pragma once
// The runs below a folder, such as runs/: what each is, and how it ended.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holo {

enum class RunState {
  accepted,
  missed,       // finished, and a condition does not hold
  failed,       // a step could not go on
  interrupted,  // ended by a signal or a kill: `holo resume` continues it
  running,      // a process writes it now
  unreadable    // its files are damaged, or of another version of the program
};
std::string to_string(RunState state);

struct ListedRun {
  std::filesystem::path folder;
  RunState state = RunState::unreadable;
  std::string name, study, variant;
  std::string started;      // UTC, ISO 8601
  std::int64_t steps = -1;  // done, of a run that has ended or failed; -1: not known
  std::string message;      // of a failed run its diagnosis, of an unreadable one the reason
};

// By their paths; runs within runs are not looked for, links to folders not followed. Folders that may not be read are passed
// over. Throws Error(input) where `folder` does not exist or is no folder.
std::vector<ListedRun> list_runs(const std::filesystem::path& folder);

}  // namespace holo
