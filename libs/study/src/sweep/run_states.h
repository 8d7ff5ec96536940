#pragma once
// States of the runs of a sweep: from the runs' own folders, and from the records of their processes' ends.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sweep/sweep_plan.h"

namespace holo {

enum class RunProgress {
  waiting,   // not begun
  stopped,   // by a signal or a kill: to be resumed
  finished,  // whether accepted or not
  failed     // the solver could not continue, the program crashed, or the run was refused
};

// The end of a run's last attempt, state/0003.json. Times and memory are those of all attempts that are known of.
struct RunRecord {
  RunProgress progress = RunProgress::waiting;
  std::string message;     // of a failure or a stop
  std::int64_t start = 0;  // number of the launcher's start that made the attempt
  std::int64_t attempts = 0;
  double wall_time = 0;              // s
  double processor_time = 0;         // s, of all threads
  std::uint64_t resident_bytes = 0;  // the largest
};

// Throws Error(input) for a record that cannot be read.
RunRecord read_record(const std::filesystem::path& folder, const SweepPlan& plan, std::size_t run);
void write_record(const std::filesystem::path& folder, const SweepPlan& plan, std::size_t run, const RunRecord& record);

// The record, and where there is none or the run's folder knows better, what this says: a process may have ended without a
// record of it.
RunRecord state_of(const std::filesystem::path& folder, const SweepPlan& plan, std::size_t run);

// Removes what a failed run left, so that it begins anew.
void forget_run(const std::filesystem::path& folder, const SweepPlan& plan, std::size_t run);

}  // namespace holo
