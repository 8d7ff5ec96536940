#include "holo/sim/control/phase_schedule.h"

#include <algorithm>

namespace holo {
namespace {

bool happened(PhaseEvent event, const PhaseObservation& observed) {
  switch (event) {
    case PhaseEvent::none:
      return false;
    case PhaseEvent::airborne:
      return observed.smallest_gap > 2 * observed.activation_distance;
    case PhaseEvent::contact:
      return observed.touching_vertices > 0;
    case PhaseEvent::falling:
      return observed.vertical_velocity < 0;
  }
  return false;
}

bool is_over(const PhaseDefinition& phase, std::int64_t first_step, std::int64_t step, const PhaseObservation& observed) {
  if (phase.last_step && step >= *phase.last_step) return true;
  if (phase.length && step - first_step >= *phase.length) return true;
  return step > first_step && happened(phase.event, observed);
}

}  // namespace

const std::vector<std::string>& phase_event_names() {
  static const std::vector<std::string> names = {"airborne", "contact", "falling"};
  return names;
}

PhaseEvent phase_event(const std::string& name) {
  const auto& names = phase_event_names();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? PhaseEvent::none : static_cast<PhaseEvent>(1 + (found - names.begin()));
}

std::vector<std::int64_t> earliest_beginnings(const std::vector<PhaseDefinition>& phases) {
  std::vector<std::int64_t> beginnings;
  std::int64_t begin = 0;
  for (const PhaseDefinition& phase : phases) {
    beginnings.push_back(begin);
    if (phase.event != PhaseEvent::none)
      begin += 1;
    else if (phase.length && phase.last_step)
      begin = std::min(begin + *phase.length, std::max(begin, *phase.last_step));
    else if (phase.length)
      begin += *phase.length;
    else if (phase.last_step)
      begin = std::max(begin, *phase.last_step);
  }
  return beginnings;
}

PhaseProgress progress_at(const std::vector<PhaseDefinition>& phases, PhaseProgress progress, std::int64_t step,
                          const PhaseObservation& observed) {
  const auto last = static_cast<std::int64_t>(phases.size()) - 1;
  while (progress.phase < last &&
         is_over(phases[static_cast<std::size_t>(progress.phase)], progress.first_step, step, observed))
    progress = {progress.phase + 1, step};
  return progress;
}

}  // namespace holo
