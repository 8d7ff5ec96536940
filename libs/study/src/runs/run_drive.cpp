#include "runs/run_drive.h"

#include <fmt/format.h>

#include <optional>

#include "holo/core/runs/interruption.h"
#include "holo/core/runs/progress.h"

namespace holo {

// Reports a run's steps to the caller's function, or on a progress bar where there is none and the run is not to be quiet.
class StepReport {
 public:
  StepReport(const std::string& title, const Study& study, const RunOptions& options)
      : study_(study), on_step_(options.on_step) {
    if (!on_step_ && !options.quiet) bar_.emplace(title, study.total_steps(), "step");
  }
  void update() {
    if (on_step_) on_step_(study_.steps_done(), study_.total_steps());
    if (!bar_ || study_.steps_done() == begun_) return;  // the bar appears after the first step
    bar_->set_total(study_.total_steps());
    bar_->update(study_.steps_done());
  }
  void finish(const std::string& note) {
    if (bar_) bar_->finish(note);
  }

 private:
  const Study& study_;
  const StepFunction& on_step_;
  const std::int64_t begun_ = study_.steps_done();
  std::optional<Progress> bar_;
};

// The checkpoint names the sizes of all growing files, which are flushed first: resuming cuts them back to these.
void RunDrive::checkpoint() {
  folder_.save_checkpoint({study_.steps_done(), study_.serialize()});
  checkpoint_step_ = study_.steps_done();
  checkpoint_time_ = std::chrono::steady_clock::now();
}

bool RunDrive::checkpoint_is_due() const {
  if (std::int64_t every = prepared_.experiment.checkpoint_every) return study_.steps_done() - checkpoint_step_ >= every;
  return std::chrono::steady_clock::now() - checkpoint_time_ > std::chrono::seconds(2);
}

RunResult RunDrive::run() {
  checkpoint_step_ = study_.steps_done();
  StepReport report(prepared_.experiment.name, study_, options_);
  try {
    return run_steps(report);
  } catch (const Interrupted&) {  // within a step, or while the results are made
    if (study_.steps_done() < study_.total_steps()) report.finish("stopped");
    return stop_at_checkpoint();
  }
}

std::string RunDrive::stopped_message(std::int64_t step) const {
  return fmt::format("stopped by a signal after {} of {} steps; holo resume {} goes on from there", step, study_.total_steps(),
                     folder_.path().string());
}

// Steps since the last checkpoint are computed again: resuming removes their log entries, this event too.
RunResult RunDrive::stop_at_checkpoint() {
  const std::string message = stopped_message(checkpoint_step_);
  output_.log(to_string(RunStatus::interrupted), {{"step", checkpoint_step_}, {"message", message}});
  return unfinished(prepared_.experiment, checkpoint_step_, RunStatus::interrupted, message);
}

RunResult RunDrive::run_steps(StepReport& report) {
  report.update();
  while (study_.steps_done() < study_.total_steps()) {
    if (stopped()) {
      report.finish("stopped");
      return end(RunStatus::interrupted, stopped_message(study_.steps_done()));
    }
    StepResult result = study_.step(output_);
    if (result.failed) {
      report.finish("failed");
      return end(RunStatus::failed, result.diagnosis);
    }
    report.update();
    if (checkpoint_is_due()) checkpoint();
  }
  report.finish("");
  return end(RunStatus::finished, {});
}

RunResult RunDrive::end(RunStatus status, const std::string& message) {
  RunResult result = status == RunStatus::finished ? judge(prepared_.experiment, study_.steps_done(), study_.finish())
                                                   : unfinished(prepared_.experiment, study_.steps_done(), status, message);
  if (status == RunStatus::finished) {
    result.tables = study_.tables();
    result.diagnoses = study_.diagnoses();
  }
  // The event is logged before the checkpoint, to which resuming cuts the log back.
  output_.log(to_string(status), {{"step", study_.steps_done()}, {"message", result.message}});
  checkpoint();
  if (study_.scene()) write_whole_file(folder_.path() / "frames.pvd", paraview_collection_of(folder_.path()));
  // An interrupted run has no result yet: this file is what tells a finished one.
  if (status != RunStatus::interrupted) write_whole_file(folder_.path() / "result.json", result_to_json(result));
  return result;
}

}  // namespace holo
