#pragma once
// The study `trajectory_optimization`: a motion of a character that minimizes losses and effort, with its equations of motion
// as constraints.

#include <memory>
#include <string>
#include <vector>

#include "characters/character_drawing.h"
#include "holo/sim/articulated/trajectory/static_pose.h"
#include "studies/trajectory_optimization/trajectory_plan.h"
#include "studies/trajectory_optimization/trajectory_quantities.h"

namespace holo {

class TrajectoryOptimization final : public Study {
 public:
  // Throws Error(input) where the character has no pose at rest near that of the scene, and where the losses do not depend on
  // its motion.
  TrajectoryOptimization(TrajectoryPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override { return quantities_of(trajectory_columns()); }
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return frames_per_second_ > 0 ? &drawing_->scene() : nullptr; }
  std::vector<std::string> kernels() const override;
  std::vector<std::string> contents() const override;
  std::vector<std::string> notes() const override { return plan_.scene.character.model->notes(); }
  // A step is a part of a stage's optimization. The total is an estimate: one more step for each stage that has not ended.
  std::int64_t total_steps() const override { return steps_ + std::int64_t(stages_->stages().size()) - state_.stage; }
  std::int64_t steps_done() const override { return steps_; }
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;
  std::vector<Diagnosis> diagnoses() const override;

 private:
  void write_motion(StudyOutput& output);
  void log_stage(StudyOutput& output) const;
  std::string motion_table();

  TrajectoryPlan plan_;
  CharacterObstacles obstacles_;
  std::unique_ptr<articulated::TrajectoryModel> model_;
  std::unique_ptr<articulated::TrajectoryStages> stages_;
  std::unique_ptr<CharacterDrawing> drawing_;
  double frames_per_second_;

  // The state of a checkpoint.
  std::int64_t steps_ = 0, iterations_ = 0;
  articulated::TrajectoryStagesState state_;
};

// The model of a plan: its start pose found, its losses on the character. `obstacles` must outlive it. Throws Error(input),
// with the scene's place, where the character has no pose at rest near that of the scene.
std::unique_ptr<articulated::TrajectoryModel> make_trajectory_model(const TrajectoryPlan& plan,
                                                                    const CharacterObstacles& obstacles,
                                                                    const std::vector<Eigen::MatrixXd>& signals);

// Of a motion and the controls and contacts that it takes. `residuals` as of TrajectoryProblem.
MotionMeasures measure_motion(const articulated::TrajectoryModel& model, const articulated::TrajectoryStates& states,
                              const Eigen::MatrixXd& residuals);

}  // namespace holo
