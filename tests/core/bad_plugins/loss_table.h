#pragma once
// A right loss, made by hand, that asks for something of each class: a point of a body, a control, signals of three numbers and
// of one. Written against abi.h alone.

#include <cstdio>
#include <cstdlib>

#include "holo/core/abi.h"

struct holo_loss_instance {
  holo_observable observables[2];
  holo_datum data[4];
  double gain;
};

namespace {

constexpr holo_measure measures[] = {{"error", "m"}};

inline double ask(const holo_parameter_reader* reader, holo_parameter_kind kind, const char* name, unsigned subject,
                  unsigned components, double minimum, bool has_default) {
  holo_parameter p = {};
  p.size = sizeof p;
  p.kind = kind;
  p.name = name;
  p.unit = "m";
  p.documentation = "";
  p.minimum = minimum;
  p.maximum = __builtin_inf();
  p.has_default = has_default ? 1 : 0;
  p.subject = subject;
  p.component_count = components;
  double value[3] = {};
  reader->read(reader->self, &p, value, nullptr);
  return value[0];
}

// A negative gain is refused; a `step` other than 0 goes on to what is observed.
inline int create_loss(const holo_parameter_reader* reader, holo_loss_instance** instance, holo_error* error) {
  constexpr double infinity = __builtin_inf();
  const auto body = unsigned(ask(reader, HOLO_PARAMETER_SUBJECT, "body", HOLO_SUBJECT_BODY, 0, -infinity, false));
  const auto control = unsigned(ask(reader, HOLO_PARAMETER_SUBJECT, "control", HOLO_SUBJECT_CONTROL, 0, -infinity, false));
  const auto target = unsigned(ask(reader, HOLO_PARAMETER_SIGNAL, "target", 0, 3, -infinity, false));
  const auto weight = unsigned(ask(reader, HOLO_PARAMETER_SIGNAL, "weight", 0, 1, 0, true));
  const double gain = ask(reader, HOLO_PARAMETER_NUMBER, "gain", 0, 0, -infinity, true);
  const auto step = int(ask(reader, HOLO_PARAMETER_INTEGER, "step", 0, 0, -infinity, true));
  if (gain < 0) {
    std::snprintf(error->message, sizeof error->message, "a gain below 0 makes no sense");
    return 1;
  }
  auto* made = static_cast<holo_loss_instance*>(std::malloc(sizeof(holo_loss_instance)));
  *made = {{{HOLO_OBSERVABLE_POINT, body, {0, 0, 1}, step}, {HOLO_OBSERVABLE_CONTROL, control, {0, 0, 0}, 0}},
           {{HOLO_DATUM_SIGNAL, target, 0},
            {HOLO_DATUM_SIGNAL, target, 1},
            {HOLO_DATUM_SIGNAL, target, 2},
            {HOLO_DATUM_SIGNAL, weight, 0}},
           gain};
  *instance = made;
  return 0;
}

// Tells the tests that no instance is left behind.
inline void destroy_loss(holo_loss_instance* instance) {
  const char* before = std::getenv("HOLO_TEST_DESTROYED");
  char count[16];
  std::snprintf(count, sizeof count, "%d", (before == nullptr ? 0 : std::atoi(before)) + 1);
  setenv("HOLO_TEST_DESTROYED", count, 1);
  std::free(instance);
}

inline void describe_loss(const holo_loss_instance* instance, holo_loss_description* description) {
  *description = {sizeof(holo_loss_description), 2, instance->observables, 4, instance->data, 1, measures, 3, 0, 0};
}

// Each output is the gain; a gain of 13 fails.
inline int run_loss(const holo_loss_instance* instance, uint32_t operation, const holo_loss_batch* batch, holo_error* error) {
  if (instance->gain == 13) {
    std::snprintf(error->message, sizeof error->message, "out of memory");
    return 1;
  }
  const unsigned entries[] = {1, 4, 10, 10, 1};
  for (unsigned long i = 0; i < batch->block_count * entries[operation] * HOLO_LANE_WIDTH; ++i)
    batch->output[i] = instance->gain;
  return 0;
}

inline holo_loss right_loss(const char* name) {
  return {HOLO_STAMP, name, "a loss of the tests", "", create_loss, destroy_loss, describe_loss, run_loss};
}

}  // namespace
