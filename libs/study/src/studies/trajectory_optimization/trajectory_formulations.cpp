#include <algorithm>

#include "holo/comparison/ipopt_solver.h"
#include "studies/studies.h"
#include "studies/trajectory_optimization/formulations.h"

namespace holo {

namespace {

using Method = Formulation::Method;

struct NamedMethod {
  const char* name;
  Method method;
};
constexpr NamedMethod named_methods[] = {{"trust_region", Method::trust_region},
                                         {"levenberg_marquardt", Method::levenberg_marquardt},
                                         {"lbfgs", Method::lbfgs},
                                         {"contact_invariant_lm", Method::contact_invariant_lm},
                                         {"contact_invariant_lbfgs", Method::contact_invariant_lbfgs},
                                         {"ipopt", Method::ipopt}};

Method read_method(Configuration& entry) {
  TextSpec spec = {.default_value = "trust_region",
                   .documentation =
                       "trust-region SQP or Ipopt with hard equations of motion; a minimization of E + weight "
                       "|C|^2; or one with the forces of contact as unknowns, of E + interactions + weight |C|^2"};
  for (const NamedMethod& named : named_methods) spec.choices.push_back(named.name);
  const std::string text = entry.text("method", spec);
  for (const NamedMethod& named : named_methods)
    if (text == named.name) return named.method;
  return Method::trust_region;
}

void read_formulation_contact(Configuration& entry, Formulation& result) {
  result.normal_weight = entry.number(
      "normal_weight",
      {.unit = "N/m^2", .minimum = 0, .default_value = 0, .documentation = "w_n of contact; 0: that of the scene"});
  result.slip_ratio = entry.number(
      "slip_ratio",
      {.unit = "s/m", .minimum = 0, .default_value = 0, .documentation = "w_t / w_n of contact; 0: that of the scene"});
}

Formulation read_formulation(Configuration& entry) {
  Formulation result;
  result.where = entry.location();
  result.name = entry.text("name", {.documentation = "of the method in metrics"});
  result.method = read_method(entry);
  result.is_of_spline = entry.text("unknowns", {.choices = {"spline", "states"},
                                                .default_value = "spline",
                                                .documentation = "points of the spline with its tested equations, or all "
                                                                 "states with all equations"}) == "spline";
  const bool is_hard = result.method == Method::trust_region || result.method == Method::ipopt;
  if (entry.recording() || !is_hard)
    result.weight = entry.number("weight", {.unit = "1/N^2",
                                            .minimum = 0,
                                            .minimum_excluded = true,
                                            .default_value = 1,
                                            .documentation = "w of soft constraints"});
  if (entry.recording() || result.method == Method::trust_region)
    result.restoration =
        entry.boolean("restoration", false,
                      "of a trust-region SQP: Newton steps of least norm to C = 0 after it, and before it where "
                      "it starts from another result");
  if (entry.recording() || result.method == Method::ipopt)
    result.is_optional = entry.boolean("optional", false, "of Ipopt: left out where this build does not have it");
  result.iterations = int(entry.integer("iterations", {.minimum = 1, .maximum = 1'000'000, .default_value = 500}));
  result.from = entry.text("from", {.default_value = "",
                                    .documentation = "an earlier method, whose result is the start; states may start from a "
                                                     "spline, not the other way round"});
  read_formulation_contact(entry, result);
  result.reference = entry.text(
      "reference", {.default_value = "", .documentation = "an earlier method, whose objective this one should reach"});
  return result;
}

struct Formulations {
  std::vector<Formulation> list, left_out;
  std::vector<std::string> notes;  // on those that are left out

  static bool contains(const std::vector<Formulation>& formulations, const std::string& name) {
    return std::any_of(formulations.begin(), formulations.end(), [&](const Formulation& f) { return f.name == name; });
  }
  bool has(const std::string& name) const { return contains(list, name) || contains(left_out, name); }
  void leave_out(const Formulation& formulation, const std::string& reason) {
    left_out.push_back(formulation);
    notes.push_back("the method '" + formulation.name + "' is left out, since " + reason);
  }
};

void add_formulation(Configuration& entry, const Formulation& next, Formulations& all) {
  if (all.has(next.name)) entry.problem(entry.location("name"), "a second method '" + next.name + "'");
  for (const char* key : {"reference", "from"}) {
    const std::string& named = key == std::string("from") ? next.from : next.reference;
    if (!named.empty() && !all.has(named)) entry.problem(entry.location(key), "no method '" + named + "' before this one");
  }
  for (const Formulation& earlier : all.list)
    if (earlier.name == next.from && next.is_of_spline && !earlier.is_of_spline)
      entry.problem(entry.location("from"),
                    "the method '" + next.from + "' has states as unknowns, from which no spline starts");
  if (next.method == Method::ipopt && !comparison::has_ipopt()) {
    if (next.is_optional) {
      all.leave_out(next, "this build has no Ipopt: " + comparison::how_to_get_ipopt());
    } else {
      entry.problem(entry.location("method"), "this build has no Ipopt: " + comparison::how_to_get_ipopt() +
                                                  "; or leave the method out by `optional: true`");
    }
    return;
  }
  if (Formulations::contains(all.left_out, next.from))
    all.leave_out(next, "it starts from '" + next.from + "', which is");
  else
    all.list.push_back(next);
}

Formulations read_formulations(Configuration& experiment) {
  Formulations all;
  experiment.each(
      "methods",
      [&](Configuration& entry) {
        const Formulation next = read_formulation(entry);
        if (!entry.recording()) add_formulation(entry, next, all);
      },
      "methods, each from the same start", 1);
  return all;
}

StudyPlan read_trajectory_formulations(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  const TrajectoryKeys keys = {.of_stages = false, .recentering = false, .instead = "each of `methods` has its `iterations`"};
  const TrajectoryPlan plan = read_trajectory_plan(experiment, *context.plugins, result.plugins, keys);
  const Formulations formulations = read_formulations(experiment);
  result.metrics = formulation_metrics(formulations.list);
  // A paper's claims may name metrics of methods that are left out; they are then not measured.
  for (const Quantity& metric : formulation_metrics(formulations.left_out)) result.metrics.push_back(metric);
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan, formulations]() -> std::unique_ptr<Study> {
    return std::make_unique<TrajectoryFormulations>(plan, formulations.list, formulations.notes);
  };
  return result;
}

}  // namespace

StudyKind trajectory_formulations() {
  return {
      "one motion of a character by several methods, with hard and with soft equations of motion",
      "Each method starts from the character at rest. Hard equations are constraints of a trust-region SQP or of Ipopt; soft "
      "ones are squares in the objective, which Levenberg-Marquardt or L-BFGS minimizes, with the smooth contact model or, in "
      "contact-invariant optimization, with the forces of contact as unknowns.",
      {},
      {},
      read_trajectory_formulations};
}

}  // namespace holo
