#include <algorithm>

#include "dynamics/contact/plane_contact.h"

namespace holo {

PlaneBarrier::PlaneBarrier(const PlaneDefinition& plane, std::shared_ptr<const ContactSurface> surface, const Barrier& barrier)
    : name_(plane.name), plane_(plane), surface_(std::move(surface)), barrier_(barrier) {}

template <class Visit>
void PlaneBarrier::each_active(const Eigen::VectorXd& x, Visit visit) const {
  for (std::size_t i = 0; i < surface_->vertices.size(); ++i) {
    const double d = plane_.now().gap(x.segment<3>(3 * surface_->vertices[i]));
    if (d < barrier_.distance) visit(surface_->vertices[i], surface_->areas[i], barrier_energy(barrier_, d));
  }
}

double PlaneBarrier::energy(const Eigen::VectorXd& x) {
  double sum = 0;
  each_active(x, [&](int, double area, const ScalarDerivatives& B) { sum += area * B.value; });
  return sum;
}

void PlaneBarrier::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  each_active(x, [&](int vertex, double area, const ScalarDerivatives& B) {
    gradient.segment<3>(3 * vertex) += area * B.first * normal();
  });
}

// Positive semidefinite, since B is convex and the gap linear.
void PlaneBarrier::add_hessian(const Eigen::VectorXd& x, Curvature, BlockAssembler& assembler) {
  std::array<double, 9> block;
  each_active(x, [&](int vertex, double area, const ScalarDerivatives& B) {
    Eigen::Map<Eigen::Matrix3d>(block.data()) = area * B.second * normal() * normal().transpose();
    assembler.add_block(vertex, vertex, block);
  });
}

double PlaneBarrier::feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) {
  double longest = 1;
  for (const int vertex : surface_->vertices)
    longest = std::min(longest, plane_.feasible_step(x.segment<3>(3 * vertex), direction.segment<3>(3 * vertex)));
  return longest;
}

// Of A B'(d) n in the gap and in the normal.
void PlaneBarrier::add_obstacle_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  each_active(x, [&](int vertex, double area, const ScalarDerivatives& B) {
    gradient.segment<3>(3 * vertex) +=
        area * (B.second * plane_.gap_change(x.segment<3>(3 * vertex)) * normal() + B.first * plane_.normal_change());
  });
}

void PlaneBarrier::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  each_active(x, [&](int vertex, double area, const ScalarDerivatives& B) {
    columns.col(0).segment<3>(3 * vertex) += area * B.first / barrier_.stiffness * normal();
  });
}

// The residual of a vertex is A B'(d) n, with B proportional to the stiffness k and dd = n . dx.
void PlaneBarrier::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                       Eigen::MatrixXd& result) {
  each_active(x, [&](int vertex, double area, const ScalarDerivatives& B) {
    const double y_n = area * normal().dot(y.segment<3>(3 * vertex));
    const Eigen::RowVectorXd dd = normal().transpose() * directions.positions.middleRows<3>(3 * vertex);
    const Eigen::MatrixXd mixed = B.second / barrier_.stiffness * dd.transpose() * directions.parameters.row(0);
    result += y_n * (B.third * dd.transpose() * dd + mixed + mixed.transpose());
  });
}

}  // namespace holo
