#include "holo/sim/reduction/floating_body.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <string>

#include "holo/core/error.h"
#include "holo/sim/contact/plane.h"

namespace holo {

FloatingBody::FloatingBody(const ModalSystem& system, const Eigen::MatrixXd& basis, SceneContact contact)
    : basis_(basis), contact_(std::move(contact)) {
  if (system.rigid_motions().cols() != 6)
    throw Error(Failure::input, "a floating body needs the modal system of a free body; this one has prescribed vertices.");
  if (basis.rows() != system.size() || basis.cols() == 0)
    throw Error(Failure::input, "a floating body got a basis of " + std::to_string(basis.rows()) + " rows and " +
                                    std::to_string(basis.cols()) + " columns; the system has " + std::to_string(system.size()) +
                                    " coordinates, and one column is the least.");
  const Eigen::MatrixXd weighted = system.masses().asDiagonal() * basis;
  constexpr double orthogonal = 1e-6;
  if ((basis.transpose() * weighted - Eigen::MatrixXd::Identity(size(), size())).cwiseAbs().maxCoeff() > orthogonal ||
      (system.rigid_motions().transpose() * weighted).cwiseAbs().maxCoeff() > orthogonal)
    throw Error(Failure::input, "the basis of a floating body must be orthonormal in M and orthogonal to rigid motions.");
  const auto moves = [](const PlaneDefinition& plane) { return plane.motion.moves(); };
  if (contact_.mesh || std::any_of(contact_.planes.begin(), contact_.planes.end(), moves))
    throw Error(Failure::input,
                "a floating body collides with planes that stay alone; leave out other obstacles, and contact "
                "between bodies.");
  if (contact_.surface && contact_.surface->bristles)
    throw Error(Failure::input, "a floating body has no bristles; leave them out.");
  measure(system);
  gather_surface();
}

// The coordinates of the masses of a vertex are equal.
void FloatingBody::measure(const ModalSystem& system) {
  const Eigen::Index vertices = system.size() / 3, columns = size();
  const Eigen::Map<const Eigen::Matrix3Xd> positions(system.positions().data(), 3, vertices);
  Eigen::VectorXd masses(vertices);
  for (Eigen::Index v = 0; v < vertices; ++v) masses[v] = system.masses()[3 * v];
  mass_ = masses.sum();
  center_ = positions * masses / mass_;
  rest_ = positions.colwise() - center_;
  Eigen::MatrixXd stacked(3 * (1 + columns), vertices);
  stacked.topRows<3>() = rest_;
  for (Eigen::Index k = 0; k < columns; ++k)
    stacked.middleRows<3>(3 * (1 + k)) = Eigen::Map<const Eigen::Matrix3Xd>(basis_.col(k).data(), 3, vertices);
  stacked *= masses.cwiseSqrt().asDiagonal();
  moments_ = stacked * stacked.transpose();
}

void FloatingBody::gather_surface() {
  if (!contact_.surface || contact_.planes.empty()) return;
  const std::vector<int>& vertices = contact_.surface->vertices;
  const auto count = static_cast<Eigen::Index>(vertices.size());
  surface_.rest.resize(3, count);
  surface_.basis.resize(3 * count, size());
  surface_.areas = Eigen::Map<const Eigen::VectorXd>(contact_.surface->areas.data(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const int vertex = vertices[static_cast<std::size_t>(i)];
    surface_.rest.col(i) = rest_.col(vertex);
    surface_.basis.middleRows<3>(3 * i) = basis_.middleRows<3>(3 * vertex);
    surface_.basis_size = std::max(surface_.basis_size, surface_.basis.middleRows<3>(3 * i).norm());
  }
}

FloatingState FloatingBody::start(const Eigen::Vector3d& velocity, const Eigen::Vector3d& angular_velocity,
                                  double time_step) const {
  FloatingState state;
  state.now = {center_, Eigen::Matrix3d::Identity(), Eigen::VectorXd::Zero(size())};
  state.before = state.now;
  state.before.position -= time_step * velocity;
  const double angle = time_step * angular_velocity.norm();
  if (angle > 0) state.before.rotation = Eigen::AngleAxisd(-angle, angular_velocity.normalized()).toRotationMatrix();
  return state;
}

Eigen::VectorXd FloatingBody::positions(const FloatingPose& pose) const {
  Eigen::VectorXd in_frame = basis_ * pose.amplitudes;
  Eigen::VectorXd result(in_frame.size());
  for (Eigen::Index v = 0; v < rest_.cols(); ++v)
    result.segment<3>(3 * v) = pose.position + pose.rotation * (rest_.col(v) + in_frame.segment<3>(3 * v));
  return result;
}

double FloatingBody::smallest_gap(const FloatingPose& pose) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const PlaneDefinition& definition : contact_.planes) {
    const Plane plane(definition);
    for (Eigen::Index i = 0; i < surface_.count(); ++i)
      smallest = std::min(smallest, plane.gap(pose.position + pose.rotation * surface_.in_frame(i, pose.amplitudes)));
  }
  return smallest;
}

}  // namespace holo
