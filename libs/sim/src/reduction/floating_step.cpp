#include "reduction/floating_step.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace holo {
namespace {

double entrywise(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) { return a.cwiseProduct(b).sum(); }

}  // namespace

FloatingStep::FloatingStep(const FloatingBody& body, const ReducedElasticity& elasticity, const Eigen::MatrixXd& stiffness,
                           const FloatingOptions& options, const FloatingState& state)
    : body_(body),
      elasticity_(elasticity),
      stiffness_(stiffness),
      options_(options),
      start_(state.now),
      root_mass_(std::sqrt(body.mass())),
      turn_unit_(2 * std::sqrt(2.0 / 3 * body.moments_.topLeftCorner<3, 3>().trace())),
      inertia_(1 / (options.time_step * options.time_step)),
      damping_(options.mass_damping / options.time_step) {
  begin_inertia(state);
  begin_contact();
}

// In the frame at the start, the predicted positions are y_n + w with w = y_n - B y_{n-1}, B = R_n^T R_{n-1}. With Q = I + D
// and y = y_n + Psi d,
//
//   |Q y - y_n - w|^2 = |Psi d|^2 - 2 <D, sum_v m (y_n + w) y^T> - 2 sum_v m w . Psi d + const,
//
// where the sums over vertices are those of the moments: Z_a = sum_v m (y_n + w) c_a^T, U_a = sum_v m w c_a^T.
void FloatingStep::begin_inertia(const FloatingState& state) {
  const Eigen::Index columns = body_.size();
  const Eigen::Matrix3d B = state.now.rotation.transpose() * state.before.rotation;
  predicted_ = state.now.position - state.before.position;
  predicted_turn_ = RotationStep::parameters(B.transpose());
  predicted_d_ = state.now.amplitudes - state.before.amplitudes;
  const Eigen::Matrix3d unit = Eigen::Matrix3d::Identity();
  Eigen::MatrixXd of_start(3, 3 * (1 + columns)), of_change(3, 3 * (1 + columns));
  for (Eigen::Index a = 0; a <= columns; ++a) {
    const double c = a == 0 ? 1 : state.now.amplitudes[a - 1], change = a == 0 ? 0 : predicted_d_[a - 1];
    of_start.middleCols<3>(3 * a) = c * unit;
    of_change.middleCols<3>(3 * a) = c * (unit - B) + change * B;
  }
  const Eigen::MatrixXd start = of_start * body_.moments_, change = of_change * body_.moments_;
  pulls_ = (inertia_ + damping_) * start + inertia_ * change;
  push_.resize(columns);
  for (Eigen::Index k = 0; k < columns; ++k) push_[k] = inertia_ * change.middleCols<3>(3 * (1 + k)).trace();
}

void FloatingStep::begin_contact() {
  const FloatingBody::SurfacePoints& surface = body_.surface_;
  if (surface.count() == 0) return;
  const Eigen::VectorXd moved = surface.basis * start_.amplitudes;
  std::vector<Eigen::Vector3d> x(static_cast<std::size_t>(surface.count()));
  for (Eigen::Index i = 0; i < surface.count(); ++i) {
    const Eigen::Vector3d y = surface.rest.col(i) + moved.segment<3>(3 * i);
    surface_size_ = std::max(surface_size_, y.norm());
    x[static_cast<std::size_t>(i)] = start_.position + start_.rotation * y;
  }
  for (const PlaneDefinition& definition : body_.contact_.planes) {
    Ground ground{Plane(definition), definition.friction, {}, {}};
    for (Eigen::Index i = 0; i < surface.count(); ++i)
      ground.points.emplace_back(ground.plane.gap(x[static_cast<std::size_t>(i)]), i);
    std::sort(ground.points.begin(), ground.points.end());
    grounds_.push_back(std::move(ground));
  }
  update_lag(Eigen::VectorXd::Zero(dimension()));
}

void FloatingStep::update_lag(const Eigen::VectorXd& z) {
  const At now = at(z), start = at(Eigen::VectorXd::Zero(dimension()));
  const auto position = [&](const At& at, Eigen::Index point) -> Eigen::Vector3d {
    return start_.position + at.moved + at.R * body_.surface_.in_frame(point, at.q);
  };
  for (Ground& ground : grounds_) {
    ground.lagged.clear();
    if (ground.friction == 0) continue;
    each_near(ground, now, [&](Eigen::Index point, const Eigen::Vector3d&, double gap) {
      const double normal = -body_.surface_.areas[point] * barrier_energy(body_.contact_.barrier, gap).first;
      ground.lagged.push_back({point, ground.friction * normal, position(start, point)});
    });
  }
}

FloatingStep::At FloatingStep::at(const Eigen::VectorXd& z) const {
  const RotationStep turn(z.segment<3>(3) / turn_unit_);
  At result{turn, turn.change(), {}, z.head<3>() / root_mass_, z.tail(body_.size()), {}};
  result.R = start_.rotation + start_.rotation * result.D;
  result.q = start_.amplitudes + result.d;
  return result;
}

FloatingPose FloatingStep::pose(const Eigen::VectorXd& z) const {
  const At now = at(z);
  // A product of many rotations would leave the rotations by rounding.
  return {start_.position + now.moved, Eigen::Quaterniond(now.R).normalized().toRotationMatrix(), now.q};
}

double FloatingStep::reach(const At& at) const {
  return at.moved.norm() + at.D.norm() * surface_size_ + body_.surface_.basis_size * at.d.norm();
}

template <class Visit>
void FloatingStep::each_near(const Ground& ground, const At& at, Visit visit) const {
  const double distance = body_.contact_.barrier.distance, far = distance + reach(at);
  for (const auto& [gap_at_start, point] : ground.points) {
    if (gap_at_start >= far) return;
    const Eigen::Vector3d y = body_.surface_.in_frame(point, at.q);
    const double gap = ground.plane.gap(start_.position + at.moved + at.R * y);
    if (gap < distance) visit(point, y, gap);
  }
}

template <class Visit>
void FloatingStep::each_contact(const At& at, Visit visit) const {
  const double stick_length = body_.contact_.stick_speed * options_.time_step;
  for (const Ground& ground : grounds_) {
    const Eigen::Vector3d& n = ground.plane.normal;
    each_near(ground, at, [&](Eigen::Index point, const Eigen::Vector3d& y, double gap) {
      const ScalarDerivatives b = barrier_energy(body_.contact_.barrier, gap);
      const double area = body_.surface_.areas[point];
      visit(point, y, area * b.value, Eigen::Vector3d(area * b.first * n),
            Eigen::Matrix3d(area * b.second * n * n.transpose()));
    });
    const Eigen::Matrix3d tangent = ground.tangent();
    for (const Lagged& lagged : ground.lagged) {
      const Eigen::Vector3d y = body_.surface_.in_frame(lagged.point, at.q);
      const Eigen::Vector3d u = tangent * (start_.position + at.moved + at.R * y - lagged.start);
      const ScalarDerivatives f = smoothed_length(body_.contact_.friction_law, stick_length, u.squaredNorm());
      visit(lagged.point, y, lagged.force * f.value, Eigen::Vector3d(2 * lagged.force * f.first * u),
            Eigen::Matrix3d(lagged.force * (2 * f.first * tangent + 4 * f.second * u * u.transpose())));
    }
  }
}

// sum_a c_a Z_a with c = (1, q).
Eigen::Matrix3d FloatingStep::along(const Eigen::MatrixXd& blocks, const Eigen::VectorXd& q) const {
  Eigen::Matrix3d result = blocks.leftCols<3>();
  for (Eigen::Index k = 0; k < q.size(); ++k) result += q[k] * blocks.middleCols<3>(3 * (1 + k));
  return result;
}

double FloatingStep::inertia_value(const At& at) const {
  const double m = body_.mass();
  return 0.5 * m * (inertia_ * (at.moved - predicted_).squaredNorm() + damping_ * at.moved.squaredNorm()) -
         m * options_.gravity.dot(at.moved) + 0.5 * (inertia_ + damping_) * at.d.squaredNorm() -
         entrywise(at.D, along(pulls_, at.q)) - push_.dot(at.d);
}

void FloatingStep::add_inertia_gradient(const At& at, Eigen::VectorXd& gradient) const {
  gradient.head<3>() += root_mass_ * (inertia_ * (at.moved - predicted_) + damping_ * at.moved - options_.gravity);
  const Eigen::Matrix3d Z = along(pulls_, at.q);
  for (int i = 0; i < 3; ++i) gradient[3 + i] -= entrywise(at.turn.change(i), Z) / turn_unit_;
  gradient.tail(body_.size()) += (inertia_ + damping_) * at.d - push_;
  for (Eigen::Index k = 0; k < body_.size(); ++k) gradient[6 + k] -= entrywise(at.D, pulls_.middleCols<3>(3 * (1 + k)));
}

void FloatingStep::add_inertia_hessian(const At& at, Eigen::MatrixXd& hessian) const {
  const Eigen::Matrix3d Z = along(pulls_, at.q);
  hessian.topLeftCorner<3, 3>().diagonal().array() += inertia_ + damping_;
  hessian.diagonal().tail(body_.size()).array() += inertia_ + damping_;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) hessian(3 + i, 3 + j) -= entrywise(at.turn.change(i, j), Z) / (turn_unit_ * turn_unit_);
    const Eigen::Matrix3d slope = at.turn.change(i);
    for (Eigen::Index k = 0; k < body_.size(); ++k) {
      const double mixed = entrywise(slope, pulls_.middleCols<3>(3 * (1 + k))) / turn_unit_;
      hessian(3 + i, 6 + k) -= mixed;
      hessian(6 + k, 3 + i) -= mixed;
    }
  }
}

// Of the point in z [3][6 + column].
Eigen::MatrixXd FloatingStep::directions(const At& at, Eigen::Index point, const Eigen::Vector3d& y) const {
  Eigen::MatrixXd result(3, dimension());
  result.leftCols<3>() = Eigen::Matrix3d::Identity() / root_mass_;
  for (int i = 0; i < 3; ++i) result.col(3 + i) = start_.rotation * (at.turn.change(i) * y) / turn_unit_;
  result.rightCols(body_.size()) = at.R * body_.surface_.basis.middleRows<3>(3 * point);
  return result;
}

double FloatingStep::value(const Eigen::VectorXd& z) {
  const At now = at(z);
  double total = inertia_value(now);
  each_contact(now, [&](Eigen::Index, const Eigen::Vector3d&, double value, const auto&, const auto&) { total += value; });
  if (!std::isfinite(total)) return std::numeric_limits<double>::infinity();
  if (stiffness_.size() > 0) total += options_.stiffness_damping / (2 * options_.time_step) * now.d.dot(stiffness_ * now.d);
  total += elasticity_.energy(now.q);
  return std::isfinite(total) ? total : std::numeric_limits<double>::infinity();
}

void FloatingStep::gradient(const Eigen::VectorXd& z, Eigen::VectorXd& gradient) {
  const At now = at(z);
  gradient.setZero(dimension());
  add_inertia_gradient(now, gradient);
  gradient.tail(body_.size()) += elasticity_.gradient(now.q);
  if (stiffness_.size() > 0)
    gradient.tail(body_.size()) += options_.stiffness_damping / options_.time_step * (stiffness_ * now.d);
  each_contact(now, [&](Eigen::Index point, const Eigen::Vector3d& y, double, const Eigen::Vector3d& force, const auto&) {
    gradient += directions(now, point, y).transpose() * force;
  });
}

// Beside J^T H J of each point, its force along the second derivatives of its position.
bool FloatingStep::hessian(const Eigen::VectorXd& z, Eigen::MatrixXd& hessian) {
  const At now = at(z);
  hessian.setZero(dimension(), dimension());
  add_inertia_hessian(now, hessian);
  auto deformation = hessian.bottomRightCorner(body_.size(), body_.size());
  deformation += elasticity_.hessian(now.q);
  if (stiffness_.size() > 0) deformation += options_.stiffness_damping / options_.time_step * stiffness_;
  Eigen::Matrix3d moment = Eigen::Matrix3d::Zero();
  Eigen::MatrixXd turned = Eigen::MatrixXd::Zero(3, body_.size());
  each_contact(now, [&](Eigen::Index point, const Eigen::Vector3d& y, double, const Eigen::Vector3d& force,
                        const Eigen::Matrix3d& stiffness) {
    const Eigen::MatrixXd J = directions(now, point, y);
    hessian.noalias() += J.transpose() * (stiffness * J);
    const Eigen::Vector3d in_frame = start_.rotation.transpose() * force;
    moment += in_frame * y.transpose();
    for (int i = 0; i < 3; ++i)
      turned.row(i) += (now.turn.change(i).transpose() * in_frame).transpose() * body_.surface_.basis.middleRows<3>(3 * point);
  });
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) hessian(3 + i, 3 + j) += entrywise(now.turn.change(i, j), moment) / (turn_unit_ * turn_unit_);
    hessian.block(3 + i, 6, 1, body_.size()) += turned.row(i) / turn_unit_;
    hessian.block(6, 3 + i, body_.size(), 1) += turned.row(i).transpose() / turn_unit_;
  }
  return true;
}

Eigen::VectorXd FloatingStep::guess() {
  Eigen::VectorXd z(dimension());
  z << root_mass_ * predicted_, turn_unit_ * predicted_turn_, predicted_d_;
  if (!std::isfinite(value(z))) z.setZero();
  return z;
}

double FloatingStep::scale() const {
  const double turn = turn_unit_ * predicted_turn_.norm();
  return inertia_ * (root_mass_ * predicted_.norm() + turn + predicted_d_.norm()) + root_mass_ * options_.gravity.norm() +
         elasticity_.gradient(start_.amplitudes).cwiseAbs().maxCoeff();
}

double FloatingStep::value_rounding(const Eigen::VectorXd& z) {
  const At now = at(z);
  const double m = body_.mass(), elastic = elasticity_.energy(now.q);
  const double sizes = inertia_ * m * ((now.moved - predicted_).squaredNorm() + predicted_.squaredNorm()) +
                       inertia_ * (now.d.squaredNorm() + predicted_d_.squaredNorm()) +
                       std::abs(entrywise(now.D, along(pulls_, now.q))) + now.D.norm() * pulls_.leftCols<3>().norm() +
                       m * std::abs(options_.gravity.dot(now.moved));
  constexpr double roundings = 8;  // of sums of a few terms
  return roundings * (0x1p-53 * sizes + elasticity_.energy_rounding(elastic));
}

}  // namespace holo
