#pragma once
// Phases of a controlled motion: intervals of time steps that follow each other, each with losses of its own. A phase ends at a
// given step, after some steps, or when something happens.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holo {

// What ends a phase.
enum class PhaseEvent {
  none,
  airborne,  // no body is nearer to an obstacle or another body than twice the distance at which contact begins
  contact,   // an obstacle or another body repels a body
  falling    // the center of mass moves down (-z)
};
// The names of the events, without `none`: for readers and messages.
const std::vector<std::string>& phase_event_names();
PhaseEvent phase_event(const std::string& name);  // of phase_event_names(); else none

// A phase ends as soon as one of its ends is reached; one without any lasts until the motion ends.
struct PhaseDefinition {
  std::string name;
  std::optional<std::int64_t> last_step;  // of the motion: the step after which the phase is over
  std::optional<std::int64_t> length;     // steps
  PhaseEvent event = PhaseEvent::none;    // at the end of one of its steps
};

// The state of the bodies that decides about events.
struct PhaseObservation {
  double smallest_gap = 0;         // to an obstacle or another body [m]; +infinity if none is near
  double activation_distance = 0;  // of contact [m]
  int touching_vertices = 0;       // of bodies, with an obstacle or another body
  double vertical_velocity = 0;    // of the center of mass [m/s]
};

// The phase of the next step, and the step of the state in which it began; part of a checkpoint.
struct PhaseProgress {
  std::int64_t phase = 0;
  std::int64_t first_step = 0;
};

// The first step at which a phase can begin, phase by phase, where events take one step.
std::vector<std::int64_t> earliest_beginnings(const std::vector<PhaseDefinition>& phases);

// The progress after `step` steps of the motion. An event ends a phase after one of its steps at the earliest; a phase whose
// last step has passed when it would begin is left out. The last phase never ends.
PhaseProgress progress_at(const std::vector<PhaseDefinition>& phases, PhaseProgress progress, std::int64_t step,
                          const PhaseObservation& observed);

}  // namespace holo
