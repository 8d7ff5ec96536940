#include "holo/study/parameter_model.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "holo/core/error.h"
#include "holo/core/runs/run_folder.h"

namespace holo {

using json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ModelParameter, name, unit, minimum, maximum, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ModelQuantity, name, unit, values, target, error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReducedField, basis, coefficients)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ParameterModel, title, caption, parameters, points, quantities, triangles, positions,
                                   displacements, position_error, displacement_error)

namespace {

double chebyshev_point(int k, int count) { return std::cos(std::numbers::pi * (k + 0.5) / count); }

// Lagrange's polynomials of the Chebyshev points at x, by the barycentric formula with the weights (-1)^k sin((k + 1/2) pi/n).
std::vector<double> lagrange_polynomials(double x, int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    const double distance = x - chebyshev_point(k, count);
    if (std::abs(distance) < 1e-14) {
      values.assign(values.size(), 0.0);
      values[static_cast<std::size_t>(k)] = 1;
      return values;
    }
    const double weight = (k % 2 == 0 ? 1 : -1) * std::sin(std::numbers::pi * (k + 0.5) / count) / distance;
    values[static_cast<std::size_t>(k)] = weight;
    sum += weight;
  }
  for (double& value : values) value /= sum;
  return values;
}

// The fault of a field, or "".
std::string fault_of(const ReducedField& field, std::size_t nodes, const std::vector<std::array<int, 3>>& triangles) {
  if (field.basis.empty() || field.coefficients.size() != nodes)
    return fmt::format("has {} terms and coefficients for {} of {} nodes", field.basis.size(), field.coefficients.size(),
                       nodes);
  const std::size_t size = field.basis.front().size();
  for (const std::vector<double>& term : field.basis)
    if (term.size() != size || size % 3 != 0) return "has terms of different sizes";
  for (const std::vector<double>& row : field.coefficients)
    if (row.size() != field.basis.size()) return "has a row of coefficients of another size";
  for (const std::array<int, 3>& triangle : triangles)
    for (const int vertex : triangle)
      if (vertex < 0 || 3 * static_cast<std::size_t>(vertex) >= size)
        return fmt::format("has {} vertices, but a triangle names vertex {}", size / 3, vertex);
  return "";
}

std::string fault_of(const ParameterModel& model) {
  if (model.parameters.empty() || model.parameters.size() > 6 || model.points < 1 || model.points > 100)
    return fmt::format("it has {} parameters of {} points", model.parameters.size(), model.points);
  for (const ModelParameter& parameter : model.parameters)
    if (!(parameter.minimum < parameter.maximum))
      return fmt::format("the parameter '{}' is between {} and {}", parameter.name, parameter.minimum, parameter.maximum);
  for (const ModelQuantity& quantity : model.quantities) {
    if (quantity.values.size() != model.node_count())
      return fmt::format("'{}' has {} values for {} nodes", quantity.name, quantity.values.size(), model.node_count());
    for (const double value : quantity.values)
      if (!(value > 0 && std::isfinite(value))) return fmt::format("'{}' has the value {} at a node", quantity.name, value);
  }
  for (const auto& [name, field] : {std::pair("positions", &model.positions), std::pair("displacements", &model.displacements)})
    if (const std::string fault = fault_of(*field, model.node_count(), model.triangles); !fault.empty())
      return fmt::format("'{}' {}", name, fault);
  return "";
}

}  // namespace

std::size_t ParameterModel::node_count() const {
  std::size_t count = 1;
  for (std::size_t k = 0; k < parameters.size(); ++k) count *= static_cast<std::size_t>(points);
  return count;
}

std::vector<double> ParameterModel::node(std::size_t number) const {
  std::vector<double> values(parameters.size());
  for (std::size_t k = parameters.size(); k-- > 0; number /= static_cast<std::size_t>(points)) {
    const double x = chebyshev_point(static_cast<int>(number % static_cast<std::size_t>(points)), points);
    values[k] = 0.5 * (parameters[k].minimum + parameters[k].maximum + x * (parameters[k].maximum - parameters[k].minimum));
  }
  return values;
}

std::vector<double> node_weights(const ParameterModel& model, const std::vector<double>& parameters) {
  std::vector<double> weights = {1};
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const ModelParameter& parameter = model.parameters[k];
    const double x = (2 * parameters[k] - parameter.minimum - parameter.maximum) / (parameter.maximum - parameter.minimum);
    const std::vector<double> polynomials = lagrange_polynomials(x, model.points);
    std::vector<double> products;
    products.reserve(weights.size() * polynomials.size());
    for (const double weight : weights)
      for (const double polynomial : polynomials) products.push_back(weight * polynomial);
    weights = std::move(products);
  }
  return weights;
}

double interpolated(const ModelQuantity& quantity, const std::vector<double>& weights) {
  double logarithm = 0;
  for (std::size_t n = 0; n < weights.size(); ++n) logarithm += weights[n] * std::log(quantity.values[n]);
  return std::exp(logarithm);
}

std::vector<double> interpolated(const ReducedField& field, const std::vector<double>& weights) {
  std::vector<double> result(field.basis.front().size(), 0.0);
  for (std::size_t r = 0; r < field.basis.size(); ++r) {
    double coefficient = 0;
    for (std::size_t n = 0; n < weights.size(); ++n) coefficient += weights[n] * field.coefficients[n][r];
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += coefficient * field.basis[r][i];
  }
  return result;
}

// By the eigenvectors v of the fields' products, F^T F v = s^2 v: the term F v / s has the coefficients s v.
ReducedField reduced(const std::vector<std::vector<double>>& fields, int largest_terms, double tolerance) {
  const auto rows = static_cast<Eigen::Index>(fields.front().size()), columns = static_cast<Eigen::Index>(fields.size());
  Eigen::MatrixXd all(rows, columns);
  for (Eigen::Index n = 0; n < columns; ++n)
    all.col(n) = Eigen::Map<const Eigen::VectorXd>(fields[static_cast<std::size_t>(n)].data(), rows);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(all.transpose() * all);
  ReducedField result;
  result.coefficients.resize(fields.size());
  const double largest = std::sqrt(std::max(0.0, eigen.eigenvalues()[columns - 1]));
  for (Eigen::Index k = columns; k-- > 0 && static_cast<int>(result.basis.size()) < largest_terms;) {
    const double singular = std::sqrt(std::max(0.0, eigen.eigenvalues()[k]));
    if (!(singular > tolerance * largest)) break;
    const Eigen::VectorXd term = all * eigen.eigenvectors().col(k) / singular;
    result.basis.emplace_back(term.data(), term.data() + term.size());
    for (Eigen::Index n = 0; n < columns; ++n)
      result.coefficients[static_cast<std::size_t>(n)].push_back(singular * eigen.eigenvectors()(n, k));
  }
  return result;
}

std::string model_to_json(const ParameterModel& model) {
  if (const std::string fault = fault_of(model); !fault.empty())
    throw Error(Failure::internal, "a model of parameters: " + fault);
  return json(model).dump();
}

ParameterModel read_model(const std::filesystem::path& path) {
  ParameterModel model;
  try {
    model = json::parse(read_whole_file(path)).get<ParameterModel>();
  } catch (const json::exception& problem) {
    throw Error(Failure::input, fmt::format("{}: no model of parameters: {}", path.string(), problem.what()));
  }
  if (const std::string fault = fault_of(model); !fault.empty())
    throw Error(Failure::input, fmt::format("{}: {}; the file was changed or damaged", path.string(), fault));
  return model;
}

}  // namespace holo
