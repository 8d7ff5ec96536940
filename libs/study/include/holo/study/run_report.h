#pragma once
// The report of a run folder, finished or not, from its files alone.

#include <filesystem>

#include "holo/study/report.h"

namespace holo {

// Throws Error(input) when the folder is not a run.
ReportData report_of_run(const std::filesystem::path& folder);

// Writes report.html and returns its path; "" when the build has no template.
std::filesystem::path write_report(const std::filesystem::path& folder);

}  // namespace holo
