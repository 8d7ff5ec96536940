#include "dynamics/loads/pressure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <utility>

#include "dynamics/loads/load_types.h"

namespace holo {
namespace {

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

std::array<double, 9> by_columns(const Eigen::Matrix3d& m) {
  std::array<double, 9> block;
  Eigen::Map<Eigen::Matrix3d>(block.data()) = m;
  return block;
}

}  // namespace

Pressure::Pressure(std::string name, std::vector<std::array<int, 3>> triangles, double pressure, const LoadDefinition& load,
                   const Eigen::VectorXd& start)
    : name_(std::move(name)), triangles_(std::move(triangles)), pressure_(pressure), load_(load) {
  Eigen::AlignedBox3d box;
  for (const auto& t : triangles_)
    for (const int vertex : t) {
      start_origin_ += start.segment<3>(3 * vertex) / (3 * static_cast<double>(triangles_.size()));
      box.extend(Eigen::Vector3d(start.segment<3>(3 * vertex)));
    }
  size_ = box.diagonal().norm();
  find_edges();
  lag_.resize(3 * static_cast<Eigen::Index>(border_.size()));
  update_lag(start);
}

// Triangles meet in an edge that they run through in opposite directions. More than two of them do where parts of the body
// touch along a line alone: as many as possible are paired, whichever, since the sum is the same; what is left over is border.
void Pressure::find_edges() {
  std::map<std::pair<int, int>, std::vector<int>> corners;  // opposite to each directed edge
  for (const auto& t : triangles_)
    for (std::size_t i = 0; i < 3; ++i) corners[{t[i], t[(i + 1) % 3]}].push_back(t[(i + 2) % 3]);
  for (const auto& [edge, left] : corners) {
    const auto other = corners.find({edge.second, edge.first});
    const std::size_t paired = other == corners.end() ? 0 : std::min(left.size(), other->second.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (i >= paired) {
        edges_.push_back({edge.first, edge.second, left[i], -1});
        border_.push_back({edge.first, edge.second});
      } else if (edge.first < edge.second) {
        edges_.push_back({edge.first, edge.second, left[i], other->second[i]});
      }
    }
  }
}

void Pressure::update_lag(const Eigen::VectorXd& x) {
  lagged_at_ = x;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const auto& t : triangles_)
    for (const int vertex : t) middle += x.segment<3>(3 * vertex) / (3 * static_cast<double>(triangles_.size()));
  origin_ = start_origin_ + size_ * ((middle - start_origin_) / size_).array().round().matrix();
  for (std::size_t e = 0; e < border_.size(); ++e)
    lag_.segment<3>(3 * static_cast<Eigen::Index>(e)) = at(x, border_[e][0]).cross(at(x, border_[e][1]));
}

double Pressure::energy(const Eigen::VectorXd& x) {
  double volume = 0;
  for (const auto& [a, b, c] : triangles_) volume += at(x, a).dot(at(x, b).cross(at(x, c))) / 6;
  for (std::size_t e = 0; e < border_.size(); ++e)
    volume += lag_.segment<3>(3 * static_cast<Eigen::Index>(e)).dot(at(x, border_[e][0]) + at(x, border_[e][1])) / 6;
  return share_ * pressure_ * volume;
}

// Adds the gradient of unit pressure times the factor.
void Pressure::add_unit_gradient(const Eigen::VectorXd& x, double factor, Eigen::Ref<Eigen::VectorXd> gradient) const {
  for (const auto& t : triangles_)
    for (std::size_t i = 0; i < 3; ++i)
      gradient.segment<3>(3 * t[i]) += factor / 6 * at(x, t[(i + 1) % 3]).cross(at(x, t[(i + 2) % 3]));
  for (std::size_t e = 0; e < border_.size(); ++e)
    for (int vertex : border_[e])
      gradient.segment<3>(3 * vertex) += factor / 6 * lag_.segment<3>(3 * static_cast<Eigen::Index>(e));
}

void Pressure::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  add_unit_gradient(x, share_ * pressure_, gradient);
}

// The blocks of an edge are [0 K; K^T 0] with K = [k]x, k = p/6 (x_right - x_left), of the eigenvalues 0 and +-|k|: the
// positive part is half of them, and half of |k| times the projection perpendicular to k on the diagonal.
void Pressure::add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) {
  const double factor = share_ * pressure_ / 6;
  const bool exact = curvature == Curvature::exact;
  for (const Edge& edge : edges_) {
    Eigen::Vector3d k = -factor * at(x, edge.left);
    if (edge.right >= 0) k += factor * at(x, edge.right);
    assembler.add_block(edge.first, edge.second, by_columns((exact ? 1.0 : 0.5) * cross_matrix(k)));
    if (exact || k.isZero(0)) continue;
    const Eigen::Matrix3d across = 0.5 * (k.norm() * Eigen::Matrix3d::Identity() - k * k.transpose() / k.norm());
    assembler.add_block(edge.first, edge.first, by_columns(across));
    assembler.add_block(edge.second, edge.second, by_columns(across));
  }
}

void Pressure::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  add_unit_gradient(x, share_, columns.col(0));
}

// V is cubic: y . d3V[d, e] is 1/6 times the sum of det(y, d, e) over all orders of a triangle's corners.
void Pressure::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                   Eigen::MatrixXd& result) {
  const auto& S = directions.positions;
  const auto& dp = directions.parameters;
  Eigen::VectorXd along = Eigen::VectorXd::Zero(S.cols());  // y . d2V/dx2 d
  for (const auto& t : triangles_)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t order : {1, 2}) {  // the corners in even and odd order
        const int a = t[i], b = t[(i + order) % 3], c = t[(i + 3 - order) % 3];
        const double weight = share_ / (order == 1 ? 6.0 : -6.0);
        const Eigen::Vector3d ya = y.segment<3>(3 * a);
        for (Eigen::Index m = 0; m < S.cols(); ++m) {
          const Eigen::Vector3d normal = ya.cross(S.col(m).segment<3>(3 * b));
          along[m] += weight * normal.dot(at(x, c));
          for (Eigen::Index n = 0; n < S.cols(); ++n)
            result(m, n) += pressure_ * weight * normal.dot(S.col(n).segment<3>(3 * c));
        }
      }
  // The border's force p/6 lag is linear in its lag and does not depend on x.
  for (std::size_t e = 0; e < border_.size() && directions.lag.rows() > 0; ++e) {
    const auto [u, v] = border_[e];
    const Eigen::Vector3d sum = share_ / 6 * (y.segment<3>(3 * u) + y.segment<3>(3 * v));
    along += directions.lag.middleRows<3>(3 * static_cast<Eigen::Index>(e)).transpose() * sum;
  }
  result += along * dp.row(0) + dp.row(0).transpose() * along.transpose();
}

void Pressure::add_lag_gradient(const Eigen::VectorXd&, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                                Eigen::Ref<Eigen::MatrixXd> columns) {
  for (std::size_t e = 0; e < border_.size(); ++e)
    for (int vertex : border_[e])
      columns.middleRows<3>(3 * vertex) += share_ * pressure_ / 6 * lag.middleRows<3>(3 * static_cast<Eigen::Index>(e));
}

Eigen::MatrixXd Pressure::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& directions,
                                         const Eigen::Ref<const Eigen::MatrixXd>&) {
  Eigen::MatrixXd result(lag_count(), directions.cols());
  for (std::size_t e = 0; e < border_.size(); ++e) {
    const auto [u, v] = border_[e];
    result.middleRows<3>(3 * static_cast<Eigen::Index>(e)) = cross_matrix(at(lagged_at_, u)) * directions.middleRows<3>(3 * v) -
                                                             cross_matrix(at(lagged_at_, v)) * directions.middleRows<3>(3 * u);
  }
  return result;
}

// The second derivative of x_u x x_v is d_u x e_v + e_u x d_v.
void Pressure::add_lag_curvature(const Eigen::VectorXd&, const Eigen::VectorXd& y,
                                 const Eigen::Ref<const Eigen::MatrixXd>& positions, const Eigen::Ref<const Eigen::MatrixXd>&,
                                 Eigen::MatrixXd& result) {
  for (const auto& [u, v] : border_) {
    const Eigen::Vector3d weight = share_ * pressure_ / 6 * (y.segment<3>(3 * u) + y.segment<3>(3 * v));
    // weight . (d_u x e_v) = d_u^T [weight]x^T e_v.
    const Eigen::MatrixXd product =
        positions.middleRows<3>(3 * u).transpose() * cross_matrix(weight).transpose() * positions.middleRows<3>(3 * v);
    result += product + product.transpose();
  }
}

LoadMaker pressure_load(double pressure) {
  return [pressure](const ElasticModel& model, const ElasticBody& body, const LoadDefinition& load) {
    return std::make_unique<Pressure>("pressure on '" + body.name + "'", loaded_triangles(body, load), pressure, load,
                                      model.start_positions());
  };
}

LoadType load_type::pressure() {
  return {"force along the normal per area of the current surface", [](Configuration& parameters) {
            return pressure_load(
                parameters.number("pressure", {.unit = "Pa", .documentation = "pressure; positive pushes onto the surface"}));
          }};
}

}  // namespace holo
