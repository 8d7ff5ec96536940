// The study `material_test`: stress and energy of materials along prescribed deformations, without a simulation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "holo/core/plugins/material_plugin.h"
#include "holo/core/runs/archive.h"
#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/material_choice.h"
#include "holo/study/quantity_table.h"
#include "studies/studies.h"

namespace holo {

namespace {

using Gradient = std::array<double, 9>;  // deformation gradient F by rows

// A family of deformations F(s) of the stretch s, at rest for s = 1, and the component of the first Piola stress P that its
// curve shows. Linear elasticity gives its slope at rest from Lame's constants, since P = 2 mu e + lambda tr(e) I there.
struct MaterialTest {
  std::string name, documentation;
  Gradient (*deformation)(double s);
  std::size_t component;                               // of P, by rows
  double (*determinant)(double s);                     // of F(s); it grows with s, or is 1
  double (*linear_modulus)(double lambda, double mu);  // dP/ds at s = 1 [Pa]
};

const std::vector<MaterialTest>& material_tests() {
  static const std::vector<MaterialTest> tests{
      {"uniaxial", "F = diag(s, 1, 1), P11: no lateral contraction",
       [](double s) { return Gradient{s, 0, 0, 0, 1, 0, 0, 0, 1}; }, 0, [](double s) { return s; },
       [](double lambda, double mu) { return lambda + 2 * mu; }},
      {"biaxial", "F = diag(s, s, 1), P11", [](double s) { return Gradient{s, 0, 0, 0, s, 0, 0, 0, 1}; }, 0,
       [](double s) { return s * s; }, [](double lambda, double mu) { return 2 * (lambda + mu); }},
      {"simple_shear", "F12 = s - 1 beside the identity, P12", [](double s) { return Gradient{1, s - 1, 0, 0, 1, 0, 0, 0, 1}; },
       1, [](double) { return 1.0; }, [](double, double mu) { return mu; }},
      {"volumetric", "F = s I, P11", [](double s) { return Gradient{s, 0, 0, 0, s, 0, 0, 0, s}; }, 0,
       [](double s) { return s * s * s; }, [](double lambda, double mu) { return 3 * lambda + 2 * mu; }}};
  return tests;
}

struct LinearModuli {
  double youngs_modulus = 0, poissons_ratio = 0;  // [Pa], 1
  double lambda() const { return youngs_modulus * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio)); }
  double mu() const { return youngs_modulus / (2 * (1 + poissons_ratio)); }
};

struct TestedMaterial {
  std::string name;
  MaterialChoice choice;
  std::optional<LinearModuli> linear;  // of small strains, where the material states that its parameters are these
};

struct MaterialTestPlan {
  double first = 0, last = 0;  // stretches
  std::int64_t count = 0;
  std::vector<TestedMaterial> materials;
  std::vector<const MaterialTest*> tests;
};

// The first value of an operation's result, or that of a component of the stress. The plugin works on blocks of lanes, all of
// which get the same F.
double evaluate(const MaterialChoice& material, holo_material_operation operation, const Gradient& F, std::size_t component) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  AlignedArray gradient(9 * lanes), output(9 * lanes),
      coefficients(std::max<std::size_t>(1, material.coefficients.size()) * lanes);
  for (std::size_t i = 0; i < F.size(); ++i) std::fill_n(gradient.data() + i * lanes, lanes, F[i]);
  for (std::size_t i = 0; i < material.coefficients.size(); ++i)
    std::fill_n(coefficients.data() + i * lanes, lanes, material.coefficients[i]);
  holo_batch batch{};
  batch.size = sizeof(holo_batch);
  batch.block_count = 1;
  batch.deformation_gradient = gradient.data();
  batch.coefficients = coefficients.data();
  batch.output = output.data();
  material.plugin->abi().operations[operation](&batch);
  return output[component * lanes];
}

double stress(const MaterialChoice& material, const MaterialTest& test, double s) {
  return evaluate(material, HOLO_MATERIAL_STRESS, test.deformation(s), test.component);
}

double energy_density(const MaterialChoice& material, const MaterialTest& test, double s) {
  return evaluate(material, HOLO_MATERIAL_ENERGY, test.deformation(s), 0);
}

// The curve's slope at rest by a central difference: docs/acceptance.md#initial-moduli derives its error.
double initial_modulus(const MaterialChoice& material, const MaterialTest& test) {
  constexpr double step = 1e-5;
  return (stress(material, test, 1 + step) - stress(material, test, 1 - step)) / (2 * step);
}

// A row: both curves of each material in each test, at one stretch.
QuantityTable<double> columns_of(const MaterialTestPlan& plan) {
  QuantityTable<double> table{{{"stretch", "1", "s of the deformation F(s)"}, [](double s) { return s; }}};
  for (const TestedMaterial& material : plan.materials)
    for (const MaterialTest* test : plan.tests) {
      const std::string prefix = material.name + "_" + test->name;
      table.push_back({{prefix + "_stress", "Pa", "first Piola stress: " + test->documentation},
                       [choice = material.choice, test](double s) { return stress(choice, *test, s); }});
      table.push_back({{prefix + "_energy", "J/m^3", "energy over rest volume: " + test->documentation},
                       [choice = material.choice, test](double s) { return energy_density(choice, *test, s); }});
    }
  return table;
}

QuantityTable<MaterialTestPlan> metrics_of_plan(const MaterialTestPlan& plan) {
  QuantityTable<MaterialTestPlan> table;
  for (const TestedMaterial& material : plan.materials)
    for (const MaterialTest* test : plan.tests) {
      const std::string name = material.name + "_" + test->name + "_initial_modulus";
      const auto modulus = [choice = material.choice, test](const MaterialTestPlan&) { return initial_modulus(choice, *test); };
      table.push_back({{name, "Pa", "slope of the stress at rest: " + test->documentation}, modulus});
      if (!material.linear) continue;
      const double linear = test->linear_modulus(material.linear->lambda(), material.linear->mu());
      table.push_back({{name + "_error", "1", "relative difference of the initial modulus from linear elasticity"},
                       [modulus, linear](const MaterialTestPlan& of) { return std::abs(modulus(of) / linear - 1); }});
    }
  return table;
}

class MaterialCurves final : public Study {
 public:
  explicit MaterialCurves(MaterialTestPlan plan) : plan_(std::move(plan)), columns_(columns_of(plan_)) {}

  std::vector<Quantity> columns() const override { return quantities_of(columns_); }
  std::vector<ColumnPlot> plots() const override {
    std::vector<ColumnPlot> result;
    for (const MaterialTest* test : plan_.tests)
      for (const auto& [suffix, label] : {std::pair{"_stress", "first Piola stress"}, std::pair{"_energy", "energy density"}}) {
        ColumnPlot& plot = result.emplace_back();
        plot.title = fmt::format("{}: {}", test->name, label);
        plot.x = "stretch";
        for (const TestedMaterial& material : plan_.materials) plot.y.push_back(material.name + "_" + test->name + suffix);
        plot.label = label;
        plot.own_names = true;
      }
    return result;
  }
  std::int64_t total_steps() const override { return plan_.count; }
  std::int64_t steps_done() const override { return done_; }
  StepResult step(StudyOutput& output) override {
    const double part = static_cast<double>(done_) / static_cast<double>(plan_.count - 1);
    output.row(row_of(columns_, plan_.first + part * (plan_.last - plan_.first)));
    ++done_;
    return {};
  }
  std::string serialize() const override {
    Archive archive("material_test", 1);
    std::int64_t done = done_;
    archive.visit(done, static_cast<double>(plan_.count));
    return archive.take_bytes();
  }
  void deserialize(std::string_view state) override {
    Archive archive("material_test", 1, state);
    std::int64_t done = 0;
    archive.visit(done, static_cast<double>(plan_.count));
    archive.require_end();
    done_ = done;
  }
  std::vector<Metric> finish() override { return metrics_of(metrics_of_plan(plan_), plan_); }

 private:
  MaterialTestPlan plan_;
  QuantityTable<double> columns_;
  std::int64_t done_ = 0;
};

void read_stretches(Configuration& experiment, MaterialTestPlan& plan) {
  Configuration stretches = experiment.section("stretches", "values of s of the deformations F(s); 1 is at rest");
  plan.first = stretches.number("first", {.minimum = 0, .minimum_excluded = true, .documentation = "smallest stretch"});
  plan.last = stretches.number("last", {.minimum = 0, .minimum_excluded = true, .documentation = "largest stretch"});
  plan.count = stretches.integer(
      "count",
      {.minimum = 2, .maximum = 1'000'000, .default_value = 101, .documentation = "number of evenly spaced stretches"});
  if (!(plan.first < plan.last) && !stretches.recording() && !stretches.has_problems())
    stretches.problem(stretches.location("last"), fmt::format("'last' {} must be above 'first' {}", plan.last, plan.first));
}

void read_tests(Configuration& experiment, MaterialTestPlan& plan) {
  std::vector<std::string> names;
  for (const MaterialTest& test : material_tests()) names.push_back(test.name);
  const std::vector<std::string> chosen = experiment.texts(
      "tests", 0, names.size(), {.choices = names, .documentation = "families of deformations; by default all"});
  for (const MaterialTest& test : material_tests())
    if (chosen.empty() || std::find(chosen.begin(), chosen.end(), test.name) != chosen.end()) plan.tests.push_back(&test);
}

// The material's energy must be finite along all curves, which an energy that is defined for some det F only may not be.
void check_domain(Configuration& entry, const MaterialPlugin& plugin, const MaterialTestPlan& plan) {
  const holo_material& material = plugin.abi();
  if (material.domain == HOLO_DOMAIN_ALL) return;
  for (const MaterialTest* test : plan.tests)
    for (const double s : {plan.first, plan.last})
      if (const double J = test->determinant(s); !(J > material.determinant_minimum && J < material.determinant_maximum))
        return entry.problem(
            entry.location("material"),
            fmt::format("the material '{}' is defined for {:g} < det F < {:g}; in the test '{}' det F is {:.6g} at the stretch "
                        "{:g}: choose other stretches, or tests without it",
                        material.name, material.determinant_minimum, material.determinant_maximum, test->name, J, s));
}

void read_material_entry(Configuration& entry, const PluginHost& host, MaterialTestPlan& plan, StudyPlan& study) {
  const std::size_t problems = entry.problem_count();
  TestedMaterial material;
  material.name = entry.text("name", {.documentation = "name of the material's columns NAME_TEST_stress and NAME_TEST_energy"});
  material.choice = read_material_choice(entry, host);
  if (entry.recording()) return;
  const auto same = [&](const TestedMaterial& other) { return other.name == material.name; };
  if (std::any_of(plan.materials.begin(), plan.materials.end(), same))
    entry.problem(entry.location("name"), fmt::format("two materials are named '{}'", material.name));
  if (!material.choice.plugin || entry.problem_count() != problems) return;
  study.plugins.push_back(material.choice.plugin);
  if (!entry.has_problems()) check_domain(entry, *material.choice.plugin, plan);
  Configuration values = entry.section("material");
  if (material.choice.plugin->abi().is_calibrated && values.has("youngs_modulus") && values.has("poissons_ratio"))
    material.linear = {values.number("youngs_modulus"), values.number("poissons_ratio")};
  plan.materials.push_back(std::move(material));
}

StudyPlan read_material_curves(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  MaterialTestPlan plan;
  const std::size_t problems = experiment.problem_count();
  read_stretches(experiment, plan);
  read_tests(experiment, plan);
  experiment.each(
      "materials", [&](Configuration& entry) { read_material_entry(entry, *context.plugins, plan, result); },
      "materials whose curves are compared", 1);
  result.metrics = quantities_of(metrics_of_plan(plan));
  result.metrics_are_known = experiment.problem_count() == problems;
  result.build = [plan]() -> std::unique_ptr<Study> { return std::make_unique<MaterialCurves>(plan); };
  return result;
}

}  // namespace

StudyKind material_test() {
  return {"curves of stress and energy of materials over prescribed stretches",
          "One row for each stretch s: first Piola stress and energy density at the deformation F(s) of each test, uniaxial, "
          "biaxial, simple shear and volumetric. The metrics are NAME_TEST_initial_modulus, the slope of the stress at rest; "
          "and, for materials whose youngs_modulus and poissons_ratio are those of small strains, "
          "NAME_TEST_initial_modulus_error, its relative difference from linear elasticity.",
          {},
          {},
          read_material_curves};
}

}  // namespace holo
