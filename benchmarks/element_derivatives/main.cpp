// How long the gradient (12), the full Hessian (12x12) and its upper half (78) of a tetrahedron take, records gathered in and
// output stored, for every material on the plugin path: the plugin's operations against A0, a hand-written scalar kernel of the
// same output, in one run. All kernels of a material take turns, many times; the smallest thread CPU time counts. One thread.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "command_line.h"
#include "holo/core/plugins/plugin_host.h"
#include "kernels.h"
#include "measuring.h"
#include "table.h"

namespace holo::benchmark {
namespace {

struct Options {
  std::size_t elements = 2000;  // records and results in the second cache
  int repeats = 200;
  std::vector<std::string> materials, plugin_path;
  std::string json;
};

struct Contestant {
  NamedKernel kernel;
  std::string note;
  Judgment judgment = Judgment::none;
  bool is_yardstick = false, is_floor = false;
};

// The plugin's derived operation first: all others are compared with its result.
std::vector<Contestant> contestants(const MaterialPlugin& plugin, DerivativeKind quantity) {
  const bool first = quantity == DerivativeKind::gradient;
  const auto derived = first ? HOLO_MATERIAL_STRESS : HOLO_MATERIAL_HESSIAN;
  const auto analytic = first ? HOLO_MATERIAL_ANALYTIC_STRESS : HOLO_MATERIAL_ANALYTIC_HESSIAN;
  std::vector<std::pair<std::string, double>> parameters = {{"youngs_modulus", 1e5}, {"poissons_ratio", 0.45}};
  if (plugin.name() == "fiber_reinforced")  // the only one with other parameters
    parameters = {{"shear_modulus", 3e4}, {"fiber_stiffness", 1e5}, {"fiber.0", 0.36}, {"fiber.1", 0.48}, {"fiber.2", 0.8}};
  const std::vector<double> coefficients = plugin.coefficients(parameters);
  const holo_material& abi = plugin.abi();
  std::vector<Contestant> list;
  const auto add = [&](const char* name, int operation, Judgment judgment) {
    if (abi.operations[operation] != nullptr)
      list.push_back(
          {{name, plugin_kernel(abi.operations[operation], quantity, coefficients)}, abi.kernels[operation], judgment});
  };
  list.push_back({{"plugin", plugin_kernel(abi, quantity, coefficients)}, abi.kernels[derived], judgement_of(abi)});
  if (!first && abi.operations[HOLO_MATERIAL_INVARIANT_SLOPES] != nullptr)
    add("plugin, by the Hessian in F", derived, Judgment::none);
  add("plugin, analytic", analytic, Judgment::none);
  for (NamedKernel& kernel : hand_written_lane_kernels(plugin.name(), quantity, coefficients))
    list.push_back({std::move(kernel), ""});
  for (NamedKernel& kernel : hand_written_kernels(plugin.name(), quantity, coefficients))
    list.push_back({std::move(kernel), "", Judgment::none, true});
  for (NamedKernel& kernel : reference_kernels(plugin.name(), quantity, coefficients)) list.push_back({std::move(kernel), ""});
  list.push_back({{"stores alone", store_kernel(quantity)}, "", Judgment::none, false, true});
  return list;
}

// Upper halves go where the next elements' go too, as an assembly adds them up while they are in the cache; all others to
// places of their own.
void run_for_time(const Kernel& kernel, DerivativeKind quantity, std::span<const ElementRecord> elements, double* output) {
  if (quantity != DerivativeKind::symmetric_hessian) return kernel(elements, output);
  constexpr std::size_t batch = 32;  // their results fill 20 KB
  for (std::size_t first = 0; first < elements.size(); first += batch)
    kernel(elements.subspan(first, std::min(batch, elements.size() - first)), output);
}

void measure(const MaterialPlugin& plugin, DerivativeKind quantity, const std::vector<ElementRecord>& elements, int repeats,
             std::vector<Measurement>& measurements) {
  const int entries = entries_of(quantity);
  const std::vector<Contestant> list = contestants(plugin, quantity);
  const AlignedDoubles expected = aligned_doubles(elements.size() * entries),
                       output = aligned_doubles(elements.size() * entries);
  list.front().kernel.run(elements, expected.get());
  const std::span<const double> reference(expected.get(), elements.size() * entries);
  std::vector<std::vector<double>> turns(list.size());
  std::vector<double> differences;
  for (const Contestant& c : list) {
    c.kernel.run(elements, output.get());
    differences.push_back(c.is_floor ? 0 : largest_difference(output.get(), reference, std::size_t(entries)));
  }
  for (int r = 0; r < repeats; ++r)
    for (std::size_t k = 0; k < list.size(); ++k)
      turns[k].push_back(
          seconds_of(thread_seconds, [&] { run_for_time(list[k].kernel.run, quantity, elements, output.get()); }));
  const std::vector<double> seconds = times_of_turns(turns);
  double fastest = 0, matrices = 0, in_lanes = 0;  // of the hand-written codings
  const bool spectral = list.front().judgment == Judgment::stretches;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k].kernel.name == lane_yardstick) in_lanes = seconds[k];
    if (!list[k].is_yardstick) continue;
    if (spectral && list[k].kernel.name != spectral_yardstick) continue;
    fastest = fastest == 0 ? seconds[k] : std::min(fastest, seconds[k]);
    if (list[k].kernel.name == "hand-written, 9x9") matrices = seconds[k];
  }
  for (std::size_t k = 0; k < list.size(); ++k)
    measurements.push_back({plugin.name(), list[k].kernel.name, list[k].note, quantity, list[k].judgment, list[k].is_floor,
                            1e9 * seconds[k] / double(elements.size()), fastest > 0 ? seconds[k] / fastest : 0,
                            matrices > 0 ? seconds[k] / matrices : 0, in_lanes > 0 ? seconds[k] / in_lanes : 0,
                            differences[k]});
}

bool read(int argc, char** argv, Options& options) {
  namespace po = boost::program_options;
  po::options_description description(
      "Times the derivatives of a tetrahedron's energy for each material plugin.\nExit code 1: two kernels differ; 3: a gate "
      "is missed.\nOptions");
  description.add_options()("elements", whole_number("elements", options.elements, 8, 8), "a multiple of 8")(
      "repeats", whole_number("repeats", options.repeats, 1), "turns of each kernel, their median counts")(
      "materials", po::value(&options.materials)->multitoken(), "names; all on the plugin path by default")(
      "plugin-path", po::value(&options.plugin_path)->composing(), "folder of plugins, searched first")(
      "json", po::value(&options.json), "write the results to this file");
  return read_options(argc, argv, description);
}

// 0: all gates hold against the fastest hand-written coding; 1: two kernels differ; 3: a gate is missed.
int run(int argc, char** argv) {
  Options options;
  if (!read(argc, argv, options)) return 0;
  std::vector<std::filesystem::path> path(options.plugin_path.begin(), options.plugin_path.end());
  path.emplace_back(HOLO_BENCHMARK_PLUGINS);  // what stands for materials from outside the tree
  const PluginHost host(path);
  const std::vector<std::string> names = options.materials.empty() ? host.names<MaterialPlugin>() : options.materials;
  if (names.empty())
    throw Error(Failure::input, "no material plugin is on the plugin path: give --plugin-path or HOLO_PLUGIN_PATH");
  const std::vector<ElementRecord> elements = random_elements(options.elements, 0.15);
  std::vector<Measurement> measurements;
  for (DerivativeKind quantity : derivative_kinds)
    for (const std::string& name : names)
      measure(*host.get<MaterialPlugin>(name), quantity, elements, options.repeats, measurements);
  print_table(std::cout, measurements);
  write_file(options.json, [&](std::ostream& file) { write_json(file, measurements, options.elements, options.repeats); });
  int status = 0;
  for (const Measurement& m : measurements) {
    if (!(m.difference <= 1e-12)) {
      std::cerr << m.material << ", " << m.kernel << ": differs from the plugin by " << m.difference << ", allowed is 1e-12\n";
      status = 1;
    }
    const bool missed = verdict(m) == Verdict::gate_missed || verdict_to_lanes(m) == Verdict::gate_missed;
    if (status == 0 && missed) status = 3;
  }
  return status;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_element_derivatives", argc, argv, holo::benchmark::run);
}
