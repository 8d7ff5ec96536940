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

// The Daleckii-Krein formula: with H = Q diag(l) Q^T and f(l) = max(l, 0), the derivative along dH is
// Q (G o (Q^T dH Q)) Q^T, where G_ij = (f(l_i) - f(l_j)) / (l_i - l_j), which is 1 for two eigenvalues that are not negative
// and 0 for two negative ones.
Eigen::Matrix<double, 9, 9> positive_part_derivative(const Eigen::Matrix<double, 9, 9>& H,
                                                     const Eigen::Matrix<double, 9, 9>& dH) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 9, 9>> solver(H);
  const auto& values = solver.eigenvalues();
  const auto& vectors = solver.eigenvectors();
  Eigen::Matrix<double, 9, 9> inside = vectors.transpose() * dH * vectors;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      const double a = values[i], b = values[j];
      if (a >= 0 && b >= 0) continue;
      inside(i, j) *= a < 0 && b < 0 ? 0 : (std::max(a, 0.0) - std::max(b, 0.0)) / (a - b);
    }
  return vectors * inside * vectors.transpose();
}

}  // namespace holo
