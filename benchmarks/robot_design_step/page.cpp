// docs/robot-design-steps.md and JSON from the results.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "page_text.h"
#include "results.h"

namespace holo::benchmark {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "an unnamed processor";
}

std::string number(double value) {
  if (!std::isfinite(value)) return "";
  if (value == std::round(value) && std::abs(value) < 1e9) return fmt::format("{:.0f}", value);
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

void write_table(std::ostream& out, const comparison::PlainTable& table) {
  out << "## " << table.title << "\n\n" << paragraph(table.caption) << "|";
  for (const auto& [title, unit] : table.columns) out << ' ' << title << (unit.empty() ? "" : " [" + unit + "]") << " |";
  out << "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) out << "---|";
  out << '\n';
  for (const auto& row : table.rows) {
    out << '|';
    for (const auto& cell : row)
      out << ' ' << (cell.index() == 0 ? std::get<std::string>(cell) : number(std::get<double>(cell))) << " |";
    out << '\n';
  }
  out << '\n';
}

const char* verdict(const Gate& gate) { return gate.reached() ? "goal reached" : gate.holds() ? "holds" : "**missed**"; }

std::string load(const Results& results) {
  if (results.other_seconds < 0) return "";
  return fmt::format("Other programs used {:.0f} s of processor time during the {:.0f} s of the run.", results.other_seconds,
                     results.wall_seconds);
}

}  // namespace

void write_page(std::ostream& out, const Results& results) {
  out << "# Steps of a robot's optimization, measured\n\n"
         "<!-- Made by `benchmark_robot_design_step --markdown`.\n"
         "Edit benchmarks/robot_design_step/page.cpp and libs/comparison/src/robot_steps, not this file. -->\n\n"
      << paragraph(
             "The robots are those of [Maloisel2023] Table 5, rebuilt. They follow paths that their initial design does not "
             "reach. Each robot runs in a process of its own; the tables have medians over repetitions.")
      << "    cmake --preset release && cmake --build build/release --target benchmark_robot_design_step\n"
         "    build/release/bin/benchmark_robot_design_step"
      << results.options << " --markdown docs/robot-design-steps.md\n\n"
      << paragraph(fmt::format("Machine: {}, {} processors; {}, {}. {}", processor_name(), results.processors,
                               HOLO_BENCHMARK_COMPILER, HOLO_BENCHMARK_FLAGS, load(results)));
  for (const comparison::PlainTable& table : comparison::tables_of(results.robots, results.baselines)) write_table(out, table);
  out << "## Gates\n\n| robot | | measured | gate | goal | |\n|---|---|---|---|---|---|\n";
  for (const Gate& gate : results.gates)
    out << "| " << gate.robot << " | " << gate.what << " | " << number(gate.measured) << " | "
        << (gate.at_least ? ">= " : "<= ") << number(gate.allowed) << " | " << number(gate.goal) << " | " << verdict(gate)
        << " |\n";
}

void write_json(std::ostream& out, const Results& results) {
  nlohmann::json document{
      {"benchmark", "robot_design_step"},     {"processor", processor_name()},          {"processors", results.processors},
      {"compiler", HOLO_BENCHMARK_COMPILER},  {"flags", HOLO_BENCHMARK_FLAGS},          {"options", results.options},
      {"wall_seconds", results.wall_seconds}, {"other_seconds", results.other_seconds}, {"robots", nlohmann::json::array()},
      {"baselines", nlohmann::json::array()}, {"gates", nlohmann::json::array()}};
  for (const comparison::MeasuredRobot& robot : results.robots)
    document["robots"].push_back(
        {{"name", robot.name}, {"robot", robot.robot}, {"knots", robot.knots}, {"values", robot.values}});
  for (const comparison::MeasuredBaseline& baseline : results.baselines) {
    nlohmann::json trials = nlohmann::json::array();
    for (const comparison::BaselineTrial& trial : baseline.time.trials)
      trials.push_back({{"knots", trial.knots}, {"failure", trial.failure}});
    document["baselines"].push_back({{"robot", baseline.robot},
                                     {"solver", baseline.solver},
                                     {"knots", baseline.time.knots},
                                     {"seconds", baseline.time.seconds},
                                     {"arrow_seconds", baseline.time.arrow},
                                     {"difference", baseline.time.difference},
                                     {"trials", trials}});
  }
  for (const Gate& gate : results.gates)
    document["gates"].push_back({{"robot", gate.robot},
                                 {"what", gate.what},
                                 {"measured", gate.measured},
                                 {gate.at_least ? "at_least" : "at_most", gate.allowed},
                                 {"goal", gate.goal},
                                 {"holds", gate.holds()}});
  out << document.dump(2) << '\n';
}

}  // namespace holo::benchmark
