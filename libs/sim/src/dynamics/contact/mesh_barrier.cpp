#include "dynamics/contact/mesh_barrier.h"

#include <cmath>
#include <functional>
#include <limits>

#include "dynamics/contact/pair_blocks.h"
#include "holo/core/numerics/parallel.h"

namespace holo {
namespace {

constexpr std::size_t pairs_of_a_chunk = 32;

}  // namespace

MeshBarrier::MeshBarrier(std::shared_ptr<const MeshContact> contact, const Barrier& barrier)
    : pairs_(std::move(contact), barrier.distance), barrier_(barrier) {}

double MeshBarrier::energy(const Eigen::VectorXd& x) {
  if (!x.allFinite()) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const ActivePair& pair : pairs_.at(x)) sum += pair_energy(pair.law(barrier_), pair.features, pair.x);
  return sum;
}

void MeshBarrier::add_scaled_gradient(const Eigen::VectorXd& x, double factor, Eigen::Ref<Eigen::VectorXd> gradient) {
  for (const ActivePair& pair : pairs_.at(x)) {
    const PairVector of_pair = pair_energy_gradient(pair.law(barrier_), pair.features, pair.x).gradient;
    for (int i = 0; i < 4; ++i)
      if (const int vertex = pair.vertices[static_cast<std::size_t>(i)]; !pairs_.contact().is_fixed(vertex))
        gradient.segment<3>(3 * vertex) += factor * of_pair.segment<3>(3 * i);
  }
}

void MeshBarrier::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) { add_scaled_gradient(x, 1, gradient); }

// Hessians of pairs by several threads, then their sum in the order of the pairs.
void MeshBarrier::add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) {
  const std::vector<ActivePair>& pairs = pairs_.at(x);
  if (hessians_.size() < pairs.size()) hessians_.resize(pairs.size());
  const auto body = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      hessians_[k] = pair_energy_hessian(pairs[k].law(barrier_), pairs[k].features, pairs[k].x, curvature).hessian;
  };
  parallel_for(pairs.size(), pairs_of_a_chunk, std::ref(body));
  for (std::size_t k = 0; k < pairs.size(); ++k) add_pair_hessian(pairs_.contact(), pairs[k].vertices, hessians_[k], assembler);
}

void MeshBarrier::add_obstacle_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  const MeshContact& contact = pairs_.contact();
  if (!contact.obstacles_move()) return;
  for (const ActivePair& pair : pairs_.at(x)) {
    PairVector way = PairVector::Zero();
    for (int i = 0; i < 4; ++i)
      if (const int vertex = pair.vertices[static_cast<std::size_t>(i)]; contact.is_fixed(vertex))
        way.segment<3>(3 * i) = pairs_.obstacle_way(vertex);
    if (way.isZero(0)) continue;
    const PairVector change =
        pair_energy_hessian(pair.law(barrier_), pair.features, pair.x, Curvature::projected).hessian * way;
    for (int i = 0; i < 4; ++i)
      if (const int vertex = pair.vertices[static_cast<std::size_t>(i)]; !contact.is_fixed(vertex))
        gradient.segment<3>(3 * vertex) += change.segment<3>(3 * i);
  }
}

double MeshBarrier::feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) {
  return pairs_.longest_step(x, direction);
}

// The energy is proportional to the stiffness.
void MeshBarrier::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  add_scaled_gradient(x, 1 / barrier_.stiffness, columns.col(0));
}

// y . d2r of a pair with the Hessian H and the stiffness k: the derivative of H along y in the positions, and y . H dx dk/k.
void MeshBarrier::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                      Eigen::MatrixXd& result) {
  for (const ActivePair& pair : pairs_.at(x)) {
    const PairBarrier law = pair.law(barrier_);
    const PairVector y_pair = rows_of_pair(pairs_.contact(), pair.vertices, y);
    const Eigen::Matrix<double, 12, Eigen::Dynamic> dx = rows_of_pair(pairs_.contact(), pair.vertices, directions.positions);
    const PairMatrix along_y = pair_energy_directional_hessian(law, pair.features, pair.x, y_pair);
    const PairMatrix hessian = pair_energy_hessian(law, pair.features, pair.x, Curvature::exact).hessian;
    result.noalias() += dx.transpose() * (along_y * dx);
    const Eigen::RowVectorXd y_H_dx = (hessian * y_pair).transpose() * dx;
    const Eigen::MatrixXd mixed = y_H_dx.transpose() * directions.parameters.row(0) / barrier_.stiffness;
    result += mixed + mixed.transpose();
  }
}

}  // namespace holo
