#pragma once
// The study `robot_design`: optimizes a mechanism's design and motion in phases.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holo/sim/mechanism/design/mechanism_designer.h"
#include "holo/sim/mechanism/kinematics/motion_passages.h"
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
  std::int64_t total_steps() const override { return steps_ + std::int64_t(optimization_count() - solved_.size()); }
  std::int64_t steps_done() const override { return steps_; }
  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view state) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;
  std::vector<Diagnosis> diagnoses() const override;

 private:
  // The result of one optimization.
  struct Solved {
    std::int64_t iterations = 0;
    bool has_converged = false;
    std::string diagnosis;  // why it did not converge; else ""
    StagedPoint point;
  };

  static void visit(Archive& archive, Solved& solved);
  // The optimization of the initial motion, if the plan has it, and one for each phase.
  std::size_t optimization_count() const { return first_phase() + plan_.phases.size(); }
  bool has_initial_optimum() const { return plan_.optimizes_initial && !solved_.empty(); }
  const StagedPoint& initial() const { return has_initial_optimum() ? solved_.front().point : start_; }
  const StagedPoint& optimized() const { return solved_.empty() ? start_ : solved_.back().point; }
  std::size_t first_phase() const { return plan_.optimizes_initial ? 1 : 0; }  // among solved_
  const StagedPoint& before(std::size_t solved) const { return solved == 0 ? start_ : solved_[solved - 1].point; }
  const std::string& name_of_optimization(std::size_t number) const;
  void begin_optimization();
  void finish_optimization(StudyOutput& output, const StagedSqpResult& result);
  void take_equations(const Elimination& elimination);
  void log_equations(StudyOutput& output) const;
  DesignOutcome outcome();
  Table phases_table() const;
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

  RobotDesignPlan plan_;
  MechanismMotion motion_;
  std::vector<std::unique_ptr<MechanismProblem>> phases_;
  MechanismProblem* problem_ = nullptr;  // the last phase's
  StagedPoint start_;
  // The state of a checkpoint: the results so far, and the optimization under way (null between two optimizations).
  std::int64_t steps_ = 0;
  std::vector<Solved> solved_;
  std::unique_ptr<MechanismDesigner> designer_;
  std::unique_ptr<RobotDrawing> drawing_;  // null without frames
  int assembly_equations_ = 0;
  std::optional<std::vector<MotionPassage>> passages_;
};

// The metrics of the study. A measure of an objective gives several, over all knots and objectives: "position_error" gives
// position_error_mean_initial, ..._mean, ..._maximum_initial, ..._maximum, ..._minimum_initial, ..._minimum, ..._ratio.
// Each task that has a name adds position_error_mean_initial_TASK, ..._mean_TASK, ..._maximum_TASK.
std::vector<Quantity> robot_design_metrics(const std::vector<NamedLoss>& losses, const std::vector<PlannedTask>& tasks);

}  // namespace holo
