#include "elastic/element/material_at_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elastic/element/element_fault.h"
#include "elastic/element/lane_width.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {
namespace {

constexpr double allowed = 1e-8;  // of the stiffness: rounding is far below, a wrong formula far above

std::string coefficient_text(const holo_material& material, const std::vector<double>& coefficients) {
  std::string text;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    text += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ",
                        material.coefficient_names ? material.coefficient_names[i] : fmt::format("coefficient {}", i),
                        coefficients[i]);
  return text;
}

std::string formula_of(const holo_material& material) {
  std::string text;
  if (material.write_formula)
    material.write_formula(
        &text, [](void* sink, const char* part, std::size_t length) { static_cast<std::string*>(sink)->append(part, length); });
  return text;
}

double largest(const std::array<double, 9>& entries) {
  double found = 0;
  for (double entry : entries) found = std::isfinite(entry) ? std::max(found, std::abs(entry)) : entry;
  return found;
}

}  // namespace

MaterialAtRest material_at_rest(const holo_material& material, const std::vector<double>& coefficients,
                                const SingularElements::Load& reference) {
  AlignedArray identity(9 * W), output(45 * W), uniform(std::max<std::size_t>(1, coefficients.size()) * W);
  for (std::size_t i = 0; i < 9; i += 4) std::fill_n(identity.data() + i * W, W, 1.0);
  for (std::size_t i = 0; i < coefficients.size(); ++i) std::fill_n(uniform.data() + i * W, W, coefficients[i]);
  const SingularElements singular(material.name, SingularChoice::mean, reference);
  holo_batch batch{};
  batch.size = sizeof(holo_batch);
  batch.block_count = 1;
  batch.deformation_gradient = identity.data();
  batch.coefficients = uniform.data();
  batch.output = output.data();
  // One block with the same element in all lanes; the first lane is read.
  const auto evaluate = [&](holo_material_operation operation, ElementOperation kind) {
    if (material.operations[operation] == nullptr) return false;
    material.operations[operation](&batch);
    singular.resolve(batch, material.coefficient_count, kind, nullptr, 0, nullptr);
    return true;
  };
  MaterialAtRest rest;
  if (evaluate(HOLO_MATERIAL_ENERGY, ElementOperation::energy)) rest.energy = without_sign_of_nan(output[0]);
  if (evaluate(HOLO_MATERIAL_STRESS, ElementOperation::stress))
    for (std::size_t k = 0; k < 9; ++k) rest.stress[k] = without_sign_of_nan(output[k * W]);
  if (!evaluate(HOLO_MATERIAL_HESSIAN, ElementOperation::hessian)) return rest;
  for (std::size_t k = 0; k < 45; ++k)
    if (std::isfinite(output[k * W])) rest.stiffness = std::max(rest.stiffness, std::abs(output[k * W]));
  rest.obstacle = singular.obstacle();
  return rest;
}

std::string defect_at_rest(const holo_material& material, const std::vector<double>& coefficients,
                           const SingularElements::Load& reference) {
  const MaterialAtRest rest = material_at_rest(material, coefficients, reference);
  const double stress = largest(rest.stress);
  const bool finite = std::isfinite(rest.energy) && std::isfinite(stress);
  if (finite && std::max(std::abs(rest.energy), stress) <= allowed * rest.stiffness) return "";
  std::string text = fmt::format(
      "where nothing is deformed (F = I) the material '{}' has the energy {:.6g} J/m^3 and the stress [{:.6g}] Pa (row by "
      "row); both must be {}0, to {:g} of its stiffness of {:.6g} Pa. It has {}.",
      material.name, rest.energy, fmt::join(rest.stress, ", "), finite ? "" : "finite and ", allowed, rest.stiffness,
      coefficients.empty() ? "no coefficients" : coefficient_text(material, coefficients));
  if (!rest.obstacle.empty()) text += " It was not evaluated in one-sided series: " + rest.obstacle;
  const std::string formula = formula_of(material);
  constexpr std::size_t longest = 300;
  if (formula.empty()) return text;
  if (formula.size() > longest) return text + fmt::format(" `holo describe {}` prints its energy.", material.name);
  return text + " Its energy: " + formula;
}

}  // namespace holo
