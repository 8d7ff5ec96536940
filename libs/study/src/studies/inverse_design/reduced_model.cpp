#include "studies/inverse_design/reduced_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/sim/mesh/mesh_description.h"
#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

namespace {

constexpr int largest_basis = 12;
constexpr double basis_tolerance = 1e-5;  // of singular values over the largest

// What the model is made of at one point: on the vertices of the surface [3 * vertex].
struct BodySample {
  double frequency = 0;                          // [Hz]
  std::vector<double> positions, displacements;  // at rest [m]; over the largest
};

class SurfaceOf {
 public:
  explicit SurfaceOf(LinearVibration& body) : body_(body), surface_(boundary_triangles(body.reference())) {}

  const std::vector<std::array<int, 3>>& triangles() const { return surface_.triangles; }

  bool sample(const std::vector<double>& parameters, BodySample& result) const {
    const Eigen::Map<const Eigen::VectorXd> values(parameters.data(), Eigen::Index(parameters.size()));
    double omega_squared = 0;
    if (!body_.evaluate(values, omega_squared)) return false;
    result.frequency = std::sqrt(omega_squared) / (2 * std::numbers::pi);
    const TetrahedralMesh mesh = body_.mesh(body_.parameters(values));
    double largest = 0;
    for (Eigen::Index v = 0; v < body_.displacements().size() / 3; ++v)
      largest = std::max(largest, body_.displacements().segment<3>(3 * v).norm());
    result.positions.clear();
    result.displacements.clear();
    for (const int vertex : surface_.vertices)
      for (std::size_t i = 0; i < 3; ++i) {
        result.positions.push_back(mesh.vertices[std::size_t(vertex)][i]);
        result.displacements.push_back(body_.displacements()[3 * Eigen::Index(vertex) + Eigen::Index(i)] / largest);
      }
    return true;
  }

 private:
  LinearVibration& body_;
  SurfaceVertices surface_;
};

// The n-th number of the sequence of van der Corput in a base, within (0, 1): with different primes, a sequence of Halton.
double radical_inverse(int n, int base) {
  double result = 0, digit = 1.0 / base;
  for (; n > 0; n /= base, digit /= base) result += digit * (n % base);
  return result;
}

std::vector<double> sample_point(const ParameterModel& model, int number) {
  constexpr int primes[] = {2, 3, 5, 7, 11, 13};
  std::vector<double> values;
  for (std::size_t k = 0; k < model.parameters.size(); ++k)
    values.push_back(std::lerp(model.parameters[k].minimum, model.parameters[k].maximum, radical_inverse(number, primes[k])));
  return values;
}

double largest_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); i += 3)
    largest = std::max(largest, std::hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
  return largest;
}

double diagonal(const std::vector<double>& positions) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low = positions[axis], high = low;
    for (std::size_t i = axis; i < positions.size(); i += 3) {
      low = std::min(low, positions[i]);
      high = std::max(high, positions[i]);
    }
    sum += (high - low) * (high - low);
  }
  return std::sqrt(sum);
}

bool measure_errors(const SurfaceOf& surface, int samples, ParameterModel& model) {
  BodySample exact;
  for (int n = 1; n <= samples; ++n) {
    const std::vector<double> at = sample_point(model, n);
    if (!surface.sample(at, exact)) return false;
    const std::vector<double> weights = node_weights(model, at);
    ModelQuantity& frequency = model.quantities.front();
    frequency.error = std::max(frequency.error, std::abs(interpolated(frequency, weights) / exact.frequency - 1));
    model.position_error =
        std::max(model.position_error,
                 largest_distance(interpolated(model.positions, weights), exact.positions) / diagonal(exact.positions));
    model.displacement_error =
        std::max(model.displacement_error, largest_distance(interpolated(model.displacements, weights), exact.displacements));
  }
  return true;
}

}  // namespace

std::optional<ParameterModel> make_reduced_model(LinearVibration& body, const DesignPlan& plan, const Eigen::VectorXd& values,
                                                 double target) {
  const SurfaceOf surface(body);
  ParameterModel model;
  model.title = "Change the design";
  model.points = plan.model_points;
  model.triangles = surface.triangles();
  for (std::size_t k = 0; k < plan.parameters.size(); ++k) {
    const DesignedParameter& p = plan.parameters[k];
    model.parameters.push_back({p.name, p.unit, p.minimum, p.maximum, values[Eigen::Index(k)]});
  }
  model.quantities.push_back({"frequency", "Hz", {}, target, 0});
  std::vector<std::vector<double>> positions, displacements;
  for (std::size_t n = 0; n < model.node_count(); ++n) {
    BodySample sample;
    if (!surface.sample(model.node(n), sample)) return std::nullopt;
    model.quantities.front().values.push_back(sample.frequency);
    positions.push_back(std::move(sample.positions));
    displacements.push_back(std::move(sample.displacements));
  }
  model.positions = reduced(positions, largest_basis, basis_tolerance);
  model.displacements = reduced(displacements, largest_basis, basis_tolerance);
  if (!measure_errors(surface, plan.model_samples, model)) return std::nullopt;
  model.caption = fmt::format(
      "Interpolated between {} bodies that the run computed, with {} fields of the shape and {} of the displacement. At {} "
      "other designs the frequency is wrong by at most {:.2g} of itself, and the displacement by {:.2g} of its largest.",
      model.node_count(), model.positions.basis.size(), model.displacements.basis.size(), plan.model_samples,
      model.quantities.front().error, model.displacement_error);
  return model;
}

}  // namespace holo
