// Values per element: coefficients of a body's material in the lanes of its blocks, and densities.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elastic/elastic_model_builder.h"

namespace holo {
namespace {

// Whether each row equals the one before it, and so all of them.
bool all_rows_equal(const std::vector<double>& rows, std::size_t width) {
  if (rows.empty() || width == 0) return true;
  return std::equal(rows.begin() + static_cast<std::ptrdiff_t>(width), rows.end(), rows.begin());
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

std::vector<double> element_densities(const ElasticBodyDefinition& definition, const TetrahedralMesh& mesh) {
  const ElementValues& given = definition.element_density;
  if (!given.values) return std::vector<double>(mesh.tetrahedra.size(), definition.density);
  std::vector<double> densities = given.of(mesh);
  for (std::size_t element = 0; element < densities.size(); ++element)
    if (!(densities[element] > 0 && std::isfinite(densities[element])))
      throw_input_error(given.location,
                        fmt::format("element {} of {} has density = {:.6g} ({}); allowed: > 0 kg/m^3",
                                    element_number(mesh, element), mesh.source, densities[element], given.text));
  return densities;
}

}  // namespace holo
