#include "plugins/plugin_tables.h"

namespace holo {

namespace {

constexpr const char* operation_names[HOLO_MATERIAL_OPERATION_COUNT] = {"energy",
                                                                        "stress",
                                                                        "hessian",
                                                                        "projected_hessian",
                                                                        "directional_hessian",
                                                                        "third_order_contraction",
                                                                        "fourth_order_contraction",
                                                                        "coefficient_gradient",
                                                                        "coefficient_stress",
                                                                        "analytic_stress",
                                                                        "analytic_hessian",
                                                                        "csfd_stress",
                                                                        "csfd_hessian",
                                                                        "invariant_slopes",
                                                                        "stress_differential",
                                                                        "analytic_stress_differential",
                                                                        "csfd_stress_differential"};

bool is_required(int operation, std::uint32_t coefficient_count) {
  switch (operation) {
    case HOLO_MATERIAL_PROJECTED_HESSIAN:
    case HOLO_MATERIAL_ANALYTIC_STRESS:
    case HOLO_MATERIAL_ANALYTIC_HESSIAN:
    case HOLO_MATERIAL_CSFD_STRESS:
    case HOLO_MATERIAL_CSFD_HESSIAN:
    case HOLO_MATERIAL_INVARIANT_SLOPES:
    case HOLO_MATERIAL_STRESS_DIFFERENTIAL:
    case HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL:
    case HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL:
      return false;
    case HOLO_MATERIAL_COEFFICIENT_GRADIENT:
    case HOLO_MATERIAL_COEFFICIENT_STRESS:
      return coefficient_count > 0;
    default:
      return true;
  }
}

}  // namespace

void check(const holo_material& material, const std::string& name) {
  require_same_stamp(material.stamp);
  require_name(material.name, name);
  require_texts(material.summary, material.documentation);
  require(material.domain <= HOLO_DOMAIN_DETERMINANT_INTERVAL,
          "its domain is " + std::to_string(material.domain) +
              "; allowed are 0 (all), 1 (positive determinant) and 2 (an interval of the determinant)");
  if (material.domain == HOLO_DOMAIN_DETERMINANT_INTERVAL)
    require(material.determinant_minimum >= 0 && material.determinant_minimum < 1 && material.determinant_maximum > 1,
            "its determinants lie between " + std::to_string(material.determinant_minimum) + " and " +
                std::to_string(material.determinant_maximum) +
                "; an interval of the determinant begins at 0 or above and contains 1 in its inside");
  require(material.coefficient_count <= 10000,
          "it has " + std::to_string(material.coefficient_count) + " coefficients; at most 10000 are allowed");
  if (material.coefficient_names != nullptr)
    for (std::uint32_t i = 0; i < material.coefficient_count; ++i)
      require(material.coefficient_names[i] != nullptr,
              "the name of its coefficient " + std::to_string(i) + " is a null pointer");
  require_function(material.read != nullptr, "read");
  require_function(material.write_formula != nullptr, "write_formula");
  require(material.invariant_slopes < 512,
          "its invariant_slopes are " + std::to_string(material.invariant_slopes) + "; allowed are the nine bits below 512");
  for (int i = 0; i < HOLO_MATERIAL_OPERATION_COUNT; ++i)
    require_operation(material.operations[i] != nullptr, is_required(i, material.coefficient_count), material.kernels[i],
                      operation_names[i]);
}

void check(const holo_material_reference& reference, const std::string& name) {
  require_same_stamp(reference.stamp);
  require_name(reference.name, name);
  const bool coefficients = reference.coefficient_count == 0 ||
                            (reference.coefficient_gradient != nullptr && reference.coefficient_stress != nullptr);
  require(reference.energy != nullptr && reference.stress != nullptr && reference.hessian != nullptr &&
              reference.directional_hessian != nullptr && reference.third_order_contraction != nullptr &&
              reference.fourth_order_contraction != nullptr && reference.one_sided != nullptr && coefficients,
          "a required function of its reference table is missing");
}

}  // namespace holo
