#include "studies/elastic_dynamics_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "holo/core/runs/archive.h"
#include "holo/sim/dynamics/body_energy_term.h"
#include "studies/elastic_drawing/body_drawing.h"
#include "studies/elastic_drawing/element_field_drawing.h"
#include "studies/elastic_dynamics_quantities.h"

namespace holo {

namespace {

constexpr std::string_view elastic_dynamics_kind = "elastic_dynamics";
constexpr int elastic_dynamics_version = 6;
constexpr double largest_elastic_integer = 0x1p53;  // that an archive holds exactly

void visit(Archive& archive, ElasticTotals& totals) {
  for (std::int64_t* count :
       {&totals.newton_iterations, &totals.newton_iterations_maximum, &totals.factorizations, &totals.back_substitutions,
        &totals.energy_evaluations, &totals.products, &totals.inverted_elements, &totals.projected_elements,
        &totals.intersections, &totals.singular.resolved, &totals.singular.one_sided, &totals.singular.nondifferentiable,
        &totals.singular.unresolved})
    archive.visit(*count, largest_elastic_integer);
  for (double* value : {&totals.minimum_determinant, &totals.maximum_speed, &totals.largest_residual, &totals.start_energy,
                        &totals.largest_energy, &totals.energies.kinetic, &totals.energies.elastic, &totals.energies.gravity,
                        &totals.energies.bodies})
    archive.visit(*value);
  archive.visit(totals.last_frame, largest_elastic_integer, -1);
}

}  // namespace

void ElasticDynamics::make_scene() {
  scene_.length = model().length();
  scene_.fields = drawn_element_fields(model());
  scene_.vectors = {{"displacement", "m", "from the position at the start of the scene"}, {"velocity", "m/s", ""}};
  scene_.bodies = drawn_bodies(model(), elastic_scene_.schedule);
  for (SceneBody& obstacle : contact_.drawn_obstacles(model())) scene_.bodies.push_back(std::move(obstacle));
  targets_.add_to(scene_);
  forces_.add_to(scene_);
}

std::vector<Quantity> ElasticDynamics::columns() const {
  std::vector<Quantity> columns = quantities_of(elastic_columns());
  for (const Quantity& column : contact_.columns()) columns.push_back(column);
  for (const Quantity& column : sliding_.columns()) columns.push_back(column);
  for (const Quantity& column : losses_.columns()) columns.push_back(column);
  return columns;
}

std::vector<ColumnPlot> ElasticDynamics::plots() const {
  std::vector<ColumnPlot> plots = {
      {"Energies", "time", {"kinetic_energy", "elastic_energy", "gravity_energy", "total_energy"}},
      {"Iterations of the minimizer", "time", {"newton_iterations"}, false, true},
      {"Inverted elements and intersections", "time", {"inverted_elements", "intersections"}, false, true},
      {"Smallest determinant of the deformation gradient", "time", {"minimum_determinant"}},
      {"Largest speed", "time", {"maximum_speed"}},
      {"Center of mass", "time", {"center_of_mass_x", "center_of_mass_y", "center_of_mass_z"}}};
  for (const ColumnPlot& plot : contact_.plots()) plots.push_back(plot);
  for (const ColumnPlot& plot : sliding_.plots()) plots.push_back(plot);
  for (const ColumnPlot& plot : losses_.plots()) plots.push_back(plot);
  return plots;
}

void ElasticDynamics::begin(StudyOutput& output) {
  ElasticStepResult start;
  start.energies = energies(model(), elastic_scene_.gravity, state_);
  start.energies.bodies = body_energies(elastic_scene_.model, state_.positions);
  ElasticDeterminants now = determinants(model(), state_.positions);
  start.minimum_determinant = now.minimum;
  start.inverted_elements = now.inverted_elements;
  totals_.start_energy = start.energies.total();
  const std::int64_t intersections = intersections_.find(state_.positions, state_.time).count();
  account(start, intersections);
  output.log("model", {{"vertices", std::int64_t{model().vertex_count()}},
                       {"elements", std::int64_t{model().element_count()}},
                       {"length", model().length()},
                       {"factorization", integrator_.workspace().factorization().name()}});
  write_row(output, nullptr, start, intersections);
  write_frame(output, nullptr);
}

StepResult ElasticDynamics::step(StudyOutput& output) {
  auto begin = std::chrono::steady_clock::now();
  last_state_ = state_;
  ElasticStepResult result = integrator_.step(state_);
  log_singular(output, result.singular);
  // The integrator left the state as it was: the checkpoint that follows holds the last good one.
  if (!result.advanced) return give_up(output, result.newton);
  const FoundIntersections found = intersections_.find(state_.positions, state_.time);
  if (const FoundIntersections prevented = intersections_.prevented(found); prevented.count() > 0) {
    const std::string places = intersections_.describe(prevented, state_.positions, state_.time);
    state_ = last_state_;
    return give_up(output, fmt::format("{} intersections that contact must prevent: {}. This is an error of the simulation, "
                                       "not of the experiment; a smaller scene.time_step may avoid it.",
                                       prevented.count(), places));
  }
  account(result, found.count());
  write_row(output, &last_state_, result, found.count());
  if (frame_is_due()) write_frame(output, &last_state_);
  output.timings(
      {static_cast<double>(state_.step), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()});
  return {};
}

// Logs the counts of elements at singular points of a step that had some.
void ElasticDynamics::log_singular(StudyOutput& output, const SingularElementCounts& counts) const {
  if (counts.total() == 0) return;
  output.log("singular_elements", {{"step", state_.step},
                                   {"resolved", counts.resolved},
                                   {"one_sided", counts.one_sided},
                                   {"nondifferentiable", counts.nondifferentiable},
                                   {"unresolved", counts.unresolved}});
}

// The state is still that of the step before; it becomes the last frame, for the diagnosis.
StepResult ElasticDynamics::give_up(StudyOutput& output, const NewtonResult& newton) {
  for (const NewtonIteration& it : newton.iterations)
    output.log("newton_iteration", {{"step", state_.step + 1},
                                    {"iteration", std::int64_t{it.iteration}},
                                    {"energy", it.energy},
                                    {"gradient_norm", it.gradient_norm},
                                    {"step_size", it.step_size},
                                    {"step_length", it.step_length},
                                    {"diagonal_shift", it.diagonal_shift},
                                    {"exact_hessian", it.exact_hessian},
                                    {"earlier_factor", it.earlier_factor},
                                    {"products", std::int64_t{it.products}}});
  return give_up(output, fmt::format("{}: {}", to_string(newton.status), newton.diagnosis));
}

StepResult ElasticDynamics::give_up(StudyOutput& output, const std::string& reason) {
  if (totals_.last_frame != state_.step) write_frame(output, nullptr);
  return {true, fmt::format("step {} (time {:.6g} s to {:.6g} s): {}", state_.step + 1, state_.time,
                            state_.time + elastic_scene_.integration.time_step, reason)};
}

void ElasticDynamics::account(const ElasticStepResult& result, std::int64_t intersections) {
  auto iterations = static_cast<std::int64_t>(result.newton.iterations.size());
  totals_.newton_iterations += iterations;
  totals_.newton_iterations_maximum = std::max(totals_.newton_iterations_maximum, iterations);
  totals_.factorizations += result.newton.factorizations + result.start_factorizations;
  totals_.back_substitutions += result.newton.back_substitutions + result.start_factorizations;
  for (const NewtonIteration& iteration : result.newton.iterations) totals_.energy_evaluations += iteration.energy_evaluations;
  totals_.products += result.newton.products;
  totals_.largest_residual = std::max(totals_.largest_residual, result.residual);
  totals_.inverted_elements = std::max<std::int64_t>(totals_.inverted_elements, result.inverted_elements);
  totals_.projected_elements = std::max<std::int64_t>(totals_.projected_elements, result.projected_elements);
  totals_.intersections = std::max(totals_.intersections, intersections);
  totals_.singular += result.singular;
  totals_.minimum_determinant = std::min(totals_.minimum_determinant, result.minimum_determinant);
  totals_.maximum_speed = std::max(totals_.maximum_speed, maximum_speed(state_.velocities));
  totals_.largest_energy = std::max(totals_.largest_energy, result.energies.kinetic + result.energies.elastic);
  totals_.energies = result.energies;
}

void ElasticDynamics::write_row(StudyOutput& output, const ElasticState* before, const ElasticStepResult& result,
                                std::int64_t intersections) {
  std::vector<double> row = row_of(elastic_columns(), {state_, result, center_of_mass(model(), state_), intersections});
  contact_.observe(state_, row);
  sliding_.observe(before, state_, row);
  losses_.observe(state_, row);
  output.row(row);
}

// The first step at or after each multiple of the frames' interval, and the last step.
bool ElasticDynamics::frame_is_due() const {
  if (state_.step == elastic_scene_.integration.step_count) return true;
  // The tolerance counts a step that ends at a multiple up to rounding as one that reached it.
  auto frames_until = [&](double time) { return std::floor(time * frames_per_second_ + 1e-9); };
  return frames_until(state_.time) > frames_until(static_cast<double>(state_.step - 1) * elastic_scene_.integration.time_step);
}

void ElasticDynamics::write_frame(StudyOutput& output, const ElasticState* before) {
  totals_.last_frame = state_.step;
  if (frames_per_second_ <= 0) return;
  frame_.step = state_.step;
  frame_.time = state_.time;
  assign_drawn(model(), state_.positions, frame_.positions);
  frame_.poses = contact_.poses(state_.time);
  frame_.points.clear();
  targets_.draw(targets_.at(state_), frame_);
  forces_.draw(before, state_, frame_);
  frame_.fields.clear();
  append_element_fields(model(), state_.positions, element_fields_, frame_.fields);
  const Eigen::VectorXd displacements = state_.positions - model().start_positions();
  frame_.vectors.resize(2);
  assign_drawn(model(), displacements, frame_.vectors[0]);
  assign_drawn(model(), state_.velocities, frame_.vectors[1]);
  output.frame(frame_);
}

std::string ElasticDynamics::serialize() const {
  Archive archive(elastic_dynamics_kind, elastic_dynamics_version);
  ElasticTotals totals = totals_;
  visit(archive, totals);
  std::string state = holo::serialize(state_);
  archive.visit(state, largest_elastic_integer);
  ElasticContact contact = contact_;
  contact.visit(archive);
  sliding_.save(archive);
  ElasticLosses losses = losses_;
  losses.visit(archive);
  return archive.take_bytes();
}

void ElasticDynamics::deserialize(std::string_view bytes) {
  Archive archive(elastic_dynamics_kind, elastic_dynamics_version, bytes);
  ElasticTotals totals;
  visit(archive, totals);
  std::string state;
  archive.visit(state, largest_elastic_integer);
  contact_.visit(archive);
  sliding_.load(archive);
  losses_.visit(archive);
  archive.require_end();
  const ElasticState loaded = holo::deserialize(model(), state);
  state_ = loaded;
  totals_ = totals;
}

std::vector<StateArray> ElasticDynamics::state_arrays() {
  const std::vector<std::int64_t> shape{state_.positions.size() / 3, 3};
  return {{"positions", "m", "of all vertices of the model", shape, state_.positions.data()},
          {"velocities", "m/s", "of all vertices of the model", shape, state_.velocities.data()}};
}

std::vector<Metric> ElasticDynamics::finish() {
  std::vector<Metric> metrics = metrics_of(elastic_metrics(), {model(), state_, totals_});
  for (const Metric& metric : contact_.metrics()) metrics.push_back(metric);
  for (const Metric& metric : sliding_.metrics()) metrics.push_back(metric);
  for (const Metric& metric : losses_.metrics()) metrics.push_back(metric);
  return metrics;
}

}  // namespace holo
