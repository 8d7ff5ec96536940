#pragma once
// The study `modal_reduction`, response `motion`: free bodies that fall onto planes, each reduced to a few amplitudes.

#include <memory>
#include <vector>

#include "holo/sim/elastic/element_fields.h"
#include "holo/sim/reduction/floating_body.h"
#include "studies/modal_reduction/mode_drawing.h"
#include "studies/modal_reduction/reduced_body.h"

namespace holo {

// What a checkpoint keeps of a body.
struct FallingRecord {
  bool is_reduced = false;
  ReductionNumbers numbers;
  Eigen::MatrixXd basis = {};  // [3 * vertex][column]
  Cubature cubature = {};      // empty: all elements
  FloatingState state = {};
  double smallest_gap = 0, elastic_energy = 0, deformation = 0;  // now [m], [J], [1] of the largest vertex, over the length
  double least_gap = 0, largest_deformation = 0, largest_energy = 0;  // of all steps
  std::int64_t iterations = 0, evaluations = 0;                       // of all steps

  // `elements`: the model's, with padding.
  void visit(Archive& archive, std::size_t elements);
};

// One of the bodies: as it is read, its reduction, and its motion.
struct FallingBody : FallingRecord {
  std::unique_ptr<ElasticScene> scene;  // of this body alone
  Eigen::Vector3d velocity, angular_velocity;
  std::unique_ptr<FloatingDynamics> dynamics;
  FloatingResult last;
};

class FallingBodies final : public Study {
 public:
  // Throws Error(input), with the place in the file, for bodies that cannot be reduced.
  FallingBodies(FallingPlan plan, double frames_per_second);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return frames_per_second_ > 0 ? &scene_ : nullptr; }
  std::vector<std::string> kernels() const override;
  std::vector<std::string> contents() const override;
  std::vector<std::string> notes() const override;
  std::int64_t total_steps() const override { return std::int64_t(bodies_.size()) + plan_.scene.step_count(); }
  std::int64_t steps_done() const override { return steps_done_; }

  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;  // reduces a body; then a time step of all
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  std::int64_t motion_steps() const { return std::max<std::int64_t>(0, steps_done_ - std::int64_t(bodies_.size())); }
  StepResult reduce(FallingBody& body, StudyOutput& output);
  void make_dynamics(FallingBody& body, const ModalSystem& system);
  void observe(FallingBody& body) const;
  StepResult move(StudyOutput& output);
  void make_scene();
  void write_frame(StudyOutput& output);
  void restore(FallingBody& body);

  FallingPlan plan_;
  double frames_per_second_;
  std::vector<FallingBody> bodies_;
  std::int64_t steps_done_ = 0;
  double motion_time_ = 0, processor_time_ = 0;  // of all time steps: by the clock, and of all threads [s]
  Eigen::MatrixXd shown_shapes_;                 // of the first body's modes as they are drawn
  SwingingModes modes_;
  Scene scene_;
  ElementFields element_fields_;
};

// What is known at the end.
struct FallingOutcome {
  const std::vector<FallingBody>& bodies;
  std::int64_t steps;
  double time_step, motion_time, processor_time;  // [s]
};
std::vector<Quantity> falling_metrics(const FallingPlan& plan);
std::vector<Metric> falling_results(const FallingPlan& plan, const FallingOutcome& outcome);
std::vector<Table> falling_tables(const FallingOutcome& outcome);
std::vector<Quantity> falling_columns();
std::vector<double> falling_row(std::size_t number, double time, const FallingBody& body);

}  // namespace holo
