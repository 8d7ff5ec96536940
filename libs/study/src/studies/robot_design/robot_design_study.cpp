#include "studies/robot_design/robot_design_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "studies/robot_design/coordinate_units.h"
#include "studies/robot_design/initial_motion.h"

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
  auto [motion, data] = make_initial_motion(plan_, signals.store, initial_controls);
  motion_ = std::move(motion);
  for (const DesignPhase& phase : plan_.phases) {
    phases_.push_back(std::make_unique<MechanismProblem>(motion_.equations, phase.losses, data, motion_.prescribed));
    problem_ = phases_.back().get();
    problem_->avoid_singularities(plan_.singularity);
    start_ = problem_->point(motion_.states, motion_.controls, motion_.parameters);
    if (plan_.assembly == AssemblyRule::constrain)
      assembly_equations_ = problem_->constrain_assembly(start_, motion_.nullity());
  }
  if (frames_per_second > 0) make_drawing();
}

void RobotDesign::make_drawing() {
  std::vector<int> redundant_joints;
  for (const RedundantEquation& redundant : motion_.elimination.redundant)
    redundant_joints.push_back(plan_.layout->equations()[std::size_t(redundant.equation)].joint);
  std::vector<DrawnTarget> targets;
  for (const int signal : points_among(*plan_.signals))
    for (const SignalNames::Signal& named : plan_.signals->store.signals())
      if (named.number == signal) targets.push_back({named.name, followers(plan_.losses(), signal)});
  drawing_ = std::make_unique<RobotDrawing>(*plan_.model, redundant_joints,
                                            plan_.collisions ? plan_.collisions->capsules : std::vector<BodyCapsule>{}, targets,
                                            motion_.states);
}

std::vector<std::string> RobotDesign::kernels() const {
  return {fmt::format("steps of the quadratic programs: {}; {} states, {} controls, {} design parameters, {} knots",
                      to_string(plan_.solver.step), problem_->layout().state_count, problem_->layout().control_count,
                      problem_->layout().parameter_count, plan_.knot_count)};
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
  for (const RedundantEquation& redundant : motion_.elimination.redundant)
    output.log("redundant_equation", {{"equation", redundant.name}, {"reason", redundant.reason}});
  for (const std::string& note : notes_of_start()) output.log("note", {{"of", "initial motion"}, {"text", note}});
}

const std::string& RobotDesign::name_of_optimization(std::size_t number) const {
  static const std::string initial = "initial motion";
  return number < first_phase() ? initial : plan_.phases[number - first_phase()].name;
}

void RobotDesign::begin_optimization() {
  // The optimization of the initial motion fixes the design. A phase begins at the result of the one before, which becomes
  // the regularizer's center.
  const bool holds = solved_.size() < first_phase();
  MechanismProblem problem = holds ? *problem_ : *phases_[solved_.size() - first_phase()];
  if (holds)
    problem.fix_parameters(optimized().parameters);
  else
    problem.recenter(optimized());
  designer_ = std::make_unique<MechanismDesigner>(std::move(problem), optimized(), plan_.solver, plan_.monitor);
}

StepResult RobotDesign::step(StudyOutput& output) {
  if (!designer_) begin_optimization();
  // A step of the study is a part of an optimization. A renewed elimination also changes the layout of all stored points.
  const StagedSqpResult result = designer_->advance();
  ++steps_;
  log_iterations(output, name_of_optimization(solved_.size()), result);
  log_equations(output);
  if (designer_->new_elimination()) take_equations(designer_->problem().equations().layout().elimination());
  if (result.status != StagedSqpStatus::unfinished) finish_optimization(output, result);
  return {};
}

void RobotDesign::finish_optimization(StudyOutput& output, const StagedSqpResult& result) {
  Solved next{.iterations = designer_->state().sqp.iteration,
              .has_converged = result.status == StagedSqpStatus::converged,
              .diagnosis = result.diagnosis,
              .point = designer_->point()};
  // An optimization that did not converge still gives the best point found; acceptance may require `converged`.
  if (!next.has_converged)
    output.log(
        "not_converged",
        {{"of", name_of_optimization(solved_.size())}, {"status", to_string(result.status)}, {"diagnosis", result.diagnosis}});
  solved_.push_back(std::move(next));
  designer_.reset();
  if (solved_.size() != optimization_count()) return;
  for (const MotionPassage& passage : passages()) output.log("note", {{"of", "optimized motion"}, {"text", passage.text}});
  write_knots(output);
  write_motion_tables(output);
}

// Replaces the elimination of redundant equations in all problems and points but those of the optimization under way, which the
// designer has replaced itself.
void RobotDesign::take_equations(const Elimination& elimination) {
  // Nothing changes if the elimination is the present one.
  const std::shared_ptr<const MechanismLayout> before = motion_.layout;
  if (elimination.redundant == before->elimination().redundant &&
      elimination.dependent_controls == before->elimination().dependent_controls)
    return;
  motion_.layout = std::make_shared<const MechanismLayout>(plan_.model, elimination);
  motion_.equations = std::make_shared<const ConstraintEquations>(motion_.layout);
  for (auto& phase : phases_) *phase = phase->with_equations(motion_.equations);
  start_ = rearranged(start_, *before, *motion_.layout, plan_.time_step);
  for (Solved& solved : solved_) solved.point = rearranged(solved.point, *before, *motion_.layout, plan_.time_step);
  motion_.elimination.redundant.clear();
  for (const int equation : elimination.redundant)
    motion_.elimination.redundant.push_back(
        {equation, plan_.layout->equation_name(equation),
         "follows from the others; eliminated anew, since the independent equations chosen before became singular"});
}

void RobotDesign::log_equations(StudyOutput& output) const {
  if (!designer_->refusal().empty())
    output.log("elimination_unchanged", {{"of", name_of_optimization(solved_.size())}, {"reason", designer_->refusal()}});
  if (!designer_->new_elimination()) return;
  const NewElimination& renewed = *designer_->new_elimination();
  output.log("elimination_renewed", {{"of", name_of_optimization(solved_.size())},
                                     {"knot", renewed.before.knot},
                                     {"smallest_singular_value_before", renewed.before.independent},
                                     {"smallest_singular_value_after", renewed.after.independent},
                                     {"smallest_singular_value_of_all_equations", renewed.before.all}});
  for (const RedundantEquation& redundant : renewed.elimination.redundant)
    output.log("redundant_equation", {{"equation", redundant.name}, {"reason", redundant.reason}});
}

void RobotDesign::log_iterations(StudyOutput& output, const std::string& of, const StagedSqpResult& result) const {
  for (const StagedSqpIteration& i : result.iterations)
    output.log("sqp_iteration", {{"of", of},
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
                                 {"line_search_time", i.line_search_time}});
}

}  // namespace holo
