#pragma once
// The steps of the study `elastic_dynamics`.

#include <memory>
#include <string>
#include <vector>

#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/elastic/elastic_contents.h"
#include "holo/sim/elastic/elastic_intersections.h"
#include "holo/sim/elastic/element_fields.h"
#include "holo/study/study.h"
#include "studies/elastic_contact.h"
#include "studies/elastic_drawing/contact_forces.h"
#include "studies/elastic_drawing/position_targets.h"
#include "studies/elastic_losses.h"
#include "studies/elastic_sliding.h"

namespace holo {

// Sums and extremes over the steps so far; part of a checkpoint.
struct ElasticTotals {
  std::int64_t newton_iterations = 0, newton_iterations_maximum = 0;
  std::int64_t factorizations = 0, back_substitutions = 0, energy_evaluations = 0, products = 0;
  std::int64_t inverted_elements = 0, projected_elements = 0, intersections = 0;  // largest of a step
  SingularElementCounts singular;
  double minimum_determinant = 1;
  double maximum_speed = 0;      // [m/s]
  double largest_residual = 0;   // [N]
  double start_energy = 0;       // total [J]
  double largest_energy = 0;     // kinetic + elastic [J]
  ElasticEnergies energies;      // now [J]
  std::int64_t last_frame = -1;  // step
};

class ElasticDynamics final : public Study {
 public:
  ElasticDynamics(const ElasticSceneDefinition& scene, const std::vector<NamedLoss>& losses, const SignalStore& signals,
                  const StepSolver& solver, double frames_per_second)
      : elastic_scene_(scene),
        contact_(elastic_scene_.contact),
        sliding_(elastic_scene_),
        intersections_(elastic_scene_.model, elastic_scene_.contact),
        losses_(elastic_scene_, losses, signals),
        targets_(elastic_scene_.model, signals, elastic_scene_.integration.time_step),
        forces_(elastic_scene_),
        integrator_(elastic_scene_),
        state_(initial_state(model())),
        frames_per_second_(frames_per_second) {
    integrator_.use(solver);
    targets_.add(losses);
    make_scene();
  }

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override {
    return {{"step", "1", "number of the step"}, {"wall_time", "s", "spent on it"}};
  }
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return frames_per_second_ > 0 ? &scene_ : nullptr; }
  std::vector<std::string> kernels() const override { return model().kernel_names(); }
  std::vector<std::string> contents() const override { return elastic_contents(model(), elastic_scene_.schedule); }
  std::vector<std::string> notes() const override { return model().notes(); }
  std::int64_t total_steps() const override { return elastic_scene_.integration.step_count; }
  std::int64_t steps_done() const override { return state_.step; }

  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<StateArray> state_arrays() override;
  std::vector<Metric> finish() override;

 private:
  const ElasticModel& model() const { return *elastic_scene_.model; }
  void make_scene();
  void account(const ElasticStepResult& result, std::int64_t intersections);
  // Of both the state before the step that ended; null: unknown.
  void write_row(StudyOutput& output, const ElasticState* before, const ElasticStepResult& result, std::int64_t intersections);
  void write_frame(StudyOutput& output, const ElasticState* before);
  bool frame_is_due() const;
  void log_singular(StudyOutput& output, const SingularElementCounts& counts) const;
  StepResult give_up(StudyOutput& output, const NewtonResult& newton);
  StepResult give_up(StudyOutput& output, const std::string& reason);

  ElasticScene elastic_scene_;
  ElasticContact contact_;
  ElasticSliding sliding_;
  ElasticIntersections intersections_;
  ElasticLosses losses_;
  PositionTargets targets_;
  ContactForces forces_;
  ImplicitEuler integrator_;
  // The latter is that before a step, to which a failed step goes back. Both are assigned and never swapped: the arrays of
  // state_arrays() stay at their addresses.
  ElasticState state_, last_state_;
  double frames_per_second_;
  ElasticTotals totals_;
  Scene scene_;
  ElementFields element_fields_;
  SceneFrame frame_;
};

}  // namespace holo
