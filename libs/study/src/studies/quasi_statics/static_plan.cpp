#include "studies/quasi_statics/static_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/name_list.h"
#include "studies/body_energies.h"
#include "studies/elastic_solver.h"

namespace holo {

namespace {

using NamedValues = std::vector<std::pair<std::string, double>>;

// Those of the moduli that the material reads, all of one isotropic stiffness.
NamedValues values_for(const MaterialPlugin& plugin, double youngs_modulus, double poissons_ratio) {
  const double E = youngs_modulus, nu = poissons_ratio;
  const NamedValues moduli = {{"youngs_modulus", E},
                              {"poissons_ratio", nu},
                              {"shear_modulus", E / (2 * (1 + nu))},
                              {"bulk_modulus", E / (3 * (1 - 2 * nu))},
                              {"lame_lambda", E * nu / ((1 + nu) * (1 - 2 * nu))}};
  NamedValues result;
  for (const ParameterDescription& parameter : plugin.parameters())
    for (const auto& modulus : moduli)
      if (modulus.first == parameter.path) result.push_back(modulus);
  return result;
}

// Why a material cannot stand in place of the body's own; "" where it can.
std::string objection_to(const MaterialPlugin& plugin, const PluginHost& host, ElementDifferentiation mode) {
  try {
    plugin.coefficients(values_for(plugin, 1e5, 0.3));
    require_element_mode(mode, plugin.abi(), [&] { return host.get_reference<MaterialPlugin>(plugin.name()); });
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void add_material(const std::string& name, bool is_asked_for, Configuration& experiment, const PluginHost& host,
                  StaticPlan& plan) {
  try {
    const auto plugin = host.get<MaterialPlugin>(name);
    const std::string objection = objection_to(*plugin, host, plan.scene.differentiation);
    if (objection.empty()) {
      plan.materials.push_back({plugin, [host, name] { return host.get_reference<MaterialPlugin>(name); }});
      return;
    }
    if (!is_asked_for) {
      plan.notes.push_back(fmt::format("the material '{}' is left out: {}", name, objection));
      return;
    }
    experiment.problem(plan.materials_location, fmt::format("the material '{}' cannot be used here: {}", name, objection));
  } catch (const Error& error) {
    experiment.problem(plan.materials_location, error.what());
  }
}

void read_materials(Configuration& experiment, const PluginHost& host, StaticPlan& plan) {
  if (!experiment.has("materials") && !experiment.recording()) return;
  const auto chosen = experiment.text_or_texts(
      "materials", {.documentation = "`all`, or names of material plugins: each in place of the body's own, with its Young's "
                                     "modulus and Poisson's ratio at rest; by default the body's own alone"});
  if (experiment.recording()) return;
  plan.materials_location = experiment.location("materials");
  const bool all = !chosen.is_list && chosen.entries.size() == 1 && chosen.entries.front() == "all";
  std::vector<std::string> names;
  for (const std::string& name : all ? host.names<MaterialPlugin>() : chosen.entries) {
    if (contains(names, name))
      experiment.problem(plan.materials_location, fmt::format("the material '{}' is named twice.", name));
    else
      names.push_back(name);
  }
  for (const std::string& name : names) add_material(name, !all, experiment, host, plan);
}

int number_of_test(const StaticPlan& plan, const std::string& name) {
  for (std::size_t i = 0; i < plan.tests.size(); ++i)
    if (plan.tests[i].name == name) return int(i);
  return -1;
}

StaticTest read_test(Configuration& entry, const PluginHost& host, const StaticPlan& plan) {
  const std::vector<NamedSubset> none;
  const std::vector<NamedSubset>& subsets = plan.scene.bodies.empty() ? none : plan.scene.bodies.front().subsets;
  StaticTest test;
  test.name = entry.text("name", {.documentation = "of the test, in names of metrics"});
  if (entry.has("material")) read_body_material(entry, host, plan.scene.differentiation, test.material.emplace());
  if (entry.has("mesh") || entry.recording()) {
    Configuration mesh = entry.section("mesh", "mesh of the body in this test; by default its own", false);
    test.mesh = read_mesh_source(mesh);
  }
  entry.each(
      "handles", [&](Configuration& p) { test.handles.push_back(read_handle(p, subsets)); },
      "handles of the body in this test, beside its own");
  entry.each(
      "loads", [&](Configuration& p) { test.loads.push_back(read_load(p, subsets)); },
      "loads of the body in this test, beside its own");
  const std::string reference =
      entry.text("reference", {.default_value = "", .documentation = "an earlier test with which this one is compared"});
  if (entry.recording()) return test;
  test.reference = number_of_test(plan, reference);
  if (!reference.empty() && test.reference < 0)
    entry.problem(entry.location("reference"), fmt::format("no test '{}' before this one", reference));
  if (number_of_test(plan, test.name) >= 0)
    entry.problem(entry.location("name"), fmt::format("two tests are named '{}'; names must differ.", test.name));
  if (test.material && !plan.materials.empty())
    entry.problem(entry.location("material"), "a test has no material of its own where `materials` are compared");
  return test;
}

void read_tests(Configuration& experiment, const PluginHost& host, StaticPlan& plan) {
  experiment.each(
      "tests", [&](Configuration& entry) { plan.tests.push_back(read_test(entry, host, plan)); },
      "what is done to the scene's one body; by default what the scene does");
}

QuasiStaticOptions read_static_solver(Configuration& experiment) {
  Configuration solver = experiment.section("solver", "line-search Newton of each equilibrium", false);
  QuasiStaticOptions options;
  options.newton.max_iterations = 1000;  // many where an equilibrium becomes unstable
  read_newton_limits(solver, "an increment", options.newton);
  options.smallest_increment =
      solver.number("smallest_increment",
                    {.minimum = 1e-9,
                     .maximum = 1,
                     .default_value = options.smallest_increment,
                     .documentation = "a time step whose equilibrium is not found is divided, down to this part of it"});
  return options;
}

// Bodies that may move as a whole have no equilibrium, or many.
bool is_held(const ElasticBodyDefinition& body, const StaticTest* test) {
  return !body.handles.empty() || (test != nullptr && !test->handles.empty());
}

void check_scene(Configuration& experiment, const StaticPlan& plan) {
  if (experiment.recording() || experiment.has_problems()) return;
  if (plan.scene.scheme != IntegrationScheme::implicit_euler)
    experiment.problem(experiment.location("scene"), "an equilibrium has no `integrator`; leave it out.");
  if ((!plan.materials.empty() || !plan.tests.empty()) && plan.scene.bodies.size() != 1)
    experiment.problem(
        experiment.location("scene"),
        fmt::format("`materials` and `tests` are those of one body; the scene has {}.", plan.scene.bodies.size()));
  if (!plan.scene.contact.planes.empty()) return;  // a body may lie on one
  for (const ElasticBodyDefinition& body : plan.scene.bodies) {
    if (plan.tests.empty() && !is_held(body, nullptr))
      experiment.problem(body.location, fmt::format("nothing holds the body '{}', so that it has no equilibrium; give it a "
                                                    "handle.",
                                                    body.name));
    for (const StaticTest& test : plan.tests)
      if (!is_held(body, &test))
        experiment.problem(experiment.location("tests"),
                           fmt::format("nothing holds the body '{}' in the test '{}', so that it has no equilibrium; give it a "
                                       "handle.",
                                       body.name, test.name));
  }
}

struct ModuliAtRest {
  double youngs_modulus = 0, poissons_ratio = 0;  // [Pa], 1
};

// Those of the scene's one body as it comes.
ModuliAtRest moduli_at_rest(const StaticPlan& plan) {
  const ElasticModel model(plan.scene);
  const ElasticBody& body = model.bodies().front();
  if (!std::isfinite(body.youngs_modulus) || !std::isfinite(body.poissons_ratio))
    throw_input_error(plan.materials_location,
                      fmt::format("other materials get the moduli at rest of that of body '{}', which is not isotropic or not "
                                  "uniform; give it another one.",
                                  body.name));
  return {body.youngs_modulus, body.poissons_ratio};
}

void set_material(const StaticMaterial& material, const Location& where, const ModuliAtRest& rest,
                  ElasticBodyDefinition& body) {
  body.plugin = material.plugin;
  body.material = std::shared_ptr<const holo_material>(material.plugin, &material.plugin->abi());
  body.reference = material.reference;
  body.element_coefficients = nullptr;
  body.material_location = where;
  try {
    body.coefficients = material.plugin->coefficients(values_for(*material.plugin, rest.youngs_modulus, rest.poissons_ratio));
  } catch (const Error& error) {
    throw_input_error(where, fmt::format("the material '{}': {}", material.name(), error.what()));
  }
}

void take_material(const ElasticBodyDefinition& from, ElasticBodyDefinition& body) {
  body.plugin = from.plugin;
  body.material = from.material;
  body.reference = from.reference;
  body.coefficients = from.coefficients;
  body.element_coefficients = from.element_coefficients;
  body.material_location = from.material_location;
}

}  // namespace

std::vector<StaticRun> StaticPlan::runs() const {
  std::vector<StaticRun> result;
  const int test_count = std::max(1, int(tests.size())), material_count = std::max(1, int(materials.size()));
  for (int test = 0; test < test_count; ++test)
    for (int material = 0; material < material_count; ++material) {
      StaticRun run{materials.empty() ? -1 : material, tests.empty() ? -1 : test, ""};
      if (run.material >= 0) run.name = materials[std::size_t(material)].name();
      if (run.test >= 0) run.name += (run.name.empty() ? "" : "_") + tests[std::size_t(test)].name;
      result.push_back(std::move(run));
    }
  return result;
}

StaticPlan read_static_plan(Configuration& experiment, const StudyContext& context) {
  StaticPlan plan;
  Configuration section = experiment.section("scene", "bodies, gravity and time, which is that of the load");
  plan.scene = read_elastic_scene(section, *context.plugins, element_differentiation(context.differentiation.elements));
  Configuration differentiation = experiment.section("differentiation", "how derivatives are taken", false);
  plan.scene.singular_choice = read_singular_choice(differentiation);
  read_materials(experiment, *context.plugins, plan);
  read_tests(experiment, *context.plugins, plan);
  plan.patterns = read_displacement_patterns(experiment, plan.scene);
  plan.options = read_static_solver(experiment);
  check_scene(experiment, plan);
  return plan;
}

bool has_mesh_of_reference(const StaticPlan& plan, const StaticRun& run) {
  if (run.test < 0) return true;
  const StaticTest& test = plan.tests[std::size_t(run.test)];
  return !test.mesh && !(test.reference >= 0 && plan.tests[std::size_t(test.reference)].mesh);
}

void add_static_plugins(const StaticPlan& plan, std::vector<UsedPlugin>& plugins) {
  add_scene_plugins(plan.scene, plugins);
  for (const StaticMaterial& material : plan.materials) plugins.emplace_back(material.plugin);
  for (const StaticTest& test : plan.tests)
    if (test.material && test.material->plugin) plugins.emplace_back(test.material->plugin);
  // A plugin of several runs is recorded once.
  std::vector<UsedPlugin> once;
  for (UsedPlugin& plugin : plugins)
    if (std::none_of(once.begin(), once.end(), [&](const UsedPlugin& other) { return other.path == plugin.path; }))
      once.push_back(std::move(plugin));
  plugins = std::move(once);
}

std::vector<ElasticSceneDefinition> static_scenes(const StaticPlan& plan) {
  std::vector<ElasticSceneDefinition> scenes;
  const ModuliAtRest rest = plan.materials.empty() ? ModuliAtRest{} : moduli_at_rest(plan);
  for (const StaticRun& run : plan.runs()) {
    ElasticSceneDefinition& scene = scenes.emplace_back(plan.scene);
    ElasticBodyDefinition& body = scene.bodies.front();
    if (run.material >= 0) set_material(plan.materials[std::size_t(run.material)], plan.materials_location, rest, body);
    if (run.test < 0) continue;
    const StaticTest& test = plan.tests[std::size_t(run.test)];
    if (test.material) take_material(*test.material, body);
    if (test.mesh) body.mesh = test.mesh;
    body.handles.insert(body.handles.end(), test.handles.begin(), test.handles.end());
    body.loads.insert(body.loads.end(), test.loads.begin(), test.loads.end());
  }
  return scenes;
}

}  // namespace holo
