#pragma once
// The page of an experiment before it runs: its bodies, muscles, subsets, handles, obstacles and targets as they start.

#include <filesystem>

#include "holo/study/report.h"
#include "holo/study/runner.h"

namespace holo {

// Reads the experiment and builds its scene: meshes and signals, but no solver, and no time step is taken. The folder of the
// request is not used. Throws Error(input) for a bad experiment, and for one of a kind of study that has no preview, with the
// names of those that have one; NotAvailable for environment variables that the experiment names and that are not set.
ReportData preview_of(const RunRequest& request);

// Writes the page to NAME.html, or NAME-VARIANT.html, of the request's folder, or without one of `previews`, in place of an
// earlier page. Returns its path; "" when the build has no template. Throws as preview_of(), and Error(environment) for a file
// that cannot be written.
std::filesystem::path write_preview(const RunRequest& request);

}  // namespace holo
