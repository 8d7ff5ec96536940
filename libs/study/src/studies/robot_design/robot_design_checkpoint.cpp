// A robot's design between two steps as bytes, and back.
#include "holo/core/runs/archive.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

constexpr std::string_view robot_design_kind = "robot_design";
constexpr int robot_design_version = 2;

void visit(Archive& archive, StagedPoint& point) {
  archive.visit(point.parameters);
  archive.visit(point.controls);
  archive.visit(point.rates);
  archive.visit(point.states);
}

void visit(Archive& archive, StagedSqpState& state) {
  archive.visit(state.multipliers.states);
  archive.visit(state.multipliers.rates);
  archive.visit(state.multipliers.parameters_equal);
  archive.visit(state.multipliers.parameter_constraints);
  archive.visit(state.multipliers.control_quaternions);
  archive.visit(state.multipliers.parameter_bounds);
  archive.visit(state.iteration, 1e9);
  archive.visit(state.shift);
  archive.visit(state.penalty);
  archive.visit(state.iterations_since_penalty_fell, 1e9);
  archive.visit(state.small_gains, 1e9);
  archive.visit(state.center);
  archive.visit(state.center_change);
  archive.visit(state.center_updates, 1e9);
  archive.visit(state.next_center_update, 2e9);
}

void visit(Archive& archive, DesignerState& state) {
  visit(archive, state.point);
  visit(archive, state.sqp);
  archive.visit(state.regularizer_center);
}

// Kind and version at the beginning of a checkpoint.
struct Head {
  std::size_t phases, starts;
  int knots;
  std::size_t outcomes, has_best, in_progress;
  std::int64_t steps;

  void visit(Archive& archive) {
    archive.visit(phases, 1e6);
    archive.visit(starts, 1e6);
    archive.visit(knots, 1e6);
    archive.visit(outcomes, 1e6);
    archive.visit(has_best, 1);
    archive.visit(in_progress, 1);
    archive.visit(steps, 1e9);
  }
};

// An attempt's solved phases are copied, since one visit reads and writes.
void write(Archive& archive, const DesignAttempt& attempt, const MechanismLayout& names, double time_step) {
  int number = attempt.number;
  archive.visit(number, 1e6);
  DesignAttempt copy{.motion = attempt.motion, .phases = {}, .start = attempt.start, .solved = attempt.solved};
  copy.visit_solved(archive, names, time_step);
}

}  // namespace

DesignAttempt RobotDesign::read_attempt(Archive& archive) {
  int number = 0;
  archive.visit(number, double(plan_.starts.count - 1));
  DesignAttempt attempt = number == attempt_.number ? std::move(attempt_) : make_attempt(plan_, *signals_, number);
  if (number == attempt_.number) attempt_.number = -1;  // taken
  attempt.solved.clear();
  attempt.visit_solved(archive, *plan_.layout, plan_.time_step);
  return attempt;
}

std::string RobotDesign::serialize() const {
  Archive archive(robot_design_kind, robot_design_version);
  Head head{plan_.phases.size(),
            std::size_t(plan_.starts.count),
            plan_.knot_count,
            outcomes_.size(),
            best_ ? 1u : 0u,
            designer_ ? 1u : 0u,
            steps_};
  head.visit(archive);
  for (AttemptOutcome outcome : outcomes_) outcome.visit(archive);
  if (!outcomes_.empty()) {
    InitialResult copy = initial_;
    copy.visit(archive, plan_.model, plan_.time_step);
  }
  if (best_) write(archive, *best_, *plan_.layout, plan_.time_step);
  write(archive, attempt_, *plan_.layout, plan_.time_step);
  if (!designer_) return archive.take_bytes();
  DesignerState state = designer_->state();
  visit(archive, state);
  return archive.take_bytes();
}

void RobotDesign::deserialize(std::string_view bytes) {
  Archive archive(robot_design_kind, robot_design_version, bytes);
  Head head{};
  head.visit(archive);
  if (head.phases != plan_.phases.size() || head.starts != std::size_t(plan_.starts.count) || head.knots != plan_.knot_count ||
      head.outcomes > head.starts || head.has_best > head.outcomes)
    Archive::refuse("it has other optimizations");
  designer_.reset();
  best_.reset();
  outcomes_.assign(head.outcomes, {});
  for (AttemptOutcome& outcome : outcomes_) outcome.visit(archive);
  if (head.outcomes > 0) {
    initial_ = {true, attempt_.start, attempt_.motion.layout};
    initial_.visit(archive, plan_.model, plan_.time_step);
  }
  if (head.has_best == 1) best_ = read_attempt(archive);
  attempt_ = read_attempt(archive);
  if (attempt_.solved.size() + head.in_progress > optimization_count()) Archive::refuse("it has other optimizations");
  if (head.in_progress == 1) {
    begin_optimization();
    DesignerState state = designer_->state();  // for the sizes
    visit(archive, state);
    designer_->restore(state);
  }
  archive.require_end();
  steps_ = head.steps;
}

}  // namespace holo
