// Metrics, tables and diagnoses of a finished design.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/study/quantity_table.h"
#include "studies/robot_design/coordinate_units.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

struct NamedMeasure {
  std::string name, unit;
  bool operator<(const NamedMeasure& other) const { return name < other.name; }
};

// The measures of all losses, sorted by name, each once.
std::vector<NamedMeasure> named_measures(const std::vector<NamedLoss>& losses) {
  std::vector<NamedMeasure> result;
  for (const NamedLoss& loss : losses) {
    const holo_loss_description& d = loss.instance->description();
    for (std::uint32_t i = 0; i < d.measure_count; ++i) result.push_back({d.measures[i].name, d.measures[i].unit});
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end(), [](auto& a, auto& b) { return a.name == b.name; }), result.end());
  return result;
}

struct Summary {
  double sum = 0, largest = 0, smallest = 0;
  int count = 0;
  void add(const Eigen::MatrixXd& values, Eigen::Index row, const MotionTask& in) {
    for (Eigen::Index k = in.first; k < in.end(); ++k) {
      if (std::isnan(values(row, k))) continue;  // where the loss has no term
      sum += values(row, k);
      largest = count == 0 ? values(row, k) : std::max(largest, values(row, k));
      smallest = count == 0 ? values(row, k) : std::min(smallest, values(row, k));
      ++count;
    }
  }
  double mean() const { return count > 0 ? sum / count : 0; }
};

// Summaries of each measure over a task's knots and all objectives, by the measure's name.
std::map<std::string, Summary> summaries(const MechanismProblem& problem, const StagedPoint& point, const MotionTask& in) {
  std::map<std::string, Summary> result;
  const std::vector<NamedLoss>& losses = problem.losses().losses();
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const holo_loss_description& d = losses[i].instance->description();
    const MechanismKnots at = {point.states, point.controls, point.rates, point.parameters};
    const Eigen::MatrixXd values = problem.losses().measures(i, at, problem.data());
    for (std::uint32_t j = 0; j < d.measure_count; ++j) result[d.measures[j].name].add(values, j, in);
  }
  return result;
}

std::map<std::string, Summary> summaries(const MechanismProblem& problem, const StagedPoint& point) {
  return summaries(problem, point, {0, problem.layout().stage_count});
}

// Summaries of the initial (`before`) and of the optimized motion (`after`).
struct SummariesOfMotions {
  std::map<std::string, Summary> before, after;
};

}  // namespace

// The quantities from which the metrics of a finished design follow.
struct DesignOutcome {
  std::int64_t sqp_iterations = 0;
  bool converged = false, initial_converged = false;
  double largest_residual = 0, largest_redundant_residual = 0;
  int flipped_joints = 0;
  std::size_t passed_dead_points = 0;
  int active_bounds = 0, starts_converged = 0, starts_not_assembled = 0, best_start = 1;
  int mobility = 0, redundant_passive_equations = 0, redundant_active_equations = 0, assembly_equations = 0;
  double smallest_singular_value = 0, design_change = 0;
  SummariesOfMotions over_all;
  std::vector<SummariesOfMotions> of_tasks;  // in the plan's order; empty for a task without a name
};

namespace {

void add_fixed_metrics(QuantityTable<DesignOutcome>& table) {
  using O = const DesignOutcome&;
  table = {
      {{"sqp_iterations", "1", "iterations of all phases; those that optimize the initial motion do not count"},
       [](O o) { return double(o.sqp_iterations); }},
      {{"converged", "1", "1 if each phase ended stationary and with all equations satisfied to the tolerance, else 0"},
       [](O o) { return double(o.converged); }},
      {{"initial_converged", "1",
        "1 if the optimization of the initial motion with the fixed design converged or is absent, else 0"},
       [](O o) { return double(o.initial_converged); }},
      {{"largest_residual", "1", "largest residual of all constraint equations at the end; lengths over the robot's size"},
       [](O o) { return o.largest_residual; }},
      {{"largest_redundant_residual", "1", "the same of the redundant equations alone"},
       [](O o) { return o.largest_redundant_residual; }},
      {{"flipped_joints", "1", "knots of the optimized motion at which a joint is flipped (by half a turn)"},
       [](O o) { return double(o.flipped_joints); }},
      {{"passed_dead_points", "1",
        "number of dead points and change points between the knots of the optimized motion, which its actuators cannot pass"},
       [](O o) { return double(o.passed_dead_points); }},
      {{"mobility", "1", "degrees of freedom of the passive mechanism, without idle spins of rods"},
       [](O o) { return double(o.mobility); }},
      {{"redundant_passive_equations", "1", "redundant equations of closed loops"},
       [](O o) { return double(o.redundant_passive_equations); }},
      {{"redundant_active_equations", "1", "redundant equations of actuators"},
       [](O o) { return double(o.redundant_active_equations); }},
      {{"assembly_equations", "1", "conditions on the design, so that it can be assembled"},
       [](O o) { return double(o.assembly_equations); }},
      {{"smallest_singular_value", "1",
        "smallest of the equations' Jacobian in the poses, over all knots of the optimized motion"},
       [](O o) { return o.smallest_singular_value; }},
      {{"design_change", "rad or m", "largest change of a design parameter"}, [](O o) { return o.design_change; }},
  };
}

void add_optional_metrics(QuantityTable<DesignOutcome>& table, const RobotDesignPlan& plan) {
  using O = const DesignOutcome&;
  if (plan.restrictions.lower().size() > 0)
    table.push_back(
        {{"active_bounds", "1", "design parameters of the result at a bound"}, [](O o) { return double(o.active_bounds); }});
  if (plan.starts.count < 2) return;
  table.push_back({{"starts_converged", "1", "starts that converged"}, [](O o) { return double(o.starts_converged); }});
  table.push_back({{"starts_not_assembled", "1", "starts whose initial motion is impossible"},
                   [](O o) { return double(o.starts_not_assembled); }});
  table.push_back(
      {{"best_start", "1", "number of the start with the best result, from 1"}, [](O o) { return double(o.best_start); }});
}

// A measure without values has the summary of no values, which is 0.
const Summary& of(const std::map<std::string, Summary>& summaries, const std::string& measure) {
  static const Summary none;
  const auto found = summaries.find(measure);
  return found == summaries.end() ? none : found->second;
}

// A number from the measure's summaries over the complete motion, or over a task.
using OfSummaries = double (*)(const Summary& before, const Summary& after);

void add_metrics_of(QuantityTable<DesignOutcome>& table, const NamedMeasure& measure) {
  const auto add = [&](const char* suffix, const std::string& unit, const char* documentation, OfSummaries value) {
    table.push_back({{measure.name + suffix, unit, documentation}, [name = measure.name, value](const DesignOutcome& o) {
                       return value(of(o.over_all.before, name), of(o.over_all.after, name));
                     }});
  };
  using S = const Summary&;
  add("_mean_initial", measure.unit, "mean over knots and objectives, initial motion",
      [](S before, S) { return before.mean(); });
  add("_mean", measure.unit, "mean over knots and objectives, optimized motion", [](S, S after) { return after.mean(); });
  add("_maximum_initial", measure.unit, "maximum over knots and objectives, initial motion",
      [](S before, S) { return before.largest; });
  add("_maximum", measure.unit, "maximum over knots and objectives, optimized motion",
      [](S, S after) { return after.largest; });
  add("_minimum_initial", measure.unit, "minimum over knots and objectives, initial motion",
      [](S before, S) { return before.smallest; });
  add("_minimum", measure.unit, "minimum over knots and objectives, optimized motion; a margin's is above 0 if all limits hold",
      [](S, S after) { return after.smallest; });
  add("_ratio", "1", "mean of the initial motion over mean of the optimized motion",
      [](S before, S after) { return after.mean() != 0 ? before.mean() / after.mean() : HUGE_VAL; });
}

void add_metrics_of_task(QuantityTable<DesignOutcome>& table, const NamedMeasure& measure, const std::string& task,
                         std::size_t number) {
  const auto add = [&](const char* suffix, const char* documentation, OfSummaries value) {
    table.push_back({{measure.name + suffix + task, measure.unit, documentation},
                     [name = measure.name, number, value](const DesignOutcome& o) {
                       return value(of(o.of_tasks[number].before, name), of(o.of_tasks[number].after, name));
                     }});
  };
  using S = const Summary&;
  add("_mean_initial_", "mean over the task's knots, initial motion", [](S before, S) { return before.mean(); });
  add("_mean_", "mean over the task's knots, optimized motion", [](S, S after) { return after.mean(); });
  add("_maximum_", "maximum over the task's knots, optimized motion", [](S, S after) { return after.largest; });
}

QuantityTable<DesignOutcome> metrics_of_design(const RobotDesignPlan& plan) {
  const std::vector<PlannedTask>& tasks = plan.tasks;
  QuantityTable<DesignOutcome> table;
  add_fixed_metrics(table);
  add_optional_metrics(table, plan);
  // Losses of collisions are made while building: before, the plan has one of them as an example.
  std::vector<NamedLoss> losses = plan.losses();
  if (plan.collisions) losses.push_back(plan.collisions->example);
  const std::vector<NamedMeasure> measures = named_measures(losses);
  for (const NamedMeasure& measure : measures) add_metrics_of(table, measure);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    for (const NamedMeasure& measure : measures)
      if (!tasks[i].name.empty()) add_metrics_of_task(table, measure, tasks[i].name, i);
  return table;
}

}  // namespace

std::vector<Quantity> robot_design_metrics(const RobotDesignPlan& plan) { return quantities_of(metrics_of_design(plan)); }

DesignOutcome RobotDesign::outcome() {
  const MechanismUnknowns at = {optimized().states, optimized().controls, optimized().parameters,
                                attempt_.problem().prescribed()};
  const auto begin = attempt_.solved.begin() + std::ptrdiff_t(first_phase());
  const auto has_converged = [](const SolvedPhase& solved) { return solved.has_converged; };
  DesignOutcome o;
  for (auto solved = begin; solved != attempt_.solved.end(); ++solved) o.sqp_iterations += solved->iterations;
  o.converged = std::all_of(begin, attempt_.solved.end(), has_converged);
  o.initial_converged = initial_.has_converged;
  o.largest_residual = attempt_.problem().largest_residual(optimized(), false).value;
  o.largest_redundant_residual = attempt_.problem().largest_residual(optimized(), true).value;
  for (int k = 0; k < plan_.knot_count; ++k) o.flipped_joints += attempt_.motion.equations->is_unflipped(at, k) ? 0 : 1;
  o.passed_dead_points = passages().size();
  o.mobility = attempt_.motion.elimination.mobility;
  o.redundant_passive_equations = attempt_.motion.elimination.passive_redundant;
  o.redundant_active_equations = attempt_.motion.elimination.active_redundant;
  o.assembly_equations = attempt_.problem().assembly_equation_count();
  o.smallest_singular_value = smallest_singular_values(*attempt_.motion.equations, at, true).minCoeff();
  for (int i = 0; i < plan_.layout->parameter_count(); ++i)
    o.design_change = std::max(
        o.design_change, plan_.layout->parameter_scale(i) * std::abs(optimized().parameters[i] - initial().parameters[i]));
  o.active_bounds = active_bound_count();
  o.best_start = attempt_.number + 1;
  for (const AttemptOutcome& each : outcomes_) {
    o.starts_converged += each.has_converged ? 1 : 0;
    o.starts_not_assembled += each.has_begun ? 0 : 1;
  }
  o.over_all = {summaries(attempt_.problem(), initial()), summaries(attempt_.problem(), optimized())};
  for (const PlannedTask& task : plan_.tasks) {
    SummariesOfMotions& in_task = o.of_tasks.emplace_back();
    if (!task.name.empty())
      in_task = {summaries(attempt_.problem(), initial(), task.at), summaries(attempt_.problem(), optimized(), task.at)};
  }
  return o;
}

std::vector<Metric> RobotDesign::finish() { return metrics_of(metrics_of_design(plan_), outcome()); }

Table RobotDesign::phases_table() const {
  Table table{"Phases",
              "Each phase begins at the result of the phase before. The means are of the phase's own objectives.",
              {{"phase", ""}, {"iterations", ""}, {"converged", ""}, {"measure", ""}, {"mean before", ""}, {"mean after", ""}},
              {}};
  for (std::size_t i = 0; i < plan_.phases.size(); ++i) {
    const std::size_t at = first_phase() + i;
    auto first = summaries(*attempt_.phases[i], before(at)), last = summaries(*attempt_.phases[i], attempt_.solved[at].point);
    for (const NamedMeasure& measure : named_measures(plan_.phases[i].losses))
      table.rows.push_back({plan_.phases[i].name, double(attempt_.solved[at].iterations),
                            attempt_.solved[at].has_converged ? "yes" : "no", measure.name + " [" + measure.unit + "]",
                            first[measure.name].mean(), last[measure.name].mean()});
  }
  return table;
}

// Only phases of the design deny the result: an initial motion that did not converge remains a motion to compare with.
std::vector<Diagnosis> RobotDesign::diagnoses() const {
  const auto has_converged = [](const SolvedPhase& solved) { return solved.has_converged; };
  const bool nothing_converged =
      std::none_of(attempt_.solved.begin() + std::ptrdiff_t(first_phase()), attempt_.solved.end(), has_converged);
  std::vector<Diagnosis> diagnoses;
  for (std::size_t i = 0; i < attempt_.solved.size(); ++i)
    if (!attempt_.solved[i].has_converged)
      diagnoses.push_back({fmt::format("'{}' has not converged after {} iterations: {}", name_of_optimization(i),
                                       attempt_.solved[i].iterations, attempt_.solved[i].diagnosis),
                           nothing_converged && i >= first_phase()});
  for (const std::string& note : notes_of_start()) diagnoses.push_back({note, false});
  if (passages_)
    for (const MotionPassage& passage : *passages_) diagnoses.push_back({"optimized: " + passage.text, false});
  return diagnoses;
}

std::vector<Table> RobotDesign::tables() {
  Table design = design_table();
  Table redundant{
      "Redundant constraint equations",
      "They follow from the others; the metric largest_redundant_residual checks them. Rings mark these joints in the "
      "animation.",
      {{"joint", ""}, {"equation", ""}, {"reason", ""}},
      {}};
  for (const RedundantEquation& each : attempt_.motion.elimination.redundant) {
    const ConstraintEquation& equation = plan_.layout->equations()[std::size_t(each.equation)];
    const bool is_of_joint = equation.joint >= 0 && equation.relation < 0;
    redundant.rows.push_back({is_of_joint ? plan_.model->joints()[std::size_t(equation.joint)].name : each.name,
                              is_of_joint ? std::to_string(equation.index + 1) : std::string(), each.reason});
  }
  std::vector<Table> tables;
  if (has_starts()) tables.push_back(starts_table());
  if (plan_.phases.size() > 1) tables.push_back(phases_table());
  if (!design.rows.empty()) tables.push_back(design);
  if (!redundant.rows.empty()) tables.push_back(redundant);
  if (Table couplings = couplings_table(); !couplings.rows.empty()) tables.push_back(std::move(couplings));
  tables.push_back(singularity_table());
  if (Table notes = notes_table(); !notes.rows.empty()) tables.push_back(std::move(notes));
  return tables;
}

}  // namespace holo
