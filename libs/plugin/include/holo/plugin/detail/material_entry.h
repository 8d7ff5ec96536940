#pragma once
// Registers a material: the table of its operations, and its `read`.

#include "holo/plugin/detail/entry.h"
#include "holo/plugin/detail/material_csfd.h"
#include "holo/plugin/detail/material_fourth_order.h"
#include "holo/plugin/detail/material_operations.h"
#include "holo/plugin/detail/material_stress_differential.h"
#include "holo/plugin/detail/read_constants.h"
#include "holo/plugin/parameters.h"

namespace holo::plugin {

template <class M>
int read_material(const holo_parameter_reader* reader, double* coefficients, double* tangents, holo_error* error) noexcept {
  return read_constants<coefficient_count<M>()>(reader, coefficients, tangents, error,
                                                [](const auto& p) { return M::read(p); });
}

template <class M>
void write_formula(void* sink, void (*write)(void* sink, const char* text, size_t length)) {
  try {
    const std::string text = energy_formula<M>();
    write(sink, text.data(), text.size());
  } catch (...) {
    const char text[] = "psi: out of memory while writing the formula\n";
    write(sink, text, sizeof(text) - 1);
  }
}

template <class M>
void add_operations(holo_material& material) {
  using graph::Derivative;
  const auto add = [&material]<Derivative derivative>(holo_material_operation operation,
                                                      std::integral_constant<Derivative, derivative>) {
    material.operations[operation] = run<M, derivative>;
    material.kernels[operation] = kernel_name<M, derivative>();
  };
  add(HOLO_MATERIAL_ENERGY, std::integral_constant<Derivative, Derivative::value>{});
  material.operations[HOLO_MATERIAL_ENERGY] = run_energy<M>;
  add(HOLO_MATERIAL_STRESS, std::integral_constant<Derivative, Derivative::jacobian>{});
  add(HOLO_MATERIAL_HESSIAN, std::integral_constant<Derivative, Derivative::hessian>{});
  add(HOLO_MATERIAL_DIRECTIONAL_HESSIAN, std::integral_constant<Derivative, Derivative::directional_hessian>{});
  add(HOLO_MATERIAL_THIRD_ORDER_CONTRACTION, std::integral_constant<Derivative, Derivative::third_order_contraction>{});
  material.operations[HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION] = run_fourth_order<M>;
  material.kernels[HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION] = fourth_order_kernel_name<M>();
  add(HOLO_MATERIAL_COEFFICIENT_GRADIENT, std::integral_constant<Derivative, Derivative::parameter_gradient>{});
  add(HOLO_MATERIAL_COEFFICIENT_STRESS, std::integral_constant<Derivative, Derivative::parameter_gradient_slope>{});
  if constexpr (HasStretchEnergy<M, LaneBlock>) {
    material.operations[HOLO_MATERIAL_PROJECTED_HESSIAN] = run_projected_hessian_of_stretches<M>;
    material.kernels[HOLO_MATERIAL_PROJECTED_HESSIAN] = "projected in the principal axes";
  }
  if constexpr (path_of<M, Derivative::hessian>() == Path::invariants) {
    material.operations[HOLO_MATERIAL_INVARIANT_SLOPES] = run_invariant_slopes<M>;
    material.kernels[HOLO_MATERIAL_INVARIANT_SLOPES] = kernel_name<M, Derivative::hessian>();
    material.invariant_slopes = invariant_slope_bits(invariant_pattern<M>());
  }
  if constexpr (HasStress<M, LaneBlock>) {
    material.operations[HOLO_MATERIAL_ANALYTIC_STRESS] = run_analytic_stress<M>;
    material.kernels[HOLO_MATERIAL_ANALYTIC_STRESS] = "hand-written stress";
  }
  if constexpr (HasStressDifferential<M, LaneBlock>) {
    material.operations[HOLO_MATERIAL_ANALYTIC_HESSIAN] = run_analytic_hessian<M>;
    material.kernels[HOLO_MATERIAL_ANALYTIC_HESSIAN] = "hand-written stress differential";
    material.operations[HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL] = run_analytic_stress_differential<M>;
    material.kernels[HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL] = "hand-written stress differential";
  }
  material.operations[HOLO_MATERIAL_CSFD_STRESS] = run_csfd_stress<M>;
  material.kernels[HOLO_MATERIAL_CSFD_STRESS] = csfd_kernel_name<M>(1);
  material.operations[HOLO_MATERIAL_CSFD_HESSIAN] = run_csfd_hessian<M>;
  material.kernels[HOLO_MATERIAL_CSFD_HESSIAN] = csfd_kernel_name<M>(2);
  material.operations[HOLO_MATERIAL_STRESS_DIFFERENTIAL] = run_stress_differential<M>;
  material.kernels[HOLO_MATERIAL_STRESS_DIFFERENTIAL] = stress_differential_kernel<M>();
  material.operations[HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL] = run_csfd_stress_differential<M>;
  material.kernels[HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL] = csfd_kernel_name<M>(2);
}

template <class M>
holo_material make_material(const char* name, const char* summary) {
  holo_material material = {};
  material.stamp = HOLO_STAMP;
  material.name = name;
  material.summary = summary;
  material.documentation = documentation_of<M>();
  material.domain = domain_of<M>().kind();
  material.determinant_minimum = domain_of<M>().determinant_minimum;
  material.determinant_maximum = domain_of<M>().determinant_maximum;
  material.is_calibrated = is_calibrated<M>();
  material.is_isotropic = is_isotropic<M>();
  material.coefficient_count = coefficient_count<M>();
  material.coefficient_names = coefficient_names_of<M>();
  material.read = read_material<M>;
  material.write_formula = write_formula<M>;
  add_operations<M>(material);
  return material;
}

template <class M>
concept HasRead = requires(const ParameterReader<double>& p) {
  { M::read(p) } -> std::same_as<typename M::template Coefficients<double>>;
};

template <class M>
int enter(const char* name, const char* summary, const holo_stamp* host, const holo_registrar* registrar,
          holo_error* error) noexcept {
  return guarded(error, name, [&] {
    if (!same_stamp(host, error)) return 1;
    if constexpr (check_material<M>()) {
      static_assert(
          HasRead<M>,
          "A material needs its parameters: template <class P> static Coefficients<P> read(const ParameterReader<P>& p)");
      if constexpr (HasRead<M>) {
        static const holo_material material = make_material<M>(name, summary);
        return registrar->add_material(registrar->self, &material, error);
      }
    }
    return 1;
  });
}

}  // namespace holo::plugin
