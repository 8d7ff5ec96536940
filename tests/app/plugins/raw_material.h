#pragma once
// The plain C border filled in by hand, with operations that nobody calls.

#include <cstdio>
#include <cstring>

#include "holo/core/abi.h"

#define HOLO_TEST_EXPORT extern "C" __attribute__((visibility("default")))

namespace raw {

inline void nothing(const holo_batch*) {}
inline void no_formula(void* sink, void (*write)(void*, const char*, size_t)) { write(sink, "0", 1); }

// Everything that a material must have, for the tests to break one part of it.
inline holo_material material(const char* name, decltype(holo_material::read) read) {
  holo_material result{};
  result.stamp = holo_stamp HOLO_STAMP;
  result.name = name;
  result.summary = "for a test";
  result.documentation = "";
  result.domain = HOLO_DOMAIN_ALL;
  result.coefficient_count = 1;
  result.read = read;
  for (int i = 0; i < HOLO_MATERIAL_OPERATION_COUNT; ++i) {
    result.operations[i] = nothing;
    result.kernels[i] = "nothing";
  }
  result.write_formula = no_formula;
  return result;
}

inline int read_nothing(const holo_parameter_reader*, double* coefficients, double*, holo_error*) {
  coefficients[0] = 1;
  return 0;
}

}  // namespace raw
