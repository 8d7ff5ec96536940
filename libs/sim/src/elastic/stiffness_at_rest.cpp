// The stiffness of a body's material at rest: the energy of strains of order one, Poisson's ratio, and whether elements lock.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elastic/elastic_model_builder.h"

namespace holo {
namespace {

constexpr double locks_above = 0.45 + 1e-6;  // docs/experiments.md, "Limits of the elements"
// E = mu (3 lambda + 2 mu)/(lambda + mu) of the Hessian's entries lambda + 2 mu and lambda.
double youngs_modulus_of(double stiff, double lateral) { return (stiff - lateral) * (stiff + 2 * lateral) / (stiff + lateral); }

constexpr std::size_t measured_blocks = 64;  // in one call of the operation

// The deformation gradient I of some blocks, [block][9][lane].
AlignedArray identity_gradients(std::size_t block_count) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  AlignedArray identity(block_count * 9 * lanes);
  for (std::size_t i = 0; i < block_count * 9; ++i)
    if (i % 9 % 4 == 0) std::fill_n(identity.data() + i * lanes, lanes, 1.0);
  return identity;
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

// Volume times the largest entry of the Hessian at rest, and the Poisson's ratio that it has.
void ElasticModelBuilder::measure_stiffness(ElasticBody& body) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  if (body.coefficient_stride != 0) return measure_element_stiffness(body);
  AlignedArray hessian(45 * lanes);
  hessians_at_rest(body, identity_gradients(1), 0, 1, hessian);
  const double stiff = hessian[0], lateral = hessian[4 * lanes];  // lambda + 2 mu and lambda, of an isotropic material
  if (body.material->is_isotropic) {
    body.poissons_ratio = lateral / (stiff + lateral);
    body.youngs_modulus = youngs_modulus_of(stiff, lateral);
    body.shear_modulus = (stiff - lateral) / 2;
  }
  double stiffness = 0, volume = 0;
  for (std::size_t i = 0; i < hessian.size(); ++i)
    if (std::isfinite(hessian[i])) stiffness = std::max(stiffness, std::abs(hessian[i]));
  for (std::size_t packed = body.first_block * lanes; packed < volumes_.size(); ++packed) volume += volumes_[packed];
  model_.stiffness_energy_ += volume * stiffness;
}

// Stiffness of all elements, as measure_stiffness(): the energy sums volume times stiffness, the Poisson's ratio is the
// largest.
void ElasticModelBuilder::measure_element_stiffness(ElasticBody& body) {
  constexpr std::size_t lanes = ElasticModel::lanes;
  const AlignedArray identity = identity_gradients(measured_blocks);
  AlignedArray hessians(measured_blocks * 45 * lanes);
  double energy = 0, largest_ratio = -1, largest_modulus = 0, smallest_shear = std::numeric_limits<double>::infinity();
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
      largest_modulus = std::max(largest_modulus, youngs_modulus_of(hessian[0], hessian[4 * lanes]));
      smallest_shear = std::min(smallest_shear, (hessian[0] - hessian[4 * lanes]) / 2);
      body.locking_elements += ratio > locks_above ? 1 : 0;
    }
  }
  model_.stiffness_energy_ += energy;
  if (body.material->is_isotropic) {
    body.poissons_ratio = largest_ratio;
    body.youngs_modulus = largest_modulus;
    body.shear_modulus = smallest_shear;
  } else {
    body.locking_elements = 0;
  }
}

std::string locking_note(const ElasticBody& body) {
  if (!(body.poissons_ratio > locks_above) || body.is_affine || body.mesh.is_quadratic()) return "";
  const std::string where = body.coefficient_stride == 0
                                ? fmt::format("is {:.4g} at rest", body.poissons_ratio)
                                : fmt::format("is up to {:.4g} at rest and above 0.45 in {} of {} elements",
                                              body.poissons_ratio, body.locking_elements, body.element_count);
  return fmt::format(
      "body '{}': Poisson's ratio {}; above {:g} linear tetrahedra are too stiff in "
      "bending, the more the closer it is to 0.5 (volumetric locking); `order: 2` of its mesh makes them quadratic",
      body.name, where, 0.45);
}

}  // namespace holo
