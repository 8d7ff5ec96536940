#pragma once
// The report of a sweep: metrics over the swept parameters, and a table of the runs with links to their own reports.

#include "holo/study/report.h"
#include "sweep/sweep_table.h"

namespace holo {

ReportData report_of_sweep(const std::filesystem::path& folder, const SweepPlan& plan, const SweepResults& results);

// Writes report.html and returns its path; "" if the build has no page.
std::filesystem::path write_sweep_report(const std::filesystem::path& folder, const SweepPlan& plan,
                                         const SweepResults& results);

}  // namespace holo
