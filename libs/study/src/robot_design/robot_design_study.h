#pragma once
// The study `robot_design` at work.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "robot_design/robot_design_plan.h"
#include "robot_design/robot_drawing.h"

namespace holo {

class RobotDesign final : public Study {
 public:
  // Throws Error(input) where the robot cannot do its initial motion, or a recorded one.
  RobotDesign(RobotDesignPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const FrameLayout* frame_layout() const override { return drawing_ ? &drawing_->layout() : nullptr; }
  std::vector<std::string> kernels() const override;
  std::int64_t total_steps() const override { return 1; }  // one optimization
  std::int64_t steps_done() const override { return is_done_ ? 1 : 0; }
  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;
  std::string serialise() const override;
  void deserialise(std::string_view state) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  void log_iterations(StudyOutput& output, const StagedSqpResult& result) const;
  void make_drawing();
  void write_instants(StudyOutput& output);
  std::vector<Eigen::MatrixXd> measures(const StagedPoint& point) const;

  RobotDesignPlan plan_;
  MechanismMotion motion_;
  std::unique_ptr<MechanismProblem> problem_;
  StagedPoint initial_, optimized_;
  std::unique_ptr<RobotDrawing> drawing_;  // none where no frames are asked for
  int assembly_rows_ = 0;
  // Of a finished optimization; part of a checkpoint.
  bool is_done_ = false;
  std::int64_t iterations_ = 0;
  bool has_converged_ = false;
};

// What a measure's name stands for over all instants and objectives, before and after: "position_error" gives
// position_error_mean_initial, ..._mean, ..._maximum_initial, ..._maximum, ..._ratio.
std::vector<Quantity> robot_design_metrics(const std::vector<MechanismLoss>& losses);

}  // namespace holo
