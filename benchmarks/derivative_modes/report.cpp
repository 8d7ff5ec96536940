#include "report.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace holo::benchmark {
namespace {

const char* name(Family family) {
  switch (family) {
    case Family::analytic:
      return "analytic";
    case Family::shipped:
      return "shipped";
    case Family::differences:
      return "differences";
    case Family::complex_step:
      return "complex step";
    case Family::graph:
      return "graph";
    case Family::tape:
      return "tape";
    case Family::peer:
      return "peer";
    case Family::frame:
      return "frame";
  }
  return "";
}

const char* verdict(const Gate& gate) { return gate.reached() ? "goal reached" : gate.holds() ? "gate holds" : "GATE MISSED"; }

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line, family, model, name;
  const auto value = [&line] { return line.substr(line.find(':') + 2); };
  while (std::getline(file, line)) {
    if (line.rfind("model name", 0) == 0 && name.empty()) name = value();
    if (line.rfind("cpu family", 0) == 0 && family.empty()) family = value();
    if (line.rfind("model\t", 0) == 0 && model.empty()) model = value();
  }
  return name.empty() ? "an unnamed processor" : name + " (family " + family + ", model " + model + ")";
}

void print_table(std::ostream& out, const Results& results) {
  char line[256];
  out << processor_name() << ", " << HOLO_BENCHMARK_COMPILER << ", " << HOLO_BENCHMARK_FLAGS << "\n";
  const Row* last = nullptr;
  for (const Row& row : results.rows) {
    if (last == nullptr || last->problem != row.problem || last->quantity != row.quantity) {
      std::snprintf(line, sizeof(line), "\n%-60s %10s %12s %12s\n", (row.problem + ", " + row.quantity).c_str(), "ns",
                    "to analytic", "difference");
      out << line;
    }
    const std::string label = row.note.empty() ? row.mode : row.mode + ": " + row.note;
    char ratio[24] = "";
    if (row.ratio > 0) std::snprintf(ratio, sizeof(ratio), "%.3f", row.ratio);
    char difference[24] = "";
    if (row.family != Family::frame) std::snprintf(difference, sizeof(difference), "%.1e", row.difference);
    std::snprintf(line, sizeof(line), "  %-58s %10.1f %12s %12s%s\n", label.c_str(), row.nanoseconds, ratio, difference,
                  row.agrees() ? "" : "  WRONG");
    out << line;
    last = &row;
  }
  out << "\nGates\n";
  for (const Gate& gate : results.gates) {
    std::snprintf(line, sizeof(line), "  %-24s %-16s %-52s %8.3f  at most %.2f, goal %.2f: %s\n", gate.problem.c_str(),
                  gate.quantity.c_str(), gate.what.c_str(), gate.measured, gate.allowed, gate.goal, verdict(gate));
    out << line;
    if (!gate.holds() && !gate.cause.empty()) out << "      " << gate.cause << '\n';
  }
  for (const Library& library : results.libraries) out << library.name << ": " << library.status << '\n';
}

void write_json(std::ostream& out, const Results& results) {
  nlohmann::json document = {{"benchmark", "derivative_modes"},      {"processor", processor_name()},
                             {"compiler", HOLO_BENCHMARK_COMPILER},  {"flags", HOLO_BENCHMARK_FLAGS},
                             {"rows", nlohmann::json::array()},      {"gates", nlohmann::json::array()},
                             {"libraries", nlohmann::json::object()}};
  const Conditions& c = results.conditions;
  document["conditions"] = {{"thread_seconds", c.thread_seconds},
                            {"wall_seconds", c.wall_seconds},
                            {"other_seconds", c.other_seconds},
                            {"processors", c.processors},
                            {"options", c.options}};
  for (const Library& library : results.libraries) document["libraries"][library.name] = library.status;
  for (const Row& row : results.rows) {
    document["rows"].push_back({{"part", row.part},
                                {"problem", row.problem},
                                {"quantity", row.quantity},
                                {"mode", row.mode},
                                {"family", name(row.family)},
                                {"note", row.note},
                                {"nanoseconds", row.nanoseconds},
                                {"ratio", row.ratio > 0 ? nlohmann::json(row.ratio) : nlohmann::json(nullptr)},
                                {"difference", row.difference},
                                {"tolerance", row.tolerance},
                                {"agrees", row.agrees()}});
  }
  for (const Gate& gate : results.gates) {
    document["gates"].push_back({{"part", gate.part},
                                 {"problem", gate.problem},
                                 {"quantity", gate.quantity},
                                 {"what", gate.what},
                                 {"measured", gate.measured},
                                 {"at_most", gate.allowed},
                                 {"goal", gate.goal},
                                 {"verdict", verdict(gate)},
                                 {"cause", gate.holds() ? "" : gate.cause}});
  }
  out << document.dump(2) << '\n';
}

}  // namespace holo::benchmark
