#include <algorithm>
#include <iostream>

#include "element_modes.h"
#include "holo/core/error.h"
#include "holo/core/plugin_host.h"

namespace holo::benchmark {
namespace {

constexpr std::size_t checked_elements = 16;  // against 100 digits: the reference takes milliseconds for one

const MaterialModes* find_modes(const std::string& name) {
  for (const MaterialModes& modes : material_modes())
    if (modes.name == name) return &modes;
  return nullptr;
}

// The plugin's operation through the function table, and the author's own derivative where there is one.
void add_plugin_modes(std::vector<Mode>& modes, const ElementInputs& inputs, const holo_material& abi) {
  const bool first = inputs.quantity == Quantity::gradient;
  const auto add = [&](const char* name, int operation, Family family) {
    if (abi.operations[operation] == nullptr) return;
    modes.push_back({name, family,
                     [kernel = comparison::plugin_kernel(abi.operations[operation], inputs.quantity, inputs.coefficients),
                      elements = inputs.elements](std::size_t items, double* output) { kernel(elements.first(items), output); },
                     abi.kernels[operation]});
  };
  add("plugin", first ? HOLO_MATERIAL_STRESS : HOLO_MATERIAL_HESSIAN, Family::shipped);
  add("plugin, analytic", first ? HOLO_MATERIAL_ANALYTIC_STRESS : HOLO_MATERIAL_ANALYTIC_HESSIAN, Family::analytic);
}

std::vector<Mode> all_modes(const MaterialPlugin& plugin, const ElementInputs& inputs) {
  std::vector<Mode> modes;
  for (comparison::NamedKernel& kernel :
       comparison::hand_written_kernels(plugin.name(), inputs.quantity, inputs.coefficients)) {
    const auto run = [kernel = kernel.run, elements = inputs.elements](std::size_t items, double* output) {
      kernel(elements.first(items), output);
    };
    modes.push_back({kernel.name, Family::analytic, run, ""});
    modes.back().is_yardstick = true;
  }
  add_plugin_modes(modes, inputs, plugin.abi());
  if (const MaterialModes* list = find_modes(plugin.name()))
    for (const AddModes add : {list->own, list->adolc, list->boost})
      if (add != nullptr) add(modes, inputs);
  return modes;
}

// dpsi/dF or d2psi/dF2 in 100 digits, then chained to the vertices.
std::vector<double> reference_of(const MaterialReference& reference, const ElementInputs& inputs) {
  const Mode mode = element_mode("reference", Family::analytic, inputs, [&](const double* F, double* result) {
    double full[81];
    if (inputs.quantity == Quantity::gradient) {
      reference.abi().stress(F, inputs.coefficients.data(), result);
      return;
    }
    reference.abi().hessian(F, inputs.coefficients.data(), full);
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j) *result++ = full[9 * i + j];
  });
  const std::size_t entries = inputs.quantity == Quantity::gradient ? gradient_entries : hessian_entries;
  const comparison::AlignedDoubles output = comparison::aligned_doubles(checked_elements * entries);
  mode.run(checked_elements, output.get());
  return {output.get(), output.get() + checked_elements * entries};
}

// The plugin against the 100 digits, at the first elements; then its results are every other mode's reference.
void take_plugin_as_reference(Problem& problem, const Mode& plugin, const MaterialReference& reference,
                              const ElementInputs& inputs) {
  const comparison::AlignedDoubles output = comparison::aligned_doubles(problem.items * problem.entries);
  plugin.run(problem.items, output.get());
  Problem exact = problem;
  exact.items = checked_elements;
  exact.reference = reference_of(reference, inputs);
  const Row row = compare(exact, {plugin}, 1, checked_elements).front();
  if (!row.agrees())
    throw Error(Failure::internal, problem.name + ", " + problem.quantity +
                                       ": the plugin differs from 100-digit arithmetic by " + std::to_string(row.difference) +
                                       " of the largest entry");
  problem.reference.assign(output.get(), output.get() + problem.items * problem.entries);
}

// Gradient 40 times, Hessian 200 times faster than the fastest way of ADOL-C and Boost.
void judge_peers(const Problem& problem, const std::vector<Row>& rows, bool first, std::vector<Gate>& gates) {
  const double plugin = fastest(rows, [](const Row& row) { return row.family == Family::shipped; });
  const double peer = fastest(rows, [](const Row& row) { return row.family == Family::peer; });
  if (plugin > 0 && peer > 0)
    gates.push_back({problem.part, problem.name, problem.quantity, "fastest ADOL-C or Boost variant over the plugin",
                     peer / plugin, first ? 40.0 : 200.0, first ? 50.0 : 250.0, true});
}

void append(Results& results, const std::vector<Row>& rows) {
  results.rows.insert(results.rows.end(), rows.begin(), rows.end());
}

}  // namespace

Results compare_elements(const ElementOptions& options) {
  const PluginHost host({options.plugin_path.begin(), options.plugin_path.end()});
  const std::vector<std::string> names = options.materials.empty() ? host.materials() : options.materials;
  if (names.empty())
    throw Error(Failure::input, "no material plugin is on the plugin path: give --plugin-path or HOLO_PLUGIN_PATH");
  const std::vector<ElementRecord> elements = comparison::random_elements(options.elements, 0.15);
  Results results;
  for (const Quantity quantity : {Quantity::gradient, Quantity::hessian})
    for (const std::string& name : names) {
      const auto plugin = host.material(name);
      const bool first = quantity == Quantity::gradient;
      const ElementInputs inputs = {quantity, elements,
                                    plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.45}})};
      Problem problem = {"element",
                         name,
                         first ? "gradient" : "Hessian",
                         elements.size(),
                         std::size_t(first ? gradient_entries : hessian_entries),
                         1e-12,
                         {}};
      const std::vector<Mode> modes = all_modes(*plugin, inputs);
      const auto shipped = std::find_if(modes.begin(), modes.end(), [](const Mode& m) { return m.family == Family::shipped; });
      take_plugin_as_reference(problem, *shipped, *host.material_reference(name), inputs);
      const std::vector<Row> rows = compare(problem, modes, options.repeats, width);
      judge_peers(problem, rows, first, results.gates);
      append(results, rows);
      std::cerr << problem.name << ", " << problem.quantity << ": done\n";
    }
  return results;
}

}  // namespace holo::benchmark
