#pragma once
// Runs experiments: the folder of a run, from its first file to its report.
//
//   experiment.yaml     resolved: variant and overrides applied      provenance.json   what it was made of
//   study.json          columns, units, plots                        log.jsonl         one line for each event
//   metrics.csv         one row for each step; deterministic         timings.csv       one row for each step; not deterministic
//   frames.bin          the frames in full precision                 frames.pvd, frames/*.vtu   for ParaView
//   checkpoint          from which `resume` goes on                  result.json       once it is finished, or has failed
//   report.html         if the build has the page's template

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "holo/study/result.h"

namespace holo {

// Called before the first step of a run and after each one. It may set what RunOptions::stop points to, and throws nothing.
using StepFunction = std::function<void(std::int64_t steps_done, std::int64_t total_steps)>;

struct RunOptions {
  std::vector<std::filesystem::path> plugin_path;  // searched before HOLO_PLUGIN_PATH and the build's own
  int threads = 0;                                 // 0: all of the machine
  std::vector<std::string> command;                // as it was typed, for provenance
  const std::atomic<bool>* stop = nullptr;         // set by a signal: end at the next step, with a checkpoint
  bool quiet = false;                              // neither progress nor notes on the terminal; warnings are there
  StepFunction on_step = {};                       // in the place of the progress bar
};

struct RunRequest {
  std::filesystem::path experiment;
  std::string variant;
  std::vector<std::pair<std::string, std::string>> overrides;  // path=value
  std::filesystem::path out;  // the run folder itself, new or empty; "": runs/NAME[-VARIANT]-NNN
  RunOptions options;
  std::string text = {};                  // of the experiment, if it is not as in its file, which then is but named
  std::vector<std::string> without = {};  // as in ConfigurationFileOptions, like the next
  std::vector<PlacedOverride> placed_overrides = {};
};

struct RunOutcome {
  RunResult result;
  std::filesystem::path folder;
  std::filesystem::path report;   // "": the build has no template
  bool already_finished = false;  // there was nothing left to resume
};

// A good experiment that needs references that are not built, and how to build them; in reproduce() also environment variables
// that are not set. Exit code 5. Nothing was computed or written.
class NotAvailable : public Error {
 public:
  NotAvailable(const std::string& reason, const std::string& text) : Error(Failure::input, text), reason_(reason) {}
  const std::string& reason() const { return reason_; }  // in a few words: "references not built"

 private:
  std::string reason_;
};

// Throws Error: input before anything is written; environment at any time.
RunOutcome run_experiment(const RunRequest& request);

// Goes on from the last checkpoint, to the same metrics and frames as without the interruption. Throws Error(input) when the
// program, a plugin or a data file is another than then, and says which.
RunOutcome resume_run(const std::filesystem::path& folder, const RunOptions& options);

// Reads and builds everything as run_experiment would, writes nothing. Returns what a run would do, in a few lines. Without a
// variant in the request all of the file's are read and checked too.
std::string check_experiment(const RunRequest& request);

// Reads and checks an experiment without building it. Throws Error(input), or NotAvailable for references that are not built
// and for environment variables that its values name and that are not set.
void require_runnable(const RunRequest& request);

}  // namespace holo
