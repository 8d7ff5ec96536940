#include "studies/elastic_solver_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/numerics/median.h"
#include "holo/core/numerics/stopwatch.h"
#include "holo/core/runs/archive.h"
#include "holo/sim/elastic/elastic_contents.h"
#include "studies/elastic_drawing/body_drawing.h"
#include "studies/metric_kinds.h"

namespace holo {

namespace {

constexpr std::string_view checkpoint_kind = "elastic_solvers";
constexpr int checkpoint_version = 1;
constexpr double largest_integer = 0x1p53;  // that an archive holds exactly
constexpr double never = std::numeric_limits<double>::infinity();

// The numbers of a step that a checkpoint holds.
constexpr double SolverStep::*step_numbers[] = {
    &SolverStep::iterations, &SolverStep::products,     &SolverStep::energy_evaluations,
    &SolverStep::residual,   &SolverStep::difference,   &SolverStep::product_error,
    &SolverStep::time,       &SolverStep::assembly_time};

const QuantityTable<SolverStep>& step_columns() {
  using S = const SolverStep&;
  static const QuantityTable<SolverStep> table{
      {{"iterations", "1", "of the minimizer in the step"}, [](S s) { return s.iterations; }},
      {{"products", "1", "of the Hessian with a vector"}, [](S s) { return s.products; }},
      {{"energy_evaluations", "1", "by the line searches"}, [](S s) { return s.energy_evaluations; }},
      {{"residual", "N", "norm of the gradient at the end of the step, by the derivatives of the first run"},
       [](S s) { return s.residual; }},
      {{"difference", "1", "largest distance of a vertex from that of the first run, over the scene's length"},
       [](S s) { return s.difference; }},
      {{"product_error", "1", "of a product of the Hessian with the step's displacement, relative to that of the matrix"},
       [](S s) { return s.product_error; }}};
  return table;
}

// What has not happened is NaN; a run that failed has no values any more.
SolverStep no_step() {
  SolverStep step;
  for (double SolverStep::*number : step_numbers) step.*number = std::nan("");
  return step;
}

double largest_distance(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  double largest = 0;
  for (Eigen::Index i = 0; i < a.size(); i += 3) largest = std::max(largest, (a.segment<3>(i) - b.segment<3>(i)).squaredNorm());
  return std::sqrt(largest);
}

template <class Value>
double sum_of(const std::vector<SolverStep>& steps, std::size_t count, const Value& value) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += value(steps[i]);
  return sum;
}

}  // namespace

ElasticSolvers::Run::Run(const SolverComparison& comparison, const SolverRunDefinition& of)
    : definition(of),
      scene([&] {
        ElasticSceneDefinition own = comparison.scene;
        own.differentiation = of.elements;
        return ElasticScene(own);
      }()),
      integrator(scene),
      state(initial_state(model())) {
  integrator.use(of.solver);
  if (of.solver.method == StepMethod::newton_pcg)
    products = std::make_unique<MatrixFreePotential>(integrator.potential(), true);
}

ElasticSolvers::ElasticSolvers(const SolverComparison& comparison)
    : comparison_(comparison),
      runs_([&] {
        std::vector<std::unique_ptr<Run>> runs;
        for (const SolverRunDefinition& run : comparison.runs) runs.push_back(std::make_unique<Run>(comparison, run));
        return runs;
      }()),
      judge_(runs_.front()->scene),
      contact_(runs_.front()->scene.contact) {
  make_scene();
}

// Runs stand side by side along x, each with its own obstacles.
void ElasticSolvers::make_scene() {
  const Run& first = *runs_.front();
  const double length = first.model().length();
  scene_.length = length;
  scene_.fields = {{"difference", "m", "from the vertex of the first run", {}, 1e-13 * length}};
  scene_.vectors = {{"displacement", "m", "from the position at the start of the scene"}, {"velocity", "m/s", ""}};
  for (std::size_t i = 0; i < runs_.size(); ++i)
    scene_.groups.push_back({runs_[i]->definition.name, {static_cast<double>(i) * 1.2 * length, 0, 0}});
  const auto add = [&](std::size_t run, SceneBody body) {
    body.name = runs_[run]->definition.name + ": " + body.name;
    body.group = static_cast<int>(run);
    scene_.bodies.push_back(std::move(body));
  };
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (const SceneBody& body : drawn_bodies(runs_[i]->model(), runs_[i]->scene.schedule)) add(i, body);
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (const SceneBody& obstacle : contact_.drawn_obstacles(first.model())) add(i, obstacle);
}

std::int64_t ElasticSolvers::total_steps() const { return runs_.front()->scene.integration.step_count; }

std::vector<std::string> ElasticSolvers::kernels() const {
  std::vector<std::string> lines;
  for (const auto& run : runs_)
    for (const std::string& line : run->model().kernel_names()) lines.push_back(run->definition.name + ": " + line);
  return lines;
}

std::vector<std::string> ElasticSolvers::contents() const {
  return elastic_contents(runs_.front()->model(), runs_.front()->scene.schedule);
}

std::vector<Quantity> ElasticSolvers::columns() const {
  std::vector<Quantity> result{{"step", "1", "number of the step"},
                               {"time", "s", "simulated time"},
                               {"touching_vertices", "1", "vertices of the first run that obstacles or surfaces repel"}};
  for (const auto& run : runs_)
    for (const Quantity& each : quantities_of(step_columns()))
      result.push_back({run->definition.name + "_" + each.name, each.unit, each.documentation});
  return result;
}

std::vector<Quantity> ElasticSolvers::timing_columns() const {
  std::vector<Quantity> result{{"step", "1", "number of the step"}};
  for (const auto& run : runs_) {
    result.push_back({run->definition.name, "s", "of the step, by the clock"});
    result.push_back({run->definition.name + "_assembly", "s", "of one gradient and Hessian at the end of the step"});
  }
  return result;
}

std::vector<ColumnPlot> ElasticSolvers::plots() const {
  const auto plot = [&](const char* title, const char* quantity, bool logarithmic, std::size_t first = 0) {
    ColumnPlot result;
    result.title = title;
    result.x = "time";
    for (std::size_t i = first; i < runs_.size(); ++i) result.y.push_back(runs_[i]->definition.name + "_" + quantity);
    result.logarithmic = logarithmic;
    result.label = quantity;
    return result;
  };
  ColumnPlot times;
  times.title = "Time of a step by the clock";
  times.x = "step";
  for (const auto& run : runs_) times.y.push_back(run->definition.name);
  times.logarithmic = times.timings = times.own_names = true;
  times.label = "time";
  return {plot("Difference from the first run, over the scene's length", "difference", true, 1),
          plot("Residual at the end of a step", "residual", true), plot("Iterations of a step", "iterations", true), times};
}

void ElasticSolvers::begin(StudyOutput& output) {
  const ElasticModel& model = runs_.front()->model();
  output.log("model", {{"vertices", std::int64_t{model.vertex_count()}},
                       {"elements", std::int64_t{model.element_count()}},
                       {"length", model.length()}});
  write_frame(output);
}

StepResult ElasticSolvers::step(StudyOutput& output) {
  ++step_;
  const Run& first = *runs_.front();
  for (const auto& run : runs_)
    if (run->failed_step == 0 && first.failed_step == 0) advance(*run, output);
  if (first.failed_step > 0) {
    --step_;
    return {true, fmt::format("the first run, '{}', with which the others are compared, failed in step {}: {}",
                              first.definition.name, first.failed_step, first.failure)};
  }
  write_row(output);
  write_frame(output);
  return {};
}

void ElasticSolvers::advance(Run& run, StudyOutput& output) {
  const ElasticState before = run.state;
  SolverStep step;
  ElasticStepResult result;
  step.time = seconds_of(wall_seconds, [&] { result = run.integrator.step(run.state); });
  if (!result.advanced) {
    run.failed_step = step_;
    run.failure = to_string(result.newton.status) + ": " + result.newton.diagnosis;
    output.log("run_failed", {{"run", run.definition.name}, {"step", step_}, {"diagnosis", run.failure}});
    return;
  }
  step.iterations = static_cast<double>(result.newton.iterations.size());
  step.products = result.newton.products;
  for (const NewtonIteration& iteration : result.newton.iterations) step.energy_evaluations += iteration.energy_evaluations;
  step.residual = residual_of(before, run.state.positions);
  step.difference = largest_distance(run.state.positions, runs_.front()->state.positions) / run.model().length();
  step.assembly_time = assembly_time_of(run);
  step.product_error = run.products ? product_error_of(run, before.positions) : std::nan("");
  run.steps.push_back(step);
  if (contact_step_ == 0 && run.scene.contact.surface &&
      summarize_contact(run.scene.contact, run.state.positions, run.state.time).touching_vertices > 0)
    contact_step_ = step_;
}

// The gradient of the step from `before`, by the derivatives of the first run; friction is that of the start of the step.
double ElasticSolvers::residual_of(const ElasticState& before, const Eigen::VectorXd& after) {
  Eigen::VectorXd gradient;
  judge_.potential().begin_step(judge_.scene().step_from(before), judge_.scene().schedule);
  judge_.potential().gradient(after, gradient);
  return gradient.norm();
}

// The second of two assemblies: the first one brings the matrix and the caches into the same state for each run. The potential
// is still that of the step.
double ElasticSolvers::assembly_time_of(Run& run) {
  const auto assemble = [&] {
    run.integrator.potential().derivatives(run.state.positions, Curvature::exact, run.gradient, run.hessian);
  };
  assemble();
  return seconds_of(wall_seconds, assemble);
}

// Of the product with the step's displacement at its end, by the matrix that was assembled there.
double ElasticSolvers::product_error_of(Run& run, const Eigen::VectorXd& before) {
  Eigen::VectorXd displacement = run.state.positions - before, product;
  for (int vertex = 0; vertex < run.model().vertex_count(); ++vertex)
    if (run.integrator.potential().prescribed(vertex)) displacement.segment<3>(3 * vertex).setZero();
  run.products->linearize(run.state.positions, true, run.gradient);
  run.products->multiply(displacement, product);
  const Eigen::VectorXd assembled = run.hessian.selfadjointView<Eigen::Lower>() * displacement;
  return (product - assembled).norm() / assembled.norm();
}

void ElasticSolvers::write_row(StudyOutput& output) {
  const Run& first = *runs_.front();
  const double touching =
      first.scene.contact.surface
          ? summarize_contact(first.scene.contact, first.state.positions, first.state.time).touching_vertices
          : 0;
  std::vector<double> row{static_cast<double>(step_), first.state.time, touching}, times{static_cast<double>(step_)};
  for (const auto& run : runs_) {
    const SolverStep step = run->failed_step > 0 ? no_step() : run->steps.back();
    for (const double value : row_of(step_columns(), step)) row.push_back(value);
    times.push_back(step.time);
    times.push_back(step.assembly_time);
  }
  output.row(row);
  output.timings(times);
}

// A frame at the start, at the first step at or after each multiple of the frames' interval, and at the end.
void ElasticSolvers::write_frame(StudyOutput& output) {
  if (comparison_.frames_per_second <= 0) return;
  const Run& first = *runs_.front();
  const double rate = comparison_.frames_per_second * first.scene.integration.time_step;
  // The tolerance counts a step that ends at a multiple up to rounding as one that reached it.
  const auto frames_until = [&](std::int64_t step) { return std::floor(static_cast<double>(step) * rate + 1e-9); };
  if (step_ > 0 && step_ < total_steps() && frames_until(step_) <= frames_until(step_ - 1)) return;
  frame_.step = step_;
  frame_.time = first.state.time;
  frame_.positions.clear();
  frame_.poses.clear();
  frame_.fields.assign(1, {});
  frame_.vectors.assign(2, {});
  const auto append = [](const auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
  std::vector<double> drawn;
  const auto append_vectors = [&](const Eigen::VectorXd& of_vertices, std::vector<double>& to) {
    assign_drawn(first.model(), of_vertices, drawn);
    append(drawn, to);
  };
  for (const auto& run : runs_) {
    append_vectors(run->state.positions, frame_.positions);
    append_vectors(run->state.positions - run->model().start_positions(), frame_.vectors[0]);
    append_vectors(run->state.velocities, frame_.vectors[1]);
    assign_drawn(first.model(), run->state.positions - first.state.positions, drawn);
    for (std::size_t i = 0; i < drawn.size(); i += 3)
      frame_.fields[0].push_back(static_cast<float>(std::hypot(drawn[i], drawn[i + 1], drawn[i + 2])));
  }
  for (std::size_t i = 0; i < runs_.size(); ++i) append(contact_.poses(first.state.time), frame_.poses);
  output.frame(frame_);
}

std::string ElasticSolvers::serialize() const {
  Archive archive(checkpoint_kind, checkpoint_version);
  std::int64_t step = step_, contact_step = contact_step_;
  archive.visit(step, largest_integer);
  archive.visit(contact_step, largest_integer);
  for (const auto& run : runs_) {
    std::string state = holo::serialize(run->state), failure = run->failure;
    std::int64_t failed_step = run->failed_step;
    archive.visit(state, largest_integer);
    archive.visit(failed_step, largest_integer);
    archive.visit(failure, largest_integer);
    for (double SolverStep::*number : step_numbers) {
      std::vector<double> values;
      for (const SolverStep& each : run->steps) values.push_back(each.*number);
      archive.visit(values);
    }
  }
  return archive.take_bytes();
}

void ElasticSolvers::deserialize(std::string_view bytes) {
  Archive archive(checkpoint_kind, checkpoint_version, bytes);
  archive.visit(step_, largest_integer);
  archive.visit(contact_step_, largest_integer);
  for (const auto& run : runs_) {
    std::string state;
    archive.visit(state, largest_integer);
    run->state = holo::deserialize(run->model(), state);
    archive.visit(run->failed_step, largest_integer);
    archive.visit(run->failure, largest_integer);
    const std::int64_t expected = run->failed_step > 0 ? run->failed_step - 1 : step_;
    run->steps.assign(static_cast<std::size_t>(expected), {});
    for (double SolverStep::*number : step_numbers) {
      std::vector<double> values;
      archive.visit(values);
      if (values.size() != run->steps.size()) Archive::refuse("a run has not as many steps as it should");
      for (std::size_t i = 0; i < values.size(); ++i) run->steps[i].*number = values[i];
    }
  }
  archive.require_end();
}

std::vector<Quantity> ElasticSolvers::scene_metrics() {
  return {{"elements", "1", "tetrahedra of all bodies"},
          {"vertices", "1", "vertices of all bodies"},
          {"steps", "1", "time steps"},
          {"contact_step", "1", "first step at whose end a vertex of any run is repelled; infinity: none"}};
}

std::vector<Quantity> ElasticSolvers::run_metrics() {
  return {
      {"steps", "1", "time steps that the run took"},
      {"iterations_mean", "1", "per step"},
      {"products_mean", "1", "of the Hessian with a vector, per step"},
      {"different_iterations", "1", "steps with another number of iterations than the first run's"},
      {"difference_before_contact", "1", "largest difference from the first run at steps before contact_step"},
      {"difference_after_contact", "1", "the same from contact_step on"},
      {"residual_max", "N", "largest residual of a step"},
      {"residual_ratio", "1", "median of the residuals over those of the first run"},
      {"product_error", "1", "largest error of a product of the Hessian; NaN for minimizers without products"},
      {"time", "s", "of all steps by the clock", true},
      {"time_ratio", "1", "time over that of the first run, of the steps that both took", true},
      {"assembly_time_ratio", "1", "time of one gradient and Hessian over that of the first run, median of the steps", true},
      {"failed_step", "1", "step in which the minimizer failed; infinity: none"},
      {"stagnated_step", "1", "first step whose residual is more than `stagnation` times the first run's; infinity: none"}};
}

std::int64_t ElasticSolvers::stagnated_step(const Run& run) const {
  const std::vector<SolverStep>& first = runs_.front()->steps;
  for (std::size_t i = 0; i < run.steps.size(); ++i)
    if (!(run.steps[i].residual <= comparison_.stagnation * first[i].residual)) return static_cast<std::int64_t>(i) + 1;
  return 0;
}

std::vector<double> ElasticSolvers::metrics_of_run(const Run& run) const {
  const std::vector<SolverStep>& first = runs_.front()->steps;
  const std::size_t count = run.steps.size();
  double different = 0, before = 0, after = 0, residual = 0, error = run.products ? 0 : std::nan("");
  std::vector<double> ratios, assembly_ratios;
  for (std::size_t i = 0; i < count; ++i) {
    const SolverStep& step = run.steps[i];
    different += step.iterations != first[i].iterations;
    const bool touches = contact_step_ > 0 && static_cast<std::int64_t>(i) + 1 >= contact_step_;
    (touches ? after : before) = std::max(touches ? after : before, step.difference);
    residual = std::max(residual, step.residual);
    if (run.products) error = std::max(error, step.product_error);
    ratios.push_back(step.residual / first[i].residual);
    assembly_ratios.push_back(step.assembly_time / first[i].assembly_time);
  }
  const auto mean = [&](double SolverStep::*number) {
    return sum_of(run.steps, count, [number](const SolverStep& s) { return s.*number; }) /
           static_cast<double>(std::max<std::size_t>(count, 1));
  };
  const auto time = [&](const std::vector<SolverStep>& steps) {
    return sum_of(steps, count, [](const SolverStep& s) { return s.time; });
  };
  const std::int64_t stagnated = stagnated_step(run);
  return {static_cast<double>(count),
          mean(&SolverStep::iterations),
          mean(&SolverStep::products),
          different,
          before,
          after,
          residual,
          count > 0 ? median(ratios) : std::nan(""),
          error,
          time(run.steps),
          time(run.steps) / time(first),
          count > 0 ? median(assembly_ratios) : std::nan(""),
          run.failed_step > 0 ? static_cast<double>(run.failed_step) : never,
          stagnated > 0 ? static_cast<double>(stagnated) : never};
}

std::vector<Metric> ElasticSolvers::finish() {
  const ElasticModel& model = runs_.front()->model();
  std::vector<Metric> metrics{{"elements", static_cast<double>(model.element_count())},
                              {"vertices", static_cast<double>(model.vertex_count())},
                              {"steps", static_cast<double>(step_)},
                              {"contact_step", contact_step_ > 0 ? static_cast<double>(contact_step_) : never}};
  for (const auto& run : runs_) {
    const std::vector<double> values = metrics_of_run(*run);
    const std::vector<Quantity> names = run_metrics();
    for (std::size_t i = 0; i < names.size(); ++i) metrics.push_back({run->definition.name + "_" + names[i].name, values[i]});
  }
  return metrics;
}

std::vector<Table> ElasticSolvers::tables() {
  Table table{"Runs",
              "Differences, residuals and times are compared with those of the first run; residuals are gradients by its "
              "derivatives.",
              {{"run", ""}, {"elements", ""}},
              {}};
  for (const Quantity& metric : run_metrics()) table.columns.push_back({metric.name, metric.unit == "1" ? "" : metric.unit});
  for (const auto& run : runs_) {
    std::vector<Cell> row{run->definition.name, to_string(run->definition.elements)};
    for (const double value : metrics_of_run(*run)) row.push_back(value);
    table.rows.push_back(std::move(row));
  }
  return {table};
}

std::vector<Diagnosis> ElasticSolvers::diagnoses() const {
  std::vector<Diagnosis> result;
  for (const auto& run : runs_)
    if (run->failed_step > 0)
      result.push_back(
          {fmt::format("run '{}' ended in step {}: {}", run->definition.name, run->failed_step, run->failure), false});
  return result;
}

}  // namespace holo
