// All ways to the same derivatives: of a scalar function, and of each material's energy on an element.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include "command_line.h"
#include "element_modes.h"
#include "holo/core/numerics/parallel.h"
#include "measuring.h"
#include "report.h"
#include "scalar_function.h"
#include "solve_graph_modes.h"

namespace holo::benchmark {
namespace {

struct Options {
  std::size_t points = 4096;
  ElementOptions element;
  std::string json, markdown;
};

bool read(int argc, char** argv, Options& options) {
  namespace po = boost::program_options;
  ElementOptions& element = options.element;
  po::options_description description(
      "Compares all ways to the same derivatives, in one run on one thread.\nExit code 1: a mode's values are wrong; 3: a gate "
      "of the table is missed.\nOptions");
  description.add_options()("elements", whole_number("elements", element.elements, 16, 8), "a multiple of 8, at least 16")(
      "points", whole_number("points", options.points, 8, 8), "of the scalar function, a multiple of 8")(
      "repeats", whole_number("repeats", element.repeats, 1), "turns of each mode, their median counts")(
      "materials", po::value(&element.materials)->multitoken(), "names; all on the plugin path by default")(
      "plugin-path", po::value(&element.plugin_path)->composing(), "folder of plugins, searched first")(
      "json", po::value(&options.json), "write the results to this file")("markdown", po::value(&options.markdown),
                                                                          "write the page to this file");
  return read_options(argc, argv, description);
}

// As a command line has them, without those that are as by default and where the results go.
std::string options_text(const Options& options) {
  const Options defaults;
  std::string text;
  const auto add = [&text](const char* name, std::size_t value, std::size_t by_default) {
    if (value != by_default) text += std::string(" --") + name + " " + std::to_string(value);
  };
  add("elements", options.element.elements, defaults.element.elements);
  add("points", options.points, defaults.points);
  add("repeats", std::size_t(options.element.repeats), std::size_t(defaults.element.repeats));
  if (!options.element.materials.empty()) text += " --materials";
  for (const std::string& material : options.element.materials) text += " " + material;
  for (const std::string& path : options.element.plugin_path) text += " --plugin-path " + path;
  return text;
}

std::vector<Library> libraries() {
#ifdef HOLO_BENCHMARK_ADOLC
  const char* adolc = "compared";
#else
  const char* adolc = "not found on this machine";
#endif
  return {{"ADOL-C", adolc}, {"Boost autodiff", "compared"}, {"CppAD", HOLO_BENCHMARK_CPPAD}, {"Adept", HOLO_BENCHMARK_ADEPT}};
}

Results compare_everything(const Options& options) {
  Conditions conditions;
  const double all_start = processor_seconds_of_all();
  conditions.processors = std::thread::hardware_concurrency();
  conditions.options = options_text(options);
  const double thread_start = thread_seconds(), wall_start = wall_seconds();
  Results results = compare_scalar_function(options.points, 4 * options.element.repeats);
  results.append(compare_elements(options.element));
  results.append(compare_solve_graph(4 * options.element.repeats));
  results.libraries = libraries();
  conditions.thread_seconds = thread_seconds() - thread_start;
  conditions.wall_seconds = wall_seconds() - wall_start;
  if (all_start >= 0)
    conditions.other_seconds = std::max(0.0, processor_seconds_of_all() - all_start - conditions.thread_seconds);
  results.conditions = conditions;
  return results;
}

int run(int argc, char** argv) {
  Options options;
  if (!read(argc, argv, options)) return 0;
  const ThreadLimit one_thread(1);
  const Results results = compare_everything(options);
  print_table(std::cout, results);
  write_file(options.json, [&](std::ostream& file) { write_json(file, results); });
  write_file(options.markdown, [&](std::ostream& file) { write_page(file, results); });
  for (const Row& row : results.rows)
    if (!row.agrees()) return 1;
  for (const Gate& gate : results.gates)
    if (!gate.holds()) return 3;
  return 0;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_derivative_modes", argc, argv, holo::benchmark::run);
}
