#pragma once
// The study `trajectory_formulations`: one motion by several methods, with hard or soft equations of motion, and with contact
// of several stiffnesses.

#include <memory>
#include <string>
#include <vector>

#include "studies/trajectory_optimization/trajectory_study.h"

namespace holo {

// One of the compared methods.
struct Formulation {
  enum class Method { trust_region, levenberg_marquardt, lbfgs };

  std::string name;
  Location where;
  Method method = Method::trust_region;
  bool is_of_spline = true;  // else of the single states
  double weight = 1;         // w of w |C|^2 of soft constraints
  int iterations = 500;
  std::string reference;  // name of an earlier one; "": none
  std::string from;       // name of an earlier one with the same unknowns, whose result is the start; "": at rest
  // Of contact, instead of the scene's; 0: those of the scene.
  double normal_weight = 0, slip_ratio = 0;  // [N/m^2], [s/m]
};

struct FormulationIteration {
  int number = 0;        // from 1
  double objective = 0;  // E, or E + w |C|^2
  double violation = 0;  // largest constraint; NaN where the method does not log it
  double stationarity = 0;
};

struct FormulationResult {
  std::string status;
  std::vector<FormulationIteration> iterations;
  articulated::TrajectoryValues values;
  double objective = 0;  // the last one of the iterations
  double time = 0;       // [s]
  MotionMeasures motion;
  double normal_weight = 0;        // of contact [N/m^2]
  Eigen::MatrixXd coefficients;    // [dof][column]
  double iterations_to_reach = 0;  // until 1.1 of the reference's last objective; infinite: never
};

class TrajectoryFormulations final : public Study {
 public:
  TrajectoryFormulations(TrajectoryPlan plan, std::vector<Formulation> formulations);

  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::vector<ColumnPlot> plots() const override;
  std::int64_t total_steps() const override { return std::int64_t(formulations_.size()); }
  std::int64_t steps_done() const override { return std::int64_t(results_.size()); }
  StepResult step(StudyOutput& output) override;  // a whole method
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  TrajectoryPlan plan_of(const Formulation& formulation) const;
  FormulationResult run(const Formulation& formulation) const;
  const FormulationResult* result_of(const std::string& name) const;
  Eigen::VectorXd start_of(const Formulation& formulation, articulated::TrajectoryProblem& problem) const;
  double reach(const Formulation& formulation, const FormulationResult& result) const;

  TrajectoryPlan plan_;
  std::vector<Formulation> formulations_;
  CharacterObstacles obstacles_;
  std::vector<Eigen::MatrixXd> signals_;
  std::vector<FormulationResult> results_;  // a checkpoint's state
};

std::vector<Quantity> formulation_metrics(const std::vector<Formulation>& formulations);

}  // namespace holo
