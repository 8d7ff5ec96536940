#include "holo/study/sweep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "holo/core/runs/progress.h"
#include "holo/core/runs/run_folder.h"
#include "holo/study/prepared_run.h"
#include "holo/study/provenance.h"
#include "sweep/launchers.h"
#include "sweep/run_crew.h"
#include "sweep/sweep_report.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

fs::path default_folder(const std::string& name, const std::string& variant) {
  return fs::path("sweeps") / (variant.empty() ? name : name + "-" + variant);
}

// The lock of the process that starts the runs. The runs' own processes do not hold it.
class SweepLock {
 public:
  explicit SweepLock(const fs::path& folder) {
    const fs::path path = folder / "lock";
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0)
      throw Error(Failure::environment, fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    close(descriptor_);
    throw Error(Failure::input,
                fmt::format("{}: another process is at this sweep; wait for its end, or stop it", folder.string()));
  }
  ~SweepLock() { close(descriptor_); }
  SweepLock(const SweepLock&) = delete;
  SweepLock& operator=(const SweepLock&) = delete;

 private:
  int descriptor_;
};

// state/starts.json: how often runs were started, and the last job of Slurm.
struct Starts {
  std::int64_t count = 0;
  std::string job;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Starts, count, job)

Starts read_starts(const fs::path& folder) {
  const fs::path path = folder / "state/starts.json";
  if (!fs::exists(path)) return {};
  try {
    return nlohmann::json::parse(read_whole_file(path)).get<Starts>();
  } catch (const std::exception& error) {
    throw Error(Failure::input, fmt::format("{}: cannot be read ({}); remove it if no job of this sweep is running",
                                            path.string(), error.what()));
  }
}

void write_starts(const fs::path& folder, const Starts& starts) {
  write_whole_file(folder / "state/starts.json", nlohmann::json(starts).dump() + "\n");
}

void require_same(const fs::path& folder, const SweepPlan& then, const SweepPlan& now) {
  const std::vector<std::string> changed = plan_differences(then, now);
  if (!changed.empty())
    throw Error(Failure::input,
                fmt::format("{}: this folder has a sweep of something else:\n  {}\nBegin another sweep with --out "
                            "FOLDER, or remove this one.",
                            folder.string(), fmt::join(changed, "\n  ")));
}

// A folder with a file of somebody else is none for a sweep; what a killed beginning left is.
void require_free(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder))
    throw Error(Failure::input, fmt::format("{}: a sweep needs a folder, and this is something else", folder.string()));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string(); name != "lock" && name.rfind("sweep.", 0) != 0)
      throw Error(Failure::input,
                  fmt::format("{}: the folder is not empty, and has no sweep. Choose another one (--out)", folder.string()));
}

// What a sweep needs to be started in a folder.
struct OpenSweep {
  fs::path folder;  // absolute
  SweepPlan plan;
};

OpenSweep existing_sweep(const fs::path& out) {
  const fs::path folder = fs::absolute(out).lexically_normal();
  return {folder, read_plan(folder)};
}

OpenSweep requested_sweep(const RunRequest& request) {
  SweepPlan plan = make_plan(request);
  const fs::path out = request.out.empty() ? default_folder(plan.name, plan.variant) : request.out;
  OpenSweep sweep{fs::absolute(out).lexically_normal(), std::move(plan)};
  if (has_plan(sweep.folder)) {
    SweepPlan then = read_plan(sweep.folder);
    require_same(sweep.folder, then, sweep.plan);
    sweep.plan = std::move(then);
  } else {
    require_free(sweep.folder);
  }
  return sweep;
}

void make_sweep_folders(const fs::path& folder) {
  for (const char* name : {"runs", "state", "logs", "claims"}) {
    std::error_code error;
    fs::create_directories(folder / name, error);
    if (error)
      throw Error(Failure::input, fmt::format("{}: the folder cannot be made: {}", (folder / name).string(), error.message()));
  }
}

// Shows how many runs have ended, from their records.
class Tally {
 public:
  Tally(const OpenSweep& sweep, const std::vector<std::size_t>& waiting, bool quiet)
      : sweep_(sweep),
        waiting_(waiting),
        total_(sweep.plan.runs.size()),
        progress_(sweep.plan.name, static_cast<std::int64_t>(total_), "run", quiet ? nullptr : stderr) {}

  void tick() {
    if (std::chrono::steady_clock::now() - last_ > std::chrono::seconds(1)) count();
  }
  void finish() {
    count();
    progress_.finish(waiting_.empty() ? "" : "stopped");
  }

 private:
  void count() {
    std::vector<std::size_t> still;
    for (const std::size_t run : waiting_) {
      const RunProgress progress = read_record(sweep_.folder, sweep_.plan, run).progress;
      if (progress == RunProgress::failed) ++failed_;
      if (progress == RunProgress::waiting || progress == RunProgress::stopped) still.push_back(run);
    }
    waiting_.swap(still);
    progress_.update(static_cast<std::int64_t>(total_ - waiting_.size()), failed_ > 0 ? fmt::format("{} failed", failed_) : "");
    last_ = std::chrono::steady_clock::now();
  }

  const OpenSweep& sweep_;
  std::vector<std::size_t> waiting_;
  std::size_t total_, failed_ = 0;
  Progress progress_;
  std::chrono::steady_clock::time_point last_ = {};
};

struct RunsToDo {
  std::vector<std::size_t> runs;    // in their order
  std::vector<std::size_t> failed;  // of these
  std::size_t finished = 0;         // others, which are done
};

RunsToDo runs_to_do(const OpenSweep& sweep, bool retry_failed) {
  RunsToDo todo;
  for (std::size_t run = 0; run < sweep.plan.runs.size(); ++run) {
    const RunProgress progress = state_of(sweep.folder, sweep.plan, run).progress;
    if (progress == RunProgress::finished) ++todo.finished;
    if (progress == RunProgress::failed && retry_failed) todo.failed.push_back(run);
    if (progress != RunProgress::finished && (progress != RunProgress::failed || retry_failed)) todo.runs.push_back(run);
  }
  return todo;
}

// One table has the numbers of one program. Without runs to do any program may write it again.
void require_same_program(const OpenSweep& sweep, const RunsToDo& todo) {
  const std::string now = current_provenance().program.hash;
  if (!todo.runs.empty() && now != sweep.plan.program)
    throw Error(
        Failure::input,
        fmt::format("{}: the sweep was begun by another build of the program ({} then, {} now), and {} of its runs are left "
                    "to do. Go on with that one, or begin another sweep with --out FOLDER",
                    sweep.folder.string(), sweep.plan.program, now, todo.runs.size()));
}

// Slurm may still be at the runs of an earlier start.
void wait_for_earlier_job(const OpenSweep& sweep, const SweepRequest& request) {
  const std::string job = read_starts(sweep.folder).job;
  if (job.empty() || find_program("squeue").empty() || !is_in_slurm_queue(job)) return;
  if (!request.launch.wait)
    throw Error(Failure::input,
                fmt::format("{}: job {} of an earlier start is still in the queue. Wait for it, or end it: scancel {}",
                            sweep.folder.string(), job, job));
  if (!request.run.options.quiet) fmt::print(stderr, "waiting for job {} of an earlier start\n", job);
  wait_for_slurm(sweep.folder, job, request.run.options.stop, [] {});
}

// Returns the job that was submitted and not waited for.
std::string start_runs(const OpenSweep& sweep, const SweepRequest& request, const std::vector<std::size_t>& runs) {
  Starts starts = read_starts(sweep.folder);
  starts.count += 1;
  starts.job.clear();
  write_starts(sweep.folder, starts);
  const SweepLaunch& launch = request.launch;
  Tally tally(sweep, runs, request.run.options.quiet);
  const LaunchRequest todo{
      sweep.folder, sweep.plan, launch, request.run.options, starts.count, {runs.begin(), runs.end()}, [&] { tally.tick(); }};
  if (launch.launcher == Launcher::local) launch_local(todo);
  if (launch.launcher == Launcher::mpi) launch_mpi(todo);
  if (launch.launcher == Launcher::slurm) {
    starts.job = submit_slurm(todo);
    write_starts(sweep.folder, starts);
    if (!launch.wait) return starts.job;
    wait_for_slurm(sweep.folder, starts.job, request.run.options.stop, todo.on_tick);
  }
  tally.finish();
  return {};
}

SweepOutcome conclude(const OpenSweep& sweep) {
  const SweepResults results = read_results(sweep.folder, sweep.plan);
  write_tables(sweep.folder, sweep.plan, results);
  SweepOutcome outcome;
  outcome.folder = sweep.folder;
  outcome.report = write_sweep_report(sweep.folder, sweep.plan, results);
  outcome.runs = results.runs.size();
  for (std::size_t run = 0; run < results.runs.size(); ++run) {
    const SweptResult& each = results.runs[run];
    const UnfinishedRun unfinished{sweep.plan.runs[run].folder, each.record.message};
    if (each.record.progress == RunProgress::finished) ++outcome.finished;
    if (each.verdict() == Verdict::missed) ++outcome.missed;
    if (each.record.progress == RunProgress::failed) outcome.failed.push_back(unfinished);
    if (each.record.progress == RunProgress::stopped || each.record.progress == RunProgress::waiting)
      outcome.stopped.push_back(unfinished);
  }
  return outcome;
}

}  // namespace

ExitCode SweepOutcome::exit_code() const {
  if (!submitted.empty()) return ExitCode::done;
  if (!failed.empty() || !stopped.empty()) return ExitCode::not_finished;
  return missed > 0 ? ExitCode::acceptance_missed : ExitCode::done;
}

SweepOutcome run_sweep(const SweepRequest& request) {
  require_launcher(request.launch.launcher);
  const OpenSweep sweep = request.run.experiment.empty() ? existing_sweep(request.run.out) : requested_sweep(request.run);
  make_sweep_folders(sweep.folder);
  const SweepLock lock(sweep.folder);
  if (!has_plan(sweep.folder)) write_plan(sweep.folder, sweep.plan);
  wait_for_earlier_job(sweep, request);
  fs::remove(stop_file(sweep.folder));
  const RunsToDo todo = runs_to_do(sweep, request.launch.retry_failed);
  require_same_program(sweep, todo);
  for (const std::size_t run : todo.failed) forget_run(sweep.folder, sweep.plan, run);
  const std::string job = todo.runs.empty() ? std::string() : start_runs(sweep, request, todo.runs);
  SweepOutcome outcome = conclude(sweep);
  outcome.skipped = todo.finished;
  outcome.submitted = job;
  return outcome;
}

std::string check_sweep(const RunRequest& request) {
  ConfigurationFile file = load_requested(request);
  if (!file.root().has("sweep")) return {};
  const SweepPlan plan = make_plan(request);
  return fmt::format("  sweep: {} runs: good\n", plan.runs.size());
}

}  // namespace holo
