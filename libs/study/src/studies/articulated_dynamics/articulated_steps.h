#pragma once
// The steps of the study `articulated_dynamics`.

#include <memory>
#include <string>
#include <vector>

#include "characters/character_drawing.h"
#include "characters/character_scene.h"
#include "holo/sim/articulated/dynamics/articulated_step.h"
#include "holo/study/study.h"
#include "studies/articulated_dynamics/joint_controls.h"

namespace holo {

// Contacts of one pose.
struct ContactTally {
  int count = 0;
  double largest_depth = 0;   // [m]
  double normal_force = 0;    // sum [N]
  double friction_ratio = 0;  // largest tangential over normal force of a contact
  double energy = 0;          // of the normal forces, sum of w_n depth^3 / 3 [J]
};

ContactTally tally_of(const std::vector<articulated::TouchingPoint>& contacts, double normal_weight);  // w_n [N/m^2]

// Sums and extremes over the steps so far; part of a checkpoint.
struct ArticulatedTotals {
  std::int64_t iterations = 0, iterations_maximum = 0;
  std::int64_t rounding_steps = 0;  // whose residual is above the tolerance and as small as rounding allows
  std::int64_t flight_steps = -1;   // poses before the first contact after the start; -1: it began with a contact
  bool is_flying = true;
  double first_contact = -1;    // time [s]; -1: none
  double largest_residual = 0;  // [N or N m]
  double start_energy = 0, largest_energy = 0;
  double largest_depth = 0, largest_force = 0, largest_friction_ratio = 0;
  // Before the first contact: momenta at the start, the largest ones, and the largest differences from conservation.
  Eigen::Vector3d start_momentum = Eigen::Vector3d::Zero(), start_angular_momentum = Eigen::Vector3d::Zero();
  double momentum_scale = 0, momentum_error = 0, angular_momentum_scale = 0, angular_momentum_error = 0;
  double lowest_center = 0;      // of mass [m]
  std::int64_t last_frame = -1;  // step
};

// Everything that the study is built from.
struct ArticulatedSetup {
  CharacterScene scene;
  std::vector<JointControl> controls;
  articulated::StepOptions options;
  double frames_per_second = 30;
};

class ArticulatedDynamics final : public Study {
 public:
  // Throws Error(input), with the place, for heights that are not finite.
  ArticulatedDynamics(const ArticulatedSetup& setup, const SignalStore& signals);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override {
    return {{"step", "1", "number of the step"}, {"wall_time", "s", "spent on it"}};
  }
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return setup_.frames_per_second > 0 ? &drawing_.scene() : nullptr; }
  std::vector<std::string> contents() const override;
  std::vector<std::string> notes() const override;
  std::int64_t total_steps() const override { return setup_.scene.step_count; }
  std::int64_t steps_done() const override { return step_; }

  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

  // The scene with its one frame at the start.
  StudyPreview preview();

 private:
  double time() const { return double(step_) * setup_.scene.time_step; }
  void observe();
  void account(const articulated::StepResult& result);
  void account_flight();
  void write_row(StudyOutput& output, const articulated::StepResult& result);
  bool frame_is_due() const;
  void draw_frame();
  void write_frame(StudyOutput& output);
  holo::StepResult give_up(StudyOutput& output, const articulated::StepResult& result);
  Table joint_table(bool are_slides) const;

  ArticulatedSetup setup_;
  std::shared_ptr<const articulated::CharacterModel> model_;  // with the springs of targets
  CharacterObstacles obstacles_;
  StandingContact standing_;
  articulated::StepConstants constants_;
  JointControls controls_;
  CharacterDrawing drawing_;
  articulated::ArticulatedStepper stepper_;
  articulated::StepMemory<double> memory_;
  articulated::CharacterPose previous_, current_, newest_;
  std::int64_t step_ = 0;
  Eigen::VectorXd torques_;
  ArticulatedTotals totals_;
  // Of the current pose.
  articulated::CharacterMeasures measures_;
  std::vector<articulated::TouchingPoint> contacts_;
  ContactTally tally_;
  SceneFrame frame_;
};

}  // namespace holo
