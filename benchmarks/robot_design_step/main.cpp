// An iteration of each robot's optimization, and a step of it by all solvers, in one run.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <thread>

#include "command_line.h"
#include "holo/core/name_list.h"
#include "measuring.h"
#include "results.h"

namespace holo::benchmark {
namespace {

struct Options {
  comparison::MeasuringLimits limits;
  int gibibytes = 16, seconds = 120, knots = 0;
  std::vector<std::string> robots, without;
  std::string json, markdown, folder = HOLO_ROBOTS;
};

bool read(int argc, char** argv, Options& options) {
  namespace po = boost::program_options;
  po::options_description description(
      "Times an iteration of each robot's optimization, and a step of it by all solvers. Those of a general sparse matrix run "
      "in "
      "processes with limits, first at the paper's number of knots.\nExit code 3: a gate is missed.\nOptions");
  description.add_options()("robots", po::value(&options.robots)->multitoken(), "by name; all of the paper's by default")(
      "folder", po::value(&options.folder), "of the robots' files; the experiments' by default")(
      "without", po::value(&options.without)->multitoken(), "solvers that are left out: sparse_lu, umfpack, umfpack_metis")(
      "knots", whole_number("knots", options.knots, 0), "instead of the paper's; 0: these")(
      "repetitions", whole_number("repetitions", options.limits.repetitions, 1), "their median counts")(
      "iterations", whole_number("iterations", options.limits.iterations, 1), "of each optimization")(
      "seconds", whole_number("seconds", options.seconds, 1), "of processor time for each general solver")(
      "gibibytes", whole_number("gibibytes", options.gibibytes, 1), "of address space for each general solver")(
      "json", po::value(&options.json), "write the results to this file")("markdown", po::value(&options.markdown),
                                                                          "write the page to this file");
  if (!read_options(argc, argv, description)) return false;
  options.limits.seconds = options.seconds;
  options.limits.bytes = 0x1p30 * options.gibibytes;
  return true;
}

// Without where the results go.
std::string options_text(int argc, char** argv) {
  std::string text;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--json" || word == "--markdown")
      ++i;
    else
      text += " " + word;
  }
  return text;
}

double processor_seconds_of_ours() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used;
    getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime}) seconds += double(time.tv_sec) + 1e-6 * double(time.tv_usec);
  }
  return seconds;
}

// The paper's, and fewer where that fails.
std::vector<int> attempts(int knots) {
  std::vector<int> result{knots};
  for (const int fewer : {120, 48, 24})
    if (fewer < knots) result.push_back(fewer);
  return result;
}

Results measure(const Options& options) {
  Results results;
  const double all = processor_seconds_of_all(), ours = processor_seconds_of_ours(), start = wall_seconds();
  for (const comparison::PaperRobot& paper : comparison::paper_robots()) {
    if (!options.robots.empty() && !contains(options.robots, paper.name)) continue;
    const int knots = options.knots > 0 ? options.knots : paper.knots;
    const std::filesystem::path file = std::filesystem::path(options.folder) / (paper.robot + ".yaml");
    std::cerr << paper.name << ", " << knots << " knots\n";
    comparison::RobotLength over;  // the robot's first motion
    for (const comparison::MeasuredRobot& before : results.robots)
      if (before.robot == paper.robot && over.knots == 0) over = {file, before.knots};
    results.robots.push_back({paper.name, paper.robot, knots, comparison::time_robot(file, knots, options.limits, {}, over)});
    for (const std::string solver : {"umfpack_metis", "umfpack", "sparse_lu"}) {
      if (contains(options.without, solver) || !comparison::step_solver_is_available(solver)) continue;
      std::cerr << "  " << solver << ": ";
      results.baselines.push_back(
          {paper.name + "_" + solver, paper.name, solver,
           comparison::time_baseline(file, solver, knots < comparison::long_motion ? attempts(knots) : std::vector{knots},
                                     options.limits, {})});
      std::cerr << to_string(results.baselines.back().time.trials) << '\n';
    }
  }
  results.wall_seconds = wall_seconds() - start;
  results.processors = std::thread::hardware_concurrency();
  if (all >= 0) results.other_seconds = std::max(0.0, processor_seconds_of_all() - all - (processor_seconds_of_ours() - ours));
  return results;
}

int run(int argc, char** argv) {
  Options options;
  if (!read(argc, argv, options)) return 0;
  for (const std::string& name : options.robots) {
    std::vector<std::string> all;
    for (const comparison::PaperRobot& paper : comparison::paper_robots()) all.push_back(paper.name);
    if (!contains(all, name)) throw Error(Failure::input, "no robot '" + name + "'." + suggestion(name, all));
  }
  Results results = measure(options);
  results.options = options_text(argc, argv);
  results.gates = gates_of(results);
  write_page(std::cout, results);
  write_file(options.json, [&](std::ostream& file) { write_json(file, results); });
  write_file(options.markdown, [&](std::ostream& file) { write_page(file, results); });
  for (const Gate& gate : results.gates)
    if (!gate.holds()) return 3;
  return 0;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_robot_design_step", argc, argv, holo::benchmark::run);
}
