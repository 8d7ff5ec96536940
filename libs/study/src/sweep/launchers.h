#pragma once
// The ways to start the runs of a sweep.

#include <atomic>
#include <deque>
#include <functional>
#include <string>

#include "sweep/sweep_plan.h"

namespace holo {

struct LaunchRequest {
  const std::filesystem::path& folder;  // absolute
  const SweepPlan& plan;
  const SweepLaunch& options;
  const RunOptions& run_options;
  std::int64_t start = 0;         // number of this start of the sweep
  std::deque<std::size_t> runs;   // to be done, in this order
  std::function<void()> on_tick;  // called several times a second
};

// Throws Error(input) that names the command which is not there.
void require_launcher(Launcher launcher);

// Each returns when all processes have ended.
void launch_local(const LaunchRequest& request);
void launch_mpi(const LaunchRequest& request);

// Submits a job array and returns the job. Throws Error(environment) with what sbatch said.
std::string submit_slurm(const LaunchRequest& request);
// Until no task of the job is in the queue. A request to stop cancels tasks that wait and lets the others end at checkpoints.
void wait_for_slurm(const std::filesystem::path& folder, const std::string& job, const std::atomic<bool>* stop,
                    const std::function<void()>& on_tick);
bool is_in_slurm_queue(const std::string& job);

// Processors that this process may use.
int usable_processors();

}  // namespace holo
