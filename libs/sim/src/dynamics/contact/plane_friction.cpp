#include "dynamics/contact/plane_contact.h"

namespace holo {

PlaneFriction::PlaneFriction(const PlaneDefinition& plane, std::shared_ptr<const ContactSurface> surface,
                             const Barrier& barrier, FrictionLaw law, double stick_speed)
    : name_(plane.name),
      plane_(plane),
      lag_plane_(plane_.now()),
      coefficient_(plane.friction),
      surface_(std::move(surface)),
      barrier_(barrier),
      law_(law),
      stick_speed_(stick_speed),
      normal_forces_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(surface_->vertices.size()))) {
  take_plane_of_lag();
}

void PlaneFriction::take_plane_of_lag() {
  lag_plane_ = plane_.now();
  tangent_ = Eigen::Matrix3d::Identity() - lag_plane_.normal * lag_plane_.normal.transpose();
}

void PlaneFriction::begin_step(const StepContext& context) {
  plane_.begin_step(context.start_time, context.end_time);
  start_ = context.positions;
  stick_length_ = stick_speed_ * context.time_step;
}

void PlaneFriction::update_lag(const Eigen::VectorXd& x) {
  lagged_at_ = x;
  take_plane_of_lag();
  for (std::size_t i = 0; i < surface_->vertices.size(); ++i) {
    const double d = lag_plane_.gap(x.segment<3>(3 * surface_->vertices[i]));
    normal_forces_[static_cast<Eigen::Index>(i)] = -surface_->areas[i] * barrier_energy(barrier_, d).first;
  }
}

PlaneFriction::Sliding PlaneFriction::sliding(const Eigen::VectorXd& x, int vertex) const {
  const Eigen::Vector3d u = tangent_ * (x.segment<3>(3 * vertex) - plane_.carried(start_.segment<3>(3 * vertex)));
  return {u, smoothed_length(law_, stick_length_, u.squaredNorm())};
}

template <class Visit>
void PlaneFriction::each_pressed(const Eigen::VectorXd& x, Visit visit) const {
  for (Eigen::Index i = 0; i < normal_forces_.size(); ++i)
    if (normal_forces_[i] != 0) {
      const int vertex = surface_->vertices[static_cast<std::size_t>(i)];
      visit(vertex, i, sliding(x, vertex));
    }
}

double PlaneFriction::energy(const Eigen::VectorXd& x) {
  double sum = 0;
  each_pressed(x, [&](int, Eigen::Index i, const Sliding& s) { sum += coefficient_ * normal_forces_[i] * s.f.value; });
  return sum;
}

void PlaneFriction::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  each_pressed(x, [&](int vertex, Eigen::Index i, const Sliding& s) {
    gradient.segment<3>(3 * vertex) += coefficient_ * normal_forces_[i] * s.force();
  });
}

void PlaneFriction::add_sliding(const Eigen::VectorXd& x, std::map<std::array<int, 2>, SlidingSums>& sums) const {
  each_pressed(x, [&](int, Eigen::Index i, const Sliding& s) {
    sums[{-1, surface_->bodies[static_cast<std::size_t>(i)]}].add(normal_forces_[i], s.u.norm());
  });
}

// Positive semidefinite, since f is convex and grows.
void PlaneFriction::add_hessian(const Eigen::VectorXd& x, Curvature, BlockAssembler& assembler) {
  std::array<double, 9> block;
  each_pressed(x, [&](int vertex, Eigen::Index i, const Sliding& s) {
    Eigen::Map<Eigen::Matrix3d>(block.data()) = coefficient_ * normal_forces_[i] * s.stiffness(tangent_);
    assembler.add_block(vertex, vertex, block);
  });
}

void PlaneFriction::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  each_pressed(x, [&](int vertex, Eigen::Index i, const Sliding& s) {
    columns.col(0).segment<3>(3 * vertex) += normal_forces_[i] * s.force();
  });
}

void PlaneFriction::add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                                     Eigen::Ref<Eigen::MatrixXd> columns) {
  for (Eigen::Index i = 0; i < normal_forces_.size(); ++i) {
    const int vertex = surface_->vertices[static_cast<std::size_t>(i)];
    columns.middleRows<3>(3 * vertex) += coefficient_ * sliding(x, vertex).force() * lag.row(i);
  }
}

Eigen::MatrixXd PlaneFriction::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                              const Eigen::Ref<const Eigen::MatrixXd>&) {
  Eigen::MatrixXd result(lag_count(), positions.cols());
  for (Eigen::Index i = 0; i < lag_count(); ++i) {
    const auto entry = static_cast<std::size_t>(i);
    const int vertex = surface_->vertices[entry];
    const double d = lag_plane_.gap(lagged_at_.segment<3>(3 * vertex));
    result.row(i) = -surface_->areas[entry] * barrier_energy(barrier_, d).second * lag_plane_.normal.transpose() *
                    positions.middleRows<3>(3 * vertex);
  }
  return result;
}

void PlaneFriction::add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                      const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                      const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::MatrixXd& result) {
  for (std::size_t i = 0; i < surface_->vertices.size(); ++i) {
    const int vertex = surface_->vertices[i];
    const double d = lag_plane_.gap(lagged_at_.segment<3>(3 * vertex));
    const double force = coefficient_ * sliding(x, vertex).force().dot(y.segment<3>(3 * vertex));
    const Eigen::RowVectorXd dd = lag_plane_.normal.transpose() * positions.middleRows<3>(3 * vertex);
    result -= force * surface_->areas[i] * barrier_energy(barrier_, d).third * dd.transpose() * dd;
  }
}

void PlaneFriction::add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                       const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::Ref<Eigen::MatrixXd> columns) {
  each_pressed(x, [&](int vertex, Eigen::Index i, const Sliding& s) {
    columns.middleRows<3>(3 * vertex) -= coefficient_ * normal_forces_[i] * s.stiffness(tangent_) *
                                         (plane_.carried_directions() * positions.middleRows<3>(3 * vertex));
  });
}

// The residual of a vertex is mu N g(u) with g = 2 f' u, f in |u|^2; the factor mu N and u change along the directions.
void PlaneFriction::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                        Eigen::MatrixXd& result) {
  const Eigen::RowVectorXd d_coefficient = directions.parameters.row(0);
  for (Eigen::Index i = 0; i < normal_forces_.size(); ++i) {
    if (normal_forces_[i] == 0 && directions.lag.rows() == 0) continue;  // most of a surface
    const int vertex = surface_->vertices[static_cast<std::size_t>(i)];
    const Sliding s = sliding(x, vertex);
    const Eigen::Vector3d y_t = tangent_ * y.segment<3>(3 * vertex);
    Eigen::Matrix3Xd du = tangent_ * directions.positions.middleRows<3>(3 * vertex);
    if (directions.start_positions.rows() > 0)
      du -= tangent_ * plane_.carried_directions() * directions.start_positions.middleRows<3>(3 * vertex);
    const double N = normal_forces_[i], y_u = y_t.dot(s.u);
    const Eigen::RowVectorXd u_du = s.u.transpose() * du, y_du = y_t.transpose() * du;
    const Eigen::MatrixXd crossed = u_du.transpose() * y_du;
    // y . D2g[du_i, du_j]
    const Eigen::MatrixXd bend = 4 * s.f.second * (crossed + crossed.transpose() + y_u * du.transpose() * du) +
                                 8 * s.f.third * y_u * u_du.transpose() * u_du;
    const Eigen::RowVectorXd y_dg = 2 * s.f.first * y_du + 4 * s.f.second * y_u * u_du;
    Eigen::RowVectorXd d_factor = N * d_coefficient;
    result += coefficient_ * N * bend;
    if (directions.lag.rows() > 0) {
      const Eigen::RowVectorXd dN = directions.lag.row(i);
      d_factor += coefficient_ * dN;
      const Eigen::MatrixXd both = y_t.dot(s.force()) * d_coefficient.transpose() * dN;
      result += both + both.transpose();
    }
    const Eigen::MatrixXd mixed = d_factor.transpose() * y_dg;
    result += mixed + mixed.transpose();
  }
}

}  // namespace holo
