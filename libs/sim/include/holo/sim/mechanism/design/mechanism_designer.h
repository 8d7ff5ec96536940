#pragma once
// The optimization of a mechanism in parts: a few iterations, a look at the equations, a few more. Between two parts all of it
// can be written down.

#include <memory>
#include <optional>

#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/constraints/elimination_monitor.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"

namespace holo {

// What the future of an optimization depends on, beside the problem that it began with.
struct DesignerState {
  StagedPoint point;
  StagedSqpState sqp;
  Elimination elimination;             // of the point's layout
  Eigen::VectorXd regularizer_center;  // of the design, SI
};

class MechanismDesigner {
 public:
  // The point is of the problem's layout.
  MechanismDesigner(MechanismProblem problem, const StagedPoint& start, const StagedSqpOptions& solver,
                    const EliminationMonitorOptions& monitor);

  // At most as many iterations as the monitor allows between its checks, and before them a check. Also where the solver fails
  // the equations may be the reason: with better ones there is more to do. Says `unfinished` where that is so.
  StagedSqpResult advance();
  // The elimination that the last advance() made before its iterations, or after them where the solver had failed.
  const std::optional<NewElimination>& new_elimination() const { return new_elimination_; }
  // Why there is no new elimination though the independent equations are poor; empty where they are good.
  const std::string& refusal() const { return refusal_; }

  const MechanismProblem& problem() const { return *problem_; }  // changes with the equations
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
