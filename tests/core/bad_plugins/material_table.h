#pragma once
// A right material, made by hand: each plugin of this folder spoils one thing of it. Written against abi.h alone.
//   psi(F) = stiffness/2 |F - I|^2 + order offset . (F fiber)

#include "holo/core/abi.h"

#define PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr unsigned coefficient_count = 8;  // stiffness, order, offset[3], fiber[3]
constexpr const char* coefficient_names[coefficient_count] = {"stiffness", "order",   "offset_x", "offset_y",
                                                              "offset_z",  "fiber_x", "fiber_y",  "fiber_z"};

// For operations whose values no test of the host looks at.
inline void fill(const holo_batch* batch, unsigned entries, double value) {
  for (unsigned long i = 0; i < batch->block_count * entries * HOLO_LANE_WIDTH; ++i) batch->output[i] = value;
}

template <unsigned entries>
void operation(const holo_batch* batch) {
  fill(batch, entries, 1.0);
}

inline holo_parameter request(unsigned kind, const char* name, const char* unit, double minimum, double maximum) {
  holo_parameter p = {};
  p.size = sizeof p;
  p.kind = kind;
  p.name = name;
  p.unit = unit;
  p.documentation = "of the test";
  p.minimum = minimum;
  p.maximum = maximum;
  return p;
}

// Asks for one parameter of each kind.
inline int read_all_kinds(const holo_parameter_reader* reader, double* c, double* t, holo_error*) {
  constexpr double infinity = __builtin_inf();
  const auto ask = [&](const holo_parameter& p, double* values, double* tangents) {
    reader->read(reader->self, &p, values, t == nullptr ? nullptr : tangents);
  };
  double stiffness[3], stiffness_t[3], order[3], order_t[3], active[3], active_t[3], mode[3], mode_t[3], unused[3];
  holo_parameter p = request(HOLO_PARAMETER_NUMBER, "stiffness", "Pa", 0, infinity);
  p.minimum_excluded = 1;
  ask(p, stiffness, stiffness_t);
  p = request(HOLO_PARAMETER_INTEGER, "order", "1", 1, 8);
  p.has_default = 1;
  p.default_value[0] = 2;
  ask(p, order, order_t);
  p = request(HOLO_PARAMETER_BOOLEAN, "active", "1", -infinity, infinity);
  p.has_default = 1;
  p.default_value[0] = 1;
  ask(p, active, active_t);
  const char* const choices[] = {"soft", "hard"};
  p = request(HOLO_PARAMETER_CHOICE, "mode", "1", -infinity, infinity);
  p.choices = choices;
  p.choice_count = 2;
  p.has_default = 1;
  ask(p, mode, mode_t);
  p = request(HOLO_PARAMETER_VECTOR3, "offset", "Pa", -infinity, infinity);
  p.has_default = 1;
  ask(p, c + 2, t == nullptr ? unused : t + 2);
  p = request(HOLO_PARAMETER_DIRECTION, "fiber", "1", -infinity, infinity);
  p.has_default = 1;
  p.default_value[2] = 1;
  ask(p, c + 5, t == nullptr ? unused : t + 5);
  const double factor = (mode[0] == 1 ? 10 : 1) * active[0];
  c[0] = factor * stiffness[0] * stiffness[0];
  c[1] = order[0];
  if (t == nullptr) return 0;
  t[0] = factor * 2 * stiffness[0] * stiffness_t[0];
  t[1] = order_t[0];
  return 0;
}

inline void write_formula(void* sink, void (*write)(void* sink, const char* text, size_t length)) {
  write(sink, "stiffness/2", 11);
  write(sink, " |F - I|^2", 10);
}

inline holo_material right_material(const char* name) {
  holo_material m = {};
  m.stamp = HOLO_STAMP;
  m.name = name;
  m.summary = "a material of the tests";
  m.documentation = "";
  m.domain = HOLO_DOMAIN_ALL;
  m.coefficient_count = coefficient_count;
  m.coefficient_names = coefficient_names;
  m.read = read_all_kinds;
  m.operations[HOLO_MATERIAL_ENERGY] = operation<1>;
  m.operations[HOLO_MATERIAL_STRESS] = operation<9>;
  m.operations[HOLO_MATERIAL_HESSIAN] = operation<45>;
  m.operations[HOLO_MATERIAL_DIRECTIONAL_HESSIAN] = operation<45>;
  m.operations[HOLO_MATERIAL_THIRD_ORDER_CONTRACTION] = operation<9>;
  m.operations[HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION] = operation<9>;
  m.operations[HOLO_MATERIAL_COEFFICIENT_GRADIENT] = operation<coefficient_count>;
  m.operations[HOLO_MATERIAL_COEFFICIENT_STRESS] = operation<9 * coefficient_count>;
  for (int i = 0; i < HOLO_MATERIAL_OPERATION_COUNT; ++i)
    if (m.operations[i] != nullptr) m.kernels[i] = "hand-written";
  m.write_formula = write_formula;
  return m;
}

inline int add(const holo_registrar* registrar, const holo_material& material, holo_error* error) {
  return registrar->add_material(registrar->self, &material, error);
}

}  // namespace
