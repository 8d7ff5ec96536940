#pragma once
// Description of a run, study.json: the data of a report that are not in the run's tables.

#include <filesystem>
#include <string>
#include <vector>

#include "holo/study/experiment.h"

namespace holo {

struct RunDescription {
  std::string name, study;
  std::string comment;  // at the head of the experiment's file
  std::int64_t total_steps = 0;
  std::vector<Quantity> columns, timing_columns, metrics;
  std::vector<ColumnPlot> plots;
  std::vector<PaperMark> marks;
  std::vector<std::string> kernels;
};

std::string description_to_json(const RunDescription& description);
RunDescription run_description(const std::filesystem::path& path);  // throws Error(input)

// The comment lines at the head of a YAML text, without their marks.
std::string head_comment(const std::string& yaml);

}  // namespace holo
