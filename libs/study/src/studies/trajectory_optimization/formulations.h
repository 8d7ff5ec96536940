#pragma once
// The study `trajectory_formulations`: one motion by several methods, with hard or soft equations of motion, with forces of
// contact as unknowns, and with contact of several stiffnesses.

#include <memory>
#include <string>
#include <vector>

#include "studies/trajectory_optimization/trajectory_study.h"

namespace holo {

// One of the compared methods.
struct Formulation {
  enum class Method { trust_region, levenberg_marquardt, lbfgs, contact_invariant_lm, contact_invariant_lbfgs, ipopt };

  std::string name;
  Location where;
  Method method = Method::trust_region;
  bool is_of_spline = true;  // else of the single states
  bool restoration = false;  // least-norm Newton steps to C = 0 after a trust-region SQP, and before it from another's result
  bool is_optional = false;  // of Ipopt: may be left out
  double weight = 1;         // w of w |C|^2 of soft constraints
  int iterations = 500;
  std::string reference;  // name of an earlier one; "": none
  std::string from;       // name of an earlier one, whose result is the start; "": at rest
  // Of contact, instead of the scene's; 0: those of the scene.
  double normal_weight = 0, slip_ratio = 0;  // [N/m^2], [s/m]

  // Of a pass of other stiffness from another's result.
  bool has_own_contact() const { return !from.empty() && (normal_weight > 0 || slip_ratio > 0); }
  bool is_contact_invariant() const {
    return method == Method::contact_invariant_lm || method == Method::contact_invariant_lbfgs;
  }
};

struct FormulationIteration {
  int number = 0;        // from 1
  double objective = 0;  // E, or the whole minimized function of soft constraints
  double violation = 0;  // largest constraint
  double stationarity = 0;
};

struct FormulationResult {
  std::string status;
  std::vector<FormulationIteration> iterations;
  articulated::TrajectoryValues values;  // of contact-invariant optimization: with its forces
  articulated::TrajectoryValues smooth;  // the same motion with the forces of the smooth contact model
  double interactions = 0;               // energy of contact-invariant optimization
  double objective = 0;                  // of the last iteration, or E after a restoration
  double time = 0;                       // [s]
  MotionMeasures motion;
  double normal_weight = 0;        // of contact [N/m^2]
  Eigen::MatrixXd coefficients;    // [dof][column]
  double iterations_to_reach = 0;  // until 1.1 of the reference's last objective; infinite: never
};

// What a method needs: the character with the method's contact, the unknowns, the start of all methods.
struct FormulationInput {
  const Formulation& formulation;
  const articulated::TrajectoryModel& model;
  const articulated::TrajectoryStagesOptions& options;
  const Eigen::MatrixXd* from = nullptr;  // coefficients of another method's result; null: the character stays at rest
  bool is_from_spline = true;
};
FormulationResult run_formulation(const FormulationInput& input);

class TrajectoryFormulations final : public Study {
 public:
  TrajectoryFormulations(TrajectoryPlan plan, std::vector<Formulation> formulations, std::vector<std::string> notes);

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
  std::vector<std::string> notes() const override { return notes_; }

 private:
  TrajectoryPlan plan_of(const Formulation& formulation) const;
  FormulationResult run(const Formulation& formulation) const;
  const FormulationResult* result_of(const std::string& name) const;
  double reach(const Formulation& formulation, const FormulationResult& result) const;

  TrajectoryPlan plan_;
  std::vector<Formulation> formulations_;
  std::vector<std::string> notes_;
  CharacterObstacles obstacles_;
  std::vector<Eigen::MatrixXd> signals_;
  std::vector<FormulationResult> results_;  // a checkpoint's state
};

std::vector<Quantity> formulation_metrics(const std::vector<Formulation>& formulations);

}  // namespace holo
