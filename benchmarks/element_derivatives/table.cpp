#include "table.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace holo::benchmark {
namespace {

const char* name(DerivativeKind quantity) {
  switch (quantity) {
    case DerivativeKind::gradient:
      return "gradient";
    case DerivativeKind::hessian:
      return "Hessian, full";
    case DerivativeKind::symmetric_hessian:
      return "Hessian, upper half";
  }
  return "";
}

const char* name(Judgment judgment) {
  switch (judgment) {
    case Judgment::invariants:
      return "of invariants";
    case Judgment::stretches:
      return "of principal stretches";
    case Judgment::general:
      return "of F";
    case Judgment::none:
      break;
  }
  return "";
}
constexpr Judgment judgements[] = {Judgment::invariants, Judgment::stretches, Judgment::general};

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::goal_reached:
      return "goal reached";
    case Verdict::gate_holds:
      return "gate holds";
    case Verdict::gate_missed:
      return "GATE MISSED";
    case Verdict::not_judged:
      break;
  }
  return "";
}

// "0.231 gate holds"
std::string judged(double ratio, Verdict verdict) {
  if (ratio == 0) return "";
  char text[16];
  std::snprintf(text, sizeof(text), "%.3f ", ratio);
  return std::string(text) + name(verdict);
}

Verdict judge(double ratio, const std::optional<ElementGate>& limits) {
  if (ratio == 0 || !limits) return Verdict::not_judged;
  if (ratio <= limits->goal) return Verdict::goal_reached;
  return ratio <= limits->gate ? Verdict::gate_holds : Verdict::gate_missed;
}

nlohmann::json number_or_null(double value) { return value > 0 ? nlohmann::json(value) : nlohmann::json(nullptr); }

}  // namespace

Verdict verdict(const Measurement& m) { return judge(m.ratio, element_gate(m.quantity, m.judgment)); }
Verdict verdict_to_9x9(const Measurement& m) { return judge(m.ratio_to_9x9, element_gate(m.quantity, m.judgment)); }
Verdict verdict_to_lanes(const Measurement& m) {
  return m.judgment == Judgment::none ? Verdict::not_judged : judge(m.ratio_to_lanes, lane_gate(m.quantity));
}

void print_table(std::ostream& out, const std::vector<Measurement>& measurements) {
  char line[256];
  out << HOLO_BENCHMARK_COMPILER << ", " << HOLO_BENCHMARK_FLAGS << ", " << HOLO_LANE_WIDTH << " lanes\n";
  for (DerivativeKind q : derivative_kinds)
    for (Judgment judgment : judgements)
      if (const auto limits = element_gate(q, judgment)) {
        std::snprintf(line, sizeof(line), "%s, energy %s: gate %.2f, goal %.2f of a hand-written kernel\n", name(q),
                      name(judgment), limits->gate, limits->goal);
        out << line;
      }
  for (DerivativeKind q : derivative_kinds)
    if (const auto limits = lane_gate(q)) {
      std::snprintf(line, sizeof(line), "%s: gate %.2f, goal %.2f of a kernel written by hand in the same lanes\n", name(q),
                    limits->gate, limits->goal);
      out << line;
    }
  const Measurement* last = nullptr;
  for (const Measurement& m : measurements) {
    if (last == nullptr || last->material != m.material || last->quantity != m.quantity) {
      std::snprintf(line, sizeof(line), "\n%-58s %6s  %-20s %-20s %-20s %s\n", (m.material + ", " + name(m.quantity)).c_str(),
                    "ns", "to the fastest", "to 9x9", "to lanes by hand", "difference");
      out << line;
    }
    const std::string label = m.note.empty() ? m.kernel : m.kernel + ": " + m.note;
    char difference[16] = "";
    if (!m.is_floor) std::snprintf(difference, sizeof(difference), "%.1e", m.difference);
    std::snprintf(line, sizeof(line), "  %-56s %6.1f  %-20s %-20s %-20s %s\n", label.c_str(), m.nanoseconds,
                  judged(m.ratio, verdict(m)).c_str(), judged(m.ratio_to_9x9, verdict_to_9x9(m)).c_str(),
                  judged(m.ratio_to_lanes, verdict_to_lanes(m)).c_str(), difference);
    out << line;
    last = &m;
  }
}

void write_json(std::ostream& out, const std::vector<Measurement>& measurements, std::size_t elements, int repeats) {
  nlohmann::json document = {{"benchmark", "element_derivatives"},
                             {"compiler", HOLO_BENCHMARK_COMPILER},
                             {"flags", HOLO_BENCHMARK_FLAGS},
                             {"lanes", HOLO_LANE_WIDTH},
                             {"elements", elements},
                             {"repeats", repeats},
                             {"gates", nlohmann::json::object()},
                             {"rows", nlohmann::json::array()}};
  for (DerivativeKind q : derivative_kinds)
    for (Judgment judgment : judgements)
      if (const auto limits = element_gate(q, judgment))
        document["gates"][std::string(name(q)) + ", energy " + name(judgment)] = {{"gate", limits->gate},
                                                                                  {"goal", limits->goal}};
  for (const Measurement& m : measurements) {
    document["rows"].push_back({{"material", m.material},
                                {"quantity", name(m.quantity)},
                                {"kernel", m.kernel},
                                {"note", m.note},
                                {"nanoseconds", m.nanoseconds},
                                {"difference", m.difference},
                                {"ratio", number_or_null(m.ratio)},
                                {"ratio_to_9x9", number_or_null(m.ratio_to_9x9)},
                                {"ratio_to_lanes", number_or_null(m.ratio_to_lanes)},
                                {"verdict", name(verdict(m))},
                                {"verdict_to_9x9", name(verdict_to_9x9(m))},
                                {"verdict_to_lanes", name(verdict_to_lanes(m))}});
  }
  out << document.dump(2) << '\n';
}

}  // namespace holo::benchmark
