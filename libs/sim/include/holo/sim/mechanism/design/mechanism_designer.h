#pragma once
// Optimization of a mechanism in parts: some iterations, then a check of the elimination of redundant equations, and so on. A
// checkpoint between two parts stores the complete state.

#include <memory>
#include <optional>

#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/constraints/elimination_monitor.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"

namespace holo {

// State of an optimization; together with the initial problem it determines all further iterations.
struct DesignerState {
  StagedPoint point;
  StagedSqpState sqp;
  Elimination elimination;             // of the point's layout
  Eigen::VectorXd regularizer_center;  // center of the design's regularizer [parameter_count], SI
};

class MechanismDesigner {
 public:
  // `start` is a point of the problem's layout.
  MechanismDesigner(MechanismProblem problem, const StagedPoint& start, const StagedSqpOptions& solver,
                    const EliminationMonitorOptions& monitor);

  // Checks the elimination, then makes at most as many iterations as the monitor allows between two checks. If the solver
  // fails, the equations are checked again, since they may be the reason; with a new elimination the status is `unfinished`.
  StagedSqpResult advance();
  // The new elimination of the last advance(), before its iterations or after a failure of the solver.
  const std::optional<NewElimination>& new_elimination() const { return new_elimination_; }
  // The reason why poor independent equations were kept; "" if they are good.
  const std::string& refusal() const { return refusal_; }

  const MechanismProblem& problem() const { return *problem_; }  // another object after each new elimination
  const StagedPoint& point() const { return state_.point; }

  DesignerState state() const;
  void restore(const DesignerState& state);

 private:
  bool check_equations();
  void take_equations(std::shared_ptr<const ConstraintEquations> equations);

  StagedSqpOptions options_;
  EliminationMonitorOptions monitor_;
  std::unique_ptr<MechanismProblem> problem_;
  DesignerState state_;
  std::optional<NewElimination> new_elimination_;
  std::string refusal_;
};

}  // namespace holo
