#pragma once
// The losses that an `elastic_dynamics` experiment reports: their values and measures at each time step.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/runs/archive.h"
#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/elastic/observables/elastic_observables.h"
#include "holo/sim/losses/signal_store.h"
#include "holo/study/study.h"

namespace holo {

// The sections `signals` and `losses`.
struct ElasticLossPlan {
  std::vector<NamedLoss> losses;
  std::vector<Eigen::MatrixXd> signals;  // by number, [component][time step], of a constant [component][1]
};

// Reads them, and gives the scene's handles the signals that they follow. Problems are reported through the configuration file.
ElasticLossPlan read_elastic_losses(Configuration& experiment, const PluginHost& host, ElasticSceneDefinition& scene,
                                    std::vector<UsedPlugin>& plugins);
// The metrics of ElasticLosses::metrics().
std::vector<Quantity> loss_metrics(const std::vector<NamedLoss>& losses);

class ElasticLosses {
 public:
  // Throws Error(input), with the loss's place, where the bodies lack what it observes.
  ElasticLosses(const ElasticScene& scene, const ElasticLossPlan& plan);

  std::vector<Quantity> columns() const;
  std::vector<ColumnPlot> plots() const;
  // Appends the columns' values at a state; NaN where a loss has no term. States come one time step after the other.
  void observe(const ElasticState& state, std::vector<double>& row);
  std::vector<Metric> metrics() const;

  // The state on which later steps depend.
  void visit(Archive& archive);

 private:
  // Sum and maximum of a measure over time steps and losses, or of the sum of the losses.
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
