// Derivatives of the lagged stiffness H+ of the damping in positions and the materials' coefficients.
#include <algorithm>
#include <cmath>

#include "dynamics/coefficient_derivatives.h"
#include "dynamics/directional_hessian.h"
#include "dynamics/lane_products.h"
#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"
#include "holo/sim/dynamics/stiffness_damping.h"

namespace holo {
namespace {

constexpr double damping_difference_step = 0x1p-9;  // of F and the coefficients, in differences of dH
using Matrix9 = Eigen::Matrix<double, 9, 9>;

// One lane of the upper half by rows [45][lane].
Matrix9 matrix_in_lane(const double* upper, std::size_t lane) {
  Matrix9 matrix;
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, upper += W) matrix(i, j) = matrix(j, i) = upper[lane];
  return matrix;
}

void put_in_lane(const Matrix9& matrix, std::size_t lane, double* upper) {
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, upper += W) upper[lane] = matrix(i, j);
}

// A direction of one block: dF [9][lane], and dc of its body or null.
struct Direction {
  const double* dF;
  const double* dc;
};

// dH = d3Psi/dF3 dF + sum_k dc_k dH/dc_k into `change` [45][lane].
void hessian_change(const ElementBlocks& block, const Direction& direction, double* change) {
  run_directional_hessian(block, direction.dF, change);
  if (direction.dc == nullptr) return;
  const std::size_t count = block.body.material->coefficient_count;
  AlignedArray of_coefficients(count * 45 * W);
  coefficient_hessians(block, of_coefficients.data());
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < 45 * W; ++i) change[i] += direction.dc[k] * of_coefficients[k * 45 * W + i];
}

// The derivative of hessian_change(first) along the second direction, into `change` [45][lane].
void second_hessian_change(const ElementBlocks& block, const Direction& first, const Direction& second, double* change) {
  constexpr double weights[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};  // of f(n h) - f(-n h), for n = 1, 2, 3
  const std::size_t count = second.dc ? block.body.material->coefficient_count : 0;
  double largest = 0;
  for (std::size_t i = 0; i < 9 * W; ++i) largest = std::max(largest, std::abs(second.dF[i]));
  for (std::size_t k = 0; k < count; ++k) {
    const double c = block.body.coefficients[k * W];
    largest = std::max(largest, std::abs(second.dc[k] / (c != 0 ? c : 1)));
  }
  std::fill_n(change, 45 * W, 0.0);
  if (largest == 0) return;
  const double step = damping_difference_step / largest;
  alignas(HOLO_BLOCK_ALIGNMENT) double F[9 * W], moved_change[45 * W];
  ElasticBody with_coefficients;  // what operations of the material read of a body
  with_coefficients.material = block.body.material;
  with_coefficients.first_block = block.body.first_block;
  if (count > 0) with_coefficients.coefficients = block.body.coefficients;
  const ElasticBody& body = count > 0 ? with_coefficients : block.body;
  for (int n = 1; n <= 3; ++n)
    for (const int sign : {1, -1}) {
      const double t = sign * n * step;
      for (std::size_t i = 0; i < 9 * W; ++i) F[i] = block.F[i] + t * second.dF[i];
      for (std::size_t i = 0; i < count * W; ++i)
        with_coefficients.coefficients[i] = block.body.coefficients[i] + t * second.dc[i / W];
      hessian_change({body, block.first_block, 1, F}, first, moved_change);
      for (std::size_t i = 0; i < 45 * W; ++i) change[i] += sign * weights[n - 1] / step * moved_change[i];
    }
}

}  // namespace

// Along directions of positions and coefficients: first dH, then the derivative of the positive part at H along dH, matrix by
// matrix.
void StiffnessDamping::lag_derivative(const ElasticModel& model, const double* positions,
                                      const CoefficientDirections& coefficients, double* lag) const {
  ElementBatch batch;
  alignas(HOLO_BLOCK_ALIGNMENT) double change[45 * W];
  std::fill_n(lag, positive_parts_.size(), 0.0);
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const ElasticBody& body = model.bodies()[b];
    if (body.stiffness_damping == 0) continue;
    for (std::size_t n = body.first_block; n < body.first_block + body.block_count; ++n) {
      const ElementBlocks lagged{body, n, 1, lagged_gradients_.data() + n * 9 * W};
      deformation_gradients(model, positions, n, 1, batch.deformation);
      hessian_change(lagged, {batch.deformation, coefficients[b]}, change);
      run_operation(model, ElementOperation::hessian, body, n, 1, lagged.F, batch.hessian);
      for (std::size_t lane = 0; lane < W; ++lane)
        put_in_lane(positive_part_derivative(matrix_in_lane(batch.hessian, lane), matrix_in_lane(change, lane)), lane,
                    batch.hessian);
      std::copy_n(batch.hessian, 45 * W, lag + n * 45 * W);
    }
  }
}

// d2H+[i, j] is the derivative of the positive part along d2H[i, j], plus its second derivative along dH_i and dH_j. The force
// beta/dt H+ : (F - F_n) takes it as it takes H+.
void StiffnessDamping::add_lag_curvature(const ElasticModel& model, const ElementBlocks& block, const double* dF_y,
                                         const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                         const std::vector<CoefficientDirections>& coefficients,
                                         Eigen::MatrixXd& result) const {
  const auto columns = static_cast<std::size_t>(positions.cols());
  const std::size_t body_number = static_cast<std::size_t>(&block.body - model.bodies().data()), n = block.first_block;
  const ElementBlocks lagged{block.body, n, 1, lagged_gradients_.data() + n * 9 * W};
  AlignedArray dF(columns * 9 * W), dH(columns * 45 * W), H(45 * W), second(45 * W);
  std::vector<Direction> directions;
  for (std::size_t i = 0; i < columns; ++i) {
    deformation_gradients(model, positions.col(static_cast<Eigen::Index>(i)).data(), n, 1, dF.data() + i * 9 * W);
    directions.push_back({dF.data() + i * 9 * W, coefficients[i][body_number]});
    hessian_change(lagged, directions[i], dH.data() + i * 45 * W);
  }
  run_operation(model, ElementOperation::hessian, block.body, n, 1, lagged.F, H.data());
  alignas(HOLO_BLOCK_ALIGNMENT) double moved[9 * W];  // F - F_n
  for (std::size_t i = 0; i < 9 * W; ++i) moved[i] = block.F[i] - start_gradients_[n * 9 * W + i];
  const double factor = damped_bodies_[number_of(block.body)].coefficient / time_step_;
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      second_hessian_change(lagged, directions[i], directions[j], second.data());
      for (std::size_t lane = 0; lane < W; ++lane) {
        const Matrix9 at = matrix_in_lane(H.data(), lane);
        put_in_lane(positive_part_derivative(at, matrix_in_lane(second.data(), lane)) +
                        positive_part_second_derivative(at, matrix_in_lane(dH.data() + i * 45 * W, lane),
                                                        matrix_in_lane(dH.data() + j * 45 * W, lane)),
                    lane, second.data());
      }
      const double product = factor * lane_product(second.data(), dF_y, moved, model.volumes().data() + n * W);
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) += product;
      if (i != j) result(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) += product;
    }
}

}  // namespace holo
