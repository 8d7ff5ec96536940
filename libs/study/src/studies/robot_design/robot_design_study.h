#pragma once
// The study `robot_design`: optimizes a mechanism's design and motion in phases.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holo/sim/mechanism/design/mechanism_designer.h"
#include "holo/sim/mechanism/kinematics/motion_passages.h"
#include "studies/robot_design/attempts/design_attempt.h"
#include "studies/robot_design/attempts/initial_motion.h"
#include "studies/robot_design/robot_design_plan.h"
#include "studies/robot_design/robot_drawing.h"

namespace holo {

class Archive;
struct DesignOutcome;

class RobotDesign final : public Study {
 public:
  // Throws Error(input) if the robot cannot follow its initial motion, or a rig a recorded one.
  RobotDesign(RobotDesignPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return drawing_ ? &drawing_->scene() : nullptr; }
  std::vector<std::string> kernels() const override;
  // A step is a part of an optimization, after which the constraint equations are checked. The total is an estimate: one
  // more step for each optimization that is not finished.
  std::int64_t total_steps() const override { return steps_ + open_optimization_count(); }
  std::int64_t steps_done() const override { return steps_; }
  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view state) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;
  std::vector<Diagnosis> diagnoses() const override;

 private:
  // Number of optimizations of the present attempt: one for the initial motion, if the plan has it, and one for each phase.
  std::size_t optimization_count() const { return first_phase() + plan_.phases.size(); }
  std::int64_t open_optimization_count() const;
  bool has_initial_optimum() const { return first_phase() > 0 && !attempt_.solved.empty(); }
  const StagedPoint& initial() const {
    return attempt_.number > 0 ? initial_.point : has_initial_optimum() ? attempt_.solved.front().point : attempt_.start;
  }
  const StagedPoint& optimized() const { return attempt_.solved.empty() ? attempt_.start : attempt_.solved.back().point; }
  std::size_t first_phase() const { return plan_.optimizes_initial && attempt_.number == 0 ? 1 : 0; }  // among attempt_.solved
  const StagedPoint& before(std::size_t solved) const {
    return solved == 0 ? attempt_.start : attempt_.solved[solved - 1].point;
  }
  bool has_starts() const { return plan_.starts.count > 1; }
  std::string name_of_optimization(std::size_t number) const;
  void begin_optimization();
  void finish_optimization(StudyOutput& output, const StagedSqpResult& result);
  void finish_attempt(StudyOutput& output);
  bool begin_next_attempt(StudyOutput& output);
  DesignAttempt read_attempt(Archive& archive);
  void log_equations(StudyOutput& output) const;
  DesignOutcome outcome();
  int active_bound_count() const;
  Table phases_table() const;
  Table design_table() const;
  Table starts_table() const;
  Table singularity_table() const;
  std::vector<std::string> notes_of_start() const;
  const std::vector<MotionPassage>& passages();  // of the optimized motion, found once
  Table couplings_table() const;
  Table notes_table();
  void log_iterations(StudyOutput& output, const std::string& of, const StagedSqpResult& result) const;
  void make_drawing();
  std::string beginnings_of_tasks() const;
  void write_knots(StudyOutput& output);
  void write_motion_tables(StudyOutput& output);
  void write_robot(StudyOutput& output);

  RobotDesignPlan plan_;
  std::optional<RobotSignals> signals_;
  // The state of a checkpoint: the results so far, and the optimization under way (null between two optimizations). At the end
  // the attempt is the best one.
  std::int64_t steps_ = 0;
  DesignAttempt attempt_;
  std::vector<AttemptOutcome> outcomes_;  // of the finished attempts
  std::optional<DesignAttempt> best_;     // of these, while others follow
  InitialResult initial_;
  std::unique_ptr<MechanismDesigner> designer_;
  std::unique_ptr<RobotDrawing> drawing_;  // null without frames
  std::optional<std::vector<MotionPassage>> passages_;
};

// The metrics of the study. A measure of an objective gives several, over all knots and objectives: "position_error" gives
// position_error_mean_initial, ..._mean, ..._maximum_initial, ..._maximum, ..._minimum_initial, ..._minimum, ..._ratio.
// Each task that has a name adds position_error_mean_initial_TASK, ..._mean_TASK, ..._maximum_TASK.
// With bounds also active_bounds, and with several starts starts_converged, starts_not_assembled and best_start.
std::vector<Quantity> robot_design_metrics(const RobotDesignPlan& plan);

}  // namespace holo
