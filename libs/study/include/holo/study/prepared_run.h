#pragma once
// An experiment that is read, checked and built: everything that stands before the first file of its run is written.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "holo/study/experiment.h"
#include "holo/study/provenance.h"
#include "holo/study/runner.h"

namespace holo {

struct PreparedRun {
  std::unique_ptr<PluginHost> plugins;
  StudyRegistry studies = built_in_studies();
  std::optional<ConfigurationFile> file;
  Experiment experiment;
  std::unique_ptr<Study> study;
  Provenance provenance;
  std::string comment;  // at the head of the experiment's file
};

// The file of the experiment, with the request's variant and values.
ConfigurationFile load_requested(const RunRequest& request);

// Throws Error(input) for a bad experiment, NotAvailable for references that are not built.
PreparedRun prepare_run(const RunRequest& request);

// The run in `folder` again, from its experiment.yaml as it was resolved `then`. Problems are cited with that file's name.
PreparedRun prepare_resumed_run(const std::filesystem::path& folder, const Provenance& then, const RunOptions& options);

// The text of study.json.
std::string description_of(const PreparedRun& prepared);

}  // namespace holo
