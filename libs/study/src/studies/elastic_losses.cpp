#include "studies/elastic_losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "holo/core/name_list.h"
#include "signals/loss_reader.h"
#include "signals/signal_section.h"

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

// The number of components of a signal that something follows; none where there is no such signal, which is reported.
std::optional<std::size_t> components_of(Configuration& experiment, const SignalStore& signals, const std::string& name,
                                         const Location& where) {
  std::vector<std::string> names;
  for (const SignalNames::Signal& signal : signals.signals()) {
    if (signal.name == name) return signal.component_count;
    names.push_back(signal.name);
  }
  experiment.problem(where,
                     fmt::format("no signal '{}'.{} There are: {}", name, suggestion(name, names), joined_or_none(names)));
  return std::nullopt;
}

// visit(motion) for those of handles and obstacles that follow a signal.
template <class Scene, class Visit>
void each_motion_by_signal(Scene& scene, Visit visit) {
  const auto visit_if = [&](auto& motion) {
    if (motion.kind == MotionDefinition::Kind::signal) visit(motion);
  };
  for (auto& body : scene.bodies)
    for (auto& handle : body.handles) visit_if(handle.motion);
  for (auto& plane : scene.contact.planes) visit_if(plane.motion);
  for (auto& mesh : scene.contact.meshes) visit_if(mesh.motion);
}

void find_signals_of_motions(Configuration& experiment, const SignalStore& signals, const ElasticSceneDefinition& scene) {
  each_motion_by_signal(scene, [&](const MotionDefinition& motion) {
    const auto count = components_of(experiment, signals, motion.signal, motion.signal_location);
    if (count && *count != 3)
      experiment.problem(motion.signal_location, fmt::format("the signal '{}' has {} numbers; 3 are needed, a displacement [m]",
                                                             motion.signal, *count));
  });
}

void find_signals_of_muscles(Configuration& experiment, const SignalStore& signals, const ElasticBodyDefinition& body) {
  if (!body.muscles) return;
  for (const MuscleDefinition& muscle : body.muscles->list) {
    const MuscleActivation& activation = muscle.activation;
    if (activation.signal.empty()) continue;
    const auto count = components_of(experiment, signals, activation.signal, activation.location);
    for (const Polyline& fiber : muscle.curves.fibers)
      if (count && *count != 1 && *count != fiber.size() - 1) {
        experiment.problem(
            activation.location,
            fmt::format("the signal '{}' has {} numbers; 1 is needed, or {} for the pieces of the muscle '{}' [Pa]",
                        activation.signal, *count, fiber.size() - 1, muscle.name));
        break;
      }
  }
}

void find_signals(Configuration& experiment, const SignalStore& signals, const ElasticSceneDefinition& scene) {
  find_signals_of_motions(experiment, signals, scene);
  for (const ElasticBodyDefinition& body : scene.bodies) find_signals_of_muscles(experiment, signals, body);
}

}  // namespace

ElasticLossPlan read_elastic_losses(Configuration& experiment, const PluginHost& host, const ElasticSceneDefinition& scene,
                                    std::vector<UsedPlugin>& plugins, const char* documentation) {
  const bool known = !experiment.has_problems() && !experiment.recording();
  const int knots = known ? scene.step_count() + 1 : 2;
  require_few_knots(experiment, knots);
  ElasticLossPlan plan{SignalPlan(experiment.has_problems() ? 2 : knots), {}};
  const ElasticNames names(scene);
  read_signal_section(experiment, "values over time, which losses and handles call by name", plan.signals);
  if (known && !experiment.has_problems()) find_signals(experiment, plan.signals.store, scene);
  const LossSources sources = {host, known ? &names : nullptr, &plan.signals.store};
  experiment.each(
      "losses", [&](Configuration& entry) { read_loss(entry, sources, plugins, plan.losses); }, documentation);
  return plan;
}

SignalStore compute_signals(const ElasticLossPlan& plan, const ElasticSceneDefinition& scene) {
  ComputedSignals computed = compute_signals(plan.signals, scene.time_step);
  computed.store.require_bounds();
  return std::move(computed.store);
}

void follow_signals(const SignalStore& signals, ElasticSceneDefinition& scene) {
  const auto samples_of = [&](const std::string& name) -> std::shared_ptr<const Eigen::MatrixXd> {
    for (const SignalNames::Signal& signal : signals.signals())
      if (signal.name == name) return std::make_shared<const Eigen::MatrixXd>(signals.values()[std::size_t(signal.number)]);
    return nullptr;
  };
  each_motion_by_signal(scene, [&](MotionDefinition& motion) {
    motion.samples = samples_of(motion.signal);
    motion.sample_step = scene.time_step;
  });
  for (ElasticBodyDefinition& body : scene.bodies) {
    if (!body.muscles) continue;
    MusclesDefinition muscles = *body.muscles;
    for (MuscleDefinition& muscle : muscles.list)
      if (!muscle.activation.signal.empty()) {
        muscle.activation.samples = samples_of(muscle.activation.signal);
        muscle.activation.sample_step = scene.time_step;
      }
    body.muscles = std::make_shared<const MusclesDefinition>(std::move(muscles));
  }
}

QuantityTable<LossSummaries> loss_metrics(const std::vector<NamedLoss>& losses) {
  if (losses.empty()) return {};
  using S = const LossSummaries&;
  QuantityTable<LossSummaries> metrics = {
      {{"loss_mean", "1", "sum of the losses, mean over time steps"}, [](S s) { return s.objective.mean(); }},
      {{"loss_maximum", "1", "sum of the losses, largest of all time steps"}, [](S s) { return s.objective.largest; }}};
  for (const auto& [name, unit] : units_of_measures(losses)) {
    metrics.push_back(
        {{name + "_mean", unit, "over time steps and losses"}, [name = name](S s) { return s.of_measures.at(name).mean(); }});
    metrics.push_back({{name + "_maximum", unit, "over time steps and losses"},
                       [name = name](S s) { return s.of_measures.at(name).largest; }});
  }
  return metrics;
}

ElasticLosses::ElasticLosses(const ElasticScene& scene, const std::vector<NamedLoss>& losses, const SignalStore& signals)
    : model_(scene.model), losses_(ElasticObservables(scene.model)), metrics_(loss_metrics(losses)) {
  data_.signals = signals.values();
  data_.time_step = scene.integration.time_step;
  for (const NamedLoss& loss : losses) {
    losses_.add(loss);
    for (const ElasticObservables::Bound& bound : losses_.binding(losses_.size() - 1).observables)
      looks_back_ = std::max(looks_back_, bound.back);
  }
  for (const auto& [name, unit] : units_of_measures(losses)) summaries_.of_measures[name] = {};
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

void LossSummary::add(double value) {
  if (!std::isfinite(value)) return;
  largest = count == 0 ? value : std::max(largest, value);
  sum += value;
  count += 1;
}

void ElasticLosses::observe(const ElasticState& state, std::vector<double>& row) {
  if (losses_.size() == 0) return;
  ElasticSteps steps{{&state, nullptr, nullptr}};
  for (std::size_t i = 0; i < before_.size(); ++i) steps.states[i + 1] = &before_[i];
  std::array<Eigen::VectorXd, 3> activations;
  for (std::size_t i = 0; i <= before_.size(); ++i) {
    activations[i] = losses_.observables().prescribed_activations(steps.states[i]->time);
    steps.activations[i] = &activations[i];
  }
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
      summaries_.of_measures.at(d.measures[k].name).add(measures(k, 0));
    }
  }
  summaries_.objective.add(total);
  if (looks_back_ == 0) return;
  before_.insert(before_.begin(), state);
  if (before_.size() > looks_back_) before_.pop_back();
}

void ElasticLosses::visit(Archive& archive) {
  const auto visit_summary = [&](LossSummary& summary) {
    for (double* value : {&summary.sum, &summary.count, &summary.largest}) archive.visit(*value);
  };
  visit_summary(summaries_.objective);
  for (auto& [name, summary] : summaries_.of_measures) visit_summary(summary);
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
