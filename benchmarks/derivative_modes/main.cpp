// All ways to the same derivatives: of a scalar function, and of each material's energy on an element.

#include <iostream>

#include "command_line.h"
#include "element_modes.h"
#include "measuring.h"
#include "report.h"
#include "scalar_function.h"

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
      "repeats", whole_number("repeats", element.repeats, 1), "turns of each mode, the fastest counts")(
      "materials", po::value(&element.materials)->multitoken(), "names; all on the plugin path by default")(
      "plugin-path", po::value(&element.plugin_path)->composing(), "folder of plugins, searched first")(
      "json", po::value(&options.json), "write the results to this file")("markdown", po::value(&options.markdown),
                                                                          "write the page to this file");
  return read_options(argc, argv, description);
}

int run(int argc, char** argv) {
  Options options;
  if (!read(argc, argv, options)) return 0;
  Results results = compare_scalar_function(options.points, 4 * options.element.repeats);
  const Results elements = compare_elements(options.element);
  results.rows.insert(results.rows.end(), elements.rows.begin(), elements.rows.end());
  results.gates.insert(results.gates.end(), elements.gates.begin(), elements.gates.end());
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
