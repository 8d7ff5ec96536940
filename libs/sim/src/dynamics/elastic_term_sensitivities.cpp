// First derivatives of the elements' forces in parameters, lag and the start of the step.
#include <algorithm>

#include "dynamics/coefficient_derivatives.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/elastic/element_fields.h"

namespace holo {
namespace {

constexpr std::size_t parallel_columns = 4;  // of one thread at a time

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

// F: of the energy's positions [block][9][lane].
template <class StressOf>
void ElasticTerm::add_forces(const ElementEnergy& energy, const AlignedArray& F, const StressOf& stress_of,
                             Eigen::Ref<Eigen::VectorXd> gradient, const std::vector<std::size_t>* chosen) const {
  alignas(HOLO_BLOCK_ALIGNMENT) double stress[9 * W];
  const auto add_block = [&](const ElasticBody& body, std::size_t number) {
    std::fill_n(stress, 9 * W, 0.0);
    stress_of(ElementBlocks{body, number, 1, F.data() + number * 9 * W}, stress);
    add_element_forces(*model_, number, stress, gradient.data());
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
        add_element_forces(*model_, block.first_block, stresses.data() + static_cast<std::size_t>(k) * 9 * W,
                           columns.col(first + k).data());
    }
    first += count;
  }
  AlignedArray F;
  deformation_gradients(*model_, x, F);
  for (const auto& energy : energies_) {
    const Eigen::Index count = energy->parameter_count();
    add_energy_parameter_gradient(*energy, F, columns.middleCols(first, count));
    first += count;
  }
}

void ElasticTerm::add_energy_parameter_gradient(const ElementEnergy& energy, const AlignedArray& F,
                                                Eigen::Ref<Eigen::MatrixXd> columns) const {
  add_parameter_forces(
      energy, F,
      [&](const ElementBlocks& block, const double* direction, double* stress) {
        energy.add_parameter_stress(block, direction, stress);
      },
      columns);
}

// Each column has forces of its own: they can be added at the same time.
void ElasticTerm::add_parameter_forces(const ElementEnergy& energy, const AlignedArray& F, const ParameterStress& stress_of,
                                       Eigen::Ref<Eigen::MatrixXd> columns) const {
  parallel_for(static_cast<std::size_t>(columns.cols()), parallel_columns, [&](std::size_t begin, std::size_t end) {
    for (auto k = static_cast<Eigen::Index>(begin); k < static_cast<Eigen::Index>(end); ++k) {
      const Eigen::VectorXd unit = Eigen::VectorXd::Unit(columns.cols(), k);
      add_forces(
          energy, F, [&](const ElementBlocks& block, double* stress) { stress_of(block, unit.data(), stress); }, columns.col(k),
          energy.parameter_blocks(k));
    }
  });
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
  AlignedArray F;
  deformation_gradients(*model_, x, F);
  Eigen::Index next = 0;
  for (const auto& energy : energies_) {
    if (!energy->has_activations()) continue;
    add_energy_parameter_gradient(*energy, F, columns.middleCols(next, energy->parameter_count()));
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
  AlignedArray F;
  deformation_gradients(*model_, x, F);
  Eigen::Index first = 0;
  for (const auto& energy : energies_) {
    for (Eigen::Index m = 0; energy->lag_count() > 0 && m < lag.cols(); ++m)
      add_forces(
          *energy, F,
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
  AlignedArray F;
  deformation_gradients(*model_, x, F);
  for (const auto& energy : energies_)
    for (Eigen::Index m = 0; energy->depends_on_start() && m < positions.cols(); ++m)
      add_forces(
          *energy, F,
          [&](const ElementBlocks& block, double* stress) {
            deformation_gradients(*model_, positions.col(m).data(), block.first_block, 1, dF);
            energy->add_start_stress(block, dF, stress);
          },
          columns.col(m));
}

}  // namespace holo
