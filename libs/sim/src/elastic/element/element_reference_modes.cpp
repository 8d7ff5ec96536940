#include "elastic/element/element_reference_modes.h"

#include <algorithm>

#include "elastic/element/lane_width.h"
#include "holo/core/error.h"

namespace holo {
namespace {

constexpr double difference_step = 0x1p-17;  // of central differences of a stress without rounding of the step's own

// H = dP/dF by central differences, the two halves' mean.
void difference_hessian(void (*stress)(const double*, const double*, double*), const double* F, const double* coefficients,
                        double* H) {
  double moved[9], ahead[9], behind[9], full[9][9];
  std::copy_n(F, 9, moved);
  for (int j = 0; j < 9; ++j) {
    moved[j] = F[j] + difference_step;
    stress(moved, coefficients, ahead);
    moved[j] = F[j] - difference_step;
    stress(moved, coefficients, behind);
    moved[j] = F[j];
    for (int i = 0; i < 9; ++i) full[i][j] = (ahead[i] - behind[i]) / (2 * difference_step);
  }
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j) *H++ = 0.5 * (full[i][j] + full[j][i]);
}

// run(F, coefficients, output) for every lane of the batch. `library` is kept while the operation lives.
template <std::size_t entries, class Run>
ElementFunction each_element(const std::shared_ptr<const MaterialReference>& library, std::uint32_t coefficient_count,
                             Run run) {
  return [library, coefficient_count, run](const holo_batch* batch) {
    std::vector<double> coefficients(coefficient_count);
    double F[9], output[entries];
    for (std::uint64_t block = 0; block < batch->block_count; ++block)
      for (std::size_t lane = 0; lane < W; ++lane) {
        for (std::size_t k = 0; k < 9; ++k) F[k] = batch->deformation_gradient[(block * 9 + k) * W + lane];
        for (std::size_t k = 0; k < coefficient_count; ++k)
          coefficients[k] = batch->coefficients[block * batch->coefficient_stride + k * W + lane];
        run(F, coefficients.data(), output);
        for (std::size_t k = 0; k < entries; ++k) batch->output[(block * entries + k) * W + lane] = output[k];
      }
  };
}

}  // namespace

ReferenceMode reference_mode(ElementDifferentiation mode, const holo_material_reference& reference) {
  switch (mode) {
    case ElementDifferentiation::mcsfd_full:
      return {reference.complex_step_stress, reference.multicomplex_step_hessian, "full complex steps",
              "full multicomplex steps"};
    case ElementDifferentiation::naive_complex_step:
      return {reference.complex_step_stress, nullptr, "full complex steps",
              "central differences of full complex steps, step 2^-17", true};
    case ElementDifferentiation::cr_form:
      return {reference.cauchy_riemann_stress, reference.cauchy_riemann_hessian, "complex steps in the Cauchy-Riemann form",
              "multicomplex steps in the Cauchy-Riemann form"};
    case ElementDifferentiation::reverse_ad:
      return {reference.reverse_ad_stress, reference.reverse_ad_hessian, "a tape, swept backwards",
              "a tape of nilpotent numbers, swept backwards for each column"};
    default:
      throw Error(Failure::internal, "the mode " + to_string(mode) + " is none of a second library");
  }
}

ElementOperations reference_operations(ElementDifferentiation mode, const std::shared_ptr<const MaterialReference>& reference,
                                       std::uint32_t coefficient_count) {
  const ReferenceMode found = reference_mode(mode, reference->abi());
  ElementOperations operations;
  operations.stress = each_element<9>(reference, coefficient_count, found.stress);
  operations.stress_kernel = found.stress_kernel;
  operations.hessian_kernel = found.hessian_kernel;
  if (found.hessian_from_stress)
    operations.hessian = each_element<45>(reference, coefficient_count,
                                          [stress = found.stress](const double* F, const double* coefficients, double* H) {
                                            difference_hessian(stress, F, coefficients, H);
                                          });
  else
    operations.hessian = each_element<45>(reference, coefficient_count, found.hessian);
  return operations;
}

}  // namespace holo
