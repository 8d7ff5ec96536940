// The section `design` of an experiment: ties and bounds of design parameters, and several starts.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "studies/robot_design/robot_design_plan.h"

namespace holo {

namespace {

// None after a problem of the file, or where no robot is known.
std::optional<int> parameter_named(Configuration& at, const Location& place, const std::string& name,
                                   const RobotDesignPlan& plan) {
  if (!plan.layout) return {};
  const std::vector<std::string>& names = plan.layout->parameter_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return int(found - names.begin());
  at.problem(place, fmt::format("no design parameter is named '{}'.{}", name, suggestion(name, names)));
  return {};
}

void read_tie(Configuration& entry, const RobotDesignPlan& plan, std::vector<DesignTie>& ties) {
  const std::string parameter = entry.text("parameter", {.documentation = "design parameter that depends on the other one"});
  const std::string equals = entry.text("equals", {.documentation = "design parameter on which it depends"});
  DesignTie tie;
  tie.factor =
      entry.number("factor", {.unit = "SI", .default_value = 1.0, .documentation = "factor of the other parameter; not 0"});
  tie.offset = entry.number("offset",
                            {.unit = "m or rad", .default_value = 0.0, .documentation = "offset that is added to the product"});
  if (entry.recording()) return;
  const std::optional<int> left = parameter_named(entry, entry.location("parameter"), parameter, plan),
                           right = parameter_named(entry, entry.location("equals"), equals, plan);
  if (!left || !right) return;
  tie.parameter = *left;
  tie.equals = *right;
  ties.push_back(tie);
}

// "[lower, upper]"
std::optional<DesignBounds> bounds_in(const std::string& text) {
  DesignBounds bounds;
  int end = -1;
  if (std::sscanf(text.c_str(), " [ %lf , %lf ] %n", &bounds.lower, &bounds.upper, &end) != 2 || end != int(text.size()))
    return {};
  return bounds;
}

std::vector<DesignBounds> read_bounds(Configuration& design, const RobotDesignPlan& plan) {
  std::vector<DesignBounds> result;
  for (const Configuration::Entry& entry :
       design.entries("bounds",
                      "bounds of design parameters, which no iterate violates: {NAME: [lower, upper]} in m or rad, relative to "
                      "rest; equal bounds fix a parameter")) {
    const std::optional<int> parameter = parameter_named(design, entry.location, entry.name, plan);
    std::optional<DesignBounds> bounds = bounds_in(entry.text);
    if (!bounds)
      design.problem(entry.location, fmt::format("the bounds of '{}' are '{}'; they must be two numbers, [lower, upper]",
                                                 entry.name, entry.text));
    if (!parameter || !bounds) continue;
    bounds->parameter = *parameter;
    result.push_back(*bounds);
  }
  return result;
}

void read_starts(Configuration& design, const StudyContext& context, RobotDesignPlan& plan) {
  if (!design.has("starts")) return;
  Configuration starts = design.section("starts",
                                        "optimizations from several initial designs, whose best result is taken; the first "
                                        "begins at rest, the others at random designs around it, by the experiment's `seed`");
  plan.starts.count = int(starts.integer(
      "count", {.minimum = 1, .maximum = 10'000, .documentation = "number of initial designs, the first included"}));
  plan.starts.spread = starts.number(
      "spread", {.minimum = 0,
                 .minimum_excluded = true,
                 .documentation = "largest random change of each design parameter, within its bounds: lengths over the "
                                  "robot's size (half the diagonal of its bounding box at rest), angles in rad"});
  plan.starts.seed = context.seed;
}

}  // namespace

void read_design_section(Configuration& experiment, const StudyContext& context, RobotDesignPlan& plan) {
  if (!experiment.has("design")) return;
  Configuration design = experiment.section("design", "admissible designs, and initial designs of the optimization", false);
  const std::size_t problems = experiment.problem_count();
  std::vector<DesignTie> ties;
  design.each(
      "ties", [&](Configuration& entry) { read_tie(entry, plan, ties); },
      "design parameters that depend on others, such as by symmetry: parameter = factor * equals + offset");
  const std::vector<DesignBounds> bounds = read_bounds(design, plan);
  read_starts(design, context, plan);
  if (!plan.layout || experiment.problem_count() != problems) return;
  if (plan.layout->parameter_count() == 0) {
    design.problem(design.location(), "the robot has no design parameter; make joints `configurable`, or remove `design`");
    return;
  }
  try {
    plan.restrictions = {*plan.layout, ties, bounds};
  } catch (const Error& error) {
    design.problem(design.location(), error.what());
  }
  if (plan.restrictions.lower().size() > 0 && plan.solver.step != StagedStepKind::arrow)
    design.problem(
        design.location("bounds"),
        fmt::format("the solver's step '{}' does not support bounds; remove `solver.step`", to_string(plan.solver.step)));
}

}  // namespace holo
