#include "holo/sim/dynamics/matrix_free_potential.h"

#include <Eigen/LU>
#include <algorithm>

#include "holo/core/numerics/parallel.h"

namespace holo {
namespace {

constexpr std::size_t vertices_of_a_task = 1024;

}  // namespace

MatrixFreePotential::MatrixFreePotential(IncrementalPotential& potential, bool products)
    : potential_(potential),
      exact_(potential.dimension() / 3),
      projected_(potential.dimension() / 3),
      diagonal_(static_cast<std::size_t>(2 * potential.dimension())),
      inverse_blocks_(static_cast<std::size_t>(potential.dimension() / 3)) {
  if (products) potential_.elasticity().require_products();
}

void MatrixFreePotential::linearize(const Eigen::VectorXd& x, bool products, Eigen::VectorXd& gradient) {
  x_ = x;
  gradient.setZero(x.size());
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  potential_.elasticity().add_gradient_and_diagonal(x, Curvature::projected, gradient, diagonal_);
  if (products) exact_.collect();
  projected_.collect();
  for (const auto& term : potential_.potential_terms()) {
    if (term.get() == &potential_.elasticity()) continue;
    term->add_derivatives(x, Curvature::projected, gradient, projected_);
    if (products) term->add_hessian(x, Curvature::exact, exact_);
  }
  invert_diagonal();
  for (int vertex = 0; vertex < potential_.dimension() / 3; ++vertex)
    if (potential_.prescribed(vertex)) gradient.segment<3>(3 * vertex).setZero();
}

// The blocks of the elements are positive semidefinite, the inertia's are positive definite.
void MatrixFreePotential::invert_diagonal() {
  const std::size_t vertices = inverse_blocks_.size();
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    const double* d = diagonal_.data() + 6 * vertex;
    inverse_blocks_[vertex] << d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5];
    inverse_blocks_[vertex].diagonal().array() += projected_.identity(static_cast<int>(vertex));
  }
  projected_.each_block([&](int row, int column, const std::array<double, 9>& block) {
    if (row == column) inverse_blocks_[static_cast<std::size_t>(row)] += Eigen::Map<const Eigen::Matrix3d>(block.data());
  });
  parallel_for(vertices, vertices_of_a_task, [this](std::size_t begin, std::size_t end) {
    for (std::size_t vertex = begin; vertex < end; ++vertex)
      inverse_blocks_[vertex] = Eigen::Matrix3d(inverse_blocks_[vertex].inverse());
  });
}

void MatrixFreePotential::multiply(const Eigen::VectorXd& direction, Eigen::VectorXd& product) {
  free_direction_ = direction;
  for (int vertex = 0; vertex < potential_.dimension() / 3; ++vertex)
    if (potential_.prescribed(vertex)) free_direction_.segment<3>(3 * vertex).setZero();
  product.setZero(direction.size());
  potential_.elasticity().add_product(x_, free_direction_, product);
  exact_.add_product(free_direction_, product);
  for (int vertex = 0; vertex < potential_.dimension() / 3; ++vertex)
    if (potential_.prescribed(vertex)) product.segment<3>(3 * vertex) = direction.segment<3>(3 * vertex);
}

void MatrixFreePotential::precondition(const Eigen::VectorXd& residual, Eigen::VectorXd& result) {
  result.resize(residual.size());
  for (int vertex = 0; vertex < potential_.dimension() / 3; ++vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    result.segment<3>(3 * vertex) = potential_.prescribed(vertex)
                                        ? Eigen::Vector3d(residual.segment<3>(3 * vertex))
                                        : Eigen::Vector3d(inverse_blocks_[v] * residual.segment<3>(3 * vertex));
  }
}

}  // namespace holo
