#pragma once
// Optimal control problem of a mechanism's motion and design: its independent equations are the constraints of the states, its
// losses the objective. Points are in the layout's units. [Maloisel2023] Eq 2 and section 7.

#include <memory>
#include <optional>
#include <string>

#include "holo/opt/optimal_control_problem.h"
#include "holo/sim/mechanism/constraints/constraint_equations.h"
#include "holo/sim/mechanism/constraints/singularity.h"
#include "holo/sim/mechanism/design/design_restrictions.h"
#include "holo/sim/mechanism/losses/mechanism_losses.h"

namespace holo {

// Treatment of designs that violate equations that were eliminated as redundant.
enum class AssemblyRule {
  constrain,  // constraints of the design keep the mechanism assemblable
  ignore      // no constraints, as in the paper; the report states the violation
};

// Settings of a problem besides its losses.
struct MechanismProblemOptions {
  // Adds the penalty of every knot to the objective. Its Hessian couples all unknowns of a knot: steps take longer.
  SingularityPenaltyOptions singularity = {};
  DesignRestrictions restrictions = {};
  // Equations of the design alone keep it where the mechanism can be assembled. They are found at `start`, whose motion the
  // mechanism can do, from the `nullity` equations that the passive ones imply. None: the rule is `ignore`.
  struct Assembly {
    StagedPoint start;
    int nullity = 0;
  };
  std::optional<Assembly> assembly = {};
};

// Controls, rates made of them, states and parameters, in the layout's units.
StagedPoint motion_point(const Eigen::MatrixXd& states, const Eigen::MatrixXd& controls, const Eigen::VectorXd& parameters,
                         double time_step);

class MechanismProblem final : public OptimalControlProblem {
 public:
  // The columns of the data's initial controls are the N >= 2 knots. `prescribed` [prescribed_count][N] is in SI units. Throws
  // Error(input) for signals or initial values of other sizes, with both sizes.
  MechanismProblem(std::shared_ptr<const ConstraintEquations> equations, std::vector<NamedLoss> losses, LossData data,
                   Eigen::MatrixXd prescribed, const MechanismProblemOptions& options = {});

  // The same problem, with its present penalties, constraints and centers, for another elimination of the mechanism's
  // equations.
  MechanismProblem with_equations(std::shared_ptr<const ConstraintEquations> equations) const;
  // The same problem with the design fixed (in the layout's units), so that solvers find the best motion of it.
  MechanismProblem with_fixed_design(const Eigen::VectorXd& parameters) const;

  const ConstraintEquations& equations() const { return *equations_; }
  const std::shared_ptr<const ConstraintEquations>& shared_equations() const { return equations_; }
  const MechanismLosses& losses() const { return losses_; }
  const LossData& data() const { return data_; }
  const Eigen::MatrixXd& prescribed() const { return prescribed_; }
  const DesignRestrictions& restrictions() const { return restrictions_; }
  // Equations that keep the design where the mechanism can be assembled, of those that ties and fixed parameters do not imply.
  int assembly_equation_count() const { return assembly_count_; }

  // A point with the given states, controls and parameters, in the layout's units, and the controls' rates.
  StagedPoint point(const Eigen::MatrixXd& states, const Eigen::MatrixXd& controls, const Eigen::VectorXd& parameters) const {
    return motion_point(states, controls, parameters, layout_.time_step);
  }

  const StagedLayout& layout() const override { return layout_; }
  void evaluate(const StagedPoint& point, int first, int last, double* objective,
                Eigen::Ref<Eigen::MatrixXd> residual) const override;
  void differentiate(const StagedPoint& point, const Eigen::MatrixXd& state_multipliers, bool gauss_newton, int block,
                     StageDerivatives& to) const override;
  double evaluate_state_rates(const Eigen::MatrixXd& rates) const override;
  void differentiate_state_rates(const Eigen::MatrixXd& rates, Eigen::MatrixXd& slopes,
                                 Eigen::MatrixXd& curvatures) const override;
  void parameter_constraints(const Eigen::VectorXd& parameters, Eigen::Ref<Eigen::VectorXd> residual,
                             Eigen::Ref<Eigen::MatrixXd> jacobian) const override;
  void linearize(const StagedPoint& point) override;
  double feasible_step(const StagedPoint& point, const StagedPoint& direction) const override;
  bool is_on_branch(const StagedPoint& point) const override;
  bool recenter(const StagedPoint& point) override;
  void set_regularizer_center(const Eigen::VectorXd& parameters) { data_.initial_parameters = parameters; }  // SI
  double largest_redundant_residual(const StagedPoint& point) const override;
  std::string constraint_name(int row, int knot) const override;

  // The largest absolute residual of all equations or of the redundant ones, in the layout's units, with its equation and knot.
  struct LargestResidual {
    double value = 0;
    int equation = -1, knot = -1;
  };
  LargestResidual largest_residual(const StagedPoint& point, bool redundant_only) const;

 private:
  void require_sizes() const;
  void add_singularity(const MechanismUnknowns& at, StageDerivatives& to) const;
  void violated_equations(const StagedPoint& point, Eigen::MatrixXd& slope, Eigen::VectorXd& value) const;
  void make_layout();  // but the number of equations of the design
  void count_design_equations(const std::optional<MechanismProblemOptions::Assembly>& assembly);
  void linearize_assembly(const StagedPoint& point);
  MechanismUnknowns knots(const StagedPoint& point, int first, int count) const;

  std::shared_ptr<const ConstraintEquations> equations_;
  MechanismLosses losses_;
  LossData data_;
  Eigen::MatrixXd prescribed_;
  StagedLayout layout_;
  std::vector<int> equation_hessian_values_;               // of the equations' entries, in the layout's Hessian
  std::shared_ptr<const SingularityPenalty> singularity_;  // null: none
  std::vector<int> singularity_hessian_values_;            // of the pairs (row <= column) of p, u, s by columns

  // Equations of the design: offset + slope (p - center). Where it is fixed that is p - center without what changes the length
  // of a quaternion; else the rows of the restrictions, then (Z^T C)(p) near center, its independent combinations only.
  bool parameters_are_fixed_ = false;
  DesignRestrictions restrictions_;
  int assembly_nullity_ = 0, assembly_count_ = 0;
  Eigen::VectorXd design_offset_, design_center_;
  Eigen::MatrixXd design_slope_;
};

}  // namespace holo
