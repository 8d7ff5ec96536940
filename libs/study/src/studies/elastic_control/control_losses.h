#pragma once
// The losses of an `elastic_control` run: those of all frames and those of the present phase, as the loss of a frame and as
// columns and metrics.

#include <memory>
#include <string>
#include <vector>

#include "holo/sim/control/step_loss.h"
#include "studies/elastic_control/control_reader.h"

namespace holo {

class ControlLosses {
 public:
  // Throws Error(input), with the loss's place, where the bodies lack what it observes.
  ControlLosses(const ElasticScene& scene, const ControlPlan& plan, const SignalStore& signals);

  // The loss of the frame that starts at a state, in the phase of `progress`; `before`: the state before it, or null;
  // `activations`: those of the frame before [segment] [Pa].
  ObservedStepLoss& begin(const ElasticState& start, const ElasticState* before, const Eigen::VectorXd& activations,
                          const PhaseProgress& progress);

  std::vector<Quantity> columns() const;
  std::vector<ColumnPlot> plots() const;
  // Appends the columns' values at the end of a frame in the phase of `progress`; NaN where a loss has no term.
  void observe(const ElasticSteps& steps, const PhaseProgress& progress, std::vector<double>& row);
  // The losses of `control.regularization` at the end of a frame.
  double regularization(const ElasticSteps& steps) const;
  std::vector<Metric> metrics() const { return metrics_of(metrics_, summaries_); }
  void visit(Archive& archive);

 private:
  using Losses = LossSum<ElasticObservables>;
  double append(const Losses& losses, const ElasticSteps& steps, bool is_active, std::vector<double>& row);

  std::vector<std::shared_ptr<Losses>> groups_;  // of all frames, then phase by phase
  std::shared_ptr<Losses> regularization_;
  std::vector<std::unique_ptr<ObservedStepLoss>> loss_;  // [phase], with those of all frames and regularization
  LossData data_;
  QuantityTable<LossSummaries> metrics_;
  LossSummaries summaries_;
};

}  // namespace holo
