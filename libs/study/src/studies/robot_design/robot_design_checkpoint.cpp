// A robot's design between two steps as bytes, and back.
#include "holo/core/runs/archive.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

constexpr std::string_view checkpoint_kind = "robot_design";
constexpr int checkpoint_version = 1;

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
  archive.visit(state.multipliers.parameter_rows);
  archive.visit(state.multipliers.control_quaternions);
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
  std::size_t optimizations, solved, in_progress;
  int knots;
  std::int64_t steps;
  Elimination selection;

  void visit(Archive& archive) {
    archive.visit(optimizations, 1e6);
    archive.visit(knots, 1e6);
    archive.visit(solved, 1e6);
    archive.visit(in_progress, 1);
    archive.visit(steps, 1e9);
    archive.visit(selection.redundant, 1e6);
    archive.visit(selection.dependent_controls, 1e6);
  }
};

}  // namespace

void RobotDesign::visit(Archive& archive, Solved& solved) {
  archive.visit(solved.iterations, 1e9);
  archive.visit(solved.has_converged, 1);
  archive.visit(solved.diagnosis, 1e6);
  holo::visit(archive, solved.point);
}

std::string RobotDesign::serialize() const {
  Archive archive(checkpoint_kind, checkpoint_version);
  Head head{optimization_count(), solved_.size(), designer_ ? 1u : 0u, plan_.knot_count, steps_, motion_.layout->elimination()};
  head.visit(archive);
  for (Solved solved : solved_) visit(archive, solved);
  if (!designer_) return archive.take_bytes();
  DesignerState state = designer_->state();
  holo::visit(archive, state);
  return archive.take_bytes();
}

void RobotDesign::deserialize(std::string_view bytes) {
  Archive archive(checkpoint_kind, checkpoint_version, bytes);
  Head head{};
  head.visit(archive);
  if (head.optimizations != optimization_count() || head.knots != plan_.knot_count || head.solved > head.optimizations ||
      head.solved + head.in_progress > head.optimizations)
    Archive::refuse("it has other optimizations");
  solved_.clear();
  designer_.reset();
  take_equations(head.selection);  // first: the sizes of the points that follow are those of the selected rows
  while (solved_.size() < head.solved) {
    Solved solved{.diagnosis = {}, .point = start_};
    visit(archive, solved);
    solved_.push_back(std::move(solved));
  }
  if (head.in_progress == 1) {
    begin_optimization();
    DesignerState state = designer_->state();  // for the sizes
    holo::visit(archive, state);
    designer_->restore(state);
  }
  archive.require_end();
  steps_ = head.steps;
}

}  // namespace holo
