#include "element_judgment.h"

#include <cstdio>

namespace holo::benchmark {
namespace {

using comparison::DerivativeKind;

std::string nanoseconds(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), value < 10 ? "%.1f ns" : "%.0f ns", value);
  return text;
}

template <class Predicate>
const Row* fastest_row(const std::vector<Row>& rows, Predicate is_wanted) {
  const Row* best = nullptr;
  for (const Row& row : rows)
    if (is_wanted(row) && (best == nullptr || row.nanoseconds < best->nanoseconds)) best = &row;
  return best;
}
const Row* of_family(const std::vector<Row>& rows, Family family) {
  return fastest_row(rows, [family](const Row& row) { return row.family == family; });
}

// The parts of the plugin's time, and the time that the gate allows.
std::string parts(const Row& plugin, const Row& frame, double allowed_nanoseconds) {
  return "the plugin takes " + nanoseconds(plugin.nanoseconds) + ", " + nanoseconds(frame.nanoseconds) +
         " of them for gather, chain and stores; the gate allows " + nanoseconds(allowed_nanoseconds) +
         (allowed_nanoseconds < frame.nanoseconds ? ", less than these alone" : "");
}

void judge_yardstick(const std::vector<Row>& rows, const Row& plugin, const Row& frame, DerivativeKind quantity,
                     Judgment judgment, std::vector<Gate>& gates) {
  const auto limits = element_gate(quantity, judgment);
  const bool spectral = judgment == Judgment::stretches;
  const Row* yardstick =
      fastest_row(rows, [&](const Row& row) { return row.is_yardstick && (!spectral || row.mode == spectral_yardstick); });
  if (!limits || yardstick == nullptr) return;
  Gate gate{plugin.part,
            plugin.problem,
            plugin.quantity,
            std::string("plugin over ") + (spectral ? spectral_yardstick : "hand-written"),
            plugin.nanoseconds / yardstick->nanoseconds,
            limits->gate,
            limits->goal,
            ""};
  if (!gate.holds())
    gate.cause = yardstick->mode + ": " + nanoseconds(yardstick->nanoseconds) + "; " +
                 parts(plugin, frame, limits->gate * yardstick->nanoseconds);
  gates.push_back(std::move(gate));
}

void judge_lanes(const std::vector<Row>& rows, const Row& plugin, const Row& frame, DerivativeKind quantity,
                 std::vector<Gate>& gates) {
  const auto limits = lane_gate(quantity);
  const Row* yardstick = fastest_row(rows, [](const Row& row) { return row.mode == comparison::lane_yardstick; });
  if (!limits || yardstick == nullptr) return;
  Gate gate{plugin.part,
            plugin.problem,
            plugin.quantity,
            std::string("plugin over ") + comparison::lane_yardstick,
            plugin.nanoseconds / yardstick->nanoseconds,
            limits->gate,
            limits->goal,
            ""};
  if (!gate.holds()) gate.cause = parts(plugin, frame, limits->gate * yardstick->nanoseconds);
  gates.push_back(std::move(gate));
}

}  // namespace

void judge_element(const std::vector<Row>& rows, DerivativeKind quantity, Judgment judgment, std::vector<Gate>& gates) {
  const Row *plugin = of_family(rows, Family::shipped), *frame = of_family(rows, Family::frame);
  if (plugin == nullptr || frame == nullptr) return;
  judge_yardstick(rows, *plugin, *frame, quantity, judgment, gates);
  judge_lanes(rows, *plugin, *frame, quantity, gates);
}

}  // namespace holo::benchmark
