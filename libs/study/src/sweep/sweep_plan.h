#pragma once
// The plan of a sweep, as it lies in its folder: sweep.yaml and sweep.json.

#include <filesystem>
#include <string>
#include <vector>

#include "holo/study/sweep.h"

namespace holo {

struct PlannedParameter {
  std::string path, name, unit;  // as in SweptParameter
  bool logarithmic = false;      // its range is
};

struct PlannedRun {
  std::string folder;  // "runs/0003-density=500-E=1e+06"
  SweepPoint values;
};

struct SweepPlan {
  std::string name;  // of the experiment
  std::string study;
  std::filesystem::path experiment;  // absolute: files named in the experiment are relative to its folder
  std::string variant;
  std::vector<std::string> plugin_path;  // absolute
  std::string program;                   // content_hash
  std::vector<PlannedParameter> parameters;
  std::vector<std::string> metrics;  // that the report plots
  std::vector<PlannedRun> runs;
  std::string yaml;  // sweep.yaml

  std::size_t digits() const;                 // of the runs' numbers
  std::string number(std::size_t run) const;  // "0003"
};

// Reads the experiment, expands its sweep and checks each run. Throws Error(input) with all problems.
SweepPlan make_plan(const RunRequest& request);

void write_plan(const std::filesystem::path& folder, const SweepPlan& plan);
bool has_plan(const std::filesystem::path& folder);
SweepPlan read_plan(const std::filesystem::path& folder);  // throws Error(input)

// Differences between a sweep and what is to go on with it, one line each, the program apart.
std::vector<std::string> plan_differences(const SweepPlan& then, const SweepPlan& now);

// The request of one run. Its folder is `folder` / PlannedRun::folder.
RunRequest request_of_run(const SweepPlan& plan, const std::filesystem::path& folder, std::size_t run,
                          const RunOptions& options);

}  // namespace holo
