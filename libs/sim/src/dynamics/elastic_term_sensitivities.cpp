// Derivatives of the elements' forces in parameters, lag and the start of the step, and second ones in all of these.
#include <algorithm>

#include "dynamics/coefficient_derivatives.h"
#include "dynamics/directional_hessian.h"
#include "dynamics/lane_products.h"
#include "elastic/element/element_pass.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/dynamics/elastic_term.h"

namespace holo {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;

Eigen::Index coefficient_count(const ElasticBody& body) {
  return has_coefficient_parameters(body) ? static_cast<Eigen::Index>(body.material->coefficient_count) : 0;
}

Eigen::Index coefficient_count(const ElasticModel& model) {
  Eigen::Index count = 0;
  for (const ElasticBody& body : model.bodies()) count += coefficient_count(body);
  return count;
}

}  // namespace

Eigen::Index ElasticTerm::parameter_count() const {
  Eigen::Index count = coefficient_count(*model_);
  for (const auto& energy : energies_) count += energy->parameter_count();
  return count;
}

Eigen::VectorXd ElasticTerm::parameters() const {
  Eigen::VectorXd values(parameter_count());
  Eigen::Index next = 0;
  for (const ElasticBody& body : model_->bodies())
    for (Eigen::Index k = 0; k < coefficient_count(body); ++k)
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
    const Eigen::Index count = coefficient_count(model_->bodies()[b]);
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
    const Eigen::Index count = coefficient_count(body);
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
  ParameterRange range{coefficient_count(*model_), 0};
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
    result.push_back(coefficient_count(body) > 0 ? parameters : nullptr);
    parameters += coefficient_count(body);
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

// Each cluster sums into a matrix of its own; these are added in order, so that the sum does not depend on the threads.
void ElasticTerm::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                      Eigen::MatrixXd& result) {
  std::vector<Eigen::MatrixXd> of_clusters(projected_in_cluster_.size());
  parallel_for(model_->block_count(), cluster_blocks, [&](std::size_t begin, std::size_t end) {
    Eigen::MatrixXd& own = of_clusters[begin / cluster_blocks];
    own.setZero(result.rows(), result.cols());
    add_second_order_products(x, y, directions, begin, end, own);
  });
  for (const Eigen::MatrixXd& of_cluster : of_clusters) result += of_cluster;
}

struct ElasticTerm::BlockDirections {
  ElementBlocks block;
  const TermDirections& directions;
  Eigen::Index count;              // columns
  Eigen::Index first_coefficient;  // of the body, among the parameters
  const double* dF_y;              // [9][lane]
  const double *dF, *start;        // [column][9][lane]; `start` null: zero
  const double* volume;            // [lane]

  const double* column(const double* gradients, Eigen::Index i) const {
    return gradients + static_cast<std::size_t>(i) * 9 * W;
  }
};

void ElasticTerm::add_second_order_products(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                            const TermDirections& directions, std::size_t begin, std::size_t end,
                                            Eigen::MatrixXd& result) const {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double dF_y[9 * W];
  const Eigen::Index columns = directions.positions.cols();
  const bool has_start = directions.start_positions.rows() > 0;
  AlignedArray dF(static_cast<std::size_t>(columns) * 9 * W), start(has_start ? dF.size() : 0);
  Eigen::Index first_coefficient = 0;
  for (const ElasticBody& body : model_->bodies()) {
    const std::size_t last = std::min(end, body.first_block + body.block_count);
    for (std::size_t n = std::max(begin, body.first_block); n < last; ++n) {
      deformation_gradients(*model_, x.data(), n, 1, batch.deformation);
      deformation_gradients(*model_, y.data(), n, 1, dF_y);
      for (Eigen::Index i = 0; i < columns; ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * 9 * W;
        deformation_gradients(*model_, directions.positions.col(i).data(), n, 1, dF.data() + at);
        if (has_start) deformation_gradients(*model_, directions.start_positions.col(i).data(), n, 1, start.data() + at);
      }
      const BlockDirections block{{body, n, 1, batch.deformation},
                                  directions,
                                  columns,
                                  first_coefficient,
                                  dF_y,
                                  dF.data(),
                                  has_start ? start.data() : nullptr,
                                  model_->volumes().data() + n * W};
      add_material_products(block, result);
      if (coefficient_count(body) > 0) add_coefficient_products(block, result);
      add_energy_products(block, result);
    }
    first_coefficient += coefficient_count(body);
  }
}

// y . d3E/dx3 [d_i, d_j] = sum_e V_e dF_i : (d3Psi/dF3 dF_y) : dF_j.
void ElasticTerm::add_material_products(const BlockDirections& block, Eigen::MatrixXd& result) const {
  alignas(HOLO_BLOCK_ALIGNMENT) double hessian[45 * W];
  run_directional_hessian(block.block, block.dF_y, hessian);
  for (const auto& energy : energies_)
    if (energy->acts_on(block.block.body)) energy->add_directional_hessian(block.block, block.dF_y, hessian);
  for (Eigen::Index i = 0; i < block.count; ++i)
    for (Eigen::Index j = 0; j < block.count; ++j)
      result(i, j) += lane_product(hessian, block.column(block.dF, i), block.column(block.dF, j), block.volume);
}

// With a_k = dF_y : dH/dc_k : dF_j and b_kl = dF_y : d2P/(dc_k dc_l): sum_k (dc_ik a_kj + dc_jk a_ki) + dc_i . b dc_j.
void ElasticTerm::add_coefficient_products(const BlockDirections& block, Eigen::MatrixXd& result) const {
  const Eigen::Index count = coefficient_count(block.block.body);
  const auto dc = block.directions.parameters.middleRows(block.first_coefficient, count);
  if (dc.isZero(0)) return;
  const auto size = static_cast<std::size_t>(count);
  AlignedArray hessians(size * 45 * W), stresses(size * size * 9 * W);
  coefficient_hessians(block.block, hessians.data());
  second_coefficient_stresses(block.block, stresses.data());
  Eigen::MatrixXd mixed(count, block.count), second(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    for (Eigen::Index j = 0; j < block.count; ++j)
      mixed(k, j) = lane_product(hessians.data() + static_cast<std::size_t>(k) * 45 * W, block.dF_y, block.column(block.dF, j),
                                 block.volume);
    for (Eigen::Index l = 0; l < count; ++l)
      second(k, l) = lane_product(stresses.data() + static_cast<std::size_t>(k * count + l) * 9 * W, block.dF_y, block.volume);
  }
  const Eigen::MatrixXd product = dc.transpose() * mixed;
  result += product + product.transpose() + dc.transpose() * (0.5 * (second + second.transpose())) * dc;
}

void ElasticTerm::add_energy_products(const BlockDirections& block, Eigen::MatrixXd& result) const {
  const auto& [positions, parameters, lag, start_positions, start_velocities] = block.directions;
  Eigen::Index first_parameter = coefficient_count(*model_), first_lag = 0;
  for (const auto& energy : energies_) {
    const Eigen::Index own_lag = lag.rows() > 0 ? energy->lag_count() : 0;
    if (energy->acts_on(block.block.body))
      energy->add_mixed_products(
          block.block, block.dF_y,
          {block.count, block.dF, block.start, parameters.middleRows(first_parameter, energy->parameter_count()),
           lag.middleRows(own_lag > 0 ? first_lag : 0, own_lag)},
          result);
    first_parameter += energy->parameter_count();
    first_lag += own_lag;
  }
}

}  // namespace holo
