// All ways to the same derivatives: of a scalar function, and of each material's energy on an element.

#include <boost/program_options.hpp>
#include <fstream>
#include <iostream>

#include "element_modes.h"
#include "holo/core/error.h"
#include "report.h"
#include "scalar_function.h"

namespace holo::benchmark {
namespace {

struct Options {
  std::size_t points = 4096;
  ElementOptions element;
  std::string json, markdown;
};

bool parse(int argc, char** argv, Options& options) {
  namespace po = boost::program_options;
  ElementOptions& element = options.element;
  po::options_description description(
      "Compares all ways to the same derivatives, in one run on one thread.\nExit code 1: a mode's values are wrong; 3: a gate "
      "of "
      "the table is missed.\nOptions");
  description.add_options()("help", "print this")("elements", po::value(&element.elements)->default_value(element.elements),
                                                  "a multiple of 8, at least 16")(
      "points", po::value(&options.points)->default_value(options.points), "of the scalar function, a multiple of 8")(
      "repeats", po::value(&element.repeats)->default_value(element.repeats), "turns of each mode, the fastest counts")(
      "materials", po::value(&element.materials)->multitoken(), "names; all on the plugin path by default")(
      "plugin-path", po::value(&element.plugin_path)->composing(), "folder of plugins, searched first")(
      "json", po::value(&options.json), "write the results to this file")("markdown", po::value(&options.markdown),
                                                                          "write the page to this file");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, description), values);
  po::notify(values);
  if (values.count("help") != 0) {
    std::cout << description;
    return false;
  }
  if (element.elements < 16 || element.elements % 8 != 0 || options.points == 0 || options.points % 8 != 0 ||
      element.repeats < 1)
    throw Error(Failure::input, "--elements is " + std::to_string(element.elements) + ", --points " +
                                    std::to_string(options.points) + ", --repeats " + std::to_string(element.repeats) +
                                    ": allowed are multiples of 8 (16 elements or more), and 1 or more repeats");
  return true;
}

template <class Write>
void write_file(const std::string& path, const Results& results, Write write) {
  if (path.empty()) return;
  std::ofstream file(path);
  write(file, results);
  if (!file.flush()) throw Error(Failure::environment, path + " cannot be written");
}

int run(const Options& options) {
  Results results = compare_scalar_function(options.points, 4 * options.element.repeats);
  const Results elements = compare_elements(options.element);
  results.rows.insert(results.rows.end(), elements.rows.begin(), elements.rows.end());
  results.gates.insert(results.gates.end(), elements.gates.begin(), elements.gates.end());
  print_table(std::cout, results);
  write_file(options.json, results, write_json);
  write_file(options.markdown, results, write_page);
  for (const Row& row : results.rows)
    if (!row.agrees()) return 1;
  for (const Gate& gate : results.gates)
    if (!gate.holds()) return 3;
  return 0;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  try {
    holo::benchmark::Options options;
    if (!holo::benchmark::parse(argc, argv, options)) return 0;
    return holo::benchmark::run(options);
  } catch (const std::exception& error) {
    std::cerr << "benchmark_derivative_modes: " << error.what() << '\n';
    return 2;
  }
}
