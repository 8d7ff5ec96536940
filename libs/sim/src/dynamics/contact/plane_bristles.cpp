#include "dynamics/contact/plane_bristles.h"

namespace holo {

PlaneBristles::PlaneBristles(const PlaneDefinition& plane, std::shared_ptr<const ContactSurface> surface,
                             const Barrier& barrier, FrictionLaw law, double stick_speed)
    : name_(plane.name),
      plane_(plane),
      lag_plane_(plane_.now()),
      coefficient_(plane.friction),
      surface_(std::move(surface)),
      barrier_(barrier),
      law_(law),
      stick_speed_(stick_speed) {}

void PlaneBristles::begin_step(const StepContext& context) {
  plane_.begin_step(context.start_time, context.end_time);
  start_ = context.positions;
  stick_length_ = stick_speed_ * context.time_step;
}

void PlaneBristles::update_lag(const Eigen::VectorXd& x) {
  lag_plane_ = plane_.now();
  contacts_.clear();
  for (std::size_t i = 0; i < surface_->vertices.size(); ++i) {
    const int vertex = surface_->vertices[i];
    const double gap = lag_plane_.gap(x.segment<3>(3 * vertex));
    if (gap >= barrier_.distance || !bristles().covers(vertex)) continue;
    const Eigen::Vector3d direction = bristles().direction(vertex, x);
    contacts_.push_back({vertex, surface_->bodies[i], DirectionalLaw(law_, stick_length_, bristles().of_vertex(vertex)),
                         surface_->areas[i], gap, -surface_->areas[i] * barrier_energy(barrier_, gap).first, direction,
                         bristle_tangent(lag_plane_.normal, direction)});
  }
}

Eigen::Vector3d PlaneBristles::displacement(const Contact& contact, const Eigen::VectorXd& x) const {
  return x.segment<3>(3 * contact.vertex) - plane_.carried(start_.segment<3>(3 * contact.vertex));
}

DirectionalSliding PlaneBristles::sliding(const Contact& contact, const Eigen::VectorXd& x) const {
  return directional_sliding(contact.law, displacement(contact, x), lag_plane_.normal, contact.tangent);
}

SlidingVector PlaneBristles::numbers(const Contact& contact, const Eigen::VectorXd& x) const {
  SlidingVector q;
  q << displacement(contact, x), lag_plane_.normal, coefficient_ * contact.normal_force, contact.direction;
  return q;
}

double PlaneBristles::energy(const Eigen::VectorXd& x) {
  double sum = 0;
  for (const Contact& contact : contacts_) sum += coefficient_ * contact.normal_force * sliding(contact, x).value;
  return sum;
}

void PlaneBristles::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  for (const Contact& contact : contacts_)
    gradient.segment<3>(3 * contact.vertex) += coefficient_ * contact.normal_force * sliding(contact, x).force;
}

void PlaneBristles::add_sliding(const Eigen::VectorXd& x, std::map<std::array<int, 2>, SlidingSums>& sums) const {
  for (const Contact& contact : contacts_) {
    const Eigen::Vector3d w = displacement(contact, x);
    sums[{-1, contact.body}].add(contact.normal_force, (w - lag_plane_.normal * lag_plane_.normal.dot(w)).norm());
  }
}

// Positive semidefinite, since D is convex.
void PlaneBristles::add_hessian(const Eigen::VectorXd& x, Curvature, BlockAssembler& assembler) {
  std::array<double, 9> block;
  for (const Contact& contact : contacts_) {
    Eigen::Map<Eigen::Matrix3d>(block.data()) = coefficient_ * contact.normal_force * sliding(contact, x).stiffness;
    assembler.add_block(contact.vertex, contact.vertex, block);
  }
}

void PlaneBristles::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (const Contact& contact : contacts_)
    columns.col(0).segment<3>(3 * contact.vertex) += contact.normal_force * sliding(contact, x).force;
}

void PlaneBristles::add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                                     Eigen::Ref<Eigen::MatrixXd> columns) {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    const auto d_lag = lag.middleRows<lag_size>(lag_size * static_cast<Eigen::Index>(k));
    const SlidingMatrix H = directional_sliding_derivatives(contact.law, numbers(contact, x), Eigen::Vector3d::Zero()).hessian;
    columns.middleRows<3>(3 * contact.vertex) += H.block<3, 1>(0, SlidingNumbers::factor) * (coefficient_ * d_lag.row(0)) +
                                                 H.block<3, 3>(0, SlidingNumbers::direction) * d_lag.bottomRows<3>();
  }
}

Eigen::MatrixXd PlaneBristles::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                              const Eigen::Ref<const Eigen::MatrixXd>&) {
  Eigen::MatrixXd result(lag_count(), positions.cols());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    const Eigen::Index first = lag_size * static_cast<Eigen::Index>(k);
    result.row(first) = -contact.area * barrier_energy(barrier_, contact.gap).second * lag_plane_.normal.transpose() *
                        positions.middleRows<3>(3 * contact.vertex);
    result.middleRows<3>(first + 1) = bristles().directions(contact.vertex, positions);
  }
  return result;
}

// The direction is linear in the positions, so that the normal force alone curves.
void PlaneBristles::add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                      const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                      const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::MatrixXd& result) {
  for (const Contact& contact : contacts_) {
    const double force = coefficient_ * sliding(contact, x).force.dot(y.segment<3>(3 * contact.vertex));
    const Eigen::RowVectorXd dd = lag_plane_.normal.transpose() * positions.middleRows<3>(3 * contact.vertex);
    result -= force * contact.area * barrier_energy(barrier_, contact.gap).third * dd.transpose() * dd;
  }
}

void PlaneBristles::add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                       const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (const Contact& contact : contacts_)
    columns.middleRows<3>(3 * contact.vertex) -= coefficient_ * contact.normal_force * sliding(contact, x).stiffness *
                                                 (plane_.carried_directions() * positions.middleRows<3>(3 * contact.vertex));
}

// The residual of a vertex is dE/dw of E = F D(w; n, a): y . d2r moves q = (w, F, a) in first order, and F = mu N in second.
void PlaneBristles::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                        Eigen::MatrixXd& result) {
  const Eigen::RowVectorXd d_coefficient = directions.parameters.row(0);
  const bool has_lag = directions.lag.rows() > 0;
  SlidingVector varied = SlidingVector::Ones();
  varied.segment<3>(SlidingNumbers::normal).setZero();
  if (!has_lag) varied.segment<3>(SlidingNumbers::direction).setZero();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(SlidingNumbers::count, directions.positions.cols());
    dq.topRows<3>() = directions.positions.middleRows<3>(3 * contact.vertex);
    if (directions.start_positions.rows() > 0)
      dq.topRows<3>() -= plane_.carried_directions() * directions.start_positions.middleRows<3>(3 * contact.vertex);
    dq.row(SlidingNumbers::factor) = contact.normal_force * d_coefficient;
    const Eigen::Vector3d Y = y.segment<3>(3 * contact.vertex);
    if (has_lag) {
      const auto d_lag = directions.lag.middleRows<lag_size>(lag_size * static_cast<Eigen::Index>(k));
      dq.row(SlidingNumbers::factor) += coefficient_ * d_lag.row(0);
      dq.middleRows<3>(SlidingNumbers::direction) = d_lag.bottomRows<3>();
      const Eigen::MatrixXd both = sliding(contact, x).force.dot(Y) * d_coefficient.transpose() * d_lag.row(0);
      result += both + both.transpose();
    }
    result.noalias() +=
        dq.transpose() * (directional_sliding_derivatives(contact.law, numbers(contact, x), Y, varied).along * dq);
  }
}

}  // namespace holo
