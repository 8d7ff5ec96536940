#include "holo/study/run_list.h"

#include <algorithm>

#include "holo/core/runs/run_folder.h"
#include "holo/study/provenance.h"
#include "holo/study/result.h"
#include "runs/run_description.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

RunState state_of(const RunResult& result) {
  if (result.status == RunStatus::failed) return RunState::failed;
  if (result.status == RunStatus::interrupted) return RunState::interrupted;
  return result.accepted() ? RunState::accepted : RunState::missed;
}

ListedRun read_run(const fs::path& folder) {
  ListedRun run;
  run.folder = folder;
  try {
    const Provenance provenance = provenance_from_json(folder / "provenance.json");
    run.variant = provenance.variant;
    run.started = provenance.started;
    const RunDescription description = run_description(folder / "study.json");
    run.name = description.name;
    run.study = description.study;
    if (fs::exists(folder / "result.json")) {
      const RunResult result = result_from_json(folder / "result.json");
      run.state = state_of(result);
      run.steps = result.steps;
      if (run.state == RunState::failed) run.message = result.message;
    } else {
      run.state = is_being_written(folder) ? RunState::running : RunState::interrupted;
    }
  } catch (const Error& error) {
    run.state = RunState::unreadable;
    run.message = error.what();
  }
  return run;
}

bool is_run(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "experiment.yaml", error) && fs::is_regular_file(folder / "provenance.json", error);
}

void add_runs(const fs::path& folder, std::vector<ListedRun>& runs) {
  if (is_run(folder)) return runs.push_back(read_run(folder));
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_directory(error) && !entry->is_symlink(error)) add_runs(entry->path(), runs);
}

}  // namespace

std::string to_string(RunState state) {
  switch (state) {
    case RunState::accepted:
      return "accepted";
    case RunState::missed:
      return "MISSED";
    case RunState::failed:
      return "failed";
    case RunState::interrupted:
      return "interrupted";
    case RunState::running:
      return "running";
    case RunState::unreadable:
      return "unreadable";
  }
  return "unknown";
}

std::vector<ListedRun> list_runs(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw Error(Failure::input, folder.string() + ": no such folder; runs are written to runs/, or to --out");
  std::vector<ListedRun> runs;
  add_runs(folder, runs);
  std::sort(runs.begin(), runs.end(), [](const ListedRun& a, const ListedRun& b) { return a.folder < b.folder; });
  return runs;
}

}  // namespace holo
