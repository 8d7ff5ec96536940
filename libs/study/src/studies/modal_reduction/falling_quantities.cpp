// Columns, metrics and tables of falling bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/study/quantity_table.h"
#include "studies/modal_reduction/falling_study.h"

namespace holo {

namespace {

struct FallingRow {
  std::size_t number;
  double time;
  const FallingBody& body;
};

const QuantityTable<FallingRow>& falling_column_table() {
  using R = const FallingRow&;
  static const QuantityTable<FallingRow> table{
      {{"body", "1", "number of the body, from 0"}, [](R r) { return double(r.number); }},
      {{"time", "s", ""}, [](R r) { return r.time; }},
      {{"height", "m", "of the center of mass"}, [](R r) { return r.body.state.now.position[2]; }},
      {{"smallest_gap", "m", "of the surface from a plane"}, [](R r) { return r.body.smallest_gap; }},
      {{"deformation", "1", "largest displacement of a vertex in the body's frame, over the body's length"},
       [](R r) { return r.body.deformation; }},
      {{"elastic_energy", "J", "of the elements that are evaluated"}, [](R r) { return r.body.elastic_energy; }},
      {{"iterations", "1", "of Newton's method"}, [](R r) { return double(r.body.last.iterations); }},
      {{"evaluations", "1", "of the potential"}, [](R r) { return double(r.body.last.evaluations); }}};
  return table;
}

// Materials, each counted once, of bodies whose residuals fall as they shall.
double materials_with_quotients(const FallingOutcome& all) {
  std::vector<std::string> names;
  for (const FallingBody& body : all.bodies)
    if (body.numbers.quotients_hold()) names.push_back(material_name(*body.scene));
  std::sort(names.begin(), names.end());
  return double(std::unique(names.begin(), names.end()) - names.begin());
}

const QuantityTable<FallingOutcome>& outcome_table() {
  using O = const FallingOutcome&;
  using B = const FallingBody&;
  static const QuantityTable<FallingOutcome> table{
      {{"bodies", "1", ""}, [](O o) { return double(o.bodies.size()); }},
      {{"elements", "1", "of the largest body"},
       [](O o) { return largest_value(o.bodies, [](B b) { return b.scene->model->element_count(); }); }},
      {{"columns", "1", "of the largest basis"},
       [](O o) { return largest_value(o.bodies, [](B b) { return b.basis.cols(); }); }},
      {{"materials_with_quotients", "1",
        "materials whose residuals on the manifold fall by 2, 4 and 8 for each halving, within 15 %"},
       materials_with_quotients},
      {{"factorizations", "1", "of a body's modes and derivatives together, the most"},
       [](O o) { return largest_value(o.bodies, [](B b) { return b.numbers.factorizations; }); }},
      {{"training_error", "1", "of the cubature, the largest of a body"},
       [](O o) { return largest_value(o.bodies, [](B b) { return b.numbers.training_error; }); }},
      {{"test_error", "1", "of the cubature at samples that it was not trained at, the largest of a body"},
       [](O o) { return largest_value(o.bodies, [](B b) { return b.numbers.test_error; }); }},
      {{"evaluated_elements", "1", "of the body with the most"},
       [](O o) { return largest_value(o.bodies, [](B b) { return b.numbers.elements; }); }},
      {{"smallest_gap", "m", "between a body and a plane, at any step"},
       [](O o) { return -largest_value(o.bodies, [](B b) { return -b.least_gap; }); }},
      {{"largest_deformation", "1", "of a body at any step, over its length"},
       [](O o) { return largest_value(o.bodies, [](B b) { return b.largest_deformation; }); }},
      {{"steps_per_second", "1/s",
        "time steps of all bodies together, over the processor time of all threads: other work on the machine does not change "
        "it",
        true},
       [](O o) { return double(o.steps) / o.processor_time; }},
      {{"steps_per_wall_second", "1/s", "the same by the clock on the wall", true},
       [](O o) { return double(o.steps) / o.motion_time; }},
      {{"real_time_factor", "1", "simulated time over the processor time that it took", true},
       [](O o) { return double(o.steps) * o.time_step / o.processor_time; }}};
  return table;
}

const QuantityTable<FallingBody>& falling_body_table() {
  using B = const FallingBody&;
  static const QuantityTable<FallingBody> table{
      {{"residual_quotient_1", "1", "of residuals at an amplitude and half of it, modes alone; exactly 2 for small ones"},
       [](B b) { return b.numbers.quotients.of_order[0]; }},
      {{"residual_quotient_2", "1", "with derivatives of first order; 4"}, [](B b) { return b.numbers.quotients.of_order[1]; }},
      {{"residual_quotient_3", "1", "with those of second order, too; 8"}, [](B b) { return b.numbers.quotients.of_order[2]; }},
      {{"training_error", "1", "of the cubature"}, [](B b) { return b.numbers.training_error; }},
      {{"test_error", "1", "of the cubature at other samples"}, [](B b) { return b.numbers.test_error; }},
      {{"evaluated_elements", "1", ""}, [](B b) { return double(b.numbers.elements); }},
      {{"largest_deformation", "1", "at any step, over the body's length"}, [](B b) { return b.largest_deformation; }},
      {{"iterations", "1", "of Newton's method, in all steps"}, [](B b) { return double(b.iterations); }}};
  return table;
}

Table reduction_table(const FallingOutcome& outcome) {
  Table table{
      "Reduction",
      "Quotients of residuals on the manifold, at an amplitude over half of it: 2, 4 and 8 where modes and derivatives are "
      "right. Errors of the cubature are those of reduced forces.",
      {},
      {}};
  table.columns = {{"body"},
                   {"material"},
                   {"vertices"},
                   {"elements"},
                   {"lowest mode", "Hz"},
                   {"highest", "Hz"},
                   {"modes"},
                   {"with first"},
                   {"and second"},
                   {"factorizations"},
                   {"solves"},
                   {"basis leaves out"},
                   {"evaluated"},
                   {"training error"},
                   {"error elsewhere"},
                   {"time", "s"}};
  for (const FallingBody& body : outcome.bodies) {
    const ReductionNumbers& n = body.numbers;
    const auto& q = n.quotients.of_order;
    const ElasticModel& model = *body.scene->model;
    table.rows.push_back({model.bodies().front().name, material_name(*body.scene), double(model.vertex_count()),
                          double(model.element_count()), n.lowest_frequency, n.highest_frequency, q[0], q[1], q[2],
                          double(n.factorizations), double(n.solves), n.remainder, double(n.elements), n.training_error,
                          n.test_error, n.time});
  }
  return table;
}

Table falling_motion_table(const FallingOutcome& outcome) {
  const double steps = double(outcome.steps);
  Table table{"Motion",
              fmt::format("{} steps of {} s took {:.3g} s, {:.3g} s of processor time", outcome.steps, outcome.time_step,
                          outcome.motion_time, outcome.processor_time),
              {{"body"},
               {"largest deformation"},
               {"largest elastic energy", "J"},
               {"smallest gap", "m"},
               {"Newton iterations, a step"},
               {"evaluations, a step"}},
              {}};
  for (const FallingBody& body : outcome.bodies)
    table.rows.push_back({body.scene->model->bodies().front().name, body.largest_deformation, body.largest_energy,
                          body.least_gap, double(body.iterations) / steps, double(body.evaluations) / steps});
  return table;
}

}  // namespace

std::vector<Quantity> FallingBodies::columns() const { return falling_columns(); }

std::vector<Quantity> FallingBodies::timing_columns() const {
  return {{"step", "1", "reductions first, then time steps"},
          {"wall_time", "s", "of the reduction of a body, or of a time step of all"},
          {"processor_time", "s", "of all threads; of a reduction the time"}};
}

std::vector<ColumnPlot> FallingBodies::plots() const {
  std::vector<ColumnPlot> plots = {{"Height of the center of mass", "time", {"height"}},
                                   {"Largest displacement within the body, over its length", "time", {"deformation"}},
                                   {"Elastic energy", "time", {"elastic_energy"}},
                                   {"Smallest gap", "time", {"smallest_gap"}, true},
                                   {"Newton iterations", "time", {"iterations"}, false, true}};
  for (ColumnPlot& plot : plots) {
    plot.series_column = "body";
    for (const FallingBody& body : bodies_) plot.names.push_back(body.scene->model->bodies().front().name);
  }
  plots.push_back(
      {.title = "Time of a time step of all bodies", .x = "step", .y = {"wall_time"}, .logarithmic = true, .timings = true});
  return plots;
}

std::vector<Quantity> falling_columns() { return quantities_of(falling_column_table()); }

std::vector<double> falling_row(std::size_t number, double time, const FallingBody& body) {
  return row_of(falling_column_table(), FallingRow{number, time, body});
}

std::vector<Quantity> falling_metrics(const FallingPlan& plan) {
  std::vector<Quantity> result = quantities_of(outcome_table());
  for (const ElasticBodyDefinition& body : plan.scene.bodies)
    for (Quantity quantity : quantities_of(falling_body_table())) {
      quantity.name = body.name + "_" + quantity.name;
      result.push_back(std::move(quantity));
    }
  return result;
}

std::vector<Metric> falling_results(const FallingPlan& plan, const FallingOutcome& outcome) {
  std::vector<Metric> result = metrics_of(outcome_table(), outcome);
  for (std::size_t i = 0; i < outcome.bodies.size(); ++i)
    for (Metric metric : metrics_of(falling_body_table(), outcome.bodies[i])) {
      metric.name = plan.scene.bodies[i].name + "_" + metric.name;
      result.push_back(std::move(metric));
    }
  return result;
}

std::vector<Table> falling_tables(const FallingOutcome& outcome) {
  return {reduction_table(outcome), falling_motion_table(outcome)};
}

}  // namespace holo
