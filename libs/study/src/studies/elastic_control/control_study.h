#pragma once
// The frames of the study `elastic_control`.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holo/sim/control/contact_stiffening.h"
#include "holo/sim/elastic/elastic_intersections.h"
#include "studies/elastic_contact.h"
#include "studies/elastic_control/body_motion.h"
#include "studies/elastic_control/contact_comparison.h"
#include "studies/elastic_control/control_losses.h"
#include "studies/elastic_control/control_quantities.h"
#include "studies/elastic_control/muscle_drawing.h"
#include "studies/elastic_drawing/contact_forces.h"
#include "studies/elastic_drawing/position_targets.h"

namespace holo {

// A frame by the motion, and by complementarity of several numbers of contacts.
struct ContactComparison {
  FrameResult frame;
  int contacts = 0;                           // vertices that are repelled at its end
  double start_objective = 0, objective = 0;  // with the activations of the frame before, and with its own
  double time = 0;                            // [s]
  std::vector<ComplementarityFrame> complementarity;
};

class ElasticControl final : public Study {
 public:
  ElasticControl(const ElasticSceneDefinition& scene, const ControlPlan& plan, const SignalStore& signals,
                 double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return frames_per_second_ > 0 ? &scene_ : nullptr; }
  std::vector<std::string> kernels() const override { return model().kernel_names(); }
  std::vector<std::string> contents() const override;
  std::vector<std::string> notes() const override { return model().notes(); }
  std::int64_t total_steps() const override { return elastic_scene_.integration.step_count; }
  std::int64_t steps_done() const override { return state_.step; }

  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Diagnosis> diagnoses() const override;

  // The next frame minimized by each of the methods, from the same activations and with the normal forces at the end of the
  // frame as step() finds it. Empty where that finds none.
  std::vector<DenseResult> compare_methods(const std::vector<DenseMethod>& methods, int iterations);
  // The next frame as step() finds it, and by complementarity of these numbers of contacts. None where step() finds none.
  std::optional<ContactComparison> compare_contacts(const std::vector<int>& contacts, const ComplementarityOptions& options);
  // Takes the next frame by complementarity of a number of contacts: the state becomes the end that its linear model predicts.
  // Without such an end the state stays.
  ComplementarityFrame step_by_complementarity(int contacts, const ComplementarityOptions& options);
  // Why contact of the scene cannot be compared; empty where it can.
  std::string objection_to_complementarity() const;
  const ElasticModel& model() const { return *elastic_scene_.model; }
  const ElasticState& state() const { return state_; }

 private:
  comparison::FrameToLinearize frame_to_linearize();  // the next one

  // A frame with what its losses depend on.
  struct KeptFrame {
    ControlledFrame frame;
    std::optional<ElasticState> before;
    Eigen::VectorXd activations_before;  // of the frame before [segment] [Pa]
    PhaseProgress progress;
  };

  // What solves frames with one stiffness of contact.
  struct FrameSolver {
    FrameSolver(const ElasticScene& scene, StepLoss& loss, const InverseStepOptions& step, const FrameControlOptions& frame)
        : integrator(scene), inverse_step(integrator, loss, step), frame_control(inverse_step, frame) {}
    ImplicitEuler integrator;
    InverseStep inverse_step;
    FrameControl frame_control;
  };

  void make_scene();
  void visit(Archive& archive);
  void visit(Archive& archive, std::optional<ElasticState>& state) const;
  void make_solver();
  FrameResult solve_frame();
  StepResult give_up(const FrameResult& frame) const;
  PhaseObservation observation() const;  // of the present state
  std::string objection_to(const Eigen::VectorXd& positions, double time) const;
  void account(const ControlRow& row);
  void keep_if_most_contacts(const ElasticState& start, const Eigen::VectorXd& activations_before, const FrameResult& frame,
                             int touching);
  ControlRow row_at_start() const;
  void write_row(StudyOutput& output, const ElasticSteps& steps, const ControlRow& row);
  void write_frame(StudyOutput& output, const PhaseProgress& progress);  // of the frame that ended
  bool frame_is_due() const;
  void log_frame(StudyOutput& output, const FrameResult& frame) const;

  ElasticScene elastic_scene_;
  ControlDefinition control_;
  std::vector<PhaseDefinition> phases_;
  std::vector<ControlledSegment> segments_;
  double unit_;             // of the activations [Pa]
  double scene_stiffness_;  // of contact, of the experiment [Pa/m]
  ElasticContact contact_;
  ElasticIntersections intersections_;
  ControlLosses losses_;
  BodyMotion motion_;
  ContactStiffening stiffening_;
  std::unique_ptr<FrameSolver> solver_;
  MuscleDrawing drawing_;
  PositionTargets targets_;
  ContactForces forces_;
  double frames_per_second_;

  ElasticState state_;
  std::optional<ElasticState> before_;  // the state before it
  Eigen::VectorXd activations_;         // of the last frame [segment] [Pa]
  PhaseProgress progress_;              // of the next frame
  ControlTotals totals_;
  KeptFrame kept_;  // the frame with the most contacts

  Scene scene_;
  SceneFrame drawn_;
};

}  // namespace holo
