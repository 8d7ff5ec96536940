// Columns, metrics and the table of the study `quasi_statics`.
#include <algorithm>
#include <cmath>

#include "holo/study/quantity_table.h"
#include "studies/quasi_statics/static_study.h"

namespace holo {

namespace {

constexpr double same_modulus = 1e-6;  // relative, of moduli at rest that count as equal

struct StaticRow {
  std::size_t run;
  const StaticMotion& motion;
};

double of_count(std::int64_t count) { return static_cast<double>(count); }

const QuantityTable<StaticRow>& column_table() {
  using R = const StaticRow&;
  static const QuantityTable<StaticRow> table{
      {{"run", "1", "number of the run, from 0"}, [](R r) { return double(r.run); }},
      {{"time", "s", "of the load; where no equilibrium was found, that of the last one"},
       [](R r) { return r.motion.state().time; }},
      {{"iterations", "1", "Newton iterations of the step"}, [](R r) { return double(r.motion.last().iterations); }},
      {{"increments", "1", "parts of the step"}, [](R r) { return double(r.motion.last().increments); }},
      {{"elastic_energy", "J", ""}, [](R r) { return r.motion.observation().elastic_energy; }},
      {{"potential_energy", "J", "of elasticity, gravity, loads and contact"},
       [](R r) { return r.motion.observation().potential_energy; }},
      {{"volume_ratio", "1", "volume over that at rest"}, [](R r) { return r.motion.observation().volume_ratio; }},
      {{"minimum_determinant", "1", "smallest det F of an element"},
       [](R r) { return r.motion.observation().minimum_determinant; }},
      {{"inverted_elements", "1", "elements with det F <= 0"},
       [](R r) { return double(r.motion.observation().inverted_elements); }},
      {{"largest_displacement", "m", "of a vertex, from where it is at the start"},
       [](R r) { return r.motion.observation().largest_displacement; }},
      {{"reaction_force", "N", "the largest sum of forces of a handle"},
       [](R r) { return r.motion.observation().reaction_force; }},
      {{"reaction_moment", "N m", "the largest moment of a handle, about its center"},
       [](R r) { return r.motion.observation().reaction_moment; }},
      {{"residual", "N", "largest force that is left on a vertex along a free axis"},
       [](R r) { return r.motion.observation().residual; }}};
  return table;
}

// Of each run, without its name.
QuantityTable<StaticMotion> short_run_metrics() {
  using M = const StaticMotion&;
  return {{{"failed", "1", "1: no equilibrium was found before the end"}, [](M m) { return double(m.has_failed()); }},
          {{"elastic_energy", "J", "at the last equilibrium"}, [](M m) { return m.observation().elastic_energy; }},
          {{"reaction_force", "N", "the largest sum of forces of a handle, at the last equilibrium"},
           [](M m) { return m.observation().reaction_force; }},
          {{"volume_ratio", "1", "volume over that at rest, at the last equilibrium"},
           [](M m) { return m.observation().volume_ratio; }},
          {{"largest_displacement", "m", "of a vertex, at the last equilibrium"},
           [](M m) { return m.observation().largest_displacement; }},
          {{"energy_decreases", "1", "steps after which the elastic energy was smaller than before"},
           [](M m) { return of_count(m.totals().energy_decreases); }},
          {{"newton_iterations", "1", "of all steps"}, [](M m) { return of_count(m.totals().iterations); }}};
}

// Of a run by itself, or of one of a few.
QuantityTable<StaticMotion> further_run_metrics() {
  using M = const StaticMotion&;
  return {{{"time", "s", "of the load at the last equilibrium"}, [](M m) { return m.state().time; }},
          {{"potential_energy", "J", "at the last equilibrium"}, [](M m) { return m.observation().potential_energy; }},
          {{"reaction_moment", "N m", "the largest moment of a handle about its center, at the last equilibrium"},
           [](M m) { return m.observation().reaction_moment; }},
          {{"minimum_determinant", "1", "smallest det F of any element at any step"},
           [](M m) { return m.totals().minimum_determinant; }},
          {{"residual_at_start", "N", "largest force on a vertex along a free axis before the first step"},
           [](M m) { return m.residual_at_start(); }},
          {{"inverted_elements", "1", "with det F <= 0, at the worst step"},
           [](M m) { return of_count(m.totals().inverted_elements); }},
          {{"factorizations", "1", "of all steps"}, [](M m) { return of_count(m.totals().factorizations); }},
          {{"increments", "1", "into which the steps were divided"}, [](M m) { return of_count(m.totals().increments); }},
          {{"refused_increments", "1", "that had no equilibrium"}, [](M m) { return of_count(m.totals().refused); }},
          {{"singular_elements", "1", "elements without finite derivatives, over all assemblies"},
           [](M m) { return of_count(m.totals().singular_points); }},
          {{"nondifferentiable_elements", "1", "singular elements at a kink of the energy"},
           [](M m) { return of_count(m.totals().kinks); }}};
}

// Where each material is run in each test, columns and the table have the rest.
QuantityTable<StaticMotion> run_metrics(const StaticPlan& plan) {
  QuantityTable<StaticMotion> table = short_run_metrics();
  if (plan.materials.empty())
    for (auto& entry : further_run_metrics()) table.push_back(std::move(entry));
  for (auto& entry : pattern_metrics(plan.patterns)) table.push_back(std::move(entry));
  for (auto& entry : body_energy_metrics(plan.scene)) table.push_back(std::move(entry));
  return table;
}

struct ComparedRun {
  const StaticMotion &own, &reference;
};

double volume_loss(const StaticMotion& motion) { return 1 - motion.observation().volume_ratio; }

// Vertices can be compared on the same mesh only.
QuantityTable<ComparedRun> comparison_metrics(bool same_mesh) {
  using C = const ComparedRun&;
  QuantityTable<ComparedRun> table{
      {{"displacement_ratio", "1", "largest displacement over that of the reference"},
       [](C c) { return c.own.observation().largest_displacement / c.reference.observation().largest_displacement; }},
      {{"volume_loss_ratio", "1", "lost volume over that of the reference"},
       [](C c) { return volume_loss(c.own) / volume_loss(c.reference); }},
      {{"energy_ratio", "1", "elastic energy over that of the reference"},
       [](C c) { return c.own.observation().elastic_energy / c.reference.observation().elastic_energy; }}};
  if (same_mesh)
    table.push_back({{"distance", "1",
                      "largest distance of a vertex from where it is in the reference, at any step, over the body's length"},
                     [](C c) { return c.own.totals().distance / c.own.model().length(); }});
  return table;
}

using Motions = std::vector<const StaticMotion*>;

// All runs of the study.
struct StaticOutcome {
  const StaticPlan& plan;
  const std::vector<StaticRun> runs;
  const Motions& motions;
};

template <class Value>
double sum_over(const StaticOutcome& all, const Value& value) {
  double sum = 0;
  for (const StaticMotion* motion : all.motions) sum += value(*motion);
  return sum;
}

// Of elements whose material is not meant for inversion: its energy is infinite there.
double inverted_elements(const StaticOutcome& all) {
  double largest = 0;
  for (const StaticMotion* motion : all.motions)
    for (const ElasticBody& body : motion->model().bodies())
      if (body.limits_determinant()) largest = std::max(largest, of_count(motion->totals().inverted_elements));
  return largest;
}

constexpr int every_test = -2;  // StaticRun has -1 without tests

double runs_with_decreases(const StaticOutcome& all, int test) {
  double count = 0;
  for (std::size_t i = 0; i < all.runs.size(); ++i)
    count += (test == every_test || all.runs[i].test == test) && all.motions[i]->totals().energy_decreases > 0;
  return count;
}

// The largest difference of the elastic energies of a test's materials over their mean, of those whose Young's modulus at rest
// is the median, which most have.
double energy_spread(const StaticOutcome& all, int test) {
  std::vector<double> moduli, energies;
  for (std::size_t i = 0; i < all.runs.size(); ++i) {
    if (all.runs[i].test != test) continue;
    moduli.push_back(all.motions[i]->model().bodies().front().youngs_modulus);
    energies.push_back(all.motions[i]->observation().elastic_energy);
  }
  std::vector<double> sorted = moduli;
  std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(sorted.size() / 2), sorted.end());
  const double common = sorted[sorted.size() / 2];
  double least = INFINITY, most = -INFINITY, sum = 0, count = 0;
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    if (!(std::abs(moduli[i] - common) <= same_modulus * common)) continue;
    least = std::min(least, energies[i]);
    most = std::max(most, energies[i]);
    sum += energies[i];
    ++count;
  }
  return (most - least) / (sum / count);
}

QuantityTable<StaticOutcome> common_metrics(const StaticPlan& plan) {
  using O = const StaticOutcome&;
  QuantityTable<StaticOutcome> table{
      {{"runs", "1", "materials times tests"}, [](O o) { return double(o.motions.size()); }},
      {{"failed_runs", "1", "without an equilibrium before the end"},
       [](O o) { return sum_over(o, [](const StaticMotion& m) { return double(m.has_failed()); }); }},
      {{"inverted_elements", "1", "with det F <= 0 at the worst step, of materials whose energy is infinite there"},
       inverted_elements},
      {{"runs_with_decreases", "1", "in which the elastic energy was smaller after a step than before"},
       [](O o) { return runs_with_decreases(o, every_test); }}};
  if (plan.materials.size() < 2) return table;
  for (std::size_t test = 0; test < plan.tests.size(); ++test) {
    table.push_back({{plan.tests[test].name + "_runs_with_decreases", "1", "of this test"},
                     [test](O o) { return runs_with_decreases(o, int(test)); }});
    table.push_back({{plan.tests[test].name + "_energy_spread", "1",
                      "largest difference of the elastic energies of materials of the same Young's modulus at rest, over their "
                      "mean"},
                     [test](O o) { return energy_spread(o, int(test)); }});
  }
  return table;
}

}  // namespace

int reference_of(const StaticPlan& plan, const std::vector<StaticRun>& runs, std::size_t run) {
  const int test = runs[run].test, reference = test < 0 ? -1 : plan.tests[std::size_t(test)].reference;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (reference >= 0 && runs[i].test == reference && runs[i].material == runs[run].material) return int(i);
  return -1;
}

std::vector<Quantity> static_columns() { return quantities_of(column_table()); }

std::vector<double> static_row(std::size_t run, const StaticMotion& motion) {
  return row_of(column_table(), StaticRow{run, motion});
}

std::vector<Quantity> static_metrics(const StaticPlan& plan) {
  const std::vector<StaticRun> runs = plan.runs();
  if (runs.size() == 1 && runs.front().name.empty()) return quantities_of(run_metrics(plan));
  std::vector<Quantity> result = quantities_of(common_metrics(plan));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<Quantity> own = quantities_of(run_metrics(plan));
    if (reference_of(plan, runs, i) >= 0)
      for (const Quantity& compared : quantities_of(comparison_metrics(has_mesh_of_reference(plan, runs[i]))))
        own.push_back(compared);
    for (Quantity& quantity : own) {
      quantity.name = runs[i].name + "_" + quantity.name;
      result.push_back(std::move(quantity));
    }
  }
  return result;
}

std::vector<Metric> static_results(const StaticPlan& plan, const std::vector<const StaticMotion*>& motions) {
  const std::vector<StaticRun> runs = plan.runs();
  if (runs.size() == 1 && runs.front().name.empty()) return metrics_of(run_metrics(plan), *motions.front());
  std::vector<Metric> result = metrics_of(common_metrics(plan), StaticOutcome{plan, runs, motions});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<Metric> own = metrics_of(run_metrics(plan), *motions[i]);
    if (const int reference = reference_of(plan, runs, i); reference >= 0)
      for (const Metric& compared : metrics_of(comparison_metrics(has_mesh_of_reference(plan, runs[i])),
                                               ComparedRun{*motions[i], *motions[std::size_t(reference)]}))
        own.push_back(compared);
    for (Metric& metric : own) {
      metric.name = runs[i].name + "_" + metric.name;
      result.push_back(std::move(metric));
    }
  }
  return result;
}

Table static_table(const StaticPlan& plan, const std::vector<const StaticMotion*>& motions) {
  Table table{"Runs", "Moduli are those at rest; the others are values of the last equilibrium", {}, {}};
  table.columns = {{"material"},
                   {"test"},
                   {"Young's modulus", "Pa"},
                   {"Poisson's ratio"},
                   {"load", "s"},
                   {"elastic energy", "J"},
                   {"force", "N"},
                   {"moment", "N m"},
                   {"volume"},
                   {"smallest det F"},
                   {"Newton iterations"},
                   {"result"}};
  const std::vector<StaticRun> runs = plan.runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const StaticMotion& motion = *motions[i];
    const ElasticBody& body = motion.model().bodies().front();
    const std::string material =
        runs[i].material < 0 ? std::string(body.material->name) : plan.materials[std::size_t(runs[i].material)].name();
    table.rows.push_back({material, runs[i].test < 0 ? std::string("") : plan.tests[std::size_t(runs[i].test)].name,
                          body.youngs_modulus, body.poissons_ratio, motion.state().time, motion.observation().elastic_energy,
                          motion.observation().reaction_force, motion.observation().reaction_moment,
                          motion.observation().volume_ratio, motion.totals().minimum_determinant,
                          of_count(motion.totals().iterations),
                          motion.has_failed() ? std::string("no equilibrium: ") + motion.diagnosis() : std::string("done")});
  }
  return table;
}

}  // namespace holo
