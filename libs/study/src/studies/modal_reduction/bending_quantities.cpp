// Columns, metrics and tables of a bent body and its bases.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/study/quantity_table.h"
#include "studies/modal_reduction/bending_study.h"

namespace holo {

namespace {

constexpr std::array<const char*, basis_count> basis_words = {"linear modes", "modes and derivatives of first order",
                                                              "those and derivatives of second order"};

// The smaller error of the two bases with derivatives; NaN where one is.
double tip_error_of_derivatives(const BendingRun& run) {
  const double first = run.bases[1].tip_error, second = run.bases[2].tip_error;
  if (std::isnan(first)) return first;
  return first <= second ? first : second;
}

struct BendingRow {
  std::size_t number;
  const BendingRun& run;
};

const QuantityTable<BendingRow>& bending_column_table() {
  using R = const BendingRow&;
  static const QuantityTable<BendingRow> table = [] {
    QuantityTable<BendingRow> result{
        {{"run", "1", "number of the run, from 0"}, [](R r) { return double(r.number); }},
        {{"time", "s", "of the load"}, [](R r) { return r.run.motion->state().time; }},
        {{"tip_displacement", "1", "of the full body, over its length"}, [](R r) { return r.run.tip_displacement; }}};
    for (std::size_t k = 0; k < basis_count; ++k) {
      const std::string name = basis_names[k], words = basis_words[k];
      result.push_back({{name + "_error", "1", "distance from the full body, over its displacement, in M: " + words},
                        [k](R r) { return r.run.bases[k].error; }});
      result.push_back({{name + "_tip_error", "1", "of the tip's mean displacement, over it: " + words},
                        [k](R r) { return r.run.bases[k].tip_error; }});
    }
    return result;
  }();
  return table;
}

const QuantityTable<BendingRun>& run_table() {
  using R = const BendingRun&;
  static const QuantityTable<BendingRun> table = [] {
    QuantityTable<BendingRun> result{
        {{"failed", "1", "1: the full body found no equilibrium before the end"},
         [](R r) { return double(r.motion->has_failed()); }},
        {{"tip_displacement", "1", "of the full body at its last load, over its length"},
         [](R r) { return r.tip_displacement; }},
        {{"minimum_determinant", "1", "smallest det F of an element of the full body at any load"},
         [](R r) { return r.motion->totals().minimum_determinant; }},
        {{"unordered_loads", "1", "at which the error does not fall from linear modes to first to second order"},
         [](R r) { return double(r.unordered_loads); }},
        {{"second_over_first_order", "1", "errors of these bases at the last load, one over the other"},
         [](R r) { return r.bases[2].error / r.bases[1].error; }},
        {{"linear_over_derivatives", "1", "tip error of linear modes at the last load, over the smaller one of derivatives"},
         [](R r) { return r.bases[0].tip_error / tip_error_of_derivatives(r); }}};
    for (std::size_t k = 0; k < basis_count; ++k) {
      const std::string name = basis_names[k], words = basis_words[k];
      result.push_back(
          {{name + "_error", "1", "at the last load, in the norm of M: " + words}, [k](R r) { return r.bases[k].error; }});
      result.push_back({{name + "_tip_error", "1", "at the last load: " + words}, [k](R r) { return r.bases[k].tip_error; }});
    }
    for (std::size_t k = 0; k < basis_count; ++k)
      result.push_back({{fmt::format("residual_quotient_{}", k + 1), "1",
                         fmt::format("of residuals at an amplitude and half of it; {} for small ones", 2 << k)},
                        [k](R r) { return r.numbers.quotients.of_order[k]; }});
    return result;
  }();
  return table;
}

using BendingRuns = std::vector<BendingRun>;

const QuantityTable<BendingRuns>& all_runs_table() {
  using R = const BendingRun&;
  static const QuantityTable<BendingRuns> table{
      {{"runs", "1", ""}, [](const BendingRuns& r) { return double(r.size()); }},
      {{"failed_runs", "1", "whose full body found no equilibrium before the end"},
       [](const BendingRuns& r) {
         return double(std::count_if(r.begin(), r.end(), [](R b) { return b.motion->has_failed(); }));
       }},
      {{"reduced_failures", "1", "loads and bases without a reduced equilibrium"},
       [](const BendingRuns& r) {
         double sum = 0;
         for (const BendingRun& run : r)
           for (const BentBasis& basis : run.bases) sum += double(basis.failures);
         return sum;
       }},
      {{"elements", "1", ""}, [](const BendingRuns& r) { return double(r.front().motion->model().element_count()); }},
      {{"runs_with_quotients", "1", "whose residuals on the manifold fall by 2, 4 and 8 for each halving, within 15 %"},
       [](const BendingRuns& r) {
         return double(std::count_if(r.begin(), r.end(), [](R b) { return b.numbers.quotients_hold(); }));
       }},
      {{"factorizations", "1", "of a run's modes and derivatives together, the most"},
       [](const BendingRuns& r) { return largest_value(r, [](R b) { return b.numbers.factorizations; }); }},
      {{"unordered_loads", "1", "of all runs, at which the error does not fall from linear modes to first to second order"},
       [](const BendingRuns& r) {
         double sum = 0;
         for (const BendingRun& run : r) sum += double(run.unordered_loads);
         return sum;
       }},
      {{"second_over_first_order", "1", "errors at the last load, one over the other, the largest of a run"},
       [](const BendingRuns& r) { return largest_value(r, [](R b) { return b.bases[2].error / b.bases[1].error; }); }},
      {{"derivatives_tip_error", "1", "of the better of the two bases with derivatives at the last load, the largest of a run"},
       [](const BendingRuns& r) { return largest_value(r, tip_error_of_derivatives); }},
      {{"linear_over_derivatives", "1", "tip error of linear modes over that one, at the last load, the smallest of a run"},
       [](const BendingRuns& r) {
         return -largest_value(r, [](R b) { return -b.bases[0].tip_error / tip_error_of_derivatives(b); });
       }}};
  return table;
}

// Of a run among several, compared with the first.
double tip_displacement_ratio(const BendingRuns& runs, std::size_t run) {
  return runs[run].tip_displacement / runs.front().tip_displacement;
}

constexpr const char* ratio_name = "tip_displacement_ratio";

std::string name_in_metrics(const StaticRun& run) { return run.name.empty() ? "" : run.name + "_"; }

}  // namespace

std::vector<Quantity> BendingBases::columns() const { return bending_columns(); }

std::vector<Quantity> BendingBases::timing_columns() const {
  return {{"step", "1", "reductions first, then loads"}, {"wall_time", "s", "of a reduction, or of a load of all runs"}};
}

// The curves of one basis stand beside those of the others, run by run.
std::vector<ColumnPlot> BendingBases::plots() const {
  std::vector<ColumnPlot> plots = {{"Displacement of the tip, over the body's length", "time", {"tip_displacement"}}};
  for (std::size_t k = 0; k < basis_count; ++k)
    plots.push_back({fmt::format("Error of {}", basis_words[k]), "time", {fmt::format("{}_error", basis_names[k])}, true});
  if (runs_.size() == 1) {
    plots.resize(1);
    ColumnPlot errors{"Distance from the full body, over its displacement", "time", {}, true};
    for (const char* name : basis_names) errors.y.push_back(fmt::format("{}_error", name));
    plots.push_back(errors);
    return plots;
  }
  for (ColumnPlot& plot : plots) {
    plot.series_column = "run";
    for (const BendingRun& run : runs_) plot.names.push_back(run.title);
  }
  return plots;
}

std::vector<Quantity> bending_columns() { return quantities_of(bending_column_table()); }

std::vector<double> bending_row(std::size_t number, const BendingRun& run) {
  return row_of(bending_column_table(), BendingRow{number, run});
}

std::vector<Quantity> bending_metrics(const BendingPlan& plan) {
  std::vector<Quantity> result = quantities_of(all_runs_table());
  for (const StaticRun& run : plan.statics.runs())
    for (Quantity quantity : quantities_of(run_table())) {
      if (run.name.empty() &&
          std::any_of(result.begin(), result.end(), [&](const Quantity& q) { return q.name == quantity.name; }))
        continue;
      quantity.name = name_in_metrics(run) + quantity.name;
      result.push_back(std::move(quantity));
    }
  const std::vector<StaticRun> runs = plan.statics.runs();
  for (std::size_t i = 1; i < runs.size(); ++i)
    result.push_back(
        {name_in_metrics(runs[i]) + ratio_name, "1", "tip displacement at the last load, over that of the first run"});
  return result;
}

std::vector<Metric> bending_results(const std::vector<BendingRun>& runs) {
  std::vector<Metric> result = metrics_of(all_runs_table(), runs);
  for (const BendingRun& run : runs)
    for (Metric metric : metrics_of(run_table(), run)) {
      if (run.run.name.empty() &&
          std::any_of(result.begin(), result.end(), [&](const Metric& m) { return m.name == metric.name; }))
        continue;
      metric.name = name_in_metrics(run.run) + metric.name;
      result.push_back(std::move(metric));
    }
  for (std::size_t i = 1; i < runs.size(); ++i)
    result.push_back({name_in_metrics(runs[i].run) + ratio_name, tip_displacement_ratio(runs, i)});
  return result;
}

std::vector<Table> bending_tables(const std::vector<BendingRun>& runs) {
  Table errors{"Errors at the last load",
               "of displacements in the norm of M, and of the tip's mean displacement, over those of the full body",
               {{"run"},
                {"material"},
                {"tip, over the length"},
                {"smallest det F"},
                {"linear"},
                {"first order"},
                {"second order"},
                {"tip, linear"},
                {"tip, first"},
                {"tip, second"},
                {"loads"}},
               {}};
  Table reduction{"Reduction",
                  "Quotients of residuals on the manifold, at an amplitude over half of it: 2, 4 and 8 where modes and "
                  "derivatives are right",
                  {{"run"},
                   {"lowest mode", "Hz"},
                   {"highest", "Hz"},
                   {"modes"},
                   {"with first"},
                   {"and second"},
                   {"factorizations"},
                   {"solves"},
                   {"time", "s"}},
                  {}};
  for (const BendingRun& run : runs) {
    const auto& b = run.bases;
    errors.rows.push_back({run.title, material_name(run.motion->scene()), run.tip_displacement,
                           run.motion->totals().minimum_determinant, b[0].error, b[1].error, b[2].error, b[0].tip_error,
                           b[1].tip_error, b[2].tip_error, double(run.loads)});
    const auto& q = run.numbers.quotients.of_order;
    reduction.rows.push_back({run.title, run.numbers.lowest_frequency, run.numbers.highest_frequency, q[0], q[1], q[2],
                              double(run.numbers.factorizations), double(run.numbers.solves), run.numbers.time});
  }
  return {errors, reduction};
}

}  // namespace holo
