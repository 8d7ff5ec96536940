// Tables of the report: design parameters, starts of the optimization, the pose nearest to a singularity.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "studies/robot_design/coordinate_units.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

Cell bound_cell(double bound) { return std::isfinite(bound) ? Cell(bound) : Cell(std::string()); }

// What determines a parameter beside the objectives.
std::string held_by(const RobotDesignPlan& plan, int parameter, double value) {
  const DesignRestrictions& restrictions = plan.restrictions;
  if (restrictions.is_tied(parameter)) {
    const DesignTie& tie = restrictions.tie(parameter);
    const std::string& other = plan.layout->parameter_names()[std::size_t(tie.equals)];
    std::string text = tie.factor == 1 ? other : fmt::format("{:.6g} {}", tie.factor, other);
    if (tie.offset != 0) text += fmt::format(" {} {:.6g}", tie.offset < 0 ? "-" : "+", std::abs(tie.offset));
    return "tie: " + text;
  }
  if (restrictions.lower().size() == 0) return "";
  const double lower = restrictions.lower()[parameter], upper = restrictions.upper()[parameter];
  return lower == upper ? "equal bounds" : value == lower ? "lower bound" : value == upper ? "upper bound" : "";
}

}  // namespace

int RobotDesign::active_bound_count() const {
  int count = 0;
  for (int i = 0; i < plan_.layout->parameter_count() && plan_.restrictions.lower().size() > 0; ++i) {
    const double value = optimized().parameters[i];
    count += value == plan_.restrictions.lower()[i] || value == plan_.restrictions.upper()[i] ? 1 : 0;
  }
  return count;
}

Table RobotDesign::design_table() const {
  Table table{"Design parameters", "", {{"parameter", ""}, {"initial", ""}, {"optimized", ""}, {"unit", ""}}, {}};
  const bool has_restrictions = !plan_.restrictions.empty();
  if (has_restrictions) {
    table.caption = "An active bound or a tie determines the parameter.";
    table.columns.insert(table.columns.end(), {{"lower bound", ""}, {"upper bound", ""}, {"determined by", ""}});
  }
  const std::vector<std::string> units = parameter_units(*plan_.layout);
  for (int i = 0; i < plan_.layout->parameter_count(); ++i) {
    const double scale = plan_.layout->parameter_scale(i);
    auto& row = table.rows.emplace_back();
    row = {plan_.layout->parameter_names()[std::size_t(i)], scale * initial().parameters[i], scale * optimized().parameters[i],
           units[std::size_t(i)]};
    if (!has_restrictions) continue;
    row.push_back(bound_cell(plan_.restrictions.lower(i)));
    row.push_back(bound_cell(plan_.restrictions.upper(i)));
    row.push_back(held_by(plan_, i, optimized().parameters[i]));
  }
  return table;
}

Table RobotDesign::starts_table() const {
  Table table{
      "Starts",
      "Optimizations from several initial designs; the first is the given one. The result is the best one that converged.",
      {{"start", ""}, {"objective", "1"}, {"converged", ""}, {"iterations", ""}, {"result", ""}},
      {}};
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    const AttemptOutcome& of = outcomes_[i];
    const std::string result =
        int(i) == attempt_.number ? "the result" + (of.reason.empty() ? "" : ": " + of.reason) : of.reason;
    if (of.has_begun)
      table.rows.push_back({double(i + 1), of.objective, of.has_converged ? "yes" : "no", double(of.iterations), result});
    else
      table.rows.push_back({double(i + 1), "", "no", "", result});
  }
  return table;
}

Table RobotDesign::singularity_table() const {
  constexpr std::size_t most = 4;
  Table table{
      "Nearest to a singularity",
      "The knot of the smallest singular value of all constraint equations. Bodies: shares of the right singular vector, the "
      "motion that the equations determine least. Joints: shares of the left singular vector.",
      {{"motion", ""}, {"knot", ""}, {"singular value", "1"}, {"bodies", ""}, {"joints", ""}},
      {}};
  const auto names = [&](const std::vector<std::pair<std::string, double>>& parts) {
    std::string text;
    for (std::size_t i = 0; i < std::min(parts.size(), most) && parts[i].second > 0.01; ++i)
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", parts[i].first, 100 * parts[i].second);
    return text;
  };
  for (const auto& [motion, point] : {std::pair{"initial", &initial()}, std::pair{"optimized", &optimized()}}) {
    const NearestSingularity nearest = nearest_singularity(
        *attempt_.motion.layout, {point->states, point->controls, point->parameters, attempt_.problem().prescribed()});
    table.rows.push_back({motion, double(nearest.knot), nearest.value, names(nearest.bodies), names(nearest.joints)});
  }
  return table;
}

}  // namespace holo
