// Runs the starts of a design one after the other. It keeps the outcome of each, and the full result of the best one.
#include <utility>

#include "holo/core/error.h"
#include "holo/sim/mechanism/constraints/elimination_monitor.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

void RobotDesign::finish_attempt(StudyOutput& output) {
  AttemptOutcome outcome{.has_begun = true, .has_converged = true, .objective = attempt_.solved.back().objective, .reason = {}};
  for (std::size_t i = first_phase(); i < attempt_.solved.size(); ++i) {
    const SolvedPhase& phase = attempt_.solved[i];
    outcome.iterations += phase.iterations;
    outcome.has_converged &= phase.has_converged;
    if (!phase.has_converged) outcome.reason = phase.diagnosis;
  }
  if (attempt_.number == 0)
    initial_ = {first_phase() == 0 || attempt_.solved.front().has_converged, initial(), attempt_.motion.layout};
  const bool is_best = !best_ || outcome.is_better_than(outcomes_[std::size_t(best_->number)]);
  if (has_starts())
    output.log("start", {{"number", attempt_.number + 1},
                         {"objective", outcome.objective},
                         {"converged", outcome.has_converged},
                         {"iterations", outcome.iterations}});
  outcomes_.push_back(std::move(outcome));
  if (is_best) best_ = std::move(attempt_);
  if (begin_next_attempt(output)) return;
  attempt_ = std::move(*best_);
  best_.reset();
  initial_.point = rearranged(initial_.point, *initial_.layout, *attempt_.motion.layout, plan_.time_step);
  initial_.layout = attempt_.motion.layout;
  for (const MotionPassage& passage : passages()) output.log("note", {{"of", "optimized motion"}, {"text", passage.text}});
  write_knots(output);
  write_motion_tables(output);
  write_robot(output);
}

// Starts whose mechanism cannot do its initial motion are left out. False where no start is left.
bool RobotDesign::begin_next_attempt(StudyOutput& output) {
  while (outcomes_.size() < std::size_t(plan_.starts.count)) {
    const int number = int(outcomes_.size());
    try {
      attempt_ = make_attempt(plan_, *signals_, number);
      return true;
    } catch (const Error& error) {
      if (error.failure() != Failure::input) throw;
      output.log("start_left_out", {{"number", number + 1}, {"reason", std::string(error.what())}});
      outcomes_.push_back({.reason = std::string("left out: ") + error.what()});
    }
  }
  return false;
}

}  // namespace holo
