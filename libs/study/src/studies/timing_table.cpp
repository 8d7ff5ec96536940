#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "holo/sim/mesh/quadratic_tetrahedra.h"
#include "studies/studies.h"
#include "studies/timing_table_steps.h"

namespace holo {

namespace {

using comparison::TimingTask;

const std::vector<Quantity>& metric_kinds() {
  static const std::vector<Quantity> kinds{
      {"time_ratio", "1", "time of the first over that of the second", true},
      {"time", "s", "time of one evaluation", true},
      {"largest_difference", "1", "largest relative difference from the task's reference"}};
  return kinds;
}

std::int64_t read_evaluations(Configuration& entry, std::int64_t default_value) {
  return entry.integer("evaluations", {.minimum = 1,
                                       .maximum = 1'000'000'000,
                                       .default_value = default_value,
                                       .documentation = "evaluations by each contestant in one repetition"});
}

std::vector<std::string> names(const TimingTask& task) {
  std::vector<std::string> result;
  for (const comparison::Contestant& contestant : task.contestants) result.push_back(contestant.name);
  return result;
}

// A task that is cheap to make until it runs.
void define(TimingTaskDefinition& definition, const std::function<TimingTask()>& make) {
  definition.make = make;
  definition.contestants = names(make());
}

void read_quartic(Configuration& entry, TimingTaskDefinition& definition) {
  auto order = static_cast<int>(
      entry.integer("order", {.minimum = 1, .maximum = 3, .default_value = 1, .documentation = "order of the derivative"}));
  auto evaluations = static_cast<std::size_t>(read_evaluations(entry, 100'000));
  define(definition, [=] { return comparison::quartic_derivative_task(order, evaluations); });
}

void read_chain(Configuration& entry, TimingTaskDefinition& definition) {
  auto factors = static_cast<std::size_t>(entry.integer(
      "factors", {.minimum = 1, .maximum = 10'000, .default_value = 100, .documentation = "number of factors of the product"}));
  auto evaluations = static_cast<std::size_t>(read_evaluations(entry, 1000));
  define(definition, [=] { return comparison::product_chain_task(factors, evaluations); });
}

// The material's reference; none after a problem, or where it is not built, which `plan` then says.
std::shared_ptr<const MaterialReference> read_reference(Configuration& entry, const PluginHost& host,
                                                        const MaterialPlugin& material, StudyPlan& plan) {
  if (!std::filesystem::exists(material.path().parent_path() / (std::string(material.name()) + ".reference.so"))) {
    std::vector<std::string>& missing = plan.missing_references;
    if (std::find(missing.begin(), missing.end(), material.name()) == missing.end()) missing.push_back(material.name());
    return nullptr;
  }
  try {
    return host.get_reference<MaterialPlugin>(material.name());
  } catch (const Error& error) {
    entry.problem(entry.location("reference_modes"), error.what());
    return nullptr;
  }
}

void read_elements(Configuration& entry, const PluginHost& host, TimingTaskDefinition& definition, StudyPlan& plan) {
  const bool first = entry.text("derivative", {.choices = {"gradient", "hessian"},
                                               .documentation = "derivative of the elements' energies"}) == "gradient";
  const auto quantity = first ? comparison::DerivativeKind::gradient : comparison::DerivativeKind::hessian;
  const double strain = entry.number("strain", {.minimum = 0,
                                                .maximum = 0.3,
                                                .default_value = 0.15,
                                                .documentation = "largest difference of an entry of F from the identity's"});
  const bool reference_modes =
      entry.boolean("reference_modes", false,
                    "times also the modes of the material's reference: complex steps in F with and without acceleration");
  MaterialChoice material = read_material_choice(entry, host);
  Configuration mesh_section = entry.section("mesh", "mesh of the elements");
  MeshSource mesh = read_mesh_source(mesh_section);
  if (!material.plugin) return;
  plan.plugins.push_back(material.plugin);
  const auto reference = reference_modes ? read_reference(entry, host, *material.plugin, plan) : nullptr;
  definition.contestants =
      comparison::element_derivative_contestants(*material.plugin, reference.get(), material.coefficients, quantity);
  if (reference_modes && !reference)  // known, though they cannot run
    for (const std::string& name : comparison::reference_contestants()) definition.contestants.push_back(name);
  definition.make = [=] {
    const TetrahedralMesh elements = mesh();
    require_linear(elements, "a comparison of the derivatives of elements");
    return comparison::element_derivative_task(*material.plugin, reference.get(), material.coefficients, quantity, elements,
                                               strain);
  };
}

void read_task(Configuration& entry, const StudyContext& context, std::vector<TimingTaskDefinition>& tasks, StudyPlan& plan) {
  TimingTaskDefinition definition;
  definition.name = entry.text("name", {.documentation = "name of the task; its columns are NAME_CONTESTANT"});
  entry.branch(
      "task",
      {{"root_derivative", "derivative of x^(1/3), at another point in each evaluation",
        [&](Configuration& p) {
          auto evaluations = static_cast<std::size_t>(read_evaluations(p, 100'000));
          define(definition, [=] { return comparison::root_derivative_task(evaluations); });
        }},
       {"quartic_derivative", "derivative of exp(x) / (x^4 + x^2 + 1), at another point in each evaluation",
        [&](Configuration& p) { read_quartic(p, definition); }},
       {"product_chain", "derivative of a product of many factors", [&](Configuration& p) { read_chain(p, definition); }},
       {"element_derivative", "derivative of a material's energy, for every element of a mesh",
        [&](Configuration& p) { read_elements(p, *context.plugins, definition, plan); }}},
      {}, "computation of the task");
  auto same = [&](const TimingTaskDefinition& other) { return other.name == definition.name; };
  if (!entry.recording() && std::any_of(tasks.begin(), tasks.end(), same))
    entry.problem(entry.location("name"), fmt::format("two tasks are named '{}'", definition.name));
  tasks.push_back(definition);
}

const TimingTaskDefinition* find(const std::vector<TimingTaskDefinition>& tasks, const std::string& name) {
  for (const TimingTaskDefinition& task : tasks)
    if (task.name == name) return &task;
  return nullptr;
}

TimingMetric read_metric(Configuration& entry, const std::vector<TimingTaskDefinition>& tasks, std::vector<Quantity>& metrics) {
  TimingMetric metric;
  std::vector<std::string> task_names, contestants, over{fastest_yardstick};
  for (const TimingTaskDefinition& task : tasks) task_names.push_back(task.name);
  if (entry.recording()) task_names.clear();
  metric.name = read_metric_name(entry, metrics);
  metric.task = entry.text("task", {.choices = task_names, .documentation = "name of the task"});
  if (const TimingTaskDefinition* task = find(tasks, metric.task); task && !entry.recording()) contestants = task->contestants;
  over.insert(over.end(), contestants.begin(), contestants.end());
  metric.contestant = entry.text("contestant", {.choices = contestants, .documentation = "contestant of the task"});
  metric.kind = read_metric_kind(entry, metric_kinds(), [&](Configuration& p, const std::string& kind) {
    if (kind == "time_ratio")
      metric.over = p.text("over", {.choices = p.recording() ? std::vector<std::string>() : over,
                                    .default_value = fastest_yardstick,
                                    .documentation = "second contestant, or the fastest of those written by hand"});
  });
  metrics.push_back(measured(metric.name, metric.kind, metric_kinds(),
                             metric.task + ", " + metric.contestant + (metric.over.empty() ? "" : " and " + metric.over)));
  return metric;
}

StudyPlan read_timing_table(Configuration& experiment, const StudyContext& context) {
  StudyPlan plan;
  TimingTablePlan table;
  const std::size_t problems = experiment.problem_count();
  table.repetitions =
      experiment.integer("repetitions", {.minimum = 1,
                                         .maximum = 100'000,
                                         .default_value = 15,
                                         .documentation = "number of repetitions; in each, every contestant runs once"});
  table.judges_times = experiment.boolean(
      "judge_times", true, "false: the run is too short for reliable times; its metrics of times are not attempted");
  experiment.each(
      "tasks", [&](Configuration& entry) { read_task(entry, context, table.tasks, plan); }, "computations that are timed", 1);
  experiment.each(
      "metrics", [&](Configuration& entry) { table.named_metrics.push_back(read_metric(entry, table.tasks, plan.metrics)); },
      "the study's metrics", 1);
  plan.metrics_are_known = experiment.problem_count() == problems;
  plan.build = [table]() -> std::unique_ptr<Study> { return std::make_unique<TimingTable>(table); };
  return plan;
}

}  // namespace

StudyKind timing_table() {
  return {
      "times of several methods for the same derivatives, measured in turn in one process",
      "One step is one repetition, on one thread, in processor time. metrics.csv has the differences of the results, which are "
      "deterministic; timings.csv has the times, of which the metrics take the median. The experiment names its metrics in "
      "`metrics`: ratios of times within this run, times, differences.",
      {},
      {},
      read_timing_table};
}

}  // namespace holo
