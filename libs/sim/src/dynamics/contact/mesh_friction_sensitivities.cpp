// Derivatives of friction between surfaces in its lag, and second ones in everything.
//
// The energy of a contact depends on positions, start and lag by q = (w, n, F) alone, F = mu N: E = F f(|w - n (n . w)|^2).
// With the weights g of the closest points and Y = sum of g_i y_i, the residual along y is y . r = Y . dE/dw.
#include "dynamics/contact/mesh_friction.h"
#include "dynamics/contact/pair_blocks.h"
#include "holo/diff/matrix.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

constexpr int reduced_count = 7;  // of q: w, n, F
constexpr int at_normal = 3, at_factor = 6;
using ReducedMatrix = Eigen::Matrix<double, reduced_count, reduced_count>;
using PairRows = Eigen::Matrix<double, 12, Eigen::Dynamic>;

template <class S>
S reduced_energy(const S* q, const ScalarDerivatives& f) {
  const Vector3<S> w{q[0], q[1], q[2]}, n{q[3], q[4], q[5]};
  const Vector3<S> u = w - dot(n, w) * n;
  const double of_square[] = {f.value, f.first, f.second, f.third};
  return q[at_factor] * squared_norm(u).compose(of_square);
}

struct ReducedDerivatives {
  ReducedMatrix hessian, along;  // d2E/dq2, and its derivative as w moves along Y
};

ReducedDerivatives reduced_derivatives(const Eigen::Vector3d& w, const Eigen::Vector3d& n, double F, const ScalarDerivatives& f,
                                       const Eigen::Vector3d& Y) {
  using S = Nilpotent<3>;
  ReducedDerivatives result;
  for (int k = 0; k < reduced_count; ++k)
    for (int l = k; l < reduced_count; ++l) {
      S q[reduced_count];
      for (int i = 0; i < reduced_count; ++i) {
        const double value = i < at_normal ? w[i] : i < at_factor ? n[i - at_normal] : F;
        q[i] = S::seed(value, {i < at_normal ? Y[i] : 0.0, i == k ? 1.0 : 0.0, i == l ? 1.0 : 0.0});
      }
      const S E = reduced_energy(q, f);
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

void MeshFriction::add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                                    Eigen::Ref<Eigen::MatrixXd> columns) {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    const Eigen::MatrixXd d_lag = lag.middleRows<FrictionLag::count>(FrictionLag::count * static_cast<Eigen::Index>(k));
    const Eigen::MatrixXd d_weights = d_lag.middleRows<4>(FrictionLag::weights);
    const Sliding s = sliding(contact, x);
    const ReducedMatrix H = reduced_derivatives(s.w, contact.normal, factor(contact), s.f, Eigen::Vector3d::Zero()).hessian;
    Eigen::MatrixXd dq(reduced_count, lag.cols());
    dq << moved_weights(displacements(contact, x), d_weights) - turn(contact) * d_lag.middleRows<3>(FrictionLag::normal),
        d_lag.middleRows<3>(FrictionLag::normal), coefficients_[contact.coefficient] * d_lag.row(FrictionLag::force);
    const Eigen::Matrix3Xd d_force = H.topRows<3>() * dq;
    const Eigen::Vector3d force = factor(contact) * s.force();
    for (int i = 0; i < 4; ++i)
      if (const int vertex = contact.pair.vertices[static_cast<std::size_t>(i)]; !pairs_.contact().is_fixed(vertex))
        columns.middleRows<3>(3 * vertex) += contact.weights[i] * d_force + force * d_weights.row(i);
  }
}

Eigen::MatrixXd MeshFriction::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                             const Eigen::Ref<const Eigen::MatrixXd>&) {
  Eigen::MatrixXd result(lag_count(), positions.cols());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const ActivePair& pair = contacts_[k].pair;
    result.middleRows<FrictionLag::count>(FrictionLag::count * static_cast<Eigen::Index>(k)) =
        friction_lag_jacobian(pair.law(barrier_), pair.features, pair.x) *
        rows_of_pair(pairs_.contact(), pair.vertices, positions);
  }
  return result;
}

// The factors of the lag's second derivatives are those of add_lag_gradient along y.
void MeshFriction::add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                     const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                     const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::MatrixXd& result) {
  for (const Contact& contact : contacts_) {
    const ActivePair& pair = contact.pair;
    const Sliding s = sliding(contact, x);
    const PairVector y_pair = rows_of_pair(pairs_.contact(), pair.vertices, y), moved = displacements(contact, x);
    const Eigen::Vector3d Y = Eigen::Map<const PairColumns>(y_pair.data()) * contact.weights;
    const ReducedMatrix H = reduced_derivatives(s.w, contact.normal, factor(contact), s.f, Y).hessian;
    const Eigen::Matrix<double, reduced_count, 1> slope = H.leftCols<3>() * Y;  // of y . r in q
    FrictionLagVector factors;
    factors[FrictionLag::force] = coefficients_[contact.coefficient] * slope[at_factor];
    factors.segment<3>(FrictionLag::normal) = slope.segment<3>(at_normal) - turn(contact).transpose() * slope.head<3>();
    factors.segment<4>(FrictionLag::weights) =
        Eigen::Map<const PairColumns>(moved.data()).transpose() * slope.head<3>() +
        Eigen::Map<const PairColumns>(y_pair.data()).transpose() * (factor(contact) * s.force());
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
    Eigen::MatrixXd d_lag = Eigen::MatrixXd::Zero(FrictionLag::count, columns);
    if (directions.lag.rows() > 0)
      d_lag = directions.lag.middleRows<FrictionLag::count>(FrictionLag::count * static_cast<Eigen::Index>(k));
    const Eigen::MatrixXd d_weights = d_lag.middleRows<4>(FrictionLag::weights);
    const Eigen::RowVectorXd d_force = d_lag.row(FrictionLag::force),
                             d_coefficient = directions.parameters.row(contact.coefficient);
    const Sliding s = sliding(contact, x);
    const Eigen::Vector3d Y = Eigen::Map<const PairColumns>(y_pair.data()) * contact.weights;
    const auto [H, along_Y] = reduced_derivatives(s.w, contact.normal, factor(contact), s.f, Y);
    Eigen::MatrixXd dq(reduced_count, columns);
    dq << weighted_rows(contact.weights, dx) + moved_weights(displacements(contact, x), d_weights) -
              turn(contact) * d_lag.middleRows<3>(FrictionLag::normal),
        d_lag.middleRows<3>(FrictionLag::normal),
        coefficients_[contact.coefficient] * d_force + contact.normal_force * d_coefficient;
    result.noalias() += dq.transpose() * (along_Y * dq);
    add_with_transpose(moved_weights(y_pair, d_weights).transpose() * (H.topRows<3>() * dq));
    const Eigen::Matrix<double, reduced_count, 1> slope = H.leftCols<3>() * Y;
    for (int node = 0; node < 4; ++node)
      add_with_transpose(d_weights.row(node).transpose() * (slope.head<3>().transpose() * dx.middleRows<3>(3 * node)));
    add_with_transpose(slope[at_factor] * d_coefficient.transpose() * d_force);
  }
}

}  // namespace holo
