#pragma once
// Sweeps: many runs of one experiment, whose parameters have the values of its `sweep` section (sweep_definition.h).
//
// The folder of a sweep:
//   sweep.yaml    the experiment, variant and overrides applied     sweep.json    its runs, how it was begun, by which program
//   runs/0003-density=500-E=1e+06/   one run folder each            state/0003.json   how the last attempt of a run ended
//   logs/0003.txt   what that attempt printed                       claims/0003   locked by the process that is at the run
//   table.csv     parameters, verdicts, metrics                     timings.csv   what differs from one sweep to the next
//   report.html   metrics over parameters                           slurm/        batch scripts and their output
//
// Each run is a process of its own, `holo sweep-worker FOLDER --run 3`, which makes the run's folder or resumes what is in it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "holo/study/runner.h"

namespace holo {

// The values of one point, one for each parameter of sweep_parameters(), as YAML.
using SweepPoint = std::vector<std::string>;

// The parameters of all blocks in their order; `seed` follows where the sweep repeats its points.
std::vector<SweptParameter> sweep_parameters(const SweepDefinition& sweep);

// All points, in the order of the runs: those of the last block change fastest, then repetitions. `experiment_seed` is the seed
// of the first repetition. Values of a range have 12 significant digits. The samples of a parameter depend on the seed, the
// count and its own path alone.
std::vector<SweepPoint> sweep_points(const SweepDefinition& sweep, std::uint64_t experiment_seed);

enum class Launcher { local, slurm, mpi };

struct SweepLaunch {
  Launcher launcher = Launcher::local;
  int jobs = 0;              // runs at once; 0: of local as many as processors, of mpi as mpirun has slots, of slurm no limit
  std::uint64_t memory = 0;  // bytes, 0: no limit; local: of all runs at once; slurm: of one run
  bool retry_failed = false;
  bool wait = true;                    // slurm: until all runs have ended
  std::string partition, time;         // slurm: as sbatch takes them; "": the cluster's defaults
  std::vector<std::string> arguments;  // further ones for sbatch or mpirun
};

struct SweepRequest {
  RunRequest run;  // the experiment; an empty one continues the sweep in run.out, by default sweeps/NAME[-VARIANT]
  SweepLaunch launch;
};

struct UnfinishedRun {
  std::string folder;  // runs/0003-density=500
  std::string reason;
};

struct SweepOutcome {
  std::filesystem::path folder, report;            // report: "" if the build has no page
  std::size_t runs = 0, finished = 0, missed = 0;  // missed: finished runs that missed their acceptance
  std::size_t skipped = 0;                         // finished ones that an earlier start has done
  std::vector<UnfinishedRun> failed;               // run again with retry_failed alone
  std::vector<UnfinishedRun> stopped;              // run on by the next start
  std::string submitted;                           // slurm without waiting: the job

  ExitCode exit_code() const;
};

// Expands and checks all runs, then starts those that have not finished. Throws Error(input), before anything is written, for a
// bad experiment or sweep, a launcher that is not installed, and a folder that has another sweep, with what differs.
SweepOutcome run_sweep(const SweepRequest& request);

// One line that tells the number of runs; "" for an experiment without a sweep. Throws Error(input) with the problems of all
// runs.
std::string check_sweep(const RunRequest& request);

// A worker of a launcher: takes runs that nobody else is at, until none is left, or does the run `index` in this very process.
struct SweepWork {
  std::filesystem::path folder;
  std::int64_t start = 0;  // number of the launcher's start: runs that were tried in it are left alone; 0: none
  std::string list;        // file with the numbers of the runs to take, in the sweep's folder; "": all
  RunOptions options;
};
ExitCode work_on_sweep(const SweepWork& work);
ExitCode run_of_sweep(const std::filesystem::path& folder, std::size_t index, const RunOptions& options);

}  // namespace holo
