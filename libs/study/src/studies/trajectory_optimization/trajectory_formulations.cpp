#include <algorithm>

#include "studies/studies.h"
#include "studies/trajectory_optimization/formulations.h"

namespace holo {

namespace {

using Method = Formulation::Method;

Formulation read_formulation(Configuration& entry) {
  Formulation result;
  result.where = entry.location();
  result.name = entry.text("name", {.documentation = "of the method in metrics"});
  const std::string method = entry.text("method", {.choices = {"trust_region", "levenberg_marquardt", "lbfgs"},
                                                   .default_value = "trust_region",
                                                   .documentation = "trust-region SQP with hard equations of motion, or a "
                                                                    "minimization of E + weight |C|^2"});
  result.method = method == "lbfgs"                 ? Method::lbfgs
                  : method == "levenberg_marquardt" ? Method::levenberg_marquardt
                                                    : Method::trust_region;
  result.is_of_spline = entry.text("unknowns", {.choices = {"spline", "states"},
                                                .default_value = "spline",
                                                .documentation = "points of the spline with its tested equations, or all "
                                                                 "states with all equations"}) == "spline";
  if (entry.recording() || result.method != Method::trust_region)
    result.weight = entry.number("weight", {.unit = "1/N^2",
                                            .minimum = 0,
                                            .minimum_excluded = true,
                                            .default_value = 1,
                                            .documentation = "w of soft constraints"});
  result.iterations = int(entry.integer("iterations", {.minimum = 1, .maximum = 1'000'000, .default_value = 500}));
  result.from = entry.text(
      "from", {.default_value = "", .documentation = "an earlier method with the same unknowns, whose result is the start"});
  result.normal_weight = entry.number(
      "normal_weight",
      {.unit = "N/m^2", .minimum = 0, .default_value = 0, .documentation = "w_n of contact; 0: that of the scene"});
  result.slip_ratio = entry.number(
      "slip_ratio",
      {.unit = "s/m", .minimum = 0, .default_value = 0, .documentation = "w_t / w_n of contact; 0: that of the scene"});
  result.reference = entry.text(
      "reference", {.default_value = "", .documentation = "an earlier method, whose objective this one should reach"});
  return result;
}

std::vector<Formulation> read_formulations(Configuration& experiment) {
  std::vector<Formulation> formulations;
  experiment.each(
      "methods",
      [&](Configuration& entry) {
        const Formulation next = read_formulation(entry);
        const auto has_name = [&](const std::string& name) {
          return std::any_of(formulations.begin(), formulations.end(), [&](const Formulation& f) { return f.name == name; });
        };
        if (entry.recording()) return;
        if (has_name(next.name)) entry.problem(entry.location("name"), "a second method '" + next.name + "'");
        for (const char* key : {"reference", "from"}) {
          const std::string& named = key == std::string("from") ? next.from : next.reference;
          if (!named.empty() && !has_name(named))
            entry.problem(entry.location(key), "no method '" + named + "' before this one");
        }
        for (const Formulation& earlier : formulations)
          if (earlier.name == next.from && earlier.is_of_spline != next.is_of_spline)
            entry.problem(entry.location("from"), "the method '" + next.from + "' has other unknowns");
        formulations.push_back(next);
      },
      "methods, each from the same start", 1);
  return formulations;
}

StudyPlan read_trajectory_formulations(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  const TrajectoryPlan plan = read_trajectory_plan(experiment, *context.plugins, result.plugins);
  const std::vector<Formulation> formulations = read_formulations(experiment);
  result.metrics = formulation_metrics(formulations);
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan, formulations]() -> std::unique_ptr<Study> {
    return std::make_unique<TrajectoryFormulations>(plan, formulations);
  };
  return result;
}

}  // namespace

StudyKind trajectory_formulations() {
  return {"one motion of a character by several methods, with hard and with soft equations of motion",
          "Each method starts from the character at rest. Hard equations are constraints of a trust-region SQP; soft ones are "
          "squares in the objective, which Levenberg-Marquardt or L-BFGS minimizes.",
          {},
          {},
          read_trajectory_formulations};
}

}  // namespace holo
