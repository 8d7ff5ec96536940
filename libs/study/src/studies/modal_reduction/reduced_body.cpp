#include "studies/modal_reduction/reduced_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/sim/reduction/reduced_basis.h"
#include "holo/sim/reduction/reduced_elasticity.h"

namespace holo {

namespace {

constexpr double most_of_reduction = 0x1p53;

std::vector<int> held_vertices(const ElasticScene& scene) {
  std::vector<int> result;
  for (const ElasticHandle& handle : scene.schedule.handles())
    result.insert(result.end(), handle.vertices.begin(), handle.vertices.end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// |A w - b| / |b| of reduced forces, each sample's divided by its size, at samples that were not trained.
double error_at(const ReducedElasticity& full, const ReducedElasticity& cubature, const Eigen::MatrixXd& samples) {
  double sum = 0;
  for (Eigen::Index n = 0; n < samples.cols(); ++n) {
    const Eigen::VectorXd forces = full.gradient(samples.col(n));
    sum += (cubature.gradient(samples.col(n)) - forces).squaredNorm() / forces.squaredNorm();
  }
  return std::sqrt(sum / double(samples.cols()));
}

}  // namespace

void ReductionNumbers::visit(Archive& archive) {
  for (double& quotient : quotients.of_order) archive.visit(quotient);
  for (double* value : {&lowest_frequency, &highest_frequency, &remainder, &training_error, &test_error, &time})
    archive.visit(*value);
  for (std::int64_t* count : {&factorizations, &solves, &elements}) archive.visit(*count, most_of_reduction);
}

ModalSystem modal_system_of(const ElasticScene& scene) {
  const std::vector<int> held = held_vertices(scene);
  return {scene.model, scene.model->start_positions(), {held, held.empty()}};
}

void require_degrees_of_freedom(const ReductionOptions& options, const ElasticScene& scene) {
  const auto held = static_cast<std::int64_t>(held_vertices(scene).size());
  const std::int64_t degrees = 3 * (scene.model->vertex_count() - held) - (held == 0 ? 6 : 0);
  const auto require = [&](int wanted, const char* what, const Location& location) {
    if (wanted <= degrees) return;
    throw_input_error(location,
                      fmt::format("{} {} are wanted, and the body '{}' has {} degrees of freedom: {} vertices of "
                                  "which {} are held{}. Ask for fewer, or give it more elements.",
                                  wanted, what, scene.model->bodies().front().name, std::max<std::int64_t>(degrees, 0),
                                  scene.model->vertex_count(), held, held == 0 ? ", less six of rigid motions" : ""));
  };
  require(options.modes, "modes", options.modes_location);
  require(options.columns, "columns", options.columns_location);
}

ModesAndDerivatives find_modes(const ModalSystem& system, const ReductionOptions& options, ReductionNumbers& numbers) {
  ModesAndDerivatives result;
  result.modes = linear_modes(system, options.modes);
  result.derivatives = modal_derivatives(system, result.modes.shapes, 2);
  numbers.quotients = manifold_quotients(system, result.modes, result.derivatives, options.residual_displacement);
  numbers.lowest_frequency = result.modes.frequencies[0] / (2 * std::numbers::pi);
  numbers.highest_frequency = result.modes.frequencies[options.modes - 1] / (2 * std::numbers::pi);
  numbers.factorizations = system.factorizations();
  numbers.solves = result.modes.solves + result.derivatives.first.cols() + result.derivatives.second.cols();
  return result;
}

Eigen::MatrixXd basis_of(const ModalSystem& system, const ModesAndDerivatives& from, const ReductionOptions& options, int order,
                         ReductionNumbers& numbers) {
  ModalDerivatives derivatives;
  derivatives.mode_count = from.derivatives.mode_count;
  derivatives.first = from.derivatives.first;
  derivatives.second = order >= 2 ? from.derivatives.second : Eigen::MatrixXd(system.size(), 0);
  const ReducedBasis basis =
      reduced_basis(system, from.modes, derivatives, options.columns, amplitude_of(system, from.modes, options.displacement));
  numbers.remainder = basis.relative_remainder;
  return basis.columns;
}

Cubature trained_cubature(const std::shared_ptr<const ElasticModel>& model, const ModalSystem& system,
                          const ModesAndDerivatives& from, const Eigen::MatrixXd& basis, const FallingPlan& plan,
                          ReductionNumbers& numbers) {
  const double amplitude = amplitude_of(system, from.modes, plan.reduction.displacement);
  const auto samples = [&](std::uint64_t seed) {
    return deformation_samples(system, from.modes, from.derivatives, basis, amplitude, plan.samples, seed);
  };
  const Cubature cubature = train_cubature(model, system.positions(), basis, samples(plan.cubature.seed), plan.cubature);
  const ReducedElasticity full(model, system.positions(), basis), few(model, system.positions(), basis, cubature);
  numbers.training_error = cubature.training_error;
  numbers.test_error = error_at(full, few, samples(plan.cubature.seed + 1));
  numbers.elements = static_cast<std::int64_t>(cubature.elements.size());
  return cubature;
}

std::string material_name(const ElasticScene& scene) { return scene.model->bodies().front().material->name; }

}  // namespace holo
