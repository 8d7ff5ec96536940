#include <algorithm>
#include <filesystem>
#include <iostream>

#include "element_judgment.h"
#include "element_modes.h"
#include "holo/core/error.h"
#include "holo/core/plugins/plugin_host.h"

namespace holo::benchmark {
namespace {

constexpr std::size_t checked_elements = 16;  // against 100 digits: the reference takes milliseconds for one

const MaterialModes* find_modes(const std::string& name) {
  for (const MaterialModes& modes : material_modes())
    if (modes.name == name) return &modes;
  return nullptr;
}

// An operation on batches. Upper halves go where the next elements' go too, as an assembly adds them up while they are in the
// cache; all else to places of its own.
Mode kernel_mode(std::string name, Family family, const ElementInputs& inputs, const comparison::Kernel& kernel,
                 std::string note = "") {
  const auto elements = inputs.elements;
  Mode mode{std::move(name), family,
            [kernel, elements](std::size_t items, double* output) { kernel(elements.first(items), output); }, std::move(note)};
  if (inputs.quantity != DerivativeKind::symmetric_hessian) return mode;
  mode.timed = [kernel, elements](std::size_t items, double* output) {
    constexpr std::size_t batch = 32;
    for (std::size_t first = 0; first < items; first += batch)
      kernel(elements.subspan(first, std::min(batch, items - first)), output);
  };
  // Some kernels do not write the entries that fill the records up to complete registers.
  mode.run = [run = mode.run](std::size_t items, double* output) {
    run(items, output);
    for (std::size_t item = 0; item < items; ++item, output += comparison::symmetric_hessian_entries)
      std::fill(output + upper_count_12, output + comparison::symmetric_hessian_entries, 0.0);
  };
  return mode;
}

// The plugin's operation through the function table, and the author's own derivative where there is one.
void add_plugin_modes(std::vector<Mode>& modes, const ElementInputs& inputs, const holo_material& abi) {
  const bool first = inputs.quantity == DerivativeKind::gradient;
  const auto add = [&](const char* name, int operation, Family family) {
    if (abi.operations[operation] != nullptr)
      modes.push_back(kernel_mode(name, family, inputs,
                                  comparison::plugin_kernel(abi.operations[operation], inputs.quantity, inputs.coefficients),
                                  abi.kernels[operation]));
  };
  const int derived = first ? HOLO_MATERIAL_STRESS : HOLO_MATERIAL_HESSIAN;
  modes.push_back(kernel_mode("plugin", Family::shipped, inputs,
                              comparison::plugin_kernel(abi, inputs.quantity, inputs.coefficients), abi.kernels[derived]));
  for (const comparison::NamedKernel& kernel :
       comparison::hand_written_lane_kernels(abi.name, inputs.quantity, inputs.coefficients))
    modes.push_back(kernel_mode(kernel.name, Family::analytic, inputs, kernel.run));
  add("plugin, analytic", first ? HOLO_MATERIAL_ANALYTIC_STRESS : HOLO_MATERIAL_ANALYTIC_HESSIAN, Family::analytic);
}

// The operations of every mode in lanes before and after the energy's derivative, with an operation that writes ones.
template <std::uint64_t entries>
void write_ones(const holo_batch* batch) {
  for (std::uint64_t k = 0; k < batch->block_count * entries; ++k) LaneBlock(1.0).store(batch->output + k * width);
}
Mode frame_mode(const ElementInputs& inputs) {
  const holo_batch_function operation =
      inputs.quantity == DerivativeKind::gradient ? write_ones<9> : write_ones<std::uint64_t(upper_count_9)>;
  return kernel_mode("gather, chain and stores alone", Family::frame, inputs,
                     comparison::plugin_kernel(operation, inputs.quantity, inputs.coefficients));
}

std::vector<Mode> all_modes(const MaterialPlugin& plugin, const ElementInputs& inputs) {
  std::vector<Mode> modes;
  for (const comparison::NamedKernel& kernel :
       comparison::hand_written_kernels(plugin.name(), inputs.quantity, inputs.coefficients)) {
    modes.push_back(kernel_mode(kernel.name, Family::analytic, inputs, kernel.run));
    modes.back().is_yardstick = true;
  }
  add_plugin_modes(modes, inputs, plugin.abi());
  modes.push_back(frame_mode(inputs));
  const MaterialModes* list = find_modes(plugin.name());
  if (list != nullptr && inputs.quantity != DerivativeKind::symmetric_hessian)
    for (const AddModes add : {list->own, list->tape, list->adolc, list->boost})
      if (add != nullptr) add(modes, inputs);
  return modes;
}

// dpsi/dF or d2psi/dF2 in 100 digits, then chained to the vertices.
std::vector<double> reference_of(const MaterialReference& reference, const ElementInputs& inputs) {
  const Mode mode = element_mode("reference", Family::analytic, inputs, [&](const double* F, double* result) {
    double full[81];
    if (inputs.quantity == DerivativeKind::gradient) {
      reference.abi().stress(F, inputs.coefficients.data(), result);
      return;
    }
    reference.abi().hessian(F, inputs.coefficients.data(), full);
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j) *result++ = full[9 * i + j];
  });
  const auto entries = std::size_t(comparison::entries_of(inputs.quantity));
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

ElementInputs inputs_of(const MaterialPlugin& plugin, DerivativeKind quantity, std::span<const ElementRecord> elements) {
  if (plugin.name() == "fiber_reinforced")  // the only one with other parameters
    return {quantity, elements,
            plugin.coefficients(
                {{"shear_modulus", 3e4}, {"fiber_stiffness", 1e5}, {"fiber.0", 0.36}, {"fiber.1", 0.48}, {"fiber.2", 0.8}})};
  return {quantity, elements, plugin.coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.45}})};
}

const char* name_of(DerivativeKind quantity) {
  return quantity == DerivativeKind::gradient  ? "gradient"
         : quantity == DerivativeKind::hessian ? "Hessian"
                                               : "Hessian, upper half";
}

std::vector<Row> compare_material(const PluginHost& host, const std::string& name, DerivativeKind quantity,
                                  const std::vector<ElementRecord>& elements, int repeats) {
  const auto plugin = host.get<MaterialPlugin>(name);
  const ElementInputs inputs = inputs_of(*plugin, quantity, elements);
  Problem problem = {"element", name, name_of(quantity), elements.size(), std::size_t(comparison::entries_of(quantity)),
                     1e-12,     {}};
  const std::vector<Mode> modes = all_modes(*plugin, inputs);
  const auto shipped = std::find_if(modes.begin(), modes.end(), [](const Mode& m) { return m.family == Family::shipped; });
  take_plugin_as_reference(problem, *shipped, *host.get_reference<MaterialPlugin>(name), inputs);
  const std::vector<Row> rows = compare(problem, modes, repeats, width);
  std::cerr << problem.name << ", " << problem.quantity << ": done\n";
  return rows;
}

}  // namespace

Results compare_elements(const ElementOptions& options) {
  std::vector<std::filesystem::path> path(options.plugin_path.begin(), options.plugin_path.end());
  path.emplace_back(HOLO_BENCHMARK_PLUGINS);  // what stands for materials from outside the tree
  const PluginHost host(path);
  const std::vector<std::string> names = options.materials.empty() ? host.names<MaterialPlugin>() : options.materials;
  if (names.empty())
    throw Error(Failure::input, "no material plugin is on the plugin path: give --plugin-path or HOLO_PLUGIN_PATH");
  const std::vector<ElementRecord> elements = comparison::random_elements(options.elements, 0.15);
  Results results;
  for (const DerivativeKind quantity : comparison::derivative_kinds)
    for (const std::string& name : names) {
      const std::vector<Row> rows = compare_material(host, name, quantity, elements, options.repeats);
      judge_element(rows, quantity, judgement_of(host.get<MaterialPlugin>(name)->abi()), results.gates);
      results.rows.insert(results.rows.end(), rows.begin(), rows.end());
    }
  return results;
}

}  // namespace holo::benchmark
