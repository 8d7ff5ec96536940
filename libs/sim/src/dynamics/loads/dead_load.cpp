#include "dynamics/loads/dead_load.h"

#include <algorithm>

namespace holo {

double DeadLoad::energy(const Eigen::VectorXd& x) {
  double work = 0;
  for (const auto& [vertex, weight] : weights_)
    for (int i = 0; i < 3; ++i)
      work += weight * load_.vector[static_cast<std::size_t>(i)] * (x[3 * vertex + i] - start_[3 * vertex + i]);
  return -share_ * work;
}

void DeadLoad::add_gradient(const Eigen::VectorXd&, Eigen::VectorXd& gradient) {
  for (const auto& [vertex, weight] : weights_)
    for (int i = 0; i < 3; ++i) gradient[3 * vertex + i] -= share_ * weight * load_.vector[static_cast<std::size_t>(i)];
}

Eigen::VectorXd DeadLoad::parameters() const { return Eigen::Vector3d(load_.vector[0], load_.vector[1], load_.vector[2]); }

void DeadLoad::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::copy_n(values.data(), 3, load_.vector.begin());
}

void DeadLoad::add_parameter_gradient(const Eigen::VectorXd&, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (const auto& [vertex, weight] : weights_)
    for (int i = 0; i < 3; ++i) columns(3 * vertex + i, i) -= share_ * weight;
}

}  // namespace holo
