#pragma once
// The losses that an `elastic_dynamics` experiment reports: their values and measures at each time step.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/runs/archive.h"
#include "holo/sim/elastic/observables/elastic_observables.h"
#include "holo/study/study.h"
#include "signals/signal_plan.h"

namespace holo {

// The sections `let`, `signals` and `losses`.
struct ElasticLossPlan {
  SignalPlan signals;
  std::vector<NamedLoss> losses;
};

// Reads them, and finds the signals that the scene's handles follow. Problems go to the file's account.
ElasticLossPlan read_elastic_losses(Configuration& experiment, const PluginHost& host, const ElasticSceneDefinition& scene,
                                    std::vector<UsedPlugin>& plugins);
// The signals' values at the time steps. Throws Error(input), with the place in the file, where they cannot be computed or a
// loss forbids them.
SignalStore compute_signals(const ElasticLossPlan& plan, const ElasticSceneDefinition& scene);
// Gives the scene's handles the values of the signals that they follow.
void follow_signals(const SignalStore& signals, ElasticSceneDefinition& scene);
// What ElasticLosses::metrics() gives.
std::vector<Quantity> loss_metrics(const std::vector<NamedLoss>& losses);

class ElasticLosses {
 public:
  // Throws Error(input), with the loss's place, where the bodies lack what it observes.
  ElasticLosses(const std::shared_ptr<const ElasticModel>& model, const std::vector<NamedLoss>& losses,
                const SignalStore& signals);

  std::vector<Quantity> columns() const;
  std::vector<ColumnPlot> plots() const;
  // Appends the columns' values at a state; NaN where a loss has no term. States come one time step after the other.
  void observe(const ElasticState& state, std::vector<double>& row);
  std::vector<Metric> metrics() const;

  // What later steps depend on.
  void visit(Archive& archive);

 private:
  // Of a measure's values over time steps and losses, or of the sum of the losses.
  struct Summary {
    double sum = 0, count = 0, largest = 0;
    void add(double value);
  };

  std::shared_ptr<const ElasticModel> model_;
  LossSum<ElasticObservables> losses_;
  LossData data_;
  std::vector<ElasticState> before_;  // the last states, the latest first; as many as losses look back
  std::size_t looks_back_ = 0;
  std::vector<std::string> measures_;  // by name, ascending
  Summary objective_;
  std::vector<Summary> summaries_;  // [measure]
};

}  // namespace holo
