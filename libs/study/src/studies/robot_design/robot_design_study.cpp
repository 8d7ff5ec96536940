#include "studies/robot_design/robot_design_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "studies/robot_design/coordinate_units.h"

namespace holo {

namespace {

// The points of bodies that the objectives compare with the signal.
std::vector<BodyPoint> followers(const std::vector<NamedLoss>& losses, int signal) {
  std::vector<BodyPoint> points;
  for (const NamedLoss& loss : losses) {
    const holo_loss_description& d = loss.instance->description();
    const bool reads_it = std::any_of(d.data, d.data + d.datum_count, [&](const holo_datum& datum) {
      return datum.kind == HOLO_DATUM_SIGNAL && int(datum.subject) == signal;
    });
    for (std::uint32_t i = 0; reads_it && i < d.observable_count; ++i) {
      const holo_observable& o = d.observables[i];
      if (o.kind == HOLO_OBSERVABLE_POINT)
        points.push_back({int(o.subject), Eigen::Vector3d(o.point[0], o.point[1], o.point[2])});
    }
  }
  return points;
}

// Splits a plot of too many curves into several with as equal numbers of curves as possible.
std::vector<ColumnPlot> in_readable_parts(const ColumnPlot& plot) {
  constexpr std::size_t most = 12;  // curves: six quantities, before and after
  const std::size_t pairs = plot.y.size() / 2, parts = (plot.y.size() + most - 1) / most;
  if (parts < 2) return {plot};
  std::vector<ColumnPlot> result(parts, plot);
  for (std::size_t i = 0; i < parts; ++i) {
    const auto first = 2 * std::ptrdiff_t(i * pairs / parts), last = 2 * std::ptrdiff_t((i + 1) * pairs / parts);
    result[i].y.assign(plot.y.begin() + first, plot.y.begin() + last);
    result[i].reference.assign(plot.reference.begin() + first / 2, plot.reference.begin() + last / 2);
    result[i].title += fmt::format(", {} of {}", i + 1, parts);
  }
  return result;
}

}  // namespace

RobotDesign::RobotDesign(RobotDesignPlan plan, double frames_per_second) : plan_(std::move(plan)) {
  ComputedSignals signals = compute_signals(*plan_.signals, plan_.time_step);
  const Eigen::MatrixXd initial_controls = plan_.initial_controls(signals);
  record_signals(plan_, initial_controls, signals);
  signals.store.require_bounds();
  plan_.add_losses_of_collisions();
  signals_.emplace(RobotSignals{std::move(signals.store), initial_controls});
  attempt_ = make_attempt(plan_, *signals_, 0);
  if (frames_per_second > 0) make_drawing();
}

void RobotDesign::make_drawing() {
  std::vector<int> redundant_joints;
  for (const RedundantEquation& redundant : attempt_.motion.elimination.redundant)
    redundant_joints.push_back(plan_.layout->equations()[std::size_t(redundant.equation)].joint);
  std::vector<DrawnTarget> targets;
  for (const int signal : points_among(*plan_.signals))
    for (const SignalNames::Signal& named : plan_.signals->store.signals())
      if (named.number == signal) targets.push_back({named.name, followers(plan_.losses(), signal)});
  drawing_ = std::make_unique<RobotDrawing>(*plan_.model, redundant_joints,
                                            plan_.collisions ? plan_.collisions->capsules : std::vector<BodyCapsule>{}, targets,
                                            attempt_.motion.states);
}

std::vector<std::string> RobotDesign::kernels() const {
  return {fmt::format("steps of the quadratic programs: {}; {} states, {} controls, {} design parameters, {} knots",
                      to_string(plan_.solver.step), attempt_.problem().layout().state_count,
                      attempt_.problem().layout().control_count, attempt_.problem().layout().parameter_count,
                      plan_.knot_count)};
}

std::vector<ColumnPlot> RobotDesign::plots() const {
  const auto add = [](ColumnPlot& plot, const std::string& column) {
    plot.y.insert(plot.y.end(), {column + "_initial", column + "_optimized"});
    plot.reference.push_back(column + "_initial");
  };
  // One plot for each measure with a pair of curves for each objective, one for the controls of each unit, and one for the
  // smallest singular value.
  std::map<std::string, ColumnPlot> of_measure;
  for (const NamedLoss& loss : plan_.losses()) {
    const holo_loss_description& d = loss.instance->description();
    for (std::uint32_t i = 0; i < d.measure_count; ++i) {
      ColumnPlot& plot = of_measure[d.measures[i].name];
      plot.title = d.measures[i].name;
      add(plot, fmt::format("{}_{}", loss.name, d.measures[i].name));
    }
  }
  std::vector<ColumnPlot> plots;
  const auto take = [&](const ColumnPlot& plot) {
    for (ColumnPlot& part : in_readable_parts(plot)) plots.push_back(std::move(part));
  };
  for (const auto& [measure, plot] : of_measure) take(plot);
  const std::vector<std::string> units = control_units(*plan_.layout);
  std::map<std::string, ColumnPlot> of_unit;
  for (std::size_t i = 0; i < units.size(); ++i) {
    ColumnPlot& plot = of_unit[units[i]];
    plot.title = "Controls";
    add(plot, "control_" + plan_.layout->control_names()[i]);
  }
  for (const auto& [unit, plot] : of_unit) take(plot);
  for (ColumnPlot& plot : plots) plot.own_names = true;
  ColumnPlot& regularity = plots.emplace_back();
  regularity.title = "Smallest singular value";
  regularity.logarithmic = true;
  add(regularity, "smallest_singular_value");
  for (ColumnPlot& plot : plots) {
    plot.x = "time";
    plot.title += beginnings_of_tasks();
  }
  return plots;
}

// " (draw; from 2.05 s on swing)"; "" where there is one motion.
std::string RobotDesign::beginnings_of_tasks() const {
  std::string text;
  for (const PlannedTask& task : plan_.tasks)
    if (!task.name.empty())
      text +=
          text.empty() ? " (" + task.name : fmt::format("; from {:.4g} s on {}", plan_.time_step * task.at.first, task.name);
  return text.empty() ? text : text + ")";
}

void RobotDesign::begin(StudyOutput& output) {
  for (const RedundantEquation& redundant : attempt_.motion.elimination.redundant)
    output.log("redundant_equation", {{"equation", redundant.name}, {"reason", redundant.reason}});
  for (const std::string& note : notes_of_start()) output.log("note", {{"of", "initial motion"}, {"text", note}});
}

std::string RobotDesign::name_of_optimization(std::size_t number) const {
  const std::string name = number < first_phase() ? "initial motion" : plan_.phases[number - first_phase()].name;
  return has_starts() ? fmt::format("{}, start {}", name, attempt_.number + 1) : name;
}

std::int64_t RobotDesign::open_optimization_count() const {
  const std::size_t starts = std::size_t(plan_.starts.count);
  if (outcomes_.size() == starts) return 0;
  return std::int64_t(optimization_count() - attempt_.solved.size() + (starts - outcomes_.size() - 1) * plan_.phases.size());
}

void RobotDesign::begin_optimization() {
  const std::size_t next = attempt_.solved.size();
  if (next < first_phase()) {
    designer_ = std::make_unique<MechanismDesigner>(attempt_.problem().with_fixed_design(optimized().parameters), optimized(),
                                                    plan_.solver, plan_.monitor);
    return;
  }
  MechanismProblem problem = *attempt_.phases[next - first_phase()];
  problem.recenter(optimized());
  designer_ = std::make_unique<MechanismDesigner>(std::move(problem), optimized(), plan_.solver, plan_.monitor);
}

StepResult RobotDesign::step(StudyOutput& output) {
  if (!designer_) begin_optimization();
  // A step of the study is a part of an optimization. A renewed elimination also changes the layout of all stored points.
  const StagedSqpResult result = designer_->advance();
  ++steps_;
  log_iterations(output, name_of_optimization(attempt_.solved.size()), result);
  log_equations(output);
  if (designer_->new_elimination())  // everything but the optimization under way moves to the other equations
    attempt_.take_equations(designer_->problem().equations().layout().elimination(), *plan_.layout, plan_.time_step);
  if (result.status != StagedSqpStatus::unfinished) finish_optimization(output, result);
  return {};
}

void RobotDesign::finish_optimization(StudyOutput& output, const StagedSqpResult& result) {
  SolvedPhase next{.iterations = designer_->state().sqp.iteration,
                   .has_converged = result.status == StagedSqpStatus::converged,
                   .objective = result.objective,
                   .diagnosis = result.diagnosis,
                   .point = designer_->point()};
  // An optimization that did not converge still gives the best point found; acceptance may require `converged`.
  if (!next.has_converged)
    output.log("not_converged", {{"of", name_of_optimization(attempt_.solved.size())},
                                 {"status", to_string(result.status)},
                                 {"diagnosis", result.diagnosis}});
  attempt_.solved.push_back(std::move(next));
  designer_.reset();
  if (attempt_.solved.size() != optimization_count()) return;
  finish_attempt(output);
}

void RobotDesign::log_equations(StudyOutput& output) const {
  if (!designer_->refusal().empty())
    output.log("elimination_unchanged",
               {{"of", name_of_optimization(attempt_.solved.size())}, {"reason", designer_->refusal()}});
  if (!designer_->new_elimination()) return;
  const NewElimination& renewed = *designer_->new_elimination();
  output.log("elimination_renewed", {{"of", name_of_optimization(attempt_.solved.size())},
                                     {"knot", renewed.before.knot},
                                     {"smallest_singular_value_before", renewed.before.independent},
                                     {"smallest_singular_value_after", renewed.after.independent},
                                     {"smallest_singular_value_of_all_equations", renewed.before.all}});
  for (const RedundantEquation& redundant : renewed.elimination.redundant)
    output.log("redundant_equation", {{"equation", redundant.name}, {"reason", redundant.reason}});
}

void RobotDesign::log_iterations(StudyOutput& output, const std::string& of, const StagedSqpResult& result) const {
  for (const StagedSqpIteration& i : result.iterations) {
    LogFields fields = {{"of", of},
                        {"iteration", i.iteration},
                        {"objective", i.objective},
                        {"constraint_largest", i.constraint_largest},
                        {"stationarity", i.stationarity},
                        {"step_largest", i.step_largest},
                        {"step_length", i.step_length},
                        {"shift", i.shift},
                        {"penalty", i.penalty},
                        {"largest_redundant_residual", i.largest_redundant_residual},
                        {"assembly_time", i.assembly_time},
                        {"condense_time", i.condense_time},
                        {"recursion_time", i.recursion_time},
                        {"line_search_time", i.line_search_time}};
    if (plan_.restrictions.lower().size() > 0) fields.emplace_back("active_bounds", std::int64_t(i.active_bounds));
    output.log("sqp_iteration", fields);
  }
}

}  // namespace holo
