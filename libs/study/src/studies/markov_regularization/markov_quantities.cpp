// Columns, metrics, tables and plots of the study `markov_regularization`.
#include <fmt/format.h>

#include <algorithm>

#include "studies/markov_regularization/markov_study.h"

namespace holo {

using articulated::MarkovRound;

std::vector<Quantity> MarkovRegularization::columns() const {
  std::vector<Quantity> columns = {{"round", "1", "of each run"}};
  for (const MarkovRun& run : plan_.runs) {
    columns.push_back({run.name + "_objective", "1", "E"});
    columns.push_back({run.name + "_violation", "N or N m", "largest constraint"});
    if (!run.has_network()) continue;
    columns.push_back({run.name + "_total", "1", "E and the weighted loss of transitions"});
    columns.push_back({run.name + "_transitions", "1", "weighted loss of transitions"});
    columns.push_back({run.name + "_rollout", "1", "weighted loss of the repeated motion"});
  }
  return columns;
}

std::vector<Quantity> MarkovRegularization::timing_columns() const {
  return {{"run", "1", "number, from 0"}, {"network", "1", "1: the network's part of a round"}, {"time", "s", "of the part"}};
}

std::vector<ColumnPlot> MarkovRegularization::plots() const {
  ColumnPlot objective{"Objective by round", "round", {}, true}, losses{"Losses of the network", "round", {}, true};
  for (const MarkovRun& run : plan_.runs) {
    objective.y.push_back(run.name + "_objective");
    if (!run.has_network()) continue;
    losses.y.push_back(run.name + "_transitions");
    losses.y.push_back(run.name + "_rollout");
  }
  objective.own_names = losses.own_names = true;
  if (losses.y.empty()) return {objective};
  return {objective, losses};
}

namespace {

struct MarkovSource {
  const MarkovOutcome& own;
  const MarkovOutcome* reference;
};

double ratio(double own, double reference) { return own / reference; }

// Rounds after the first with a larger total than the one before.
int increases(const std::vector<MarkovRound>& rounds) {
  int count = 0;
  for (std::size_t i = 1; i < rounds.size(); ++i) count += rounds[i].total() > rounds[i - 1].total();
  return count;
}

QuantityTable<MarkovSource> metrics_of_network(const std::string& name) {
  using S = const MarkovSource&;
  return {{{name + "_transitions", "1", "weighted loss of transitions"}, [](S s) { return s.own.values.transitions; }},
          {{name + "_rollout", "1", "weighted loss of the motion that the network repeats"},
           [](S s) { return s.own.state.rounds.back().rollout; }},
          {{name + "_increases", "1", "rounds after which the total was larger than after the one before"},
           [](S s) { return double(increases(s.own.state.rounds)); }},
          {{name + "_network_time_share", "1", "of the time of the run", true},
           [](S s) { return s.own.network_time / (s.own.network_time + s.own.trajectory_time); }},
          {{name + "_distance_1", "1", "of the repeated motion from the trajectory, normalized, in its duration"},
           [](S s) { return s.own.distances[0]; }},
          {{name + "_distance_3", "1", "the same in the third duration"}, [](S s) { return s.own.distances[1]; }},
          {{name + "_distance_10", "1", "the same in the tenth duration"}, [](S s) { return s.own.distances[2]; }}};
}

QuantityTable<MarkovSource> metrics_of_ratios(const MarkovRun& run, bool reference_has_network) {
  using S = const MarkovSource&;
  QuantityTable<MarkovSource> metrics = {
      {{run.name + "_stride_spread_ratio", "1", "spread of strides over that of the reference"},
       [](S s) { return ratio(s.own.strides.spread(), s.reference->strides.spread()); }},
      {{run.name + "_objective_ratio", "1", "E over that of the reference"},
       [](S s) { return ratio(s.own.values.objective(), s.reference->values.objective()); }}};
  if (!run.has_network() || !reference_has_network) return metrics;
  metrics.push_back({{run.name + "_rollout_ratio", "1", "loss of the repeated motion over that of the reference"},
                     [](S s) { return ratio(s.own.state.rounds.back().rollout, s.reference->state.rounds.back().rollout); }});
  metrics.push_back({{run.name + "_distance_3_ratio", "1", "distance in the third duration over that of the reference"},
                     [](S s) { return ratio(s.own.distances[1], s.reference->distances[1]); }});
  return metrics;
}

QuantityTable<MarkovSource> metrics_of_run(const std::vector<MarkovRun>& runs, std::size_t number) {
  using S = const MarkovSource&;
  const MarkovRun& run = runs[number];
  const std::string& name = run.name;
  QuantityTable<MarkovSource> metrics = {
      {{name + "_objective", "1", "E at the end"}, [](S s) { return s.own.values.objective(); }},
      {{name + "_reduced_violation", "N or N m", "largest constraint at the end"},
       [](S s) { return s.own.values.reduced_violation; }},
      {{name + "_full_violation", "N or N m", "largest violated equation of motion of a step"},
       [](S s) { return s.own.values.full_violation; }},
      {{name + "_rounds", "1", "of the run"}, [](S s) { return double(s.own.state.rounds.size()); }},
      {{name + "_iterations", "1", "of the trajectory"}, [](S s) { return double(s.own.state.solver.iteration); }},
      {{name + "_strides", "1", "of all parts that carry the character"},
       [](S s) { return double(s.own.strides.lengths.size()); }},
      {{name + "_stride_mean", "m", "length"}, [](S s) { return s.own.strides.mean(); }},
      {{name + "_stride_spread", "1", "standard deviation over the mean"}, [](S s) { return s.own.strides.spread(); }},
      {{name + "_displacement_x", "m", "of the center of mass"}, [](S s) { return s.own.motion.displacement.x(); }},
      {{name + "_displacement_y", "m", "of the center of mass"}, [](S s) { return s.own.motion.displacement.y(); }},
      {{name + "_time", "s", "of the run", true}, [](S s) { return s.own.network_time + s.own.trajectory_time; }}};
  const auto append = [&](QuantityTable<MarkovSource> more) { metrics.insert(metrics.end(), more.begin(), more.end()); };
  if (run.has_network()) append(metrics_of_network(name));
  for (std::size_t i = 0; i < number; ++i)
    if (runs[i].name == run.reference) append(metrics_of_ratios(run, runs[i].has_network()));
  return metrics;
}

}  // namespace

std::vector<Quantity> markov_metrics(const std::vector<MarkovRun>& runs) {
  std::vector<Quantity> metrics;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& metric : metrics_of_run(runs, i)) metrics.push_back(metric.quantity);
  return metrics;
}

std::vector<Metric> MarkovRegularization::finish() {
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < outcomes_.size(); ++i)
    for (const Metric& metric :
         metrics_of(metrics_of_run(plan_.runs, i), MarkovSource{outcomes_[i], outcome_of(plan_.runs[i].reference)}))
      metrics.push_back(metric);
  return metrics;
}

std::vector<Table> MarkovRegularization::tables() {
  Table runs{"Runs", "Results with their strides", {}, {}};
  runs.columns = {{"run"},     {"rounds"},           {"E"},      {"largest constraint", "N, N m"},
                  {"strides"}, {"mean stride", "m"}, {"spread"}, {"time", "s"}};
  Table networks{"Networks",
                 "Distance of the motion that the network repeats from the trajectory, in the first, third and tenth duration",
                 {},
                 {}};
  networks.columns = {{"run"}, {"loss of transitions"}, {"loss of the repeated motion"}, {"distance, 1"}, {"3"},
                      {"10"},  {"share of time"}};
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    const MarkovOutcome& outcome = outcomes_[i];
    const std::string& name = plan_.runs[i].name;
    runs.rows.push_back({name, double(outcome.state.rounds.size()), outcome.values.objective(),
                         outcome.values.reduced_violation, double(outcome.strides.lengths.size()), outcome.strides.mean(),
                         outcome.strides.spread(), outcome.network_time + outcome.trajectory_time});
    if (plan_.runs[i].has_network())
      networks.rows.push_back({name, outcome.values.transitions, outcome.state.rounds.back().rollout, outcome.distances[0],
                               outcome.distances[1], outcome.distances[2],
                               outcome.network_time / (outcome.network_time + outcome.trajectory_time)});
  }
  if (networks.rows.empty()) return {runs};
  return {runs, networks};
}

}  // namespace holo
