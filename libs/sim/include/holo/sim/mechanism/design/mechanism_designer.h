#pragma once
// The optimization of a mechanism in parts: a few iterations, a look at the rows, a few more. Between two parts all of it can
// be written down.

#include <memory>
#include <optional>

#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/constraints/row_monitor.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"

namespace holo {

// What the future of an optimization depends on, beside the problem that it began with.
struct DesignerState {
  StagedPoint point;
  StagedSqpState sqp;
  RowSelection selection;              // of the point's layout
  Eigen::VectorXd regularizer_center;  // of the design, SI
};

class MechanismDesigner {
 public:
  // The point is of the problem's layout.
  MechanismDesigner(MechanismProblem problem, const StagedPoint& start, const StagedSqpOptions& solver,
                    const RowMonitorOptions& monitor);

  // At most as many iterations as the monitor allows between its checks, and before them a check. Also where the solver fails
  // the rows may be the reason: with better ones there is more to do. Says `unfinished` where that is so.
  StagedSqpResult advance();
  // The rows that the last advance() chose anew before its iterations, or after them where the solver had failed.
  const std::optional<RowReselection>& reselection() const { return reselection_; }
  // Why rows that are poor were kept; empty where they are good.
  const std::string& refusal() const { return refusal_; }

  const MechanismProblem& problem() const { return *problem_; }  // changes with the rows
  const StagedPoint& point() const { return state_.point; }

  DesignerState state() const;
  void restore(const DesignerState& state);

 private:
  bool check_rows();
  void take_rows(std::shared_ptr<const MechanismRows> rows);

  StagedSqpOptions options_;
  RowMonitorOptions monitor_;
  std::unique_ptr<MechanismProblem> problem_;
  DesignerState state_;
  std::optional<RowReselection> reselection_;
  std::string refusal_;
};

}  // namespace holo
