#pragma once
// The steps of the study `elastic_solvers`: one scene, simulated by several minimizers next to each other. Each goes its own
// way from the common start; the first one is what the others are compared with.

#include <memory>
#include <string>
#include <vector>

#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/study/quantity_table.h"
#include "holo/study/study.h"
#include "studies/elastic_contact.h"

namespace holo {

struct SolverRunDefinition {
  std::string name;
  ElementDifferentiation elements = ElementDifferentiation::compiled;
  StepSolver solver;
};

struct SolverComparison {
  ElasticSceneDefinition scene;  // its mode of differentiation is that of the first run
  std::vector<SolverRunDefinition> runs;
  double stagnation = 1e3;  // a residual of more than this times the first run's has stagnated
  double frames_per_second = 0;
};

// One time step of one run.
struct SolverStep {
  double iterations = 0, products = 0, energy_evaluations = 0;
  double residual = 0;       // norm of the gradient at the end, by the derivatives of the first run [N]
  double difference = 0;     // largest distance of a vertex from that of the first run, over the scene's length
  double product_error = 0;  // of K p against the assembled matrix, |.|/|K p|; NaN without products
  double time = 0;           // by the clock [s]
  double assembly_time = 0;  // of one gradient and exact Hessian at the end of the step, by the clock [s]
};

class ElasticSolvers final : public Study {
 public:
  explicit ElasticSolvers(const SolverComparison& comparison);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  const Scene* scene() const override { return comparison_.frames_per_second > 0 ? &scene_ : nullptr; }
  std::vector<std::string> kernels() const override;
  std::vector<std::string> contents() const override;
  std::int64_t total_steps() const override;
  std::int64_t steps_done() const override { return step_; }

  void begin(StudyOutput& output) override;
  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;
  std::vector<Diagnosis> diagnoses() const override;

  // The metrics of each run; of the study they are called RUN_NAME. `scene_metrics` are those of the scene.
  static std::vector<Quantity> run_metrics();
  static std::vector<Quantity> scene_metrics();

 private:
  struct Run {
    Run(const SolverComparison& comparison, const SolverRunDefinition& definition);
    const ElasticModel& model() const { return *scene.model; }

    SolverRunDefinition definition;
    ElasticScene scene;
    ImplicitEuler integrator;
    std::unique_ptr<MatrixFreePotential> products;  // to test those of the minimizer; null: it has none
    ElasticState state;
    SparseMatrix hessian;  // at the end of the step, and the gradient there
    Eigen::VectorXd gradient;
    std::vector<SolverStep> steps;  // until it failed
    std::int64_t failed_step = 0;   // 0: none
    std::string failure;            // the minimizer's diagnosis
  };
  struct Ratios;

  void make_scene();
  void advance(Run& run, StudyOutput& output);
  double residual_of(const ElasticState& before, const Eigen::VectorXd& after);
  static double assembly_time_of(Run& run);
  static double product_error_of(Run& run, const Eigen::VectorXd& before);
  void write_row(StudyOutput& output);
  void write_frame(StudyOutput& output);
  std::vector<double> metrics_of_run(const Run& run) const;
  std::int64_t stagnated_step(const Run& run) const;

  SolverComparison comparison_;
  std::vector<std::unique_ptr<Run>> runs_;
  ImplicitEuler judge_;            // of the first run's scene: for gradients alone
  ElasticContact contact_;         // of the first run
  std::int64_t step_ = 0;          // time steps done
  std::int64_t contact_step_ = 0;  // the first step at whose end a vertex of any run is repelled; 0: none yet
  Scene scene_;
  SceneFrame frame_;
};

}  // namespace holo
