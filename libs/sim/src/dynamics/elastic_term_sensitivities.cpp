// First derivatives of the elements' forces in parameters, lag and the start of the step.
#include <algorithm>

#include "dynamics/coefficient_derivatives.h"
#include "elastic/element/element_pass.h"
#include "holo/sim/dynamics/elastic_term.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;

}  // namespace

Eigen::Index ElasticTerm::parameter_count() const {
  Eigen::Index count = coefficient_parameter_count(*model_);
  for (const auto& energy : energies_) count += energy->parameter_count();
  return count;
}

Eigen::VectorXd ElasticTerm::parameters() const {
  Eigen::VectorXd values(parameter_count());
  Eigen::Index next = 0;
  for (const ElasticBody& body : model_->bodies())
    for (Eigen::Index k = 0; k < coefficient_parameter_count(body); ++k)
      values[next++] = body.coefficients[static_cast<std::size_t>(k) * W];
  for (const auto& energy : energies_) {
    values.segment(next, energy->parameter_count()) = energy->parameters();
    next += energy->parameter_count();
  }
  return values;
}

void ElasticTerm::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::vector<std::vector<double>> coefficients(model_->bodies().size());
  Eigen::Index next = 0;
  for (std::size_t b = 0; b < coefficients.size(); ++b) {
    const Eigen::Index count = coefficient_parameter_count(model_->bodies()[b]);
    coefficients[b].assign(values.data() + next, values.data() + next + count);
    next += count;
  }
  if (values.head(next) != parameters().head(next)) model_ = model_->with_coefficients(coefficients);
  for (const auto& energy : energies_) {
    energy->set_parameters(values.segment(next, energy->parameter_count()));
    next += energy->parameter_count();
  }
}

void ElasticTerm::scatter_gradient(std::size_t block, const double* stress, Eigen::Ref<Eigen::VectorXd> gradient) const {
  alignas(HOLO_BLOCK_ALIGNMENT) double stencils[W * stencil_stride];
  // A stencil has gradient and Hessian; the latter is 0 here and not read.
  alignas(HOLO_BLOCK_ALIGNMENT) const double no_hessian[45 * W] = {};
  element_stencils(*model_, block, stress, no_hessian, stencils);
  for (std::size_t lane = 0; lane < W; ++lane)
    for (std::size_t v = 0; v < 4 && model_->packed_elements()[block * W + lane] >= 0; ++v)
      for (std::size_t i = 0; i < 3; ++i)
        gradient[3 * model_->packed_vertices()[(block * 4 + v) * W + lane] + static_cast<int>(i)] +=
            stencils[lane * stencil_stride + 9 * v + 6 + i];
}

template <class StressOf>
void ElasticTerm::add_forces(const ElementEnergy& energy, const Eigen::VectorXd& x, const StressOf& stress_of,
                             Eigen::Ref<Eigen::VectorXd> gradient, const std::vector<std::size_t>* chosen) const {
  ElementBatch batch;
  const auto add_block = [&](const ElasticBody& body, std::size_t number) {
    const ElementBlocks block{body, number, 1, batch.deformation};
    deformation_gradients(*model_, x.data(), number, 1, batch.deformation);
    std::fill_n(batch.stress, 9 * W, 0.0);
    stress_of(block, batch.stress);
    scatter_gradient(number, batch.stress, gradient);
  };
  for (const ElasticBody& body : model_->bodies()) {
    const std::size_t end = body.first_block + body.block_count;
    if (!energy.acts_on(body)) continue;
    if (!chosen)
      for (std::size_t number = body.first_block; number < end; ++number) add_block(body, number);
    else
      for (auto at = std::lower_bound(chosen->begin(), chosen->end(), body.first_block); at != chosen->end() && *at < end; ++at)
        add_block(body, *at);
  }
}

void ElasticTerm::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  ElementBatch batch;
  Eigen::Index first = 0;
  for (const ElasticBody& body : model_->bodies()) {
    const Eigen::Index count = coefficient_parameter_count(body);
    AlignedArray stresses(static_cast<std::size_t>(count) * 9 * W);
    for (std::size_t n = 0; count > 0 && n < body.block_count; ++n) {
      const ElementBlocks block{body, body.first_block + n, 1, batch.deformation};
      deformation_gradients(*model_, x.data(), block.first_block, 1, batch.deformation);
      coefficient_stresses(block, stresses.data());
      for (Eigen::Index k = 0; k < count; ++k)
        scatter_gradient(block.first_block, stresses.data() + static_cast<std::size_t>(k) * 9 * W, columns.col(first + k));
    }
    first += count;
  }
  for (const auto& energy : energies_) {
    const Eigen::Index count = energy->parameter_count();
    add_energy_parameter_gradient(*energy, x, columns.middleCols(first, count));
    first += count;
  }
}

void ElasticTerm::add_energy_parameter_gradient(const ElementEnergy& energy, const Eigen::VectorXd& x,
                                                Eigen::Ref<Eigen::MatrixXd> columns) const {
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(columns.cols(), k);
    add_forces(
        energy, x, [&](const ElementBlocks& block, double* stress) { energy.add_parameter_stress(block, unit.data(), stress); },
        columns.col(k), energy.parameter_blocks(k));
  }
}

// The energies of muscles follow each other (potential_terms.cpp).
ParameterRange ElasticTerm::activations() const {
  ParameterRange range{coefficient_parameter_count(*model_), 0};
  for (const auto& energy : energies_) {
    if (energy->has_activations())
      range.count += energy->parameter_count();
    else if (range.count == 0)
      range.first += energy->parameter_count();
  }
  return range;
}

void ElasticTerm::add_activation_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) const {
  Eigen::Index next = 0;
  for (const auto& energy : energies_) {
    if (!energy->has_activations()) continue;
    add_energy_parameter_gradient(*energy, x, columns.middleCols(next, energy->parameter_count()));
    next += energy->parameter_count();
  }
}

Eigen::Index ElasticTerm::lag_count() const {
  Eigen::Index count = 0;
  for (const auto& energy : energies_) count += energy->lag_count();
  return count;
}

void ElasticTerm::add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                                   Eigen::Ref<Eigen::MatrixXd> columns) {
  Eigen::Index first = 0;
  for (const auto& energy : energies_) {
    for (Eigen::Index m = 0; energy->lag_count() > 0 && m < lag.cols(); ++m)
      add_forces(
          *energy, x,
          [&](const ElementBlocks& block, double* stress) { energy->add_lag_stress(block, lag.col(m).data() + first, stress); },
          columns.col(m));
    first += energy->lag_count();
  }
}

// The bodies' coefficients in a direction of this term's parameters.
CoefficientDirections ElasticTerm::coefficient_directions(const double* parameters) const {
  CoefficientDirections result;
  for (const ElasticBody& body : model_->bodies()) {
    result.push_back(coefficient_parameter_count(body) > 0 ? parameters : nullptr);
    parameters += coefficient_parameter_count(body);
  }
  return result;
}

Eigen::MatrixXd ElasticTerm::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                            const Eigen::Ref<const Eigen::MatrixXd>& parameters) {
  Eigen::MatrixXd result(lag_count(), positions.cols());
  Eigen::Index first = 0;
  for (const auto& energy : energies_) {
    for (Eigen::Index m = 0; energy->lag_count() > 0 && m < positions.cols(); ++m)
      energy->lag_derivative(*model_, positions.col(m).data(), coefficient_directions(parameters.col(m).data()),
                             result.col(m).data() + first);
    first += energy->lag_count();
  }
  return result;
}

void ElasticTerm::add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                    const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                    const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result) {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double dF_y[9 * W];
  std::vector<CoefficientDirections> coefficients;
  for (Eigen::Index m = 0; m < positions.cols(); ++m) coefficients.push_back(coefficient_directions(parameters.col(m).data()));
  for (const auto& energy : energies_)
    for (const ElasticBody& body : model_->bodies())
      for (std::size_t n = 0; energy->lag_count() > 0 && energy->acts_on(body) && n < body.block_count; ++n) {
        const ElementBlocks block{body, body.first_block + n, 1, batch.deformation};
        deformation_gradients(*model_, x.data(), block.first_block, 1, batch.deformation);
        deformation_gradients(*model_, y.data(), block.first_block, 1, dF_y);
        energy->add_lag_curvature(*model_, block, dF_y, positions, coefficients, result);
      }
}

void ElasticTerm::add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                     const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::Ref<Eigen::MatrixXd> columns) {
  alignas(HOLO_BLOCK_ALIGNMENT) double dF[9 * W];
  for (const auto& energy : energies_)
    for (Eigen::Index m = 0; energy->depends_on_start() && m < positions.cols(); ++m)
      add_forces(
          *energy, x,
          [&](const ElementBlocks& block, double* stress) {
            deformation_gradients(*model_, positions.col(m).data(), block.first_block, 1, dF);
            energy->add_start_stress(block, dF, stress);
          },
          columns.col(m));
}

}  // namespace holo
