#include "dynamics/directional_hessian.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <string>

#include "elastic/element/element_pass.h"
#include "holo/core/error.h"

namespace holo {

void run_directional_hessian(const ElementBlocks& blocks, const double* dF, double* output) {
  const ElasticBody& body = blocks.body;
  const holo_batch_function operation = body.material->operations[HOLO_MATERIAL_DIRECTIONAL_HESSIAN];
  if (!operation)
    throw Error(Failure::input, std::string("the material '") + body.material->name +
                                    "' offers no directional Hessian, which second-order sensitivities need.");
  holo_batch batch = batch_of(body, blocks.first_block, blocks.count, blocks.F, output);
  batch.direction1 = dF;
  operation(&batch);
}

namespace {

using Matrix9 = Eigen::Matrix<double, 9, 9>;

// The first divided difference of max(l, 0): 1 for two eigenvalues that are not negative, 0 for two negative ones.
double divided_difference(double a, double b) {
  if (a >= 0 && b >= 0) return 1;
  return a < 0 && b < 0 ? 0 : (std::max(a, 0.0) - std::max(b, 0.0)) / (a - b);
}

// The second one. It vanishes where no two have different signs; else the smallest and the largest, which do, divide without
// cancellation.
double divided_difference(double a, double b, double c) {
  const double low = std::min({a, b, c}), high = std::max({a, b, c}), middle = a + b + c - low - high;
  if (low >= 0 || high < 0) return 0;
  return (divided_difference(high, middle) - divided_difference(middle, low)) / (high - low);
}

}  // namespace

// The Daleckii-Krein formula: with H = Q diag(l) Q^T and f(l) = max(l, 0), the derivative along dH is Q (G o (Q^T dH Q)) Q^T,
// where G_ij = f[l_i, l_j].
Matrix9 positive_part_derivative(const Matrix9& H, const Matrix9& dH) {
  const Eigen::SelfAdjointEigenSolver<Matrix9> solver(H);
  const auto& values = solver.eigenvalues();
  const auto& vectors = solver.eigenvectors();
  Matrix9 inside = vectors.transpose() * dH * vectors;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      if (values[i] >= 0 && values[j] >= 0) continue;
      inside(i, j) *= divided_difference(values[i], values[j]);
    }
  return vectors * inside * vectors.transpose();
}

// In the eigenvectors the entry ij is sum_k f[l_i, l_k, l_j] (A_ik B_kj + B_ik A_kj) of the directions A and B.
Matrix9 positive_part_second_derivative(const Matrix9& H, const Matrix9& dH, const Matrix9& eH) {
  const Eigen::SelfAdjointEigenSolver<Matrix9> solver(H);
  const auto& values = solver.eigenvalues();
  const auto& vectors = solver.eigenvectors();
  const Matrix9 A = vectors.transpose() * dH * vectors, B = vectors.transpose() * eH * vectors;
  Matrix9 inside = Matrix9::Zero();
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j)
      for (int k = 0; k < 9; ++k)
        inside(i, j) += divided_difference(values[i], values[k], values[j]) * (A(i, k) * B(k, j) + B(i, k) * A(k, j));
  return vectors * inside * vectors.transpose();
}

}  // namespace holo
