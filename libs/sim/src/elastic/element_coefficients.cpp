// Coefficients of a body's material in the lanes of its blocks, and what follows from them where they differ from element to
// element.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elastic/elastic_model_builder.h"

namespace holo {
namespace {

constexpr double locks_above = 0.45 + 1e-6;  // docs/experiments.md, "Limits of the elements"
constexpr std::size_t measured_blocks = 64;  // at once

bool all_rows_equal(const std::vector<double>& rows, std::size_t width) {
  if (rows.empty() || width == 0) return true;
  return std::equal(rows.begin() + static_cast<std::ptrdiff_t>(width), rows.end(), rows.begin());
}

// Hessians at rest of some blocks of a body, [block][45][lane].
void hessians_at_rest(const ElasticBody& body, const AlignedArray& identity, std::size_t first, std::size_t count,
                      AlignedArray& hessians) {
  holo_batch batch{};
  batch.size = sizeof(holo_batch);
  batch.block_count = count;
  batch.deformation_gradient = identity.data();
  batch.coefficients = body.coefficients.data() + first * body.coefficient_stride;
  batch.coefficient_stride = body.coefficient_stride;
  batch.output = hessians.data();
  body.hessian(&batch);
  body.singular->resolve(batch, body.material->coefficient_count, ElementOperation::hessian, nullptr, 0, nullptr);
}

}  // namespace

void ElasticModelBuilder::set_uniform_coefficients(const std::vector<double>& coefficients, ElasticBody& body) const {
  body.coefficients = AlignedArray(body.material->coefficient_count * ElasticModel::lanes);
  for (std::size_t i = 0; i < body.coefficients.size(); ++i) body.coefficients[i] = coefficients[i / ElasticModel::lanes];
}

void ElasticModelBuilder::set_element_coefficients(const std::vector<double>& coefficients, ElasticBody& body) const {
  constexpr std::size_t lanes = ElasticModel::lanes;
  const std::size_t width = body.material->coefficient_count;
  if (coefficients.size() != width * static_cast<std::size_t>(body.element_count))
    throw Error(Failure::internal, fmt::format("body '{}': {} coefficients for {} elements with {} each", body.name,
                                               coefficients.size(), body.element_count, width));
  if (all_rows_equal(coefficients, width)) return set_uniform_coefficients(coefficients, body);
  body.coefficient_stride = width * lanes;
  body.coefficients = AlignedArray(body.block_count * body.coefficient_stride);
  std::size_t element = 0;  // padding, at the end, repeats the last element
  for (std::size_t packed = 0; packed < body.block_count * lanes; ++packed) {
    const int number = model_.packed_elements_[body.first_block * lanes + packed];
    if (number >= 0) element = static_cast<std::size_t>(number - body.first_element);
    for (std::size_t k = 0; k < width; ++k)
      body.coefficients[packed / lanes * body.coefficient_stride + k * lanes + packed % lanes] =
          coefficients[element * width + k];
  }
}

// As measure_stiffness, element by element: the energy sums volume times stiffness, the Poisson's ratio is the largest.
void ElasticModelBuilder::measure_element_stiffness(ElasticBody& body) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  AlignedArray identity(measured_blocks * 9 * lanes), hessians(measured_blocks * 45 * lanes);
  for (std::size_t i = 0; i < measured_blocks * 9; ++i)
    if (i % 9 % 4 == 0) std::fill_n(identity.data() + i * lanes, lanes, 1.0);
  double energy = 0, largest_ratio = -1;
  for (std::size_t first = 0; first < body.block_count; first += measured_blocks) {
    const std::size_t count = std::min(measured_blocks, body.block_count - first);
    hessians_at_rest(body, identity, first, count, hessians);
    for (std::size_t packed = 0; packed < count * lanes; ++packed) {
      const std::size_t model_index = (body.first_block + first) * lanes + packed;
      if (model_.packed_elements_[model_index] < 0) continue;
      const double* hessian = hessians.data() + packed / lanes * 45 * lanes + packed % lanes;
      double stiffness = 0;
      for (std::size_t k = 0; k < 45; ++k)
        if (std::isfinite(hessian[k * lanes])) stiffness = std::max(stiffness, std::abs(hessian[k * lanes]));
      energy += volumes_[model_index] * stiffness;
      const double ratio = hessian[4 * lanes] / (hessian[0] + hessian[4 * lanes]);  // of an isotropic material
      largest_ratio = std::max(largest_ratio, ratio);
      body.locking_elements += ratio > locks_above ? 1 : 0;
    }
  }
  model_.stiffness_energy_ += energy;
  if (body.material->is_isotropic)
    body.poissons_ratio = largest_ratio;
  else
    body.locking_elements = 0;
}

std::string locking_note(const ElasticBody& body) {
  if (!(body.poissons_ratio > locks_above)) return "";
  const std::string where = body.coefficient_stride == 0
                                ? fmt::format("is {:.4g} at rest", body.poissons_ratio)
                                : fmt::format("is up to {:.4g} at rest and above 0.45 in {} of {} elements",
                                              body.poissons_ratio, body.locking_elements, body.element_count);
  return fmt::format(
      "body '{}': Poisson's ratio {}; above {:g} linear tetrahedra are too stiff in "
      "bending, the more the closer it is to 0.5 (volumetric locking)",
      body.name, where, 0.45);
}

}  // namespace holo
