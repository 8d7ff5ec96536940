#pragma once
// The modes that a plugin's second library offers, one element at a time, as operations on batches.

#include "holo/sim/elastic/element_differentiation.h"

namespace holo {

struct ReferenceMode {
  void (*stress)(const double* F, const double* coefficients, double* P) = nullptr;
  void (*hessian)(const double* F, const double* coefficients, double* H) = nullptr;  // null for complex_step: from `stress`
  const char* stress_kernel = "";
  const char* hessian_kernel = "";
  bool hessian_from_stress = false;

  bool is_there() const { return stress && (hessian || hessian_from_stress); }
};

// Operations of mcsfd_full, complex_step, cr_form or reverse_ad; null functions if the library lacks them.
ReferenceMode reference_mode(ElementDifferentiation mode, const holo_material_reference& reference);

ElementOperations reference_operations(ElementDifferentiation mode, const std::shared_ptr<const MaterialReference>& reference,
                                       std::uint32_t coefficient_count);

}  // namespace holo
