#pragma once
// The results of all runs of a sweep, as tables.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "holo/study/table.h"
#include "sweep/run_states.h"

namespace holo {

struct SweptResult {
  RunRecord record;
  std::optional<RunResult> result;  // of a run that has finished or failed
  Verdict verdict() const;          // not_attempted: neither finished nor failed nor stopped
};

struct SweepResults {
  std::vector<SweptResult> runs;  // as many as the plan's
  std::vector<Quantity> metrics;  // of all runs, in the order of the first that has them
};

SweepResults read_results(const std::filesystem::path& folder, const SweepPlan& plan);

// NaN if the run has no such metric.
double metric_of(const SweptResult& run, const std::string& name);

// Writes table.csv: run, parameters, verdict, metrics, of which those by the clock are in timings.csv. The bits of table.csv
// depend on nothing but the runs' results.
void write_tables(const std::filesystem::path& folder, const SweepPlan& plan, const SweepResults& results);

}  // namespace holo
