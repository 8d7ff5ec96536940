#include "dynamics/coefficient_derivatives.h"

#include <algorithm>
#include <cmath>

#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"

namespace holo {
namespace {

constexpr double coefficient_step = 0x1p-8;                    // balances the truncation h^6 against the rounding 2^-53 / h
constexpr double weights[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};  // of f(x + n h) - f(x - n h), for n = 1, 2, 3

// d/dc_k of an operation's output of `size` doubles, into output [k][size].
template <class Run>
void differences_in_coefficients(const ElementBlocks& block, std::size_t size, const Run& run, double* output) {
  const ElasticBody& body = block.body;
  const std::size_t count = body.material->coefficient_count;
  AlignedArray coefficients(count * W), values(size);
  std::copy_n(body.coefficients.data(), count * W, coefficients.data());
  holo_batch batch = batch_of(body, block.first_block, 1, block.F, values.data());
  batch.coefficients = coefficients.data();
  batch.coefficient_stride = 0;
  std::fill_n(output, count * size, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    const double at = body.coefficients[k * W], step = coefficient_step * (at != 0 ? std::abs(at) : 1);
    for (int n = 1; n <= 3; ++n)
      for (const int sign : {1, -1}) {
        std::fill_n(coefficients.data() + k * W, W, at + sign * n * step);
        run(batch);
        const double weight = sign * weights[n - 1] / step;
        for (std::size_t i = 0; i < size; ++i) output[k * size + i] += weight * values[i];
      }
    std::fill_n(coefficients.data() + k * W, W, at);
  }
}

}  // namespace

bool has_coefficient_parameters(const ElasticBody& body) {
  return body.coefficient_stride == 0 && body.material->coefficient_count > 0 &&
         body.material->operations[HOLO_MATERIAL_COEFFICIENT_STRESS] != nullptr;
}

Eigen::Index coefficient_parameter_count(const ElasticBody& body) {
  return has_coefficient_parameters(body) ? static_cast<Eigen::Index>(body.material->coefficient_count) : 0;
}

Eigen::Index coefficient_parameter_count(const ElasticModel& model) {
  Eigen::Index count = 0;
  for (const ElasticBody& body : model.bodies()) count += coefficient_parameter_count(body);
  return count;
}

void coefficient_stresses(const ElementBlocks& block, double* stress) {
  const holo_batch batch = batch_of(block.body, block.first_block, 1, block.F, stress);
  block.body.material->operations[HOLO_MATERIAL_COEFFICIENT_STRESS](&batch);
}

void coefficient_hessians(const ElementBlocks& block, double* hessians) {
  differences_in_coefficients(
      block, 45 * W, [&](const holo_batch& batch) { block.body.material->operations[HOLO_MATERIAL_HESSIAN](&batch); },
      hessians);
}

void second_coefficient_stresses(const ElementBlocks& block, double* stress) {
  differences_in_coefficients(
      block, block.body.material->coefficient_count * 9 * W,
      [&](const holo_batch& batch) { block.body.material->operations[HOLO_MATERIAL_COEFFICIENT_STRESS](&batch); }, stress);
}

}  // namespace holo
