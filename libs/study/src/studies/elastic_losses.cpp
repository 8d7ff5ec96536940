#include "studies/elastic_losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "signals/loss_reader.h"
#include "signals/signal_reader.h"

namespace holo {

namespace {

// The measures of all losses by name, with their units.
std::map<std::string, std::string> units_of_measures(const std::vector<NamedLoss>& losses) {
  std::map<std::string, std::string> units;
  for (const NamedLoss& loss : losses) {
    const holo_loss_description& d = loss.instance->description();
    for (std::uint32_t i = 0; i < d.measure_count; ++i) units.emplace(d.measures[i].name, d.measures[i].unit);
  }
  return units;
}

void follow_signals(Configuration& experiment, const SignalStore& signals, double time_step, ElasticSceneDefinition& scene) {
  std::vector<std::string> names;
  for (const SignalNames::Signal& signal : signals.signals()) names.push_back(signal.name);
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  for (ElasticBodyDefinition& body : scene.bodies)
    for (HandleDefinition& handle : body.handles) {
      MotionDefinition& motion = handle.motion;
      if (motion.kind != MotionDefinition::Kind::signal) continue;
      const auto found = std::find(names.begin(), names.end(), motion.signal);
      if (found == names.end()) {
        experiment.problem(motion.signal_location,
                           fmt::format("no signal '{}'.{} There are: {}", motion.signal, suggestion(motion.signal, names),
                                       listed.empty() ? "none" : listed));
        continue;
      }
      const SignalNames::Signal signal = signals.signals()[std::size_t(found - names.begin())];
      if (signal.component_count != 3) {
        experiment.problem(motion.signal_location,
                           fmt::format("the signal '{}' has {} numbers; 3 are needed, a displacement [m]", motion.signal,
                                       signal.component_count));
        continue;
      }
      motion.samples = std::make_shared<const Eigen::MatrixXd>(signals.values()[std::size_t(signal.number)]);
      motion.sample_step = time_step;
    }
}

}  // namespace

ElasticLossPlan read_elastic_losses(Configuration& experiment, const PluginHost& host, ElasticSceneDefinition& scene,
                                    std::vector<UsedPlugin>& plugins) {
  const bool known = !experiment.has_problems() && !experiment.recording();
  SampleTimes knots;
  if (known) knots = {scene.step_count() + 1, scene.time_step};
  SignalStore signals(knots.count);
  const ElasticNames names(scene);
  read_signals(experiment, knots, known ? &signals : nullptr);
  if (known && !experiment.has_problems()) follow_signals(experiment, signals, scene.time_step, scene);
  ElasticLossPlan plan;
  const LossSources sources = {host, known ? &names : nullptr, &signals};
  experiment.each(
      "losses", [&](Configuration& entry) { read_loss(entry, sources, plugins, plan.losses); },
      "losses whose values are reported at each time step; nothing is minimized");
  plan.signals = signals.values();
  return plan;
}

std::vector<Quantity> loss_metrics(const std::vector<NamedLoss>& losses) {
  if (losses.empty()) return {};
  std::vector<Quantity> metrics = {{"loss_mean", "1", "mean of the sum of the losses over the time steps"},
                                   {"loss_maximum", "1", "largest sum of the losses over the time steps"}};
  for (const auto& [name, unit] : units_of_measures(losses)) {
    metrics.push_back({name + "_mean", unit, "mean over time steps and losses"});
    metrics.push_back({name + "_maximum", unit, "maximum over time steps and losses"});
  }
  return metrics;
}

ElasticLosses::ElasticLosses(const ElasticScene& scene, const ElasticLossPlan& plan)
    : model_(scene.model), losses_(ElasticObservables(scene.model)) {
  data_.signals = plan.signals;
  data_.time_step = scene.integration.time_step;
  for (const NamedLoss& loss : plan.losses) {
    losses_.add(loss);
    for (const ElasticObservables::Bound& bound : losses_.binding(losses_.size() - 1).observables)
      looks_back_ = std::max(looks_back_, bound.back);
  }
  for (const auto& [name, unit] : units_of_measures(plan.losses)) measures_.push_back(name);
  summaries_.resize(measures_.size());
}

std::vector<Quantity> ElasticLosses::columns() const {
  std::vector<Quantity> columns;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const NamedLoss& loss = losses_.loss(i);
    const holo_loss_description& d = loss.instance->description();
    columns.push_back({loss.name, "1", "value of the loss"});
    for (std::uint32_t k = 0; k < d.measure_count; ++k)
      columns.push_back({fmt::format("{}_{}", loss.name, d.measures[k].name), d.measures[k].unit, loss.name});
  }
  return columns;
}

// The losses in one diagram, and the measures of one name in one each.
std::vector<ColumnPlot> ElasticLosses::plots() const {
  if (losses_.size() == 0) return {};
  ColumnPlot all{"Losses", "time", {}};
  all.own_names = true;
  std::map<std::string, ColumnPlot> of_measure;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const NamedLoss& loss = losses_.loss(i);
    const holo_loss_description& d = loss.instance->description();
    all.y.push_back(loss.name);
    for (std::uint32_t k = 0; k < d.measure_count; ++k) {
      ColumnPlot& plot = of_measure[d.measures[k].name];
      plot.title = d.measures[k].name;
      plot.x = "time";
      plot.own_names = true;
      plot.y.push_back(fmt::format("{}_{}", loss.name, d.measures[k].name));
    }
  }
  std::vector<ColumnPlot> plots = {all};
  for (const auto& [name, plot] : of_measure) plots.push_back(plot);
  return plots;
}

void ElasticLosses::Summary::add(double value) {
  if (!std::isfinite(value)) return;
  largest = count == 0 ? value : std::max(largest, value);
  sum += value;
  count += 1;
}

void ElasticLosses::observe(const ElasticState& state, std::vector<double>& row) {
  if (losses_.size() == 0) return;
  ElasticSteps steps{{&state, nullptr, nullptr}};
  for (std::size_t i = 0; i < before_.size(); ++i) steps.states[i + 1] = &before_[i];
  const int knot = int(state.step);
  double total = 0;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const holo_loss_description& d = losses_.loss(i).instance->description();
    const bool has_term = losses_.has_term(i, steps, data_, knot);
    double value = std::numeric_limits<double>::quiet_NaN();
    if (has_term) value = *losses_.run(i, HOLO_LOSS_VALUE, steps, data_, knot, 1);
    row.push_back(value);
    total += value;
    const Eigen::MatrixXd measures = losses_.measures(i, steps, data_, knot, knot + 1);
    for (std::uint32_t k = 0; k < d.measure_count; ++k) {
      row.push_back(measures(k, 0));
      const auto place = std::lower_bound(measures_.begin(), measures_.end(), d.measures[k].name) - measures_.begin();
      summaries_[std::size_t(place)].add(measures(k, 0));
    }
  }
  objective_.add(total);
  if (looks_back_ == 0) return;
  before_.insert(before_.begin(), state);
  if (before_.size() > looks_back_) before_.pop_back();
}

std::vector<Metric> ElasticLosses::metrics() const {
  if (losses_.size() == 0) return {};
  const auto mean = [](const Summary& s) { return s.count > 0 ? s.sum / s.count : 0.0; };
  std::vector<Metric> metrics = {{"loss_mean", mean(objective_)}, {"loss_maximum", objective_.largest}};
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    metrics.push_back({measures_[i] + "_mean", mean(summaries_[i])});
    metrics.push_back({measures_[i] + "_maximum", summaries_[i].largest});
  }
  return metrics;
}

void ElasticLosses::visit(Archive& archive) {
  const auto visit_summary = [&](Summary& summary) {
    for (double* value : {&summary.sum, &summary.count, &summary.largest}) archive.visit(*value);
  };
  visit_summary(objective_);
  for (Summary& summary : summaries_) visit_summary(summary);
  std::size_t count = before_.size();
  archive.visit(count, double(looks_back_));
  before_.resize(count);
  for (ElasticState& state : before_) {
    std::string bytes = archive.is_reading() ? std::string() : holo::serialize(state);
    archive.visit(bytes, 0x1p53);
    if (archive.is_reading()) state = holo::deserialize(*model_, bytes);
  }
}

}  // namespace holo
