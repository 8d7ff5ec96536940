#pragma once
// The steps of a run, from where its study stands to the end, a failure or a signal, with a checkpoint from time to time.

#include <chrono>
#include <cstdint>
#include <string>

#include "holo/core/runs/run_folder.h"
#include "holo/study/prepared_run.h"
#include "runs/run_output.h"

namespace holo {

class StepReport;

class RunDrive {
 public:
  RunDrive(PreparedRun& prepared, RunFolder& folder, RunOutput& output, const RunOptions& options)
      : prepared_(prepared), study_(*prepared.study), folder_(folder), output_(output), options_(options) {}

  RunResult run();
  void checkpoint();

 private:
  bool stopped() const { return options_.stop && options_.stop->load(); }
  bool checkpoint_is_due() const;
  RunResult run_steps(StepReport& report);
  RunResult end(RunStatus status, const std::string& message);
  RunResult stop_at_checkpoint();
  std::string stopped_message(std::int64_t step) const;

  PreparedRun& prepared_;
  Study& study_;
  RunFolder& folder_;
  RunOutput& output_;
  const RunOptions& options_;
  std::int64_t checkpoint_step_ = 0;
  std::chrono::steady_clock::time_point checkpoint_time_ = std::chrono::steady_clock::now();
};

}  // namespace holo
