// What a finished design is told by: metrics and tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "studies/robot_design/coordinate_units.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

struct NamedMeasure {
  std::string name, unit;
  bool operator<(const NamedMeasure& other) const { return name < other.name; }
};

// Of all objectives; those of the project's own losses while nothing is known.
std::vector<NamedMeasure> named_measures(const std::vector<MechanismLoss>& losses) {
  std::vector<NamedMeasure> result;
  for (const MechanismLoss& loss : losses) {
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

// Over a task's knots and all objectives, by the measure's name.
std::map<std::string, Summary> summaries(const MechanismProblem& problem, const StagedPoint& point, const MotionTask& in) {
  std::map<std::string, Summary> result;
  const std::vector<MechanismLoss>& losses = problem.losses().losses();
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const holo_loss_description& d = losses[i].instance->description();
    const LossInstants at = {point.states, point.controls, point.rates, point.parameters};
    const Eigen::MatrixXd values = problem.losses().measures(i, at, problem.data());
    for (std::uint32_t j = 0; j < d.measure_count; ++j) result[d.measures[j].name].add(values, j, in);
  }
  return result;
}

std::map<std::string, Summary> summaries(const MechanismProblem& problem, const StagedPoint& point) {
  return summaries(problem, point, {0, problem.layout().instant_count});
}

}  // namespace

std::vector<Quantity> robot_design_metrics(const std::vector<MechanismLoss>& losses, const std::vector<PlannedTask>& tasks) {
  std::vector<Quantity> metrics = {
      {"sqp_iterations", "1", "of all stages until the best design was found, without those of the initial motion"},
      {"converged", "1", "1 where each stage ended stationary and with all rows satisfied to the tolerance, else 0"},
      {"initial_converged", "1", "the same of the initial motion with the design held; 1 where that was not asked for"},
      {"largest_residual", "1",
       "largest violation of a joint at the end, redundant equations too; lengths over the robot's size"},
      {"largest_redundant_residual", "1", "the same of the redundant equations alone"},
      {"flipped_joints", "1", "knots at which a joint is turned half around at the end"},
      {"passed_dead_points", "1",
       "places between knots of the optimized motion that its actuators cannot lead it through: dead points and change "
       "points"},
      {"mobility", "1", "degrees of freedom of the passive mechanism, without idle spins of rods between two balls"},
      {"redundant_passive_equations", "1", "of loops"},
      {"redundant_active_equations", "1", "of redundant actuators"},
      {"assembly_equations", "1", "conditions on the design, so that it can be assembled"},
      {"smallest_singular_value", "1", "of the equations against the poses, at the end, over all knots"},
      {"design_change", "rad or m", "largest change of a design parameter"},
  };
  for (const NamedMeasure& measure : named_measures(losses)) {
    metrics.push_back({measure.name + "_mean_initial", measure.unit, "over knots and objectives, before"});
    metrics.push_back({measure.name + "_mean", measure.unit, "after"});
    metrics.push_back({measure.name + "_maximum_initial", measure.unit, "largest, before"});
    metrics.push_back({measure.name + "_maximum", measure.unit, "largest, after"});
    metrics.push_back({measure.name + "_minimum_initial", measure.unit, "smallest, before"});
    metrics.push_back(
        {measure.name + "_minimum", measure.unit, "smallest, after: of a margin above 0 where all limits are kept"});
    metrics.push_back({measure.name + "_ratio", "1", "mean before over mean after"});
  }
  for (const PlannedTask& task : tasks)
    for (const NamedMeasure& measure : named_measures(losses)) {
      if (task.name.empty()) continue;
      metrics.push_back({measure.name + "_mean_initial_" + task.name, measure.unit, "in this task, before"});
      metrics.push_back({measure.name + "_mean_" + task.name, measure.unit, "after"});
      metrics.push_back({measure.name + "_maximum_" + task.name, measure.unit, "largest, after"});
    }
  return metrics;
}

std::vector<Metric> RobotDesign::finish() {
  const MechanismUnknowns at = {optimized().states, optimized().controls, optimized().parameters, problem_->prescribed()};
  int flipped = 0;
  for (int k = 0; k < plan_.instant_count; ++k) flipped += motion_.equations->is_unflipped(at, k) ? 0 : 1;
  double change = 0;
  for (int i = 0; i < plan_.layout->parameter_count(); ++i)
    change = std::max(change, plan_.layout->parameter_scale(i) * std::abs(optimized().parameters[i] - initial().parameters[i]));
  const auto begin = solved_.begin() + std::ptrdiff_t(first_stage());
  const auto has_converged = [](const Solved& solved) { return solved.has_converged; };
  std::vector<Metric> metrics = {
      {"sqp_iterations",
       double(std::accumulate(begin, solved_.end(), std::int64_t(0),
                              [](std::int64_t sum, const Solved& solved) { return sum + solved.iterations; }))},
      {"converged", std::all_of(begin, solved_.end(), has_converged) ? 1.0 : 0.0},
      {"initial_converged", std::all_of(solved_.begin(), begin, has_converged) ? 1.0 : 0.0},
      {"largest_residual", problem_->largest_residual(optimized(), false).value},
      {"largest_redundant_residual", problem_->largest_residual(optimized(), true).value},
      {"flipped_joints", double(flipped)},
      {"passed_dead_points", double(passages().size())},
      {"mobility", double(motion_.elimination.mobility)},
      {"redundant_passive_equations", double(motion_.elimination.passive_redundant)},
      {"redundant_active_equations", double(motion_.elimination.active_redundant)},
      {"assembly_equations", double(assembly_rows_)},
      {"smallest_singular_value", smallest_singular_values(*motion_.equations, at, true).minCoeff()},
      {"design_change", change},
  };
  auto before = summaries(*problem_, initial()), after = summaries(*problem_, optimized());
  for (const NamedMeasure& measure : named_measures(plan_.losses)) {
    const Summary &first = before[measure.name], &last = after[measure.name];
    metrics.push_back({measure.name + "_mean_initial", first.mean()});
    metrics.push_back({measure.name + "_mean", last.mean()});
    metrics.push_back({measure.name + "_maximum_initial", first.largest});
    metrics.push_back({measure.name + "_maximum", last.largest});
    metrics.push_back({measure.name + "_minimum_initial", first.smallest});
    metrics.push_back({measure.name + "_minimum", last.smallest});
    metrics.push_back({measure.name + "_ratio", last.mean() != 0 ? first.mean() / last.mean() : HUGE_VAL});
  }
  for (const PlannedTask& task : plan_.tasks) {
    if (task.name.empty()) continue;
    before = summaries(*problem_, initial(), task.at), after = summaries(*problem_, optimized(), task.at);
    for (const NamedMeasure& measure : named_measures(plan_.losses)) {
      metrics.push_back({measure.name + "_mean_initial_" + task.name, before[measure.name].mean()});
      metrics.push_back({measure.name + "_mean_" + task.name, after[measure.name].mean()});
      metrics.push_back({measure.name + "_maximum_" + task.name, after[measure.name].largest});
    }
  }
  return metrics;
}

Table RobotDesign::stages_table() const {
  Table table{"Stages",
              "Each begins where the one before ended, and is measured by its own objectives.",
              {{"stage", ""}, {"iterations", ""}, {"converged", ""}, {"measure", ""}, {"mean before", ""}, {"mean after", ""}},
              {}};
  for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
    const std::size_t at = first_stage() + i;
    auto first = summaries(*stages_[i], before(at)), last = summaries(*stages_[i], solved_[at].point);
    for (const NamedMeasure& measure : named_measures(plan_.stages[i].losses))
      table.rows.push_back({plan_.stages[i].name, double(solved_[at].iterations), solved_[at].has_converged ? "yes" : "no",
                            measure.name + " [" + measure.unit + "]", first[measure.name].mean(), last[measure.name].mean()});
  }
  return table;
}

Table RobotDesign::singularity_table() const {
  constexpr std::size_t most = 4;
  Table table{
      "Nearest to a singularity",
      "Where the smallest singular value of all rows is smallest; which bodies move in the way that the rows hold least, and "
      "which joints hold it: shares of the singular vectors, squared.",
      {{"motion", ""}, {"knot", ""}, {"singular value", "1"}, {"bodies", ""}, {"joints", ""}},
      {}};
  const auto names = [&](const std::vector<std::pair<std::string, double>>& parts) {
    std::string text;
    for (std::size_t i = 0; i < std::min(parts.size(), most) && parts[i].second > 0.01; ++i)
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", parts[i].first, 100 * parts[i].second);
    return text;
  };
  for (const auto& [motion, point] : {std::pair{"initial", &initial()}, std::pair{"optimized", &optimized()}}) {
    const NearestSingularity nearest =
        nearest_singularity(*motion_.layout, {point->states, point->controls, point->parameters, problem_->prescribed()});
    table.rows.push_back({motion, double(nearest.knot), nearest.value, names(nearest.bodies), names(nearest.joints)});
  }
  return table;
}

// An initial motion that did not converge is no less a motion to compare with.
std::vector<Diagnosis> RobotDesign::diagnoses() const {
  const auto has_converged = [](const Solved& solved) { return solved.has_converged; };
  const bool nothing_converged = std::none_of(solved_.begin() + std::ptrdiff_t(first_stage()), solved_.end(), has_converged);
  std::vector<Diagnosis> diagnoses;
  for (std::size_t i = 0; i < solved_.size(); ++i)
    if (!solved_[i].has_converged)
      diagnoses.push_back({fmt::format("'{}' has not converged after {} iterations: {}", name_of_optimization(i),
                                       solved_[i].iterations, solved_[i].diagnosis),
                           nothing_converged && i >= first_stage()});
  for (const std::string& note : notes_of_start()) diagnoses.push_back({note, false});
  if (passages_)
    for (const MotionPassage& passage : *passages_) diagnoses.push_back({"optimized: " + passage.text, false});
  return diagnoses;
}

std::vector<Table> RobotDesign::tables() {
  Table design{"Design parameters", "", {{"parameter", ""}, {"initial", ""}, {"optimized", ""}, {"unit", ""}}, {}};
  const std::vector<std::string> units = parameter_units(*plan_.layout);
  for (int i = 0; i < plan_.layout->parameter_count(); ++i) {
    const double scale = plan_.layout->parameter_scale(i);
    design.rows.push_back({plan_.layout->parameter_names()[std::size_t(i)], scale * initial().parameters[i],
                           scale * optimized().parameters[i], units[std::size_t(i)]});
  }
  Table dropped{"Rows that were dropped",
                "The others imply them; all rows are checked at the end. Rings mark these joints in the animation.",
                {{"joint", ""}, {"row", ""}, {"why", ""}},
                {}};
  for (const RedundantEquation& row : motion_.elimination.redundant) {
    const ConstraintEquation& of = plan_.layout->equations()[std::size_t(row.equation)];
    const std::string joint = of.joint >= 0 ? plan_.model->joints()[std::size_t(of.joint)].name : row.name;
    dropped.rows.push_back({joint, of.joint >= 0 ? std::to_string(of.index + 1) : std::string(), row.reason});
  }
  std::vector<Table> tables;
  if (plan_.stages.size() > 1) tables.push_back(stages_table());
  if (!design.rows.empty()) tables.push_back(design);
  if (!dropped.rows.empty()) tables.push_back(dropped);
  tables.push_back(singularity_table());
  if (Table notes = notes_table(); !notes.rows.empty()) tables.push_back(std::move(notes));
  return tables;
}

}  // namespace holo
