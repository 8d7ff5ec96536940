#pragma once
// The study `inverse_design`: parameters of a body for which it oscillates with the frequency of a target, and the motion of
// both.

#include <memory>
#include <vector>

#include "holo/sim/design/frequency_design.h"
#include "holo/sim/design/linear_motion.h"
#include "studies/inverse_design/design_plan.h"

namespace holo {

// One of the two bodies: its frequency, and its motion.
struct OscillatingBody {
  std::unique_ptr<LinearVibration> vibration;
  Eigen::VectorXd values = Eigen::VectorXd(0);  // of its free parameters
  double omega_squared = 0;                     // [1/s^2]
  std::unique_ptr<LinearMotion> motion;
  std::vector<double> amplitudes;
  double motion_frequency = 0;  // [Hz]; 0: not known yet
};

class InverseDesign final : public Study {
 public:
  // Throws Error(input), with the place in the file, for a body with inverted elements.
  InverseDesign(DesignPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return frames_per_second_ > 0 ? &scene_ : nullptr; }
  std::vector<std::string> contents() const override;
  std::int64_t total_steps() const override { return 1 + periods(); }
  std::int64_t steps_done() const override { return steps_done_; }
  StepResult step(StudyOutput& output) override;  // the design, then a period of the motion
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  std::int64_t periods() const { return std::int64_t(plan_.periods); }
  double target_omega_squared() const;
  double time_step() const;
  Eigen::VectorXd units() const;
  StepResult design(StudyOutput& output);
  std::string unattained() const;
  std::string model(StudyOutput& output);
  void move(StudyOutput& output);
  void start_motion();
  void make_scene();
  void write_frame(StudyOutput& output, double time);
  double certificate() const;

  DesignPlan plan_;
  double frames_per_second_;
  OscillatingBody designed_, target_;  // the latter without a body where the target is a number
  Scene scene_;

  // The state of a checkpoint, with the values and amplitudes of both bodies.
  std::int64_t steps_done_ = 0, motion_steps_ = 0;
  std::int64_t iterations_ = 0, evaluations_ = 0, factorizations_ = 0;
  double objective_ = 0, hessian_difference_ = 0;
  double model_frequency_error_ = 0, model_displacement_error_ = 0;
};

std::vector<Quantity> design_metrics(const DesignPlan& plan);

}  // namespace holo
