#include "holo/study/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "build_information.h"
#include "holo/core/name_list.h"
#include "holo/sim/elastic/element_differentiation.h"
#include "runs/sweep_section.h"

namespace holo {

namespace {

// Reads one of `all`; a mode that the study cannot use is a problem.
std::string read_differentiation(Configuration& section, const std::string& study, const std::string& key,
                                 const std::vector<std::string>& all, const std::vector<std::string>& usable,
                                 const std::string& documentation) {
  std::string value = section.text(key, {.choices = all, .default_value = usable.front(), .documentation = documentation});
  if (contains(usable, value) || section.recording()) return value;
  if (contains(all, value))
    section.problem(section.location(key), fmt::format("the study '{}' cannot use differentiation.{}: {}; it can use {}", study,
                                                       key, value, fmt::join(usable, ", ")));
  return usable.front();
}

Differentiation read_differentiation(Configuration& root, const std::string& study, const StudyKind& kind) {
  if (!kind.takes_element_derivatives()) return {};  // the section is then an unknown key
  Configuration section = root.section("differentiation", "methods of differentiation", false);
  return {read_differentiation(section, study, "elements", element_differentiations(), kind.elements,
                               "derivatives of element energies"),
          read_differentiation(section, study, "sensitivity", sensitivity_differentiations(), kind.sensitivities,
                               "derivatives of the simulation's result")};
}

std::optional<double> optional_number(Configuration& parameters, const char* key, const char* documentation) {
  if (!parameters.has(key) && !parameters.recording()) return {};
  return parameters.number(key, {.unit = "the metric's", .default_value = 0.0, .documentation = documentation});
}

// `metrics` is empty if the study is unknown or has problems of its own; the name of the metric is not checked then.
Acceptance read_condition(Configuration& entry, const std::vector<std::string>& metrics) {
  Acceptance result;
  result.metric = entry.text("metric", {.documentation = "name of one of the study's metrics"});
  if (!entry.recording() && !metrics.empty() && !result.metric.empty() && !contains(metrics, result.metric))
    entry.problem(entry.location("metric"), fmt::format("no metric '{}'.{} The study's metrics: {}", result.metric,
                                                        suggestion(result.metric, metrics), fmt::join(metrics, ", ")));
  result.at_most = optional_number(entry, "at_most", "upper bound of the metric");
  result.at_least = optional_number(entry, "at_least", "lower bound of the metric");
  result.equals = optional_number(entry, "equals", "value that the metric must have within `tolerance`");
  result.tolerance = entry.number("tolerance", {.unit = "the metric's",
                                                .minimum = 0,
                                                .default_value = 0.0,
                                                .documentation = "allowed absolute difference from `equals`"});
  if (!entry.recording() && !result.at_most && !result.at_least && !result.equals)
    entry.problem(entry.location(), fmt::format("the condition on '{}' needs one of at_most, at_least, equals", result.metric));
  return result;
}

Acceptance read_acceptance(Configuration& entry, const std::vector<std::string>& metrics) {
  Acceptance result = read_condition(entry, metrics);
  result.section = entry.text(
      "section", {.default_value = "", .documentation = "page and section that derive the condition; printed with it"});
  return result;
}

PaperClaim read_claim(Configuration& entry, const std::vector<std::string>& metrics) {
  PaperClaim claim;
  claim.text = entry.text("claim", {.documentation = "statement of the paper"});
  claim.condition = read_condition(entry, metrics);
  claim.cause = entry.text("cause", {.default_value = "", .documentation = "measured reason why the claim does not hold"});
  return claim;
}

// A figure's or table's number or text, such as 8 or "8b"; "" if it is not given.
std::string optional_text(Configuration& parameters, const char* key, const char* documentation) {
  return parameters.text(key, {.default_value = "", .documentation = documentation});
}

void read_paper_values(Configuration& section, PaperReference& paper) {
  double within = section.number(
      "within",
      {.minimum = 0, .default_value = 0.05, .documentation = "relative difference up to which a value counts as reproduced"});
  for (const Configuration::Entry& entry : section.entries("values", "the paper's numbers by names of metrics")) {
    if (!entry.number)
      section.problem(entry.location, fmt::format("'paper.values.{}': found '{}', expected a number", entry.name, entry.text));
    paper.values.push_back({entry.name, entry.number.value_or(0), within, {}});
  }
  for (const Configuration::Entry& entry : section.entries("causes", "measured reasons of differences, by names of values")) {
    auto value =
        std::find_if(paper.values.begin(), paper.values.end(), [&](const PaperValue& v) { return v.name == entry.name; });
    if (value == paper.values.end())
      section.problem(entry.location, fmt::format("there is a cause for '{}', but no such value in paper.values", entry.name));
    else
      value->cause = entry.text;
  }
}

std::optional<PaperReference> read_paper(Configuration& root, const std::vector<std::string>& metrics) {
  if (!root.has("paper") && !root.recording()) return {};
  Configuration section =
      root.section("paper", "results of a paper; they are compared with the run's and do not affect the exit code", false);
  PaperReference paper;
  paper.source = section.text("source", {.documentation = "key of the paper in docs/papers.md"});
  paper.figure = optional_text(section, "figure", "number of the figure");
  paper.table = optional_text(section, "table", "number of the table");
  paper.claim = optional_text(section, "claim", "statement of the figure or table, in words");
  if (section.recording())
    section.number(
        "within",
        {.minimum = 0, .default_value = 0.05, .documentation = "relative difference up to which a value counts as reproduced"});
  read_paper_values(section, paper);
  section.each(
      "claims", [&](Configuration& entry) { paper.claims.push_back(read_claim(entry, metrics)); },
      "statements of the paper, as conditions on the study's metrics");
  section.each(
      "marks",
      [&](Configuration& entry) {
        paper.marks.push_back({entry.text("column", {.documentation = "column of metrics.csv that is the plots' x axis"}),
                               entry.number("at", {.unit = "the column's", .documentation = "position on that axis"}),
                               entry.text("label", {.documentation = "label of the mark"})});
      },
      "positions on an axis that the paper names; the plots mark them");
  return paper;
}

std::string read_name(Configuration& root) {
  std::string name = root.text("name", {.documentation = "name of the experiment and of its run folders"});
  bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (!good && root.has("name") && !root.recording() && !root.has_problems())
    root.problem(root.location("name"), fmt::format("the name '{}' may contain only letters, digits, '_' and '-'", name));
  return good ? name : "experiment";
}

void read_output(Configuration& root, Experiment& experiment) {
  Configuration output = root.section("output", "frames and checkpoints of the run", false);
  experiment.context.frames_per_second =
      output.number("frames_per_second", {.unit = "1/s",
                                          .minimum = 0,
                                          .maximum = 1e6,
                                          .default_value = 30.0,
                                          .documentation = "frames per second of simulated time; 0: no frames"});
  experiment.checkpoint_every = output.integer(
      "checkpoint_every", {.minimum = 0,
                           .maximum = 1'000'000'000,
                           .default_value = 0,
                           .documentation = "steps between two checkpoints; 0: a checkpoint every two seconds of computation"});
}

}  // namespace

const std::vector<std::string>& element_differentiations() {
  static const std::vector<std::string> names = element_mode_names();
  return names;
}

const std::vector<std::string>& sensitivity_differentiations() {
  static const std::vector<std::string> names{"none", "finite_difference", "unrolled", "implicit_adjoint",
                                              "implicit_lagrangian"};
  return names;
}

Experiment read_experiment(Configuration& root, const StudyRegistry& studies, const PluginHost& plugins) {
  Experiment experiment;
  experiment.context.plugins = &plugins;
  experiment.name = read_name(root);
  experiment.context.seed = static_cast<std::uint64_t>(
      root.integer("seed", {.minimum = 0, .default_value = 1, .documentation = "seed of all random numbers"}));
  read_output(root, experiment);
  std::vector<Configuration::Branch> branches;
  for (const std::string& name : studies.names()) {
    const StudyKind& kind = studies.get(name);
    branches.push_back({name, kind.summary, [&, name](Configuration& parameters) {
                          experiment.study = name;
                          experiment.context.differentiation = read_differentiation(parameters, name, kind);
                          experiment.plan = kind.read(parameters, experiment.context);
                        }});
  }
  root.branch("study", branches, {}, "kind of the experiment");
  experiment.attempt = root.text(
      "attempt", {.default_value = "",
                  .documentation = "why the experiment may miss its acceptance: a suite then reports its verdict and does not "
                                   "exit with it"});
  std::vector<std::string> metrics;
  if (experiment.plan.metrics_are_known)
    for (const Quantity& metric : experiment.plan.metrics) metrics.push_back(metric.name);
  root.each(
      "acceptance", [&](Configuration& entry) { experiment.acceptance.push_back(read_acceptance(entry, metrics)); },
      "conditions on the study's metrics; they decide the exit code");
  experiment.paper = read_paper(root, metrics);
  experiment.sweep = read_sweep(root, metrics);
  if (root.recording()) root.raw("variants", "named changes of the experiment: mappings of paths to new values");
  return experiment;
}

Experiment load_experiment(ConfigurationFile& file, const StudyRegistry& studies, const PluginHost& plugins) {
  Configuration root = file.root();
  Experiment experiment = read_experiment(root, studies, plugins);
  file.finish();
  return experiment;
}

std::string experiment_schema(const StudyRegistry& studies, const PluginHost& plugins) {
  ParameterRecording recording([&](Configuration& root) { read_experiment(root, studies, plugins); });
  const auto schema = nlohmann::ordered_json::parse(recording.json_schema("A Holomorph experiment"));
  nlohmann::ordered_json named{{"$schema", schema.at("$schema")}, {"$id", "urn:holomorph:" HOLO_VERSION ":experiment"}};
  named.update(schema);
  return named.dump(2) + "\n";
}

namespace {

StudyContext first_context(const StudyKind& kind, const PluginHost& plugins) {
  StudyContext context;
  context.plugins = &plugins;
  if (kind.takes_element_derivatives()) context.differentiation = {kind.elements.front(), kind.sensitivities.front()};
  return context;
}

}  // namespace

std::vector<ParameterDescription> study_parameters(const StudyKind& kind, const PluginHost& plugins) {
  StudyContext context = first_context(kind, plugins);
  return ParameterRecording([&](Configuration& root) { kind.read(root, context); }).descriptions();
}

std::vector<Quantity> study_metrics(const StudyKind& kind, const PluginHost& plugins) {
  StudyContext context = first_context(kind, plugins);
  std::vector<Quantity> metrics;
  const ParameterRecording recording([&](Configuration& root) { metrics = kind.read(root, context).metrics; });
  return metrics;
}

bool study_has_preview(const StudyKind& kind, const PluginHost& plugins) {
  const StudyContext context = first_context(kind, plugins);
  bool draws = false;
  const ParameterRecording recording([&](Configuration& root) { draws = kind.read(root, context).preview != nullptr; });
  return draws;
}

}  // namespace holo
