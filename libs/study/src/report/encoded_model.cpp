#include "report/encoded_model.h"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "report/array_encoding.h"

namespace holo::report {

namespace {

using nlohmann::json;

// Rows of one width one after another, as little-endian 32-bit numbers. The page's twin is `decode_numbers`.
std::string packed(const std::vector<std::vector<double>>& rows) {
  static_assert(std::endian::native == std::endian::little);
  std::string bytes;
  for (const std::vector<double>& row : rows)
    for (const double value : row) {
      const float number = static_cast<float>(value);
      char four[sizeof number];
      std::memcpy(four, &number, sizeof number);
      bytes.append(four, sizeof number);
    }
  return base64(gzip(bytes));
}

json packed(const ReducedField& field) {
  return {{"terms", field.basis.size()}, {"basis", packed(field.basis)}, {"coefficients", packed(field.coefficients)}};
}

}  // namespace

json encode(const ParameterModel& model) {
  json parameters = json::array(), quantities = json::array();
  for (const ModelParameter& p : model.parameters)
    parameters.push_back(
        {{"name", p.name}, {"unit", p.unit}, {"minimum", p.minimum}, {"maximum", p.maximum}, {"value", p.value}});
  for (const ModelQuantity& q : model.quantities)
    quantities.push_back({{"name", q.name}, {"unit", q.unit}, {"values", q.values}, {"target", q.target}, {"error", q.error}});
  std::vector<std::uint32_t> indices;
  for (const std::array<int, 3>& triangle : model.triangles)
    for (const int vertex : triangle) indices.push_back(static_cast<std::uint32_t>(vertex));
  return {{"title", model.title},
          {"caption", model.caption},
          {"parameters", parameters},
          {"points", model.points},
          {"quantities", quantities},
          {"triangle_count", model.triangles.size()},
          {"triangles", encode_indices(indices)},
          {"vertex_count", model.positions.basis.front().size() / 3},
          {"positions", packed(model.positions)},
          {"displacements", packed(model.displacements)},
          {"position_error", model.position_error},
          {"displacement_error", model.displacement_error}};
}

}  // namespace holo::report
