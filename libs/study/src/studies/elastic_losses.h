#pragma once
// The losses that an `elastic_dynamics` experiment reports: their values and measures at each time step.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/runs/archive.h"
#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/elastic/observables/elastic_observables.h"
#include "holo/study/quantity_table.h"
#include "signals/signal_plan.h"

namespace holo {

// The sections `let`, `signals` and `losses`.
struct ElasticLossPlan {
  SignalPlan signals;
  std::vector<NamedLoss> losses;
};

// Reads them, and finds the signals that the scene's handles and muscles follow. Problems are reported through the
// configuration file. `documentation`: of the section `losses`.
ElasticLossPlan read_elastic_losses(
    Configuration& experiment, const PluginHost& host, const ElasticSceneDefinition& scene, std::vector<UsedPlugin>& plugins,
    const char* documentation = "losses whose values are reported at each time step; nothing is minimized");
// The signals' values at the time steps. Throws Error(input), with the place in the file, where they cannot be computed or a
// loss forbids them.
SignalStore compute_signals(const ElasticLossPlan& plan, const ElasticSceneDefinition& scene);
// Gives the scene's handles and muscles the values of the signals that they follow.
void follow_signals(const SignalStore& signals, ElasticSceneDefinition& scene);
// Sum, mean and maximum of a loss's finite values over time steps.
struct LossSummary {
  double sum = 0, count = 0, largest = 0;
  void add(double value);
  double mean() const { return count > 0 ? sum / count : 0; }
};

struct LossSummaries {
  LossSummary objective;                           // the sum of the losses
  std::map<std::string, LossSummary> of_measures;  // over the losses that have the measure
};

// Empty without losses.
QuantityTable<LossSummaries> loss_metrics(const std::vector<NamedLoss>& losses);

class ElasticLosses {
 public:
  // Throws Error(input), with the loss's place, where the bodies lack what it observes.
  ElasticLosses(const ElasticScene& scene, const std::vector<NamedLoss>& losses, const SignalStore& signals);

  std::vector<Quantity> columns() const;
  std::vector<ColumnPlot> plots() const;
  // Appends the columns' values at a state; NaN where a loss has no term. States come one time step after the other.
  void observe(const ElasticState& state, std::vector<double>& row);
  std::vector<Metric> metrics() const { return metrics_of(metrics_, summaries_); }

  // The state on which later steps depend.
  void visit(Archive& archive);

 private:
  std::shared_ptr<const ElasticModel> model_;
  LossSum<ElasticObservables> losses_;
  LossData data_;
  std::vector<ElasticState> before_;  // the last states, the latest first; as many as losses look back
  std::size_t looks_back_ = 0;
  QuantityTable<LossSummaries> metrics_;
  LossSummaries summaries_;
};

}  // namespace holo
