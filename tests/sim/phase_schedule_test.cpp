#include "holo/sim/control/phase_schedule.h"

#include <gtest/gtest.h>

#include <limits>

namespace holo {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const PhaseObservation on_the_ground{5e-4, 1e-3, 3, -0.1}, rising{3e-3, 1e-3, 0, 0.5}, nearly_airborne{1.9e-3, 1e-3, 0, 0.5},
    without_obstacles{infinity, 0, 0, -1};

PhaseDefinition phase_of_length(std::int64_t length) {
  PhaseDefinition phase;
  phase.length = length;
  return phase;
}

PhaseDefinition phase_until(std::int64_t last_step) {
  PhaseDefinition phase;
  phase.last_step = last_step;
  return phase;
}

PhaseDefinition phase_until(PhaseEvent event) {
  PhaseDefinition phase;
  phase.event = event;
  return phase;
}

// The phases of the steps 1, 2, ..., when the same is observed after each of them.
std::vector<std::int64_t> phases_of_steps(const std::vector<PhaseDefinition>& phases, int count,
                                          const PhaseObservation& observed) {
  std::vector<std::int64_t> result;
  PhaseProgress progress = progress_at(phases, {}, 0, observed);
  for (int step = 1; step <= count; ++step) {
    result.push_back(progress.phase);
    progress = progress_at(phases, progress, step, observed);
  }
  return result;
}

using Phases = std::vector<std::int64_t>;

TEST(PhaseSchedule, PhasesEndAfterTheirLengthOrWithTheirLastStep) {
  EXPECT_EQ(phases_of_steps({phase_of_length(2), phase_until(5), {}}, 7, rising), (Phases{0, 0, 1, 1, 1, 2, 2}));
}

TEST(PhaseSchedule, TheFirstStepOfAPhaseIsThatOfTheStateInWhichItBegins) {
  const std::vector<PhaseDefinition> phases = {phase_of_length(3), {}};
  EXPECT_EQ(progress_at(phases, {}, 2, rising).first_step, 0);
  EXPECT_EQ(progress_at(phases, {}, 3, rising).first_step, 3);
}

TEST(PhaseSchedule, EventsEndAPhaseAfterOneOfItsStepsAtTheEarliest) {
  EXPECT_EQ(phases_of_steps({phase_until(PhaseEvent::contact), phase_until(PhaseEvent::falling), {}}, 4, on_the_ground),
            (Phases{0, 1, 2, 2}));
}

TEST(PhaseSchedule, BodiesAreAirborneBeyondTwiceTheDistanceOfContact) {
  const std::vector<PhaseDefinition> phases = {phase_until(PhaseEvent::airborne), {}};
  EXPECT_EQ(progress_at(phases, {}, 1, on_the_ground).phase, 0);
  EXPECT_EQ(progress_at(phases, {}, 1, nearly_airborne).phase, 0);
  EXPECT_EQ(progress_at(phases, {}, 1, rising).phase, 1);
  EXPECT_EQ(progress_at(phases, {}, 1, without_obstacles).phase, 1);
}

TEST(PhaseSchedule, OnlyTouchingBodiesAreInContactAndOnlyDescendingOnesFall) {
  const std::vector<PhaseDefinition> contact = {phase_until(PhaseEvent::contact), {}},
                                     falling = {phase_until(PhaseEvent::falling), {}};
  EXPECT_EQ(progress_at(contact, {}, 1, rising).phase, 0);
  EXPECT_EQ(progress_at(falling, {}, 1, rising).phase, 0);
  EXPECT_EQ(progress_at(falling, {}, 1, without_obstacles).phase, 1);
}

TEST(PhaseSchedule, WhatComesFirstEndsAPhase) {
  PhaseDefinition phase = phase_until(PhaseEvent::airborne);
  phase.length = 3;
  EXPECT_EQ(phases_of_steps({phase, {}}, 5, on_the_ground), (Phases{0, 0, 0, 1, 1}));
  EXPECT_EQ(phases_of_steps({phase, {}}, 3, rising), (Phases{0, 1, 1}));
}

TEST(PhaseSchedule, APhaseWhoseLastStepHasPassedIsLeftOut) {
  const std::vector<PhaseDefinition> phases = {phase_until(PhaseEvent::airborne), phase_until(4), {}};
  const PhaseProgress progress = progress_at(phases, {}, 6, rising);
  EXPECT_EQ(progress.phase, 2);
  EXPECT_EQ(progress.first_step, 6);
}

TEST(PhaseSchedule, TheLastPhaseNeverEnds) { EXPECT_EQ(progress_at({phase_of_length(1)}, {}, 100, rising).phase, 0); }

TEST(PhaseSchedule, TheEarliestBeginningsTakeEventsAsOneStep) {
  EXPECT_EQ(earliest_beginnings({phase_of_length(10), phase_until(PhaseEvent::airborne), phase_until(40), {}}),
            (Phases{0, 10, 11, 40}));
}

TEST(PhaseSchedule, NamesOfEventsAreTheirOwn) {
  EXPECT_EQ(phase_event("airborne"), PhaseEvent::airborne);
  EXPECT_EQ(phase_event("contact"), PhaseEvent::contact);
  EXPECT_EQ(phase_event("falling"), PhaseEvent::falling);
  EXPECT_EQ(phase_event("landing"), PhaseEvent::none);
}

}  // namespace
}  // namespace holo
