#include "holo/sim/dynamics/gravity.h"

#include <algorithm>

#include "dynamics/vertex_blocks.h"
#include "holo/core/numerics/parallel.h"

namespace holo {

double Gravity::energy(const Eigen::VectorXd& x) {
  struct Work {
    const Gravity& term;
    const double* x;
  } work{*this, x.data()};  // one reference to capture: the function object then needs no memory of its own
  return parallel_sum(masses_.size(), energy_block_vertices, [&work](std::size_t begin, std::size_t end) {
    double total = 0;
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      double moved = 0;  // g . (x - x_n) of the vertex
      for (std::size_t i = 3 * vertex; i < 3 * vertex + 3; ++i)
        moved += work.term.acceleration_[i - 3 * vertex] * (work.x[i] - work.term.start_[static_cast<Eigen::Index>(i)]);
      total -= work.term.masses_[vertex] * moved;
    }
    return total;
  });
}

void Gravity::add_gradient(const Eigen::VectorXd&, Eigen::VectorXd& gradient) {
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex)
    for (int i = 0; i < 3; ++i) gradient[3 * vertex + i] -= masses_[vertex] * acceleration_[static_cast<std::size_t>(i)];
}

Eigen::VectorXd Gravity::parameters() const { return Eigen::Vector3d(acceleration_[0], acceleration_[1], acceleration_[2]); }

void Gravity::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::copy_n(values.data(), 3, acceleration_.begin());
}

void Gravity::add_parameter_gradient(const Eigen::VectorXd&, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (int vertex = 0; vertex < model_->vertex_count(); ++vertex)
    columns.block<3, 3>(3 * vertex, 0).diagonal().array() -= masses_[static_cast<std::size_t>(vertex)];
}

}  // namespace holo
