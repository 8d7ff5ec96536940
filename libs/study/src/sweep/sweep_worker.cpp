// The processes that launchers of a sweep start: workers, and single runs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "holo/core/runs/run_folder.h"
#include "holo/study/provenance.h"
#include "sweep/run_crew.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// The first variable of the environment that is set, as a number.
std::size_t number_from_environment(std::initializer_list<const char*> names, std::size_t otherwise) {
  for (const char* name : names)
    if (const char* text = std::getenv(name)) return static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
  return otherwise;
}

// The runs of this worker: all, from a place of its own on; of a list those of the task.
std::deque<std::size_t> runs_of_worker(const SweepPlan& plan, const SweepWork& work) {
  std::deque<std::size_t> runs;
  if (work.list.empty()) {
    const std::size_t rank = number_from_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, 0);
    const std::size_t ranks =
        std::max<std::size_t>(1, number_from_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}, 1));
    const std::size_t count = plan.runs.size(), first = count * (rank % ranks) / ranks;
    for (std::size_t i = 0; i < count; ++i) runs.push_back((first + i) % count);
    return runs;
  }
  const std::size_t task = number_from_environment({"SLURM_ARRAY_TASK_ID"}, 0);
  const std::size_t tasks = std::max<std::size_t>(1, number_from_environment({"SLURM_ARRAY_TASK_COUNT"}, 1));
  std::istringstream lines(read_whole_file(work.folder / work.list));
  std::size_t position = 0;
  for (std::size_t run = 0; lines >> run; ++position) {
    if (run >= plan.runs.size())
      throw Error(Failure::input, fmt::format("{}: there is no run {} in the sweep", (work.folder / work.list).string(), run));
    if (position % tasks == task) runs.push_back(run);
  }
  return runs;
}

}  // namespace

ExitCode work_on_sweep(const SweepWork& work) {
  const fs::path folder = fs::absolute(work.folder).lexically_normal();
  const SweepPlan plan = read_plan(folder);
  if (const std::string now = current_provenance().program.hash; now != plan.program)
    throw Error(Failure::input, fmt::format("{}: the sweep was begun by another build of the program ({} then, {} now)",
                                            folder.string(), plan.program, now));
  const CrewOptions options{
      .jobs = 1, .threads = std::max(1, work.options.threads), .start = work.start, .stop = work.options.stop};
  RunCrew(folder, plan, options).work(runs_of_worker(plan, work));
  return ExitCode::done;
}

ExitCode run_of_sweep(const fs::path& folder, std::size_t run, const RunOptions& options) {
  const SweepPlan plan = read_plan(folder);
  if (run >= plan.runs.size())
    throw Error(Failure::input,
                fmt::format("{}: there is no run {}; the sweep has {}", folder.string(), run, plan.runs.size()));
  const RunRequest request = request_of_run(plan, folder, run, options);
  const bool begun = fs::exists(request.out / "checkpoint") || fs::exists(request.out / "checkpoint.previous");
  const RunOutcome outcome = begun ? resume_run(request.out, options) : run_experiment(request);
  const bool finished = outcome.result.status == RunStatus::finished;
  fmt::print("{}", finished ? summary(outcome.result) : outcome.result.message + "\n");
  return outcome.result.exit_code();
}

}  // namespace holo
