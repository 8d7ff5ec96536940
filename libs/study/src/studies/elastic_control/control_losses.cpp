#include "studies/elastic_control/control_losses.h"

#include <fmt/format.h>

#include <limits>
#include <map>

namespace holo {

namespace {

const holo_loss_description& description_of(const NamedLoss& loss) { return loss.instance->description(); }

// visit(name, unit) for the loss's measures.
template <class Visit>
void each_measure(const NamedLoss& loss, const Visit& visit) {
  const holo_loss_description& d = description_of(loss);
  for (std::uint32_t k = 0; k < d.measure_count; ++k) visit(std::string(d.measures[k].name), std::string(d.measures[k].unit));
}

std::string measure_column(const NamedLoss& loss, const std::string& measure) {
  return fmt::format("{}_{}", loss.name, measure);
}

template <class Groups, class Visit>
void each_loss(const Groups& groups, const Visit& visit) {
  for (const auto& group : groups)
    for (std::size_t i = 0; i < group->size(); ++i) visit(group->loss(i));
}

}  // namespace

ControlLosses::ControlLosses(const ElasticScene& scene, const ControlPlan& plan, const SignalStore& signals)
    : metrics_(loss_metrics(plan.all_losses())) {
  data_.signals = signals.values();
  data_.time_step = scene.integration.time_step;
  const auto sum_of = [&](std::initializer_list<const std::vector<NamedLoss>*> lists) {
    auto sum = std::make_shared<Losses>(ElasticObservables(scene.model));
    for (const std::vector<NamedLoss>* losses : lists)
      for (const NamedLoss& loss : *losses) sum->add(loss);
    return sum;
  };
  regularization_ = sum_of({&plan.regularization});
  groups_.push_back(sum_of({&plan.common.losses}));
  for (const std::vector<NamedLoss>& losses : plan.phase_losses) {
    groups_.push_back(sum_of({&losses}));
    loss_.push_back(std::make_unique<ObservedStepLoss>(sum_of({&plan.common.losses, &losses, &plan.regularization}), data_,
                                                       scene.integration.scheme));
  }
  each_loss(groups_, [&](const NamedLoss& loss) {
    each_measure(loss, [&](const std::string& name, const std::string&) { summaries_.of_measures[name] = {}; });
  });
}

ObservedStepLoss& ControlLosses::begin(const ElasticState& start, const ElasticState* before,
                                       const Eigen::VectorXd& activations, const PhaseProgress& progress) {
  ObservedStepLoss& loss = *loss_[static_cast<std::size_t>(progress.phase)];
  loss.count_from(progress.first_step);
  loss.begin(start, before, activations);
  return loss;
}

std::vector<Quantity> ControlLosses::columns() const {
  std::vector<Quantity> columns;
  each_loss(groups_, [&](const NamedLoss& loss) {
    columns.push_back({loss.name, "1", "value of the loss"});
    each_measure(loss, [&](const std::string& name, const std::string& unit) {
      columns.push_back({measure_column(loss, name), unit, loss.name});
    });
  });
  return columns;
}

// The losses in one diagram, and the measures of one name in one each.
std::vector<ColumnPlot> ControlLosses::plots() const {
  ColumnPlot all{"Losses", "time", {}};
  all.own_names = true;
  std::map<std::string, ColumnPlot> of_measure;
  each_loss(groups_, [&](const NamedLoss& loss) {
    all.y.push_back(loss.name);
    each_measure(loss, [&](const std::string& name, const std::string&) {
      ColumnPlot& plot = of_measure[name];
      plot.title = name;
      plot.x = "time";
      plot.own_names = true;
      plot.y.push_back(measure_column(loss, name));
    });
  });
  std::vector<ColumnPlot> plots = {all};
  for (const auto& [name, plot] : of_measure) plots.push_back(plot);
  return plots;
}

// The values of one group's columns; returns the sum of its losses.
double ControlLosses::append(const Losses& losses, const ElasticSteps& steps, bool is_active, std::vector<double>& row) {
  const int knot = int(steps.states[0]->step);
  double sum = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const bool has_term = is_active && losses.has_term(i, steps, data_, knot);
    double value = std::numeric_limits<double>::quiet_NaN();
    if (has_term) {
      value = *losses.run(i, HOLO_LOSS_VALUE, steps, data_, knot, 1);
      sum += value;
    }
    row.push_back(value);
    Eigen::MatrixXd measures;
    if (has_term) measures = losses.measures(i, steps, data_, knot, knot + 1);
    Eigen::Index k = 0;
    each_measure(losses.loss(i), [&](const std::string& name, const std::string&) {
      const double measure = has_term ? measures(k++, 0) : std::numeric_limits<double>::quiet_NaN();
      row.push_back(measure);
      summaries_.of_measures.at(name).add(measure);
    });
  }
  return sum;
}

void ControlLosses::observe(const ElasticSteps& steps, const PhaseProgress& progress, std::vector<double>& row) {
  // Signals and observables have the knot of the phase's clock (step_loss.h).
  ElasticState end = *steps.states[0];
  end.step -= progress.first_step;
  ElasticSteps counted = steps;
  counted.states[0] = &end;
  double sum = append(*groups_[0], counted, true, row);
  for (std::size_t phase = 0; phase + 1 < groups_.size(); ++phase)
    sum += append(*groups_[phase + 1], counted, static_cast<std::int64_t>(phase) == progress.phase, row);
  summaries_.objective.add(sum);
}

double ControlLosses::regularization(const ElasticSteps& steps) const {
  const int knot = int(steps.states[0]->step);
  double value = 0;
  regularization_->evaluate(steps, data_, knot, knot + 1, &value);
  return value;
}

void ControlLosses::visit(Archive& archive) {
  const auto visit_summary = [&](LossSummary& summary) {
    for (double* value : {&summary.sum, &summary.count, &summary.largest}) archive.visit(*value);
  };
  visit_summary(summaries_.objective);
  for (auto& [name, summary] : summaries_.of_measures) visit_summary(summary);
}

}  // namespace holo
