// Derivatives of friction between surfaces in its lag, and second ones in everything.
//
// The energy of a contact depends on positions, start and lag by the numbers q = (w, n, F, a) of SlidingNumbers alone, F = mu
// N: E = F f(|w - n (n . w)|^2), or F D(w; n, a) with bristles. With the weights g of the closest points and Y = sum of g_i
// y_i, the residual along y is y . r = Y . dE/dw.
#include "dynamics/contact/mesh_friction.h"
#include "dynamics/contact/pair_blocks.h"
#include "holo/diff/matrix.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

using PairRows = Eigen::Matrix<double, 12, Eigen::Dynamic>;

constexpr int smooth_count = SlidingNumbers::direction;  // of the numbers without a

template <class S>
S smooth_energy(const S* q, const ScalarDerivatives& f) {
  const Vector3<S> w{q[0], q[1], q[2]}, n{q[3], q[4], q[5]};
  const Vector3<S> u = w - dot(n, w) * n;
  const double of_square[] = {f.value, f.first, f.second, f.third};
  return q[SlidingNumbers::factor] * squared_norm(u).compose(of_square);
}

// Without bristles.
SlidingDerivatives smooth_derivatives(const SlidingVector& numbers, const ScalarDerivatives& f, const Eigen::Vector3d& Y) {
  using S = Nilpotent<3>;
  SlidingDerivatives result;
  for (int k = 0; k < smooth_count; ++k)
    for (int l = k; l < smooth_count; ++l) {
      S q[smooth_count];
      for (int i = 0; i < smooth_count; ++i)
        q[i] = S::seed(numbers[i], {i < SlidingNumbers::normal ? Y[i] : 0.0, i == k ? 1.0 : 0.0, i == l ? 1.0 : 0.0});
      const S E = smooth_energy(q, f);
      result.hessian(k, l) = result.hessian(l, k) = E.coefficient(0b110);
      result.along(k, l) = result.along(l, k) = E.derivative();
    }
  return result;
}

// Sum of the nodes' rows times their weights [3][column].
Eigen::Matrix3Xd weighted_rows(const Eigen::Vector4d& weights, const PairRows& rows) {
  Eigen::Matrix3Xd sum = Eigen::Matrix3Xd::Zero(3, rows.cols());
  for (int i = 0; i < 4; ++i) sum += weights[i] * rows.middleRows<3>(3 * i);
  return sum;
}

// Sum of the nodes' vectors times the directions of their weights [3][column].
Eigen::Matrix3Xd moved_weights(const PairVector& values, const Eigen::Ref<const Eigen::MatrixXd>& weights) {
  Eigen::Matrix3Xd sum = Eigen::Matrix3Xd::Zero(3, weights.cols());
  for (int i = 0; i < 4; ++i) sum += values.segment<3>(3 * i) * weights.row(i);
  return sum;
}

}  // namespace

SlidingDerivatives MeshFriction::sliding_derivatives(const Contact& contact, const Sliding& s, const Eigen::Vector3d& Y) const {
  SlidingVector q;
  q << s.w, contact.normal, factor(contact), contact.direction;
  return contact.law ? directional_sliding_derivatives(*contact.law, q, Y) : smooth_derivatives(q, s.f, Y);
}

Eigen::MatrixXd MeshFriction::moved_numbers(const Contact& contact, const Eigen::VectorXd& x,
                                            const PairRows& displacements_moved, const Eigen::RowVectorXd& coefficient,
                                            const Eigen::MatrixXd& lag) const {
  const auto normal = lag.middleRows<3>(FrictionLag::normal);
  Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(SlidingNumbers::count, lag.cols());
  dq.topRows<3>() = weighted_rows(contact.weights, displacements_moved) +
                    moved_weights(displacements(contact, x), lag.middleRows<4>(FrictionLag::weights)) - turn(contact) * normal;
  dq.middleRows<3>(SlidingNumbers::normal) = normal;
  dq.row(SlidingNumbers::factor) =
      coefficients_[contact.coefficient] * lag.row(FrictionLag::force) + contact.normal_force * coefficient;
  if (contact.law) dq.middleRows<3>(SlidingNumbers::direction) = lag.bottomRows<3>();
  return dq;
}

void MeshFriction::add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                                    Eigen::Ref<Eigen::MatrixXd> columns) {
  const PairRows no_displacements = PairRows::Zero(12, lag.cols());
  const Eigen::RowVectorXd no_coefficient = Eigen::RowVectorXd::Zero(lag.cols());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    const Eigen::MatrixXd d_lag = lag.middleRows(lag_size() * static_cast<Eigen::Index>(k), lag_size());
    const Sliding s = sliding(contact, x);
    const SlidingMatrix H = sliding_derivatives(contact, s, Eigen::Vector3d::Zero()).hessian;
    const Eigen::Matrix3Xd d_force = H.topRows<3>() * moved_numbers(contact, x, no_displacements, no_coefficient, d_lag);
    const Eigen::Vector3d force = factor(contact) * s.force;
    for (int i = 0; i < 4; ++i)
      if (const int vertex = contact.pair.vertices[static_cast<std::size_t>(i)]; !pairs_.contact().is_fixed(vertex))
        columns.middleRows<3>(3 * vertex) += contact.weights[i] * d_force + force * d_lag.row(FrictionLag::weights + i);
  }
}

Eigen::MatrixXd MeshFriction::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                             const Eigen::Ref<const Eigen::MatrixXd>&) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(lag_count(), positions.cols());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const ActivePair& pair = contacts_[k].pair;
    const Eigen::Index first = lag_size() * static_cast<Eigen::Index>(k);
    result.middleRows<FrictionLag::count>(first) = friction_lag_jacobian(pair.law(barrier_), pair.features, pair.x) *
                                                   rows_of_pair(pairs_.contact(), pair.vertices, positions);
    if (contacts_[k].law) result.middleRows<3>(first + FrictionLag::count) = directions(contacts_[k], positions);
  }
  return result;
}

// The factors of the lag's second derivatives are those of add_lag_gradient along y. The direction of bristles is linear.
void MeshFriction::add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                     const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                     const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::MatrixXd& result) {
  for (const Contact& contact : contacts_) {
    const ActivePair& pair = contact.pair;
    const Sliding s = sliding(contact, x);
    const PairVector y_pair = rows_of_pair(pairs_.contact(), pair.vertices, y), moved = displacements(contact, x);
    const Eigen::Vector3d Y = Eigen::Map<const PairColumns>(y_pair.data()) * contact.weights;
    const SlidingMatrix H = sliding_derivatives(contact, s, Y).hessian;
    const SlidingVector slope = H.leftCols<3>() * Y;  // of y . r in q
    FrictionLagVector factors;
    factors[FrictionLag::force] = coefficients_[contact.coefficient] * slope[SlidingNumbers::factor];
    factors.segment<3>(FrictionLag::normal) =
        slope.segment<3>(SlidingNumbers::normal) - turn(contact).transpose() * slope.head<3>();
    factors.segment<4>(FrictionLag::weights) =
        Eigen::Map<const PairColumns>(moved.data()).transpose() * slope.head<3>() +
        Eigen::Map<const PairColumns>(y_pair.data()).transpose() * (factor(contact) * s.force);
    const PairMatrix curvature = friction_lag_curvature(pair.law(barrier_), pair.features, pair.x, factors);
    const PairRows dx = rows_of_pair(pairs_.contact(), pair.vertices, positions);
    result.noalias() += dx.transpose() * (curvature * dx);
  }
}

// d2(Y . dE/dw)[i, j]: q moves in the first order, and w, F and Y g-wise in the second, since w = sum of g_k (x_k - x_n,k)
// - T n and F = mu N are products.
void MeshFriction::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                       Eigen::MatrixXd& result) {
  const Eigen::Index columns = directions.positions.cols();
  const auto add_with_transpose = [&](const Eigen::MatrixXd& half) { result += half + half.transpose(); };
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    const std::array<int, 4>& vertices = contact.pair.vertices;
    const PairVector y_pair = rows_of_pair(pairs_.contact(), vertices, y);
    PairRows dx = rows_of_pair(pairs_.contact(), vertices, directions.positions);
    if (directions.start_positions.rows() > 0) dx -= rows_of_pair(pairs_.contact(), vertices, directions.start_positions);
    Eigen::MatrixXd d_lag = Eigen::MatrixXd::Zero(lag_size(), columns);
    if (directions.lag.rows() > 0) d_lag = directions.lag.middleRows(lag_size() * static_cast<Eigen::Index>(k), lag_size());
    const Eigen::MatrixXd d_weights = d_lag.middleRows<4>(FrictionLag::weights);
    const Eigen::RowVectorXd d_force = d_lag.row(FrictionLag::force),
                             d_coefficient = directions.parameters.row(contact.coefficient);
    const Eigen::Vector3d Y = Eigen::Map<const PairColumns>(y_pair.data()) * contact.weights;
    const auto [H, along_Y] = sliding_derivatives(contact, sliding(contact, x), Y);
    const Eigen::MatrixXd dq = moved_numbers(contact, x, dx, d_coefficient, d_lag);
    result.noalias() += dq.transpose() * (along_Y * dq);
    add_with_transpose(moved_weights(y_pair, d_weights).transpose() * (H.topRows<3>() * dq));
    const SlidingVector slope = H.leftCols<3>() * Y;
    for (int node = 0; node < 4; ++node)
      add_with_transpose(d_weights.row(node).transpose() * (slope.head<3>().transpose() * dx.middleRows<3>(3 * node)));
    add_with_transpose(slope[SlidingNumbers::factor] * d_coefficient.transpose() * d_force);
  }
}

}  // namespace holo
